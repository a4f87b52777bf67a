//! The allow list, where the reference contract has it: who has an entry in `allow_list` is a member.

use cosmwasm_std::storage_keys::to_length_prefixed;
use cosmwasm_std::{Addr, Api, DepsMut, Event, Order, Response, StdResult, Storage};

use crate::account::parse_addr;
use crate::ContractError;

const NAMESPACE: &[u8] = b"allow_list";
/// The value of an entry.
const ENTRY: &[u8] = b"{}";

/// Whether an address is a member.
pub fn is_member(storage: &dyn Storage, addr: &str) -> bool {
    storage.get(&entry_key(addr)).is_some()
}

/// At most `limit` members after a text, in ascending order.
pub fn members_after(
    storage: &dyn Storage,
    text: Option<&str>,
    limit: usize,
) -> StdResult<Vec<String>> {
    let first = entry_key("");
    let mut start = entry_key(text.unwrap_or_default());
    if text.is_some() {
        start.push(0);
    }
    // No text has a byte 255.
    let end = [first.as_slice(), &[255]].concat();
    let entries = storage.range(Some(&start), Some(&end), Order::Ascending);
    let mut members = Vec::new();
    for (key, _) in entries.take(limit) {
        members.push(String::from_utf8(key[first.len()..].to_vec())?);
    }
    Ok(members)
}

/// Fails unless the sender is a member: members, and nobody else, write scores and finalize (R13).
pub fn check_member(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    if is_member(storage, sender.as_str()) {
        return Ok(());
    }
    Err(ContractError::PermissionDenied {
        addr: sender.to_string(),
    })
}

/// Adds a member; none if it is one already.
pub fn add_member(storage: &mut dyn Storage, addr: &Addr) -> Option<Event> {
    if is_member(storage, addr.as_str()) {
        return None;
    }
    storage.set(&entry_key(addr.as_str()), ENTRY);
    Some(Event::new("add-allow-list").add_attribute("addr", addr))
}

/// Adds a member. The sender has been checked.
pub fn execute_add(deps: DepsMut, addr: String) -> Result<Response, ContractError> {
    let addr = parse_addr(deps.api, &addr)?;
    let event = add_member(deps.storage, &addr);
    Ok(Response::new().add_events(event))
}

/// Removes a member, but not the last one (R16). The sender has been checked.
pub fn execute_remove(deps: DepsMut, addr: String) -> Result<Response, ContractError> {
    let addr = listed_text(deps.storage, deps.api, addr)?;
    if !is_member(deps.storage, &addr) {
        return Ok(Response::new());
    }
    if members_after(deps.storage, None, 2)?.len() < 2 {
        return Err(ContractError::LastMember { addr });
    }
    deps.storage.remove(&entry_key(&addr));
    let event = Event::new("remove-allow-list").add_attribute("addr", addr);
    Ok(Response::new().add_event(event))
}

/// The entry of the list that a text stands for. A text that is on the list stands for itself: the reference contract took
/// any text, and what it took must be removable.
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

fn entry_key(text: &str) -> Vec<u8> {
    let namespace = to_length_prefixed(NAMESPACE);
    [&namespace, text.as_bytes()].concat()
}
