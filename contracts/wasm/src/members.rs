//! The allow list.

use cosmwasm_std::{Addr, Api, DepsMut, Empty, Event, Order, Response, StdResult, Storage};
use cw_storage_plus::Bound;

use crate::account::{check_text, is_too_long, parse_addr};
use crate::ownership::check_manager;
use crate::state::ALLOW_LIST;
use crate::ContractError;

/// Whether a text is on the list.
pub fn is_member(storage: &dyn Storage, text: &str) -> bool {
    !is_too_long(text) && ALLOW_LIST.has(storage, text)
}

/// At most `limit` members after a text, in ascending order.
pub fn members_after(
    storage: &dyn Storage,
    text: Option<&str>,
    limit: usize,
) -> Result<Vec<String>, ContractError> {
    text.map_or(Ok(()), check_text)?;
    let start = text.map(Bound::exclusive);
    let members = ALLOW_LIST
        .keys(storage, start, None, Order::Ascending)
        .take(limit);
    Ok(members.collect::<StdResult<_>>()?)
}

/// Fails unless the sender is a member: only members write scores (R13).
pub fn check_member(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    if is_member(storage, sender.as_str()) {
        return Ok(());
    }
    Err(ContractError::PermissionDenied {
        addr: sender.to_string(),
    })
}

/// Adds a member. Returns its event; none if it already is a member.
pub fn add_member(storage: &mut dyn Storage, addr: &Addr) -> StdResult<Option<Event>> {
    if is_member(storage, addr.as_str()) {
        return Ok(None);
    }
    ALLOW_LIST.save(storage, addr.as_str(), &Empty {})?;
    let event = Event::new("add-allow-list").add_attribute("addr", addr);
    Ok(Some(event))
}

/// Adds a member.
pub fn execute_add(deps: DepsMut, sender: Addr, addr: String) -> Result<Response, ContractError> {
    check_manager(deps.storage, &sender)?;
    let addr = parse_addr(deps.api, &addr)?;
    let event = add_member(deps.storage, &addr)?;
    Ok(Response::new().add_events(event))
}

/// Removes a member, but not the last one (R16).
pub fn execute_remove(
    deps: DepsMut,
    sender: Addr,
    addr: String,
) -> Result<Response, ContractError> {
    check_manager(deps.storage, &sender)?;
    let addr = listed_text(deps.storage, deps.api, addr)?;
    if !is_member(deps.storage, &addr) {
        return Ok(Response::new());
    }
    if members_after(deps.storage, None, 2)?.len() < 2 {
        return Err(ContractError::LastMember { addr });
    }
    ALLOW_LIST.remove(deps.storage, &addr);
    let event = Event::new("remove-allow-list").add_attribute("addr", addr);
    Ok(Response::new().add_event(event))
}

/// The list entry for a text. A text on the list is its own entry: the reference contract accepted any text, and such
/// entries must be removable.
fn listed_text(
    storage: &dyn Storage,
    api: &dyn Api,
    text: String,
) -> Result<String, ContractError> {
    if is_member(storage, &text) {
        return Ok(text);
    }
    Ok(parse_addr(api, &text)?.into_string())
}
