//! Random messages of `vip-score`.

use cosmwasm_std::{Addr, Api, Binary};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::accounts::{account, api, first_stage, numbered, stage, text, FINALIZER, MEMBERS};
use crate::msg::{
    ExecuteMsg, InstantiateMsg, MigrateMsg, SetAllowList, SetFinalizer, SetMembersCanManage, TransferOwnership,
    UpdateScoresPacked,
};

/// The most rows of a batch: more than a page holds.
const ROWS: usize = 16;

/// Scores up to 2^64 - 1, also those that make a sum overflow.
fn amount() -> impl Strategy<Value = u64> {
    prop_oneof![
        16 => 0..5000u64,
        1 => Just((1 << 53) + 1),
        1 => u64::MAX - 3..=u64::MAX,
    ]
}

/// The rows of a batch: most often without any that makes the contract refuse it.
fn rows() -> impl Strategy<Value = Vec<(Addr, u64)>> {
    prop_oneof![
        12 => vec((account(), 0..5000u64), 0..ROWS),
        1 => vec((account(), amount()), 0..ROWS),
    ]
}

fn text_rows() -> impl Strategy<Value = Vec<(String, u64)>> {
    let texts = |rows: Vec<(Addr, u64)>| {
        rows.into_iter()
            .map(|(addr, score)| (addr.into_string(), score))
            .collect()
    };
    prop_oneof![12 => rows().prop_map(texts), 1 => vec((text(), amount()), 0..ROWS)]
}

/// The messages that write scores.
fn write() -> impl Strategy<Value = ExecuteMsg> {
    let one = || (text(), stage(), amount());
    prop_oneof![
        4 => (stage(), text_rows()).prop_map(|(stage, scores)| ExecuteMsg::UpdateScores { stage, scores }),
        4 => (stage(), rows()).prop_map(|(stage, rows)| packed(stage, rows.iter().flat_map(packed_row).collect())),
        1 => (stage(), vec(any::<u8>(), 0..60)).prop_map(|(stage, bytes)| packed(stage, bytes)),
        1 => one().prop_map(|(addr, stage, amount)| ExecuteMsg::UpdateScore { addr, stage, amount }),
        1 => one().prop_map(|(addr, stage, amount)| ExecuteMsg::IncreaseScore { addr, stage, amount }),
        1 => one().prop_map(|(addr, stage, amount)| ExecuteMsg::DecreaseScore { addr, stage, amount }),
    ]
}

fn packed(stage: u64, bytes: Vec<u8>) -> ExecuteMsg {
    let rows = Binary::from(bytes);
    ExecuteMsg::UpdateScoresPacked(UpdateScoresPacked { stage, rows })
}

fn packed_row((addr, score): &(Addr, u64)) -> Vec<u8> {
    let address = api()
        .addr_canonicalize(addr.as_str())
        .expect("an account is an address");
    let mut row = vec![address.len() as u8];
    row.extend_from_slice(&address);
    row.extend(score.to_be_bytes());
    row
}

/// The messages about who may do what.
fn manage() -> impl Strategy<Value = ExecuteMsg> {
    prop_oneof![
        text().prop_map(|addr| ExecuteMsg::AddAllowList { addr }),
        text().prop_map(|addr| ExecuteMsg::RemoveAllowList { addr }),
        members().prop_map(|addrs| ExecuteMsg::SetAllowList(SetAllowList { addrs })),
        text().prop_map(|new_owner| ExecuteMsg::TransferOwnership(TransferOwnership { new_owner })),
        Just(ExecuteMsg::AcceptOwnership {}),
        any::<bool>().prop_map(|allowed| ExecuteMsg::SetMembersCanManage(SetMembersCanManage { allowed })),
        finalizer().prop_map(|finalizer| ExecuteMsg::SetFinalizer(SetFinalizer { finalizer })),
    ]
}

/// Any list, most often one with the members that call most.
fn members() -> impl Strategy<Value = Vec<String>> {
    let usual = vec(text(), 0..3).prop_map(|others| MEMBERS.map(text_of).into_iter().chain(others).collect());
    prop_oneof![8 => usual, 1 => vec(text(), 0..4)]
}

fn finalizer() -> impl Strategy<Value = Option<String>> {
    prop_oneof![3 => Just(None), 2 => Just(Some(text_of(FINALIZER))), 1 => text().prop_map(Some)]
}

/// Every message but the checked finalize, whose contents depend on what is stored.
pub fn message() -> impl Strategy<Value = ExecuteMsg> {
    prop_oneof![
        6 => write(),
        2 => stage().prop_map(|stage| ExecuteMsg::FinalizeStage { stage }),
        2 => manage(),
    ]
}

pub fn migration() -> impl Strategy<Value = MigrateMsg> {
    option::of(members()).prop_map(|allow_list| MigrateMsg { allow_list })
}

/// A message that creates a contract.
pub fn creation() -> impl Strategy<Value = InstantiateMsg> {
    let creation = (first_stage(), finalizer_at_first(), option::of(any::<bool>()));
    creation.prop_map(|(init_stage, finalizer, members_can_manage)| InstantiateMsg {
        allow_list: MEMBERS.map(text_of).to_vec(),
        init_stage,
        finalizer,
        members_can_manage,
    })
}

fn finalizer_at_first() -> impl Strategy<Value = Option<String>> {
    prop_oneof![5 => Just(None), 1 => Just(Some(text_of(FINALIZER)))]
}

/// A message that may create a contract or not.
pub fn any_creation() -> impl Strategy<Value = InstantiateMsg> {
    (stage(), members(), creation()).prop_map(|(init_stage, allow_list, creation)| InstantiateMsg {
        init_stage,
        allow_list,
        ..creation
    })
}

fn text_of(number: u8) -> String {
    numbered(number).into_string()
}
