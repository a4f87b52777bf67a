//! Migrating a contract that is not the reference's.

use crate::suite::*;
use cosmwasm_std::Storage;
use vip_score::ContractError;

#[test]
fn this_contract_migrates_to_itself_and_keeps_everything() {
    let mut suite = Suite::new();
    suite.update(1, &[(account(1), 4)]).unwrap();
    suite.finalize(1).unwrap();
    let owner = suite.owner.clone();
    suite.send(&owner, &transfer(&account(5))).unwrap();
    suite
        .send(&owner, &set_finalizer(Some(&account(6))))
        .unwrap();
    let before = suite.raw_state();
    suite.migrate().unwrap();
    assert_eq!(suite.raw_state(), before);
}

#[test]
fn a_newer_or_foreign_contract_is_refused() {
    let version = env!("CARGO_PKG_VERSION");
    let refuse = |contract: &str, old: &str, expected: &str| {
        let mut suite = Suite::new();
        cw2::set_contract_version(&mut suite.deps.storage, contract, old).unwrap();
        let error = suite.migrate().unwrap_err();
        assert!(
            matches!(&error, ContractError::MigrationRefused { reason } if reason.starts_with(expected)),
            "{error}"
        );
    };
    for old in ["99.0.0", "1.99.0"] {
        let reason = format!(
            "Generic error: Cannot migrate from newer version ({old}) to older ({version})"
        );
        refuse("vipscore:vip-score", old, &reason);
    }
    for old in ["1", "0.1", "0.0.x", "0.1.0.0", ""] {
        refuse("vipscore:vip-score", old, "Generic error: Semver: ");
    }
    let reason = "Generic error: Cannot migrate from crates.io:cw20 to vipscore:vip-score";
    refuse("crates.io:cw20", version, reason);
}

#[test]
fn a_contract_without_stages_is_refused() {
    let mut suite = Suite::new();
    suite.deps.storage.remove(b"contract_info");
    suite.deps.storage.remove(b"init_stage");
    assert_eq!(
        suite.migrate().unwrap_err(),
        ContractError::MigrationRefused {
            reason: "this is not a scoring contract".to_string()
        }
    );
}
