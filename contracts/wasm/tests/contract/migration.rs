//! Taking over a contract of the reference's layout with its data.

use crate::suite::*;
use crate::theirs::Theirs;
use cosmwasm_std::Addr;
use reference_shape::{ExecuteMsg as TheirMsg, StageInfo};
use vip_score::msg::{InitStageResponse, MembersResponse, QueryMsg, StageInfoResponse, StageResponse};
use vip_score::ContractError;

/// A finalized stage as it was before the migration.
fn stage_of(info: &StageInfo) -> StageResponse {
    StageResponse {
        stage: info.stage,
        exists: true,
        total_score: info.total_score,
        is_finalized: true,
        count: None,
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
    assert_eq!(before.iter().map(|(_, rows)| rows.len()).sum::<usize>(), 10_000);

    let mut suite = theirs.migrate();
    for (info, rows) in &before {
        let stage = info.stage;
        // The open stage is in pages now, in order of the bytes.
        let rows = if stage < 5 { rows.clone() } else { in_order(rows) };
        let published: StageInfoResponse = suite.ask(&QueryMsg::GetStageInfo { stage });
        assert_eq!(published.total_score, info.total_score);
        assert_eq!(published.is_finalized, stage < 5);
        let expected = if stage < 5 {
            stage_of(info)
        } else {
            crate::suite::stage(stage, info.total_score, 2999, false)
        };
        assert_eq!(suite.stage(stage), expected);
        assert_rows(&suite, stage, &rows);
        if stage < 5 {
            let finalized = ContractError::StageFinalized { stage };
            assert_eq!(suite.finalize(stage).unwrap_err(), finalized);
            assert_eq!(suite.update(stage, &[(account(1), 1)]).unwrap_err(), finalized);
        }
    }
    let first: InitStageResponse = suite.ask(&QueryMsg::GetInitStage {});
    assert_eq!(first.init_stage, 1);
    let members: MembersResponse = suite.ask(&QueryMsg::GetMembers {
        start_after: None,
        limit: None,
    });
    assert_eq!(members.members, [suite.member.clone()]);

    let (info, rows) = before.last().unwrap();
    let batch = packed(&[(rows[0].0.clone(), 0), (account(999_999), 7)]);
    suite.write(&packed_bytes(5, batch)).unwrap();
    let expected_total = info.total_score - rows[0].1 + 7;
    let stage = suite.stage(5);
    assert_eq!(
        (stage.total_score, stage.count, stage.revision),
        (expected_total, Some(3000), 2)
    );
    let wrong = checked(5, expected_total, 2999, 2);
    let error = suite.write(&wrong).unwrap_err();
    assert!(matches!(error, ContractError::FinalizeMismatch { .. }));
    let stale = checked(5, expected_total, 3000, 1);
    let error = suite.write(&stale).unwrap_err();
    assert!(matches!(error, ContractError::RevisionMismatch { .. }));
    suite.write(&checked(5, expected_total, 3000, 2)).unwrap();
    suite.update(6, &[(account(1), 5)]).unwrap();
    assert_rows(&suite, 6, &[(account(1), 5)]);
    assert_eq!(suite.all_by_get_scores(5, 1000).len(), 3000);
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
    assert_eq!(suite.stage(1), stage_of(&info));
    assert_rows(&suite, 1, &rows);
}

#[test]
fn an_open_stage_whose_scores_exceed_u64_is_not_taken_over() {
    let mut theirs = Theirs::new();
    let (a, b) = (account(1), account(2));
    theirs.update(1, &[(a.as_str(), MAX), (b.as_str(), 5)]);
    let error = theirs.suite.migrate().unwrap_err();
    assert_eq!(error, ContractError::TotalOverflow { stage: 1 });
    theirs.update(1, &[(a.as_str(), 3)]);
    assert_eq!(theirs.migrate().stage(1).total_score, 8);
}

#[test]
fn a_stage_that_a_second_finalize_reopened_is_finalized() {
    let mut theirs = Theirs::new();
    let a = account(1);
    theirs.finalize(1);
    theirs.update(2, &[(a.as_str(), 1)]);
    theirs.finalize(2);
    theirs.update(3, &[(a.as_str(), 9)]);
    theirs.finalize(1); // stage 2 is open again
    assert!(!theirs.stage(2).is_finalized);
    let mut suite = theirs.migrate();
    let finalized = ContractError::StageFinalized { stage: 2 };
    assert_eq!(suite.update(2, &[(a.clone(), 5)]).unwrap_err(), finalized);
    assert_eq!(suite.finalize(2).unwrap_err(), finalized);
    assert!(suite.stage(2).is_finalized);
    assert_eq!(suite.score(2, &a), Some(1));
    assert_eq!(suite.stage(3).total_score, 9);
    assert_eq!(suite.score(3, &a), Some(9));
}

#[test]
fn thousands_of_stages_are_not_read() {
    let mut theirs = Theirs::new();
    for stage in 1..=3_000 {
        theirs.finalize(stage);
    }
    let before = theirs.suite.deps.storage.reads();
    let suite = theirs.migrate();
    assert!(suite.deps.storage.reads() - before < 30);
    assert!(suite.stage(3_000).is_finalized);
    assert_eq!(suite.stage(3_001), stage(3_001, 0, 0, false));
}

#[test]
fn rows_of_a_finalized_stage_that_are_not_addresses_stay_readable() {
    let mut theirs = Theirs::new();
    let a = account(1);
    let upper = a.as_str().to_uppercase();
    let long = "x".repeat(300);
    let texts = ["", "junk", &upper, a.as_str(), &long, "ünï"];
    let rows: Vec<_> = texts.iter().copied().zip(1..).collect();
    theirs.update(1, &rows);
    theirs.finalize(1);
    // The published page leaves out the row of the empty text, before and after; our own has it, as the total does.
    let mut before = theirs.rows(1);
    let suite = theirs.migrate();
    assert_eq!(suite.all_by_get_scores(1, 1000), before);
    assert_eq!(suite.page(1, 1000, Some("")), before);
    assert_eq!(suite.page(1, 2, Some("a")), before[1..3]);
    before.insert(0, (Addr::unchecked(""), 1));
    assert_eq!(suite.all_by_get_scores_from(1, 2), before);
    assert_eq!(suite.stage(1).total_score, 21);
    for (addr, score) in &before {
        assert_eq!(suite.score(1, addr), Some(*score), "{addr}");
    }
    assert_eq!(suite.score(1, &account(2)), None);
}

#[test]
fn an_open_stage_moves_without_the_rows_that_nobody_has() {
    let mut theirs = Theirs::new();
    let (a, b) = (account(1), long_account(2));
    let upper = a.as_str().to_uppercase();
    let long = "x".repeat(300);
    for text in ["", "junk", &upper, &long] {
        theirs.update(1, &[(a.as_str(), 5), (b.as_str(), 0), (text, 7)]);
        let shown = format!("{:?}", &text[..text.len().min(128)]);
        let reason = theirs.refusal();
        assert!(reason.contains(&shown), "{reason}");
        theirs.update(1, &[(text, 0)]);
    }
    let mut suite = theirs.migrate();
    assert_rows(&suite, 1, &in_order(&[(a.clone(), 5), (b, 0)]));
    assert_eq!(suite.stage(1), stage(1, 5, 2, false));
    suite.update(1, &[(a, 6)]).unwrap();
    suite.write(&checked(1, 6, 2, 2)).unwrap();
}

#[test]
fn an_open_stage_of_more_than_20_000_rows_is_finalized_first() {
    let mut theirs = Theirs::new();
    let addrs: Vec<Addr> = (0..20_001).map(account).collect();
    let rows: Vec<_> = addrs.iter().map(|addr| (addr.as_str(), 1)).collect();
    theirs.update(1, &rows[..20_000]);
    let mut smaller = Theirs {
        suite: theirs.suite.copy(),
    };
    smaller.suite.migrate().unwrap();
    assert_eq!(smaller.suite.stage(1), stage(1, 20_000, 20_000, false));
    theirs.update(1, &rows[20_000..]);
    let reason = theirs.refusal();
    assert!(reason.contains("20000 scores"), "{reason}");
    theirs.finalize(1);
    let suite = theirs.migrate();
    assert_eq!(suite.all_by_get_scores_from(1, 1000).len(), 20_001);
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
        ([b"\x00\x0aallow_list".as_slice(), a.as_bytes()].concat(), "{}"),
        (b"init_stage".to_vec(), "1"),
    ] {
        let entry = (key, value.as_bytes().to_vec());
        assert!(state.contains(&entry), "{value}");
    }
}
