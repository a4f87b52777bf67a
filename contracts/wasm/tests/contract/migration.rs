//! Taking over a contract of the reference's layout with its data.

use crate::suite::*;
use crate::theirs::Theirs;
use cosmwasm_std::Addr;
use reference_shape::{ExecuteMsg as TheirMsg, StageInfo};
use vip_score::msg::{
    ExecuteMsg, InitStageResponse, MembersResponse, OwnershipResponse, QueryMsg, StageInfoResponse,
    StageResponse,
};
use vip_score::ContractError;

fn stage_of(info: &StageInfo, count: Option<u64>) -> StageResponse {
    StageResponse {
        stage: info.stage,
        exists: true,
        total_score: info.total_score,
        is_finalized: info.is_finalized,
        count,
        revision: 0,
    }
}

/// `scores` in both ways of paging, and each alone.
fn assert_rows(suite: &Suite, stage: u64, rows: &[(Addr, u64)]) {
    assert_eq!(suite.all_by_get_scores(stage, 1000), rows);
    assert_eq!(suite.all_by_get_scores_from(stage, 999), rows);
    for (addr, score) in rows.iter().step_by(97) {
        assert_eq!(suite.score(stage, addr), Some(*score), "{addr}");
    }
}

#[test]
fn ten_thousand_rows_in_several_stages_stay_as_they_are() {
    let mut theirs = Theirs::new();
    let sizes = [(1, 4000), (2, 3000), (3, 1), (4, 0), (5, 2999)];
    for (stage, count) in sizes {
        let addrs: Vec<Addr> = (0..count).map(|n| account(n * stage)).collect();
        let rows: Vec<_> = addrs
            .iter()
            .zip(1..)
            .map(|(addr, n)| (addr.as_str(), n * 1_000_003))
            .collect();
        for batch in rows.chunks(500) {
            theirs.update(stage, batch);
        }
        if stage < 5 {
            theirs.finalize(stage);
        }
    }
    let before: Vec<_> = sizes
        .iter()
        .map(|(stage, _)| (theirs.stage(*stage), theirs.rows(*stage)))
        .collect();
    assert_eq!(
        before.iter().map(|(_, rows)| rows.len()).sum::<usize>(),
        10_000
    );

    let mut suite = theirs.migrate();
    for (info, rows) in &before {
        let stage = info.stage;
        let published: StageInfoResponse = suite.ask(&QueryMsg::GetStageInfo { stage });
        assert_eq!(published.total_score, info.total_score);
        assert_eq!(published.is_finalized, stage < 5);
        let count = Some(rows.len() as u64);
        assert_eq!(suite.stage(stage), stage_of(info, count));
        assert_rows(&suite, stage, rows);
        if stage < 5 {
            let finalized = ContractError::StageFinalized { stage };
            assert_eq!(suite.finalize(stage).unwrap_err(), finalized);
            assert_eq!(
                suite.update(stage, &[(account(1), 1)]).unwrap_err(),
                finalized
            );
        }
    }
    let first: InitStageResponse = suite.ask(&QueryMsg::GetInitStage {});
    assert_eq!(first.init_stage, 1);
    let members: MembersResponse = suite.ask(&QueryMsg::GetMembers {
        start_after: None,
        limit: None,
    });
    assert_eq!(members.members, [suite.member.clone()]);

    // The open stage keeps its form, the next one has pages.
    let (info, rows) = before.last().unwrap();
    let batch = packed(&[(rows[0].0.clone(), 0), (account(999_999), 7)]);
    suite.write(&packed_bytes(5, batch)).unwrap();
    let expected_total = info.total_score - rows[0].1 + 7;
    let stage = suite.stage(5);
    assert_eq!(
        (stage.total_score, stage.count, stage.revision),
        (expected_total, Some(3000), 1)
    );
    let wrong = checked(5, expected_total, 2999, Some(1));
    let error = suite.write(&wrong).unwrap_err();
    assert!(matches!(error, ContractError::FinalizeMismatch { .. }));
    let stale = checked(5, expected_total, 3000, Some(0));
    let error = suite.write(&stale).unwrap_err();
    assert!(matches!(error, ContractError::RevisionMismatch { .. }));
    suite
        .write(&checked(5, expected_total, 3000, Some(1)))
        .unwrap();
    suite.update(6, &[(account(1), 5)]).unwrap();
    assert_rows(&suite, 6, &[(account(1), 5)]);
    assert_eq!(suite.all_by_get_scores(5, 1000).len(), 3000);
}

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
    suite
        .send(&owner, &ExecuteMsg::AddAllowList { addr })
        .unwrap();
    suite.finalize(1).unwrap();
}

#[test]
fn a_wrapped_total_of_an_open_stage_is_corrected() {
    let mut theirs = Theirs::new();
    let (a, b) = (account(1), account(2));
    theirs.update(1, &[(a.as_str(), MAX), (b.as_str(), 5), (a.as_str(), 3)]);
    theirs.finalize(1);
    theirs.update(2, &[(a.as_str(), 6), (b.as_str(), 7)]);
    theirs.finalize(1); // empties stage 2, but its rows stay
    assert_eq!(theirs.stage(2).total_score, 0);
    let suite = theirs.migrate();
    let stage = suite.stage(2);
    assert_eq!(
        (stage.total_score, stage.count, stage.is_finalized),
        (13, Some(2), false)
    );
}

#[test]
fn a_wrapped_total_of_a_finalized_stage_stays() {
    let mut theirs = Theirs::new();
    let (a, b) = (account(1), account(2));
    theirs.update(1, &[(a.as_str(), MAX), (b.as_str(), 5)]);
    theirs.finalize(1);
    let (info, rows) = (theirs.stage(1), theirs.rows(1));
    assert_eq!(info.total_score, 4);
    let suite = theirs.migrate();
    assert_eq!(suite.stage(1), stage_of(&info, Some(2)));
    assert_rows(&suite, 1, &rows);
}

#[test]
fn an_open_stage_whose_scores_exceed_u64_is_not_taken_over() {
    let mut theirs = Theirs::new();
    let (a, b) = (account(1), account(2));
    theirs.update(1, &[(a.as_str(), MAX), (b.as_str(), 5)]);
    let error = theirs.suite.migrate().unwrap_err();
    let expected =
        "the scores of stage 1, which is open, exceed 2^64 - 1 together: lower them first";
    assert_eq!(
        error,
        ContractError::MigrationRefused {
            reason: expected.to_string()
        }
    );
    theirs.update(1, &[(a.as_str(), 3)]);
    assert_eq!(theirs.migrate().stage(1).total_score, 8);
}

#[test]
fn a_reopened_stage_can_be_finalized_without_harm_to_the_next() {
    let mut theirs = Theirs::new();
    let a = account(1);
    theirs.finalize(1);
    theirs.update(2, &[(a.as_str(), 1)]);
    theirs.finalize(2);
    theirs.update(3, &[(a.as_str(), 9)]);
    theirs.finalize(1); // stage 2 is open again
    let mut suite = theirs.migrate();
    assert!(!suite.stage(2).is_finalized);
    let response = suite.finalize(2).unwrap();
    assert_eq!(own_events(&response), ["finalize-stage stage=2"]);
    assert_eq!(suite.stage(3).total_score, 9);
    assert_eq!(suite.score(3, &a), Some(9));
}

#[test]
fn rows_and_members_that_are_not_addresses_stay_within_reach() {
    let mut theirs = Theirs::new();
    let a = account(1);
    let upper = a.as_str().to_uppercase();
    let long = "x".repeat(300);
    let texts = ["", "junk", &upper, a.as_str(), &long, "ünï"];
    let rows: Vec<_> = texts.iter().copied().zip(1..).collect();
    theirs.update(1, &rows);
    for text in ["", "junk", &upper] {
        let addr = text.to_string();
        theirs.send(TheirMsg::AddAllowList { addr });
    }
    // The published page leaves out the row of the empty text, before and after; our own has it, as total and count do.
    let mut before = theirs.rows(1);
    let mut suite = theirs.migrate();
    assert_eq!(suite.all_by_get_scores(1, 1000), before);
    assert_eq!(suite.page(1, 1000, Some("")), before);
    before.insert(0, (Addr::unchecked(""), 1));
    assert_eq!(suite.all_by_get_scores_from(1, 2), before);
    assert_eq!(suite.stage(1).total_score, 21);
    for (addr, score) in &before {
        assert_eq!(suite.score(1, addr), Some(*score), "{addr}");
    }
    let scores = texts.iter().map(|text| (text.to_string(), 0)).collect();
    suite
        .write(&ExecuteMsg::UpdateScores { stage: 1, scores })
        .unwrap();
    let stage = suite.stage(1);
    assert_eq!((stage.total_score, stage.count), (0, Some(6)));
    let scores = vec![("more junk".to_string(), 1)];
    let error = suite
        .write(&ExecuteMsg::UpdateScores { stage: 1, scores })
        .unwrap_err();
    assert!(matches!(error, ContractError::InvalidAddress { .. }));
    for text in ["", "junk", &upper] {
        let addr = text.to_string();
        suite.write(&ExecuteMsg::RemoveAllowList { addr }).unwrap();
    }
    let addr = suite.member.to_string();
    assert_eq!(
        suite
            .write(&ExecuteMsg::RemoveAllowList { addr: addr.clone() })
            .unwrap_err(),
        ContractError::LastMember { addr }
    );
}

#[test]
fn finalized_stages_are_counted_as_far_as_20_000_rows_go() {
    let mut theirs = Theirs::new();
    for (stage, count) in [(1, 5u64), (2, 20_001), (3, 7)] {
        let addrs: Vec<String> = (0..count).map(|n| format!("row {n}")).collect();
        let rows: Vec<_> = addrs.iter().map(|addr| (addr.as_str(), 1)).collect();
        theirs.update(stage, &rows);
        theirs.finalize(stage);
    }
    let suite = theirs.migrate();
    let counts = [1, 2, 3, 4].map(|stage| suite.stage(stage).count);
    assert_eq!(counts, [None, None, Some(7), Some(0)]);
}

#[test]
fn the_reference_layout_is_the_recorded_one() {
    let mut theirs = Theirs::new();
    let (a, b) = (
        "init124xhm8hrpal3hfum9vh7nmd68sgveh8755un7f",
        "init1lf0swvvhy3vqautdemmvunfmp0grfrjgzznx9s",
    );
    let addr = a.to_string();
    theirs.send(TheirMsg::AddAllowList { addr });
    theirs.update(1, &[(a, 100), (b, 5)]);
    theirs.finalize(1);
    let state = theirs.suite.raw_state();
    // Recorded from a real miniwasm: the raw state of the reference contract.
    for (key, value) in [
        (
            [b"\x00\x06scores\0\0\0\0\0\0\0\x01".as_slice(), a.as_bytes()].concat(),
            "100",
        ),
        (
            [b"\x00\x06scores\0\0\0\0\0\0\0\x01".as_slice(), b.as_bytes()].concat(),
            "5",
        ),
        (
            b"\x00\x06stages\0\0\0\0\0\0\0\x01".to_vec(),
            r#"{"stage":1,"total_score":105,"is_finalized":true}"#,
        ),
        (
            b"\x00\x06stages\0\0\0\0\0\0\0\x02".to_vec(),
            r#"{"stage":2,"total_score":0,"is_finalized":false}"#,
        ),
        (
            [b"\x00\x0aallow_list".as_slice(), a.as_bytes()].concat(),
            "{}",
        ),
        (b"init_stage".to_vec(), "1"),
    ] {
        let entry = (key, value.as_bytes().to_vec());
        assert!(state.contains(&entry), "{value}");
    }
}
