//! Who may do what.

use cosmwasm_std::{Addr, StdResult, Storage};

use crate::state::{FINALIZER, MEMBERS, MEMBERS_CAN_MANAGE, MEMBER_LIST, OWNER};
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

/// Fails unless the sender may add and remove members (R15).
pub fn check_manager(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    let is_owner = *sender == OWNER.load(storage)?;
    let is_manager = is_owner || (MEMBERS_CAN_MANAGE.load(storage)? && is_member(storage, sender)?);
    permit(is_manager, sender)
}

/// Fails unless the sender may finalize: the finalizer if there is one, else any member (R13).
pub fn check_finalizer(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    match FINALIZER.may_load(storage)? {
        None => check_member(storage, sender),
        Some(finalizer) => permit(finalizer == *sender, sender),
    }
}

/// Fails unless the sender is the owner.
pub fn check_owner(storage: &dyn Storage, sender: &Addr) -> Result<(), ContractError> {
    if *sender == OWNER.load(storage)? {
        return Ok(());
    }
    Err(ContractError::NotOwner {
        addr: sender.to_string(),
    })
}

fn permit(is_permitted: bool, sender: &Addr) -> Result<(), ContractError> {
    if is_permitted {
        return Ok(());
    }
    Err(ContractError::PermissionDenied {
        addr: sender.to_string(),
    })
}
