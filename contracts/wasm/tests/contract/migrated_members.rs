//! Members and owner of a contract that was taken over.

use crate::suite::*;
use crate::theirs::Theirs;
use reference_shape::ExecuteMsg as TheirMsg;
use vip_score::msg::{ExecuteMsg, MigrateMsg, OwnershipResponse, QueryMsg};
use vip_score::ContractError;

#[test]
fn the_admin_becomes_the_owner_even_of_an_empty_list() {
    let mut theirs = Theirs::new();
    let member = theirs.suite.member.to_string();
    theirs.send(TheirMsg::RemoveAllowList { addr: member });
    let mut suite = theirs.migrate();
    let ownership: OwnershipResponse = suite.ask(&QueryMsg::GetOwnership {});
    assert_eq!(
        ownership,
        OwnershipResponse {
            owner: suite.owner.clone(),
            pending_owner: None,
            members_can_manage: true,
            finalizer: None
        }
    );
    let (owner, addr) = (suite.owner.clone(), suite.member.to_string());
    suite.send(&owner, &ExecuteMsg::AddAllowList { addr }).unwrap();
    suite.finalize(1).unwrap();
}

#[test]
fn entries_of_the_allow_list_that_are_not_addresses_are_not_members() {
    let mut theirs = Theirs::new();
    let upper = theirs.suite.member.as_str().to_uppercase();
    for text in ["", "junk", &upper] {
        let addr = text.to_string();
        theirs.send(TheirMsg::AddAllowList { addr });
    }
    let mut suite = theirs.migrate();
    assert_eq!(suite.members(None, None), [suite.member.clone()]);
    assert_eq!(suite.member_count(), 1);
    let addr = suite.member.to_string();
    let remove = ExecuteMsg::RemoveAllowList { addr: addr.clone() };
    let last = ContractError::LastMember { addr };
    assert_eq!(suite.write(&remove).unwrap_err(), last);
}

#[test]
fn a_flooded_allow_list_is_replaced_by_the_migration() {
    let mut theirs = Theirs::new();
    for number in 0..999 {
        let addr = account(number).into_string();
        theirs.send(TheirMsg::AddAllowList { addr });
    }
    let mut copied = theirs.suite.copy();
    copied.migrate().unwrap();
    assert_eq!(copied.member_count(), 1_000);
    let addr = account(2_000).into_string();
    theirs.send(TheirMsg::AddAllowList { addr });
    let reason = theirs.refusal();
    assert!(reason.contains("1000 entries"), "{reason}");
    let mut suite = theirs.suite;
    let none = MigrateMsg {
        allow_list: Some(vec![]),
    };
    assert_eq!(suite.migrate_with(none).unwrap_err(), ContractError::NoMembers {});
    let named = MigrateMsg {
        allow_list: Some(vec![account(7).into_string()]),
    };
    let before = suite.deps.storage.reads();
    suite.migrate_with(named).unwrap();
    assert!(suite.deps.storage.reads() - before < 30);
    assert_eq!(suite.members(None, None), [account(7)]);
    let denied = ContractError::PermissionDenied {
        addr: suite.member.to_string(),
    };
    assert_eq!(suite.finalize(1).unwrap_err(), denied);
}
