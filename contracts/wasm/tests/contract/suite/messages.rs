//! Messages that tests send often.

use cosmwasm_std::{Addr, Binary};
use vip_score::msg::{
    ExecuteMsg, FinalizeStageChecked, SetFinalizer, SetMembersCanManage, TransferOwnership,
    UpdateScoresPacked,
};

/// A packed batch of bytes that may be malformed.
pub fn packed_bytes(stage: u64, rows: impl Into<Binary>) -> ExecuteMsg {
    let rows = rows.into();
    ExecuteMsg::UpdateScoresPacked(UpdateScoresPacked { stage, rows })
}

/// A checked finalize that expects total, count and, if there is one, revision.
pub fn checked(stage: u64, total: u64, count: u64, revision: Option<u64>) -> ExecuteMsg {
    ExecuteMsg::FinalizeStageChecked(FinalizeStageChecked {
        stage,
        expected_total: total,
        expected_count: count,
        expected_revision: revision,
    })
}

pub fn transfer(addr: &Addr) -> ExecuteMsg {
    let new_owner = addr.to_string();
    ExecuteMsg::TransferOwnership(TransferOwnership { new_owner })
}

pub fn set_members_can_manage(allowed: bool) -> ExecuteMsg {
    ExecuteMsg::SetMembersCanManage(SetMembersCanManage { allowed })
}

pub fn set_finalizer(addr: Option<&Addr>) -> ExecuteMsg {
    let finalizer = addr.map(Addr::to_string);
    ExecuteMsg::SetFinalizer(SetFinalizer { finalizer })
}

pub fn add_member(addr: &Addr) -> ExecuteMsg {
    let addr = addr.to_string();
    ExecuteMsg::AddAllowList { addr }
}
