//! Who may do what: members write scores, the finalizer finalizes, the owner decides about all of that.

use std::collections::BTreeSet;

use cosmwasm_std::{Addr, Api, DepsMut, Empty, Event, StdResult, Storage};

use crate::account::parse_account;
use crate::events::Events;
use crate::state::{MemberList, FINALIZER, MEMBERS, MEMBERS_CAN_MANAGE, MEMBER_LIST, OWNER, PENDING_OWNER};
use crate::ContractError;

/// Whether an account is on the allow list.
pub fn is_member(storage: &dyn Storage, addr: &Addr) -> StdResult<bool> {
    let list = MEMBER_LIST.load(storage)?;
    Ok(MEMBERS.has(storage, (list.generation, addr)))
}

/// Fails unless the sender is a member: only members write scores (R13).
pub fn check_member(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    permit(is_member(storage, sender)?, sender)
}

/// Fails unless the sender may finalize: the finalizer if there is one, else any member (R13).
pub fn check_finalizer(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    match FINALIZER.may_load(storage)? {
        None => check_member(storage, sender),
        Some(finalizer) => permit(finalizer == *sender, sender),
    }
}

/// Fails unless the sender may add and remove members (R15).
fn check_manager(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    let is_owner = *sender == OWNER.load(storage)?;
    let is_manager = is_owner || (MEMBERS_CAN_MANAGE.load(storage)? && is_member(storage, sender)?);
    permit(is_manager, sender)
}

/// Fails unless the sender is the owner.
fn check_owner(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    if *sender == OWNER.load(storage)? {
        return Ok(());
    }
    let addr = sender.to_string();
    Err(ContractError::NotOwner { addr })
}

fn permit(is_permitted: bool, sender: &Addr) -> Result<(), ContractError> {
    if is_permitted {
        return Ok(());
    }
    let addr = sender.to_string();
    Err(ContractError::PermissionDenied { addr })
}

/// Adds a member; nothing happens if it is one.
pub fn execute_add(deps: DepsMut, sender: Addr, addr: String) -> Events {
    check_manager(deps.storage, &sender)?;
    let addr = parse_account(deps.api, &addr)?.addr;
    if is_member(deps.storage, &addr)? {
        return Ok(vec![]);
    }
    let mut list = MEMBER_LIST.load(deps.storage)?;
    list.count += 1;
    MEMBERS.save(deps.storage, (list.generation, &addr), &Empty {})?;
    MEMBER_LIST.save(deps.storage, &list)?;
    Ok(vec![added(addr)])
}

/// Removes a member, but not the last one (R16); nothing happens if it is not one.
pub fn execute_remove(deps: DepsMut, sender: Addr, addr: String) -> Events {
    check_manager(deps.storage, &sender)?;
    let addr = parse_account(deps.api, &addr)?.addr;
    if !is_member(deps.storage, &addr)? {
        return Ok(vec![]);
    }
    let mut list = MEMBER_LIST.load(deps.storage)?;
    if list.count == 1 {
        let addr = addr.into_string();
        return Err(ContractError::LastMember { addr });
    }
    list.count -= 1;
    MEMBERS.remove(deps.storage, (list.generation, &addr));
    MEMBER_LIST.save(deps.storage, &list)?;
    Ok(vec![Event::new("remove-allow-list").add_attribute("addr", addr)])
}

/// Replaces all members (R22).
pub fn execute_set(deps: DepsMut, sender: Addr, addrs: Vec<String>) -> Events {
    check_owner(deps.storage, &sender)?;
    set_members(deps.storage, deps.api, &addrs)
}

/// Replaces all members by those of a message, no matter who sent it.
pub fn set_members(storage: &mut dyn Storage, api: &dyn Api, texts: &[String]) -> Events {
    let addrs = parse_members(api, texts)?;
    let mut events = vec![Event::new("clear-allow-list")];
    events.extend(replace_members(storage, addrs)?);
    Ok(events)
}

/// Parses a list of members, which must not be empty.
pub fn parse_members(api: &dyn Api, texts: &[String]) -> Result<Vec<Addr>, ContractError> {
    if texts.is_empty() {
        return Err(ContractError::NoMembers {});
    }
    let parsed = texts.iter().map(|text| Ok(parse_account(api, text)?.addr));
    parsed.collect()
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

fn added(addr: Addr) -> Event {
    Event::new("add-allow-list").add_attribute("addr", addr)
}

/// Offers ownership to an account; replaces an earlier offer.
pub fn execute_transfer(deps: DepsMut, sender: Addr, new_owner: String) -> Events {
    check_owner(deps.storage, &sender)?;
    let new_owner = parse_account(deps.api, &new_owner)?.addr;
    PENDING_OWNER.save(deps.storage, &new_owner)?;
    Ok(vec![Event::new("transfer-ownership")
        .add_attribute("owner", sender)
        .add_attribute("pending_owner", new_owner)])
}

/// Makes the sender the owner, if ownership was offered to it.
pub fn execute_accept(deps: DepsMut, sender: Addr) -> Events {
    if PENDING_OWNER.may_load(deps.storage)?.as_ref() != Some(&sender) {
        let addr = sender.into_string();
        return Err(ContractError::OwnershipNotOffered { addr });
    }
    OWNER.save(deps.storage, &sender)?;
    PENDING_OWNER.remove(deps.storage);
    Ok(vec![Event::new("accept-ownership").add_attribute("owner", sender)])
}

/// Sets whether members may add and remove members.
pub fn execute_set_members_can_manage(deps: DepsMut, sender: Addr, allowed: bool) -> Events {
    check_owner(deps.storage, &sender)?;
    MEMBERS_CAN_MANAGE.save(deps.storage, &allowed)?;
    let event = Event::new("set-members-can-manage");
    Ok(vec![event.add_attribute("allowed", allowed.to_string())])
}

/// Sets the only account that may finalize; with none, any member may.
pub fn execute_set_finalizer(deps: DepsMut, sender: Addr, finalizer: Option<String>) -> Events {
    check_owner(deps.storage, &sender)?;
    if let Some(text) = finalizer {
        return Ok(vec![name_finalizer(deps, &text)?]);
    }
    FINALIZER.remove(deps.storage);
    Ok(vec![finalizer_event("any")])
}

/// Makes an account the only one that may finalize.
pub fn name_finalizer(deps: DepsMut, text: &str) -> Result<Event, ContractError> {
    let finalizer = parse_account(deps.api, text)?.addr;
    FINALIZER.save(deps.storage, &finalizer)?;
    Ok(finalizer_event(finalizer.as_str()))
}

fn finalizer_event(finalizer: &str) -> Event {
    Event::new("set-finalizer").add_attribute("finalizer", finalizer)
}
