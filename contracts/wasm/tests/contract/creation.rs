//! `instantiate` (W9), and coins, which no entry point accepts (W5).

use crate::suite::*;
use cosmwasm_std::{coins, Addr, Coin};
use vip_score::msg::ExecuteMsg;
use vip_score::ContractError;

fn refused(allow_list: &[&str], init_stage: u64, funds: &[Coin]) -> ContractError {
    let mut suite = Suite::without_contract();
    let refused = suite.instantiate(allow_list, init_stage, funds);
    refused.unwrap_err()
}

#[test]
fn the_list_is_taken_as_given() {
    let suite = Suite::new();
    assert_eq!(suite.members(None, None), vec![suite.member.clone()]);
    let [a, b] = [2, 3].map(|number| account(number).into_string());
    let mut suite = Suite::without_contract();
    suite.instantiate(&[&a, &b, &a], 4, &[]).unwrap();
    let mut members = [a, b].map(Addr::unchecked);
    members.sort();
    assert_eq!(suite.members(None, None), members);
    let is_member = |key: &[u8]| key.starts_with(b"\x00\x0aallow_list");
    let state = suite.raw_state();
    assert_eq!(state.iter().filter(|(key, _)| is_member(key)).count(), 2);
}

#[test]
fn stage_0_and_a_list_without_members_are_refused() {
    let member = account(2).into_string();
    assert_eq!(refused(&[&member], 0, &[]), ContractError::StageZero {});
    assert_eq!(refused(&[], 1, &[]), ContractError::NoMembers {});
    assert!(matches!(
        refused(&[&member, "init1nope"], 1, &[]),
        ContractError::InvalidAddress { addr, .. } if addr == "init1nope"
    ));
}

#[test]
fn coins_are_refused() {
    let coins = coins(1, "umin");
    let member = account(2).into_string();
    assert_eq!(refused(&[&member], 1, &coins), ContractError::FundsSent {});
    let mut suite = Suite::new();
    let member = suite.member.clone();
    let msg = ExecuteMsg::FinalizeStage { stage: 1 };
    let error = suite.send_with(&member, &msg, &coins).unwrap_err();
    assert_eq!(error, ContractError::FundsSent {});
}
