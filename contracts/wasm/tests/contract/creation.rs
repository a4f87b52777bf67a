//! `instantiate` (W9), and coins, which no entry point accepts (W5).

use crate::suite::*;
use cosmwasm_std::{coins, Addr, Coin};
use vip_score::msg::{ExecuteMsg, InstantiateMsg, OwnershipResponse, QueryMsg};
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
    assert_eq!(suite.member_count(), 2);
}

#[test]
fn the_finalizer_and_who_manages_members_are_set_from_the_first_block() {
    let mut suite = Suite::without_contract();
    let (owner, member, finalizer) = (suite.owner.clone(), suite.member.clone(), account(5));
    let msg = InstantiateMsg {
        allow_list: vec![member.to_string()],
        init_stage: 1,
        finalizer: Some(finalizer.as_str().to_uppercase()),
        members_can_manage: Some(false),
    };
    let created = suite.instantiate_with(msg, &[]).unwrap();
    let named = format!("set-finalizer finalizer={finalizer}");
    assert_eq!(own_events(&created).last(), Some(&named));
    let ownership: OwnershipResponse = suite.ask(&QueryMsg::GetOwnership {});
    let expected = OwnershipResponse {
        owner,
        pending_owner: None,
        members_can_manage: false,
        finalizer: Some(finalizer.clone()),
    };
    assert_eq!(ownership, expected);
    let denied = ContractError::PermissionDenied {
        addr: member.to_string(),
    };
    assert_eq!(suite.finalize(1).unwrap_err(), denied);
    assert_eq!(suite.write(&add_member(&member)).unwrap_err(), denied);
    suite.send(&finalizer, &ExecuteMsg::FinalizeStage { stage: 1 }).unwrap();
}

#[test]
fn a_finalizer_that_is_not_an_address_is_refused() {
    let mut suite = Suite::without_contract();
    let msg = InstantiateMsg {
        allow_list: vec![suite.member.to_string()],
        init_stage: 1,
        finalizer: Some("init1nope".to_string()),
        members_can_manage: None,
    };
    let error = suite.instantiate_with(msg, &[]).unwrap_err();
    assert!(matches!(error, ContractError::InvalidAddress { addr, .. } if addr == "init1nope"));
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
