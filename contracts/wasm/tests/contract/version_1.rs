//! Taking over version 1.0.0 with its data.

use crate::suite::*;
use cosmwasm_std::{Addr, Storage};
use vip_score::msg::{
    ContractVersionResponse, ExecuteMsg, MembersResponse, OwnershipResponse, QueryMsg,
    StageResponse,
};
use vip_score::ContractError;

const CREATED: &str = include_str!("../data/version_1_0_0.txt");
const MIGRATED: &str = include_str!("../data/version_1_0_0_from_reference.txt");

/// A contract with exactly the storage in a file.
fn with_storage(entries: &str) -> Suite {
    let mut suite = Suite::without_contract();
    for line in entries.lines() {
        let (key, value) = line.split_once(' ').unwrap();
        suite.deps.storage.set(&bytes_of(key), &bytes_of(value));
    }
    suite
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().collect();
    let pairs = digits.chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).unwrap();
        u8::from_str_radix(pair, 16).unwrap()
    });
    pairs.collect()
}

/// A stage that no call has written since version 2.
fn untouched(number: u64, total_score: u64, count: u64, is_finalized: bool) -> StageResponse {
    StageResponse {
        revision: 0,
        ..stage(number, total_score, count, is_finalized)
    }
}

fn assert_rows(suite: &Suite, stage: u64, mut rows: Vec<(Addr, u64)>) {
    rows.sort();
    assert_eq!(suite.all_by_get_scores_from(stage, 7), rows);
    // The published page has never shown a row of the empty text.
    rows.retain(|(addr, _)| !addr.as_str().is_empty());
    assert_eq!(suite.all_by_get_scores(stage, 7), rows);
}

#[test]
fn a_contract_that_version_1_created_keeps_everything() {
    let mut suite = with_storage(CREATED);
    let old: Vec<_> = suite.raw_state();
    suite.migrate().unwrap();
    // Only the version is written.
    let is_version = |key: &[u8]| key == b"contract_info";
    let changed = suite.raw_state().into_iter().filter(|e| !old.contains(e));
    assert!(changed.clone().all(|(key, _)| is_version(&key)));
    assert_eq!(changed.count(), 1);
    let version: ContractVersionResponse = suite.ask(&QueryMsg::GetContractVersion {});
    assert_eq!(version.version, env!("CARGO_PKG_VERSION"));

    let first = |n| {
        if n % 4 == 0 {
            long_account(n)
        } else {
            account(n)
        }
    };
    let total = (0..60).sum::<u64>() * 1_000_003;
    assert_eq!(suite.stage(1), untouched(1, total, 60, true));
    let rows = (0..60).map(|n| (first(n), n * 1_000_003));
    assert_rows(&suite, 1, rows.collect());
    let total = (30..60).sum::<u64>();
    assert_eq!(suite.stage(2), untouched(2, total, 30, false));
    let rows = (30..60).map(|n| (account(n), n));
    assert_rows(&suite, 2, rows.collect());

    let ownership: OwnershipResponse = suite.ask(&QueryMsg::GetOwnership {});
    let expected = OwnershipResponse {
        owner: suite.owner.clone(),
        pending_owner: Some(account(5)),
        members_can_manage: false,
        finalizer: None,
    };
    assert_eq!(ownership, expected);
    let members: MembersResponse = suite.ask(&QueryMsg::GetMembers {
        start_after: None,
        limit: None,
    });
    assert_eq!(members.members.len(), 2);

    // The open stage keeps its pages and counts its revisions from here.
    suite
        .update(2, &[(account(30), 31), (account(70), 1)])
        .unwrap();
    let after = StageResponse {
        revision: 1,
        ..stage(2, total + 2, 31, false)
    };
    assert_eq!(suite.stage(2), after);
    suite.write(&checked(2, total + 2, 31, Some(1))).unwrap();
    suite
        .send(&account(5), &ExecuteMsg::AcceptOwnership {})
        .unwrap();
}

#[test]
fn a_contract_that_version_1_took_over_keeps_everything() {
    let mut suite = with_storage(MIGRATED);
    suite.migrate().unwrap();
    let mut rows: Vec<_> = (0..12).map(|n| (account(n), n + 10)).collect();
    rows.push((Addr::unchecked(""), 1));
    rows.push((Addr::unchecked("junk"), 2));
    let total = rows.iter().map(|(_, score)| score).sum();
    assert_eq!(suite.stage(1), untouched(1, total, 14, true));
    assert_rows(&suite, 1, rows);
    let mut rows: Vec<_> = (0..5).map(|n| (account(n), n + 10)).collect();
    rows.push((account(40), 6));
    assert_eq!(suite.stage(2), untouched(2, 66, 6, false));
    assert_rows(&suite, 2, rows);
    let error = suite.update(1, &[(account(1), 1)]).unwrap_err();
    assert_eq!(error, ContractError::StageFinalized { stage: 1 });
    suite.update(2, &[(account(1), 0)]).unwrap();
    suite.write(&checked(2, 55, 6, Some(1))).unwrap();
    suite.update(3, &[(account(1), 3)]).unwrap();
    assert_rows(&suite, 3, vec![(account(1), 3)]);
}
