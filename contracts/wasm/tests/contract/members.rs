//! The allow list: what a flood of members costs, and how the owner ends it (R22).

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::msg::{ExecuteMsg, MembersResponse, QueryMsg};
use vip_score::ContractError;

const FLOOD: u64 = 5_000;

/// A contract to which a thief with a member key has added thousands of members.
fn flooded() -> Suite {
    let mut suite = Suite::new();
    for number in 0..FLOOD {
        suite.write(&add_member(&account(number))).unwrap();
    }
    suite
}

fn reads(suite: &mut Suite, call: impl FnOnce(&mut Suite)) -> usize {
    let before = suite.deps.storage.reads();
    call(suite);
    suite.deps.storage.reads() - before
}

#[test]
fn no_call_costs_more_with_many_members() {
    let mut suite = flooded();
    assert_eq!(suite.member_count(), FLOOD + 1);
    let (owner, member) = (suite.owner.clone(), suite.member.clone());
    let mut all = vec![];
    loop {
        let mut page = vec![];
        let read = reads(&mut suite, |suite| {
            page = suite.members(all.last(), Some(5_000));
        });
        assert!(read <= 1_003, "{read}");
        assert!(page.len() <= 1_000);
        let is_last = page.len() < 1_000;
        all.extend(page);
        if is_last {
            break;
        }
    }
    assert_eq!(all.len() as u64, FLOOD + 1);
    assert!(all.is_sorted());
    let addr = account(17).into_string();
    let remove = ExecuteMsg::RemoveAllowList { addr };
    assert!(reads(&mut suite, |suite| drop(suite.send(&owner, &remove))) < 10);
    assert_eq!(suite.member_count(), FLOOD);

    let new = [account(6_000), account(3), account(6_000)];
    let replaced = reads(&mut suite, |suite| {
        suite.send(&owner, &set_members(&new)).unwrap();
    });
    assert!(replaced < 10, "{replaced}");
    assert_eq!(suite.member_count(), 2);
    let mut expected = new[..2].to_vec();
    expected.sort();
    assert_eq!(suite.members(None, None), expected);
    for former in [&member, &account(1), &account(17)] {
        let denied = ContractError::PermissionDenied {
            addr: former.to_string(),
        };
        let finalize = ExecuteMsg::FinalizeStage { stage: 1 };
        assert_eq!(suite.send(former, &finalize).unwrap_err(), denied);
    }
    // A former member can be added again, and counts once.
    suite.send(&owner, &add_member(&member)).unwrap();
    suite.send(&owner, &add_member(&member)).unwrap();
    assert_eq!(suite.member_count(), 3);
    suite.finalize(1).unwrap();
}

#[test]
fn only_the_owner_replaces_the_list_and_not_by_none() {
    let mut suite = Suite::new();
    let (owner, member) = (suite.owner.clone(), suite.member.clone());
    let error = suite.write(&set_members(&[account(1)])).unwrap_err();
    let addr = member.to_string();
    assert_eq!(error, ContractError::NotOwner { addr });
    let error = suite.send(&owner, &set_members(&[])).unwrap_err();
    assert_eq!(error, ContractError::NoMembers {});
    let list = [account(1), Addr::unchecked("init1nope")];
    let error = suite.send(&owner, &set_members(&list)).unwrap_err();
    assert!(matches!(error, ContractError::InvalidAddress { addr, .. } if addr == "init1nope"));
    assert_eq!(suite.members(None, None), [member]);
}

#[test]
fn the_last_member_stays() {
    let mut suite = Suite::new();
    let addr = suite.member.to_string();
    let remove = ExecuteMsg::RemoveAllowList { addr: addr.clone() };
    assert_eq!(suite.write(&remove).unwrap_err(), ContractError::LastMember { addr });
    suite.write(&add_member(&account(1))).unwrap();
    suite.write(&remove).unwrap();
    assert_eq!(suite.members(None, None), [account(1)]);
    assert_eq!(suite.member_count(), 1);
}

#[test]
fn a_page_of_members_begins_after_an_address() {
    let suite = Suite::new();
    let after = |text: &str| {
        suite.try_ask::<MembersResponse>(&QueryMsg::GetMembers {
            start_after: Some(text.to_string()),
            limit: None,
        })
    };
    let error = after("junk").unwrap_err();
    assert!(matches!(error, ContractError::InvalidAddress { .. }));
    let upper = suite.member.as_str().to_uppercase();
    assert_eq!(after(&upper).unwrap().members.len(), 0);
}
