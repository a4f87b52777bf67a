//! The owner: R14, R15, R17.

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::msg::{ExecuteMsg, OwnershipResponse, QueryMsg};
use vip_score::ContractError;

fn ownership(suite: &Suite) -> (Addr, Option<Addr>, bool) {
    let answer: OwnershipResponse = suite.ask(&QueryMsg::GetOwnership {});
    (
        answer.owner,
        answer.pending_owner,
        answer.members_can_manage,
    )
}

#[test]
fn the_creator_is_the_owner() {
    let suite = Suite::new();
    assert_eq!(ownership(&suite), (suite.owner.clone(), None, true));
}

#[test]
fn ownership_passes_in_two_steps() {
    let mut suite = Suite::new();
    let (owner, new) = (suite.owner.clone(), account(1));
    let response = suite.send(&owner, &transfer(&new)).unwrap();
    let (from, to) = (format!("owner={owner}"), format!("pending_owner={new}"));
    assert_eq!(
        own_events(&response),
        [event("transfer-ownership", &[&from, &to])]
    );
    assert_eq!(ownership(&suite), (owner.clone(), Some(new.clone()), true));
    let response = suite.send(&new, &ExecuteMsg::AcceptOwnership {}).unwrap();
    let taken = format!("owner={new}");
    assert_eq!(
        own_events(&response),
        [event("accept-ownership", &[&taken])]
    );
    assert_eq!(ownership(&suite), (new.clone(), None, true));
    let addr = owner.to_string();
    assert_eq!(
        suite.send(&owner, &transfer(&owner)).unwrap_err(),
        ContractError::NotOwner { addr }
    );
    assert_eq!(
        suite
            .send(&new, &ExecuteMsg::AcceptOwnership {})
            .unwrap_err(),
        ContractError::OwnershipNotOffered {
            addr: new.to_string()
        }
    );
}

#[test]
fn a_later_offer_replaces_an_earlier_one() {
    let mut suite = Suite::new();
    let owner = suite.owner.clone();
    suite.send(&owner, &transfer(&account(1))).unwrap();
    suite.send(&owner, &transfer(&account(2))).unwrap();
    let addr = account(1).into_string();
    let accept = ExecuteMsg::AcceptOwnership {};
    assert_eq!(
        suite.send(&account(1), &accept).unwrap_err(),
        ContractError::OwnershipNotOffered { addr }
    );
    suite.send(&account(2), &accept).unwrap();
}

#[test]
fn only_the_owner_offers_ownership_and_sets_who_manages_and_finalizes() {
    let mut suite = Suite::new();
    for sender in [suite.member.clone(), suite.stranger.clone()] {
        let addr = sender.to_string();
        let not_owner = ContractError::NotOwner { addr };
        let msg = set_members_can_manage(false);
        assert_eq!(suite.send(&sender, &msg).unwrap_err(), not_owner);
        for msg in [
            transfer(&sender),
            set_finalizer(Some(&sender)),
            set_finalizer(None),
        ] {
            assert_eq!(suite.send(&sender, &msg).unwrap_err(), not_owner);
        }
    }
    let owner = suite.owner.clone();
    let nobody = Addr::unchecked("?");
    for msg in [transfer(&nobody), set_finalizer(Some(&nobody))] {
        let error = suite.send(&owner, &msg).unwrap_err();
        assert!(matches!(error, ContractError::InvalidAddress { .. }));
    }
}

#[test]
fn the_owner_can_keep_members_from_managing() {
    let mut suite = Suite::new();
    let (owner, member) = (suite.owner.clone(), suite.member.clone());
    let response = suite.send(&owner, &set_members_can_manage(false)).unwrap();
    assert_eq!(
        own_events(&response),
        [event("set-members-can-manage", &["allowed=false"])]
    );
    let addr = member.to_string();
    assert_eq!(
        suite.send(&member, &add_member(&account(1))).unwrap_err(),
        ContractError::PermissionDenied { addr }
    );
    suite.finalize(1).unwrap();
    suite.send(&owner, &add_member(&account(1))).unwrap();
    suite.send(&owner, &set_members_can_manage(true)).unwrap();
    suite.send(&member, &add_member(&account(2))).unwrap();
}
