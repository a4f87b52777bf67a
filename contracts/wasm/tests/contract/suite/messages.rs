//! Messages that tests send often.

use cosmwasm_std::{Addr, Api, Binary};
use vip_score::msg::{
    ExecuteMsg, FinalizeStageChecked, SetAllowList, SetFinalizer, SetMembersCanManage, TransferOwnership,
    UpdateScoresPacked,
};

/// The row of a packed batch, written independently from its description.
pub fn packed_row(addr: &Addr, score: u64) -> Vec<u8> {
    let address = super::api().addr_canonicalize(addr.as_str()).unwrap();
    let mut row = vec![address.len() as u8];
    row.extend_from_slice(&address);
    row.extend(score.to_be_bytes());
    row
}

pub fn packed(rows: &[(Addr, u64)]) -> Binary {
    let bytes: Vec<u8> = rows.iter().flat_map(|(addr, score)| packed_row(addr, *score)).collect();
    bytes.into()
}

/// Rows as `update_scores` has them.
pub fn texts(rows: &[(Addr, u64)]) -> Vec<(String, u64)> {
    rows.iter().map(|(a, s)| (a.to_string(), *s)).collect()
}

/// A packed batch of bytes that may be malformed.
pub fn packed_bytes(stage: u64, rows: impl Into<Binary>) -> ExecuteMsg {
    let rows = rows.into();
    ExecuteMsg::UpdateScoresPacked(UpdateScoresPacked { stage, rows })
}

/// A checked finalize that expects total, count and revision.
pub fn checked(stage: u64, total: u64, count: u64, revision: u64) -> ExecuteMsg {
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

pub fn set_members(addrs: &[Addr]) -> ExecuteMsg {
    let addrs = addrs.iter().map(Addr::to_string).collect();
    ExecuteMsg::SetAllowList(SetAllowList { addrs })
}

pub fn add_member(addr: &Addr) -> ExecuteMsg {
    let addr = addr.to_string();
    ExecuteMsg::AddAllowList { addr }
}
