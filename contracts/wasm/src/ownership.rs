//! The owner, and what only the owner decides: who manages members, who finalizes, and who owns the contract next.

use cosmwasm_std::{Addr, Api, DepsMut, Event, Response, Storage};

use crate::account::parse_addr;
use crate::permissions::check_owner;
use crate::state::{FINALIZER, MEMBERS_CAN_MANAGE, OWNER, PENDING_OWNER};
use crate::ContractError;

/// Offers ownership to an account; replaces an earlier offer.
pub fn execute_transfer(deps: DepsMut, sender: Addr, new_owner: String) -> Result<Response, ContractError> {
    check_owner(deps.storage, &sender)?;
    let new_owner = parse_addr(deps.api, &new_owner)?;
    PENDING_OWNER.save(deps.storage, &new_owner)?;
    let event = Event::new("transfer-ownership")
        .add_attribute("owner", sender)
        .add_attribute("pending_owner", new_owner);
    Ok(Response::new().add_event(event))
}

/// Makes the sender the owner, if ownership was offered to it.
pub fn execute_accept(deps: DepsMut, sender: Addr) -> Result<Response, ContractError> {
    if PENDING_OWNER.may_load(deps.storage)?.as_ref() != Some(&sender) {
        return Err(ContractError::OwnershipNotOffered {
            addr: sender.into_string(),
        });
    }
    OWNER.save(deps.storage, &sender)?;
    PENDING_OWNER.remove(deps.storage);
    let event = Event::new("accept-ownership").add_attribute("owner", sender);
    Ok(Response::new().add_event(event))
}

/// Sets whether members may add and remove members.
pub fn execute_set_members_can_manage(deps: DepsMut, sender: Addr, allowed: bool) -> Result<Response, ContractError> {
    check_owner(deps.storage, &sender)?;
    MEMBERS_CAN_MANAGE.save(deps.storage, &allowed)?;
    let event = Event::new("set-members-can-manage").add_attribute("allowed", allowed.to_string());
    Ok(Response::new().add_event(event))
}

/// Sets the only account that may finalize; with none, any member may.
pub fn execute_set_finalizer(
    deps: DepsMut,
    sender: Addr,
    finalizer: Option<String>,
) -> Result<Response, ContractError> {
    check_owner(deps.storage, &sender)?;
    let Some(text) = finalizer else {
        FINALIZER.remove(deps.storage);
        return Ok(Response::new().add_event(finalizer_event("any")));
    };
    let event = name_finalizer(deps.storage, deps.api, &text)?;
    Ok(Response::new().add_event(event))
}

/// Makes an account the only one that may finalize.
pub fn name_finalizer(storage: &mut dyn Storage, api: &dyn Api, text: &str) -> Result<Event, ContractError> {
    let finalizer = parse_addr(api, text)?;
    FINALIZER.save(storage, &finalizer)?;
    Ok(finalizer_event(finalizer.as_str()))
}

fn finalizer_event(finalizer: &str) -> Event {
    Event::new("set-finalizer").add_attribute("finalizer", finalizer)
}
