//! Scores: R6 to R12, and the rows of the table of faults that can happen on CosmWasm.

use crate::suite::*;
use cosmwasm_std::{Addr, Coin};
use vip_score::msg::{ExecuteMsg, QueryMsg, ScoreResponse};
use vip_score::ContractError;

fn update(addr: impl Into<String>, stage: u64, amount: u64) -> ExecuteMsg {
    ExecuteMsg::UpdateScore {
        addr: addr.into(),
        stage,
        amount,
    }
}

fn increase(addr: &Addr, amount: u64) -> ExecuteMsg {
    ExecuteMsg::IncreaseScore {
        addr: addr.to_string(),
        stage: 1,
        amount,
    }
}

fn decrease(addr: &Addr, amount: u64) -> ExecuteMsg {
    ExecuteMsg::DecreaseScore {
        addr: addr.to_string(),
        stage: 1,
        amount,
    }
}

fn score_event(addr: &Addr, score: u64, total: u64) -> (String, Vec<String>) {
    let addr = format!("addr={addr}");
    let score = format!("score={score}");
    let total = format!("total_score={total}");
    event("update-score", &[&addr, "stage=1", &score, &total])
}

fn total_and_count(suite: &Suite) -> (u64, Option<u64>) {
    let stage = suite.stage(1);
    (stage.total_score, stage.count)
}

#[test]
fn scores_are_set_raised_and_lowered() {
    let mut suite = Suite::new();
    let (a, b) = (account(1), account(2));
    let response = suite.write(&update(&a, 1, 10)).unwrap();
    assert_eq!(own_events(&response), [score_event(&a, 10, 10)]);
    let response = suite.write(&increase(&b, 5)).unwrap();
    assert_eq!(own_events(&response), [score_event(&b, 5, 15)]);
    let response = suite.write(&decrease(&a, 4)).unwrap();
    assert_eq!(own_events(&response), [score_event(&a, 6, 11)]);
    assert_eq!(suite.score(1, &a), Some(6));
    assert_eq!(suite.score(1, &b), Some(5));
    assert_eq!(total_and_count(&suite), (11, Some(2)));
}

#[test]
fn writing_zero_gives_a_score() {
    let mut suite = Suite::new();
    suite.write(&update(account(1), 1, 0)).unwrap();
    suite.write(&increase(&account(2), 0)).unwrap();
    suite.write(&decrease(&account(3), 0)).unwrap();
    assert_eq!(total_and_count(&suite), (0, Some(3)));
    for number in [1, 2, 3] {
        assert_eq!(suite.score(1, &account(number)), Some(0));
    }
    assert_eq!(suite.score(1, &account(4)), None);
}

#[test]
fn a_batch_emits_each_row_with_the_running_total() {
    let mut suite = Suite::new();
    let (a, b) = (account(1), account(2));
    let rows = [(b.clone(), 7), (a.clone(), 1), (b.clone(), 3)];
    let response = suite.update(1, &rows).unwrap();
    assert_eq!(
        own_events(&response),
        [
            score_event(&b, 7, 7),
            score_event(&a, 1, 8),
            score_event(&b, 3, 4)
        ]
    );
    assert_eq!(suite.score(1, &b), Some(3));
    assert_eq!(total_and_count(&suite), (4, Some(2)));
}

#[test]
fn large_scores_are_exact() {
    let mut suite = Suite::new();
    for (number, score) in [(1, MAX), (2, ABOVE_DOUBLES), (3, 1)] {
        let mut own = Suite::new();
        let response = own.write(&update(account(number), 1, score)).unwrap();
        let expected = score_event(&account(number), score, score);
        assert_eq!(own_events(&response), [expected]);
        assert_eq!(own.score(1, &account(number)), Some(score));
    }
    let rest = MAX - ABOVE_DOUBLES;
    let rows = [(account(1), ABOVE_DOUBLES), (account(2), rest)];
    suite.update(1, &rows).unwrap();
    assert_eq!(total_and_count(&suite), (MAX, Some(2)));
}

#[test]
fn a_score_above_u64_is_refused() {
    let mut suite = Suite::new();
    let a = account(1);
    suite.write(&update(&a, 1, MAX)).unwrap();
    let before = suite.raw_state();
    assert_eq!(
        suite.write(&increase(&a, 1)).unwrap_err(),
        ContractError::ScoreOverflow {
            stage: 1,
            addr: a.to_string()
        }
    );
    assert_eq!(suite.raw_state(), before);
    suite.write(&increase(&a, 0)).unwrap();
}

#[test]
fn a_total_above_u64_is_refused_after_any_row() {
    let mut suite = Suite::new();
    let (a, b) = (account(1), account(2));
    suite.write(&update(&a, 1, MAX)).unwrap();
    let before = suite.raw_state();
    let overflow = ContractError::TotalOverflow { stage: 1 };
    assert_eq!(suite.write(&update(&b, 1, 5)).unwrap_err(), overflow);
    assert_eq!(suite.write(&increase(&b, 5)).unwrap_err(), overflow);
    let rows = [(b.clone(), 1), (a.clone(), 0)];
    assert_eq!(suite.update(1, &rows).unwrap_err(), overflow);
    let msg = packed_bytes(1, packed(&rows));
    assert_eq!(suite.write(&msg).unwrap_err(), overflow);
    assert_eq!(suite.raw_state(), before);
    suite.update(1, &[(a, 0), (b, MAX)]).unwrap();
    assert_eq!(total_and_count(&suite), (MAX, Some(2)));
}

#[test]
fn a_score_below_zero_is_refused() {
    let mut suite = Suite::new();
    let (a, b) = (account(1), account(2));
    suite.write(&update(&a, 1, 3)).unwrap();
    let before = suite.raw_state();
    let error = suite.write(&decrease(&a, 4)).unwrap_err();
    assert_eq!(
        error,
        ContractError::InsufficientScore {
            stage: 1,
            addr: a.to_string(),
            score: 3,
            amount: 4
        }
    );
    assert_eq!(
        suite.write(&decrease(&b, 1)).unwrap_err(),
        ContractError::InsufficientScoreOfNone {
            stage: 1,
            addr: b.to_string(),
            amount: 1
        }
    );
    assert_eq!(suite.raw_state(), before);
    suite.write(&decrease(&a, 3)).unwrap();
    assert_eq!(suite.score(1, &a), Some(0));
}

#[test]
fn a_failing_row_takes_the_batch_with_it() {
    let mut suite = Suite::new();
    let before = suite.raw_state();
    let scores = vec![(account(1).into_string(), 1), ("init1nope".to_string(), 2)];
    let msg = ExecuteMsg::UpdateScores { stage: 1, scores };
    let error = suite.write(&msg).unwrap_err();
    assert!(matches!(error, ContractError::InvalidAddress { addr, .. } if addr == "init1nope"));
    assert_eq!(suite.raw_state(), before);
}

#[test]
fn the_sender_comes_before_the_stage_and_the_stage_before_the_rows() {
    let mut suite = Suite::new();
    let stranger = suite.stranger.clone();
    let denied = ContractError::PermissionDenied {
        addr: stranger.to_string(),
    };
    let junk = |stage| ExecuteMsg::UpdateScores {
        stage,
        scores: vec![("?".to_string(), 1)],
    };
    let empty = |stage| ExecuteMsg::UpdateScores {
        stage,
        scores: vec![],
    };
    let broken = |stage| packed_bytes(stage, vec![1]);
    for msg in [junk(9), empty(9), broken(9), update("?", 9, 1)] {
        assert_eq!(suite.send(&stranger, &msg).unwrap_err(), denied);
        assert_eq!(
            suite.write(&msg).unwrap_err(),
            ContractError::StageNotFound { stage: 9 }
        );
    }
    let before = suite.raw_state();
    assert_eq!(own_events(&suite.write(&empty(1)).unwrap()), []);
    assert_eq!(suite.raw_state(), before);
}

#[test]
fn the_owner_does_not_write_unless_it_is_a_member() {
    let mut suite = Suite::new();
    let owner = suite.owner.clone();
    let error = suite.send(&owner, &update(account(1), 1, 1)).unwrap_err();
    let addr = owner.to_string();
    assert_eq!(error, ContractError::PermissionDenied { addr });
}

#[test]
fn addresses_have_one_spelling() {
    let mut suite = Suite::new();
    let a = account(1);
    let upper = a.as_str().to_uppercase();
    let response = suite.write(&update(upper.clone(), 1, 5)).unwrap();
    assert_eq!(own_events(&response), [score_event(&a, 5, 5)]);
    let scores = vec![(a.to_string(), 6), (upper.clone(), 7)];
    suite
        .write(&ExecuteMsg::UpdateScores { stage: 1, scores })
        .unwrap();
    assert_eq!(suite.all_by_get_scores(1, 10), [(a.clone(), 7)]);
    let answer: ScoreResponse = suite.ask(&QueryMsg::GetScore {
        addr: upper,
        stage: 1,
    });
    assert_eq!((answer.addr, answer.score), (a, 7));
}

#[test]
fn texts_that_are_not_accounts_are_refused() {
    let mut suite = Suite::new();
    let mixed = account(1).as_str().replace("init1", "Init1");
    let other_chain = "cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sj9hjuh";
    let long = "init1".repeat(100);
    let too_short = addr_of(&[1; 19]).into_string();
    let too_long = addr_of(&[1; 33]).into_string();
    let spaces = format!(" {} ", account(1));
    for text in [
        "",
        "?",
        "init1",
        "0x01",
        &mixed,
        other_chain,
        &long,
        &too_short,
        &too_long,
        &spaces,
    ] {
        let error = suite.write(&update(text, 1, 1)).unwrap_err();
        assert!(
            matches!(&error, ContractError::InvalidAddress { addr, .. }
                if *addr == text[..text.len().min(128)]),
            "{text}: {error}"
        );
    }
    assert_eq!(total_and_count(&suite), (0, Some(0)));
    suite.write(&update(long_account(1), 1, 1)).unwrap();
}

#[test]
fn coins_are_refused() {
    let mut suite = Suite::new();
    let member = suite.member.clone();
    let coins = vec![Coin::new(1u128, "umin")];
    suite
        .app
        .init_modules(|router, _, storage| {
            router.bank.init_balance(storage, &member, coins.clone())
        })
        .unwrap();
    let msg = update(account(1), 1, 1);
    let error = suite.send_with(&member, &msg, &coins).unwrap_err();
    assert_eq!(error, ContractError::FundsSent {});
}

#[test]
fn a_missing_score_is_an_error() {
    let mut suite = Suite::new();
    suite.write(&update(account(1), 1, 0)).unwrap();
    let ask = |addr: String, stage| {
        let msg = QueryMsg::GetScore { addr, stage };
        suite.try_ask::<ScoreResponse>(&msg)
    };
    assert_eq!(ask(account(1).into_string(), 1).unwrap().score, 0);
    let error = ask(account(2).into_string(), 1).unwrap_err();
    let text = format!(
        "ScoreNotFound: User score not found: {} in stage 1",
        account(2)
    );
    assert!(error.contains(&text), "{error}");
    let error = ask(account(1).into_string(), 2).unwrap_err();
    assert!(
        error.contains("StageNotFound: Stage not found: 2"),
        "{error}"
    );
    let error = ask("?".to_string(), 1).unwrap_err();
    assert!(error.contains("InvalidAddress: ?: "), "{error}");
}
