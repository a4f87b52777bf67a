//! Members: R13 to R16.

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::msg::{ExecuteMsg, IsMemberResponse, MembersResponse, QueryMsg};
use vip_score::ContractError;

fn add(addr: impl Into<String>) -> ExecuteMsg {
    ExecuteMsg::AddAllowList { addr: addr.into() }
}

fn remove(addr: impl Into<String>) -> ExecuteMsg {
    ExecuteMsg::RemoveAllowList { addr: addr.into() }
}

fn members(suite: &Suite, start_after: Option<&Addr>, limit: Option<u64>) -> Vec<Addr> {
    let start_after = start_after.map(|addr| addr.to_string());
    let answer: MembersResponse = suite.ask(&QueryMsg::GetMembers { start_after, limit });
    answer.members
}

fn is_member(suite: &Suite, addr: impl Into<String>) -> bool {
    let answer: IsMemberResponse = suite.ask(&QueryMsg::IsMember { addr: addr.into() });
    answer.is_member
}

fn denied(addr: &Addr) -> ContractError {
    ContractError::PermissionDenied {
        addr: addr.to_string(),
    }
}

#[test]
fn the_list_is_taken_as_given() {
    let suite = Suite::new();
    assert_eq!(members(&suite, None, None), vec![suite.member.clone()]);
    assert!(is_member(&suite, suite.member.as_str()));
    assert!(!is_member(&suite, suite.owner.as_str()));
}

#[test]
fn members_and_the_owner_add_and_remove() {
    let mut suite = Suite::new();
    let (owner, member, stranger) = (
        suite.owner.clone(),
        suite.member.clone(),
        suite.stranger.clone(),
    );
    let new = account(1);
    let denied_to_stranger = denied(&stranger);
    assert_eq!(
        suite.send(&stranger, &add(&new)).unwrap_err(),
        denied_to_stranger
    );
    assert_eq!(
        suite.send(&stranger, &remove(&member)).unwrap_err(),
        denied_to_stranger
    );
    let addr = format!("addr={new}");
    for sender in [owner, member] {
        let response = suite.send(&sender, &add(&new)).unwrap();
        assert_eq!(own_events(&response), [event("add-allow-list", &[&addr])]);
        assert!(is_member(&suite, new.as_str()));
        let response = suite.send(&sender, &remove(&new)).unwrap();
        assert_eq!(
            own_events(&response),
            [event("remove-allow-list", &[&addr])]
        );
        assert!(!is_member(&suite, new.as_str()));
    }
}

#[test]
fn adding_twice_and_removing_nobody_change_nothing() {
    let mut suite = Suite::new();
    let before = suite.raw_state();
    let member = suite.member.clone();
    assert_eq!(own_events(&suite.write(&add(&member)).unwrap()), []);
    assert_eq!(own_events(&suite.write(&remove(account(1))).unwrap()), []);
    assert_eq!(suite.raw_state(), before);
}

#[test]
fn the_last_member_stays() {
    let mut suite = Suite::new();
    let (owner, member) = (suite.owner.clone(), suite.member.clone());
    let last = ContractError::LastMember {
        addr: member.to_string(),
    };
    assert_eq!(suite.write(&remove(&member)).unwrap_err(), last);
    assert_eq!(suite.send(&owner, &remove(&member)).unwrap_err(), last);
    suite.write(&add(account(1))).unwrap();
    suite.write(&remove(&member)).unwrap();
    assert_eq!(members(&suite, None, None), [account(1)]);
    assert_eq!(suite.finalize(1).unwrap_err(), denied(&member));
}

#[test]
fn members_write_only_while_they_are_members() {
    let mut suite = Suite::new();
    let new = account(1);
    let msg = ExecuteMsg::FinalizeStage { stage: 1 };
    assert_eq!(suite.send(&new, &msg).unwrap_err(), denied(&new));
    suite.write(&add(&new)).unwrap();
    suite.send(&new, &msg).unwrap();
}

#[test]
fn members_have_one_spelling() {
    let mut suite = Suite::new();
    let new = account(1);
    let upper = new.as_str().to_uppercase();
    suite.write(&add(upper.clone())).unwrap();
    assert!(is_member(&suite, new.as_str()));
    assert!(is_member(&suite, upper.clone()));
    assert_eq!(members(&suite, None, None).len(), 2);
    suite.write(&remove(upper)).unwrap();
    assert!(!is_member(&suite, new.as_str()));
    for msg in [add("?"), remove("?"), add("")] {
        let error = suite.write(&msg).unwrap_err();
        assert!(matches!(error, ContractError::InvalidAddress { .. }));
    }
}

#[test]
fn members_come_in_pages() {
    let mut suite = Suite::new();
    let mut all: Vec<Addr> = (0..30).map(account).collect();
    for addr in &all {
        suite.write(&add(addr)).unwrap();
    }
    all.push(suite.member.clone());
    all.sort();
    assert_eq!(members(&suite, None, None), all);
    assert_eq!(members(&suite, None, Some(4)), all[..4]);
    assert_eq!(members(&suite, Some(&all[3]), Some(100)), all[4..]);
    assert_eq!(members(&suite, all.last(), None).len(), 0);
}
