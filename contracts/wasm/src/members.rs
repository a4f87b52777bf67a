//! The allow list.

use std::collections::BTreeSet;

use cosmwasm_std::{Addr, Api, DepsMut, Empty, Event, Order, Response, StdResult, Storage};
use cw_storage_plus::Bound;

use crate::account::parse_addr;
use crate::permissions::{check_manager, check_owner, is_member};
use crate::state::{MemberList, MEMBERS, MEMBER_LIST};
use crate::ContractError;

/// At most `limit` members after an address, in ascending order of text.
pub fn members_after(storage: &dyn Storage, after: Option<&Addr>, limit: usize) -> StdResult<Vec<Addr>> {
    let list = MEMBER_LIST.load(storage)?;
    MEMBERS
        .prefix(list.generation)
        .keys(storage, after.map(Bound::exclusive), None, Order::Ascending)
        .take(limit)
        .collect()
}

/// Replaces all members; an account that is named twice counts once. Returns the events of the new ones. The entries of the
/// former members are not touched, so that the call costs the same however many there are.
pub fn replace_members(storage: &mut dyn Storage, addrs: Vec<Addr>) -> StdResult<Vec<Event>> {
    let before = MEMBER_LIST.may_load(storage)?;
    let generation = before.map_or(0, |list| list.generation + 1);
    let mut listed = BTreeSet::new();
    let mut events = Vec::with_capacity(addrs.len());
    for addr in addrs {
        if listed.insert(addr.clone()) {
            MEMBERS.save(storage, (generation, &addr), &Empty {})?;
            events.push(added(addr));
        }
    }
    let count = listed.len() as u64;
    MEMBER_LIST.save(storage, &MemberList { generation, count })?;
    Ok(events)
}

/// Parses a list of members, which must not be empty.
pub fn parse_members(api: &dyn Api, texts: &[String]) -> Result<Vec<Addr>, ContractError> {
    if texts.is_empty() {
        return Err(ContractError::NoMembers {});
    }
    texts.iter().map(|text| parse_addr(api, text)).collect()
}

/// Adds a member; nothing happens if it is one.
pub fn execute_add(deps: DepsMut, sender: Addr, addr: String) -> Result<Response, ContractError> {
    check_manager(deps.storage, &sender)?;
    let addr = parse_addr(deps.api, &addr)?;
    if is_member(deps.storage, &addr)? {
        return Ok(Response::new());
    }
    let mut list = MEMBER_LIST.load(deps.storage)?;
    list.count += 1;
    MEMBERS.save(deps.storage, (list.generation, &addr), &Empty {})?;
    MEMBER_LIST.save(deps.storage, &list)?;
    Ok(Response::new().add_event(added(addr)))
}

/// Removes a member, but not the last one (R16); nothing happens if it is not one.
pub fn execute_remove(deps: DepsMut, sender: Addr, addr: String) -> Result<Response, ContractError> {
    check_manager(deps.storage, &sender)?;
    let addr = parse_addr(deps.api, &addr)?;
    if !is_member(deps.storage, &addr)? {
        return Ok(Response::new());
    }
    let mut list = MEMBER_LIST.load(deps.storage)?;
    if list.count == 1 {
        let addr = addr.into_string();
        return Err(ContractError::LastMember { addr });
    }
    list.count -= 1;
    MEMBERS.remove(deps.storage, (list.generation, &addr));
    MEMBER_LIST.save(deps.storage, &list)?;
    let event = Event::new("remove-allow-list").add_attribute("addr", addr);
    Ok(Response::new().add_event(event))
}

/// Replaces all members (R22).
pub fn execute_set(deps: DepsMut, sender: Addr, addrs: Vec<String>) -> Result<Response, ContractError> {
    check_owner(deps.storage, &sender)?;
    let addrs = parse_members(deps.api, &addrs)?;
    let events = replace_members(deps.storage, addrs)?;
    let cleared = Event::new("clear-allow-list");
    Ok(Response::new().add_event(cleared).add_events(events))
}

fn added(addr: Addr) -> Event {
    Event::new("add-allow-list").add_attribute("addr", addr)
}
