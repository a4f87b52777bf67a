//! The owner, and what only the owner decides: who manages members, who finalizes, and who owns the contract next.

use cosmwasm_std::{Addr, DepsMut, Event, Response, StdResult, Storage};

use crate::account::parse_addr;
use crate::members::{check_member, is_member};
use crate::state::{FINALIZER, MEMBERS_CAN_MANAGE, OWNER, PENDING_OWNER};
use crate::ContractError;

/// Makes an account the owner and allows members to manage members, as the published interface promises.
pub fn set_first_owner(storage: &mut dyn Storage, owner: &Addr) -> StdResult<()> {
    OWNER.save(storage, owner)?;
    MEMBERS_CAN_MANAGE.save(storage, &true)
}

/// Fails unless the sender may add and remove members (R15).
pub fn check_manager(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    let is_owner = *sender == OWNER.load(storage)?;
    if is_owner || (MEMBERS_CAN_MANAGE.load(storage)? && is_member(storage, sender.as_str())) {
        return Ok(());
    }
    Err(ContractError::PermissionDenied {
        addr: sender.to_string(),
    })
}

/// Fails unless the sender may finalize: the finalizer if there is one, else any member (R13).
pub fn check_finalizer(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    match FINALIZER.may_load(storage)? {
        None => check_member(storage, sender),
        Some(finalizer) if finalizer == *sender => Ok(()),
        Some(_) => Err(ContractError::PermissionDenied {
            addr: sender.to_string(),
        }),
    }
}

/// Offers ownership to an account; replaces an earlier offer.
pub fn execute_transfer(
    deps: DepsMut,
    sender: Addr,
    new_owner: String,
) -> Result<Response, ContractError> {
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
pub fn execute_set_members_can_manage(
    deps: DepsMut,
    sender: Addr,
    allowed: bool,
) -> Result<Response, ContractError> {
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
    let named = match finalizer {
        Some(text) => {
            let finalizer = parse_addr(deps.api, &text)?;
            FINALIZER.save(deps.storage, &finalizer)?;
            finalizer.into_string()
        }
        None => {
            FINALIZER.remove(deps.storage);
            "any".to_string()
        }
    };
    let event = Event::new("set-finalizer").add_attribute("finalizer", named);
    Ok(Response::new().add_event(event))
}

fn check_owner(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    if *sender == OWNER.load(storage)? {
        return Ok(());
    }
    Err(ContractError::NotOwner {
        addr: sender.to_string(),
    })
}
