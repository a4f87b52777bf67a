//! Migrating a contract that is not the reference's (W21).

use crate::suite::*;
use crate::theirs::Theirs;
use cosmwasm_std::Storage;
use vip_score::msg::{ExecuteMsg, MigrateMsg};
use vip_score::ContractError;

#[test]
fn this_contract_migrates_to_itself_and_keeps_everything() {
    let mut suite = Suite::new();
    suite.update(1, &[(account(1), 4)]).unwrap();
    suite.finalize(1).unwrap();
    let owner = suite.owner.clone();
    suite.send(&owner, &transfer(&account(5))).unwrap();
    suite.send(&owner, &set_finalizer(Some(&account(6)))).unwrap();
    let before = suite.raw_state();
    suite.migrate().unwrap();
    assert_eq!(suite.raw_state(), before);
}

#[test]
fn a_contract_that_is_ours_gets_the_members_that_its_admin_names() {
    for name in ["vipscore:vip-score", "acme:awards"] {
        let mut suite = Suite::new();
        suite.update(1, &[(account(1), 4)]).unwrap();
        cw2::set_contract_version(&mut suite.deps.storage, name, "0.1.0").unwrap();
        let thief = suite.member.clone();
        let named = |texts: &[&str]| MigrateMsg {
            allow_list: Some(texts.iter().map(|text| text.to_string()).collect()),
        };
        let before = suite.raw_state();
        assert_eq!(suite.migrate_with(named(&[])).unwrap_err(), ContractError::NoMembers {});
        assert!(matches!(
            suite.migrate_with(named(&["junk"])).unwrap_err(),
            ContractError::InvalidAddress { .. }
        ));
        assert_eq!(suite.raw_state(), before);
        let (one, two) = (account(7), account(8));
        let response = suite
            .migrate_with(named(&[one.as_str(), two.as_str(), one.as_str()]))
            .unwrap();
        let events: Vec<&str> = response.events.iter().map(|event| event.ty.as_str()).collect();
        assert_eq!(events, ["clear-allow-list", "add-allow-list", "add-allow-list"]);
        assert_eq!(suite.members(None, None).len(), 2);
        assert_eq!(suite.member_count(), 2);
        let addr = thief.to_string();
        assert_eq!(suite.finalize(1).unwrap_err(), ContractError::PermissionDenied { addr });
        assert_eq!(suite.stage(1).total_score, 4);
        suite.send(&one, &ExecuteMsg::FinalizeStage { stage: 1 }).unwrap();
    }
}

#[test]
fn a_newer_contract_is_refused() {
    let version = env!("CARGO_PKG_VERSION");
    let refuse = |old: &str, expected: &str| {
        let mut suite = Suite::new();
        cw2::set_contract_version(&mut suite.deps.storage, "vipscore:vip-score", old).unwrap();
        let error = suite.migrate().unwrap_err();
        assert!(
            matches!(&error, ContractError::MigrationRefused { reason } if reason.starts_with(expected)),
            "{error}"
        );
    };
    for old in ["99.0.0", "1.99.0"] {
        let reason = format!("Generic error: Cannot migrate from newer version ({old}) to older ({version})");
        refuse(old, &reason);
    }
    for old in ["1", "0.1", "0.0.x", "0.1.0.0", ""] {
        refuse(old, "Generic error: Semver: ");
    }
}

#[test]
fn a_contract_that_builds_on_this_one_keeps_everything_but_its_name() {
    for version in ["1.0.0", "99.0.0-acme", "spring"] {
        let mut suite = Suite::new();
        suite.update(1, &[(account(1), 4)]).unwrap();
        suite.finalize(1).unwrap();
        suite.update(2, &[(account(1), 5)]).unwrap();
        let before = suite.raw_state();
        cw2::set_contract_version(&mut suite.deps.storage, "acme:awards", version).unwrap();
        suite.migrate().unwrap();
        assert_eq!(suite.raw_state(), before);
    }
}

#[test]
fn a_contract_that_is_not_a_scoring_contract_is_refused() {
    let other = ContractError::MigrationRefused {
        reason: "this is not a scoring contract".to_string(),
    };
    let mut suite = Suite::new();
    suite.deps.storage.remove(b"contract_info");
    suite.deps.storage.remove(b"init_stage");
    assert_eq!(suite.migrate().unwrap_err(), other);
    // The reference contract stores no name.
    for mut suite in [Suite::without_contract(), Theirs::new().suite] {
        let storage = &mut suite.deps.storage;
        cw2::set_contract_version(storage, "crates.io:cw20", "1.0.0").unwrap();
        assert_eq!(suite.migrate().unwrap_err(), other);
    }
}
