//! Texts where addresses belong (W3): their spellings, and those that are refused.

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::msg::{ExecuteMsg, IsMemberResponse, QueryMsg, ScoreResponse};
use vip_score::ContractError;

fn update(addr: impl Into<String>, stage: u64) -> ExecuteMsg {
    ExecuteMsg::UpdateScore {
        addr: addr.into(),
        stage,
        amount: 1,
    }
}

fn is_member(suite: &Suite, addr: &str) -> bool {
    let addr = addr.to_string();
    let answer: IsMemberResponse = suite.ask(&QueryMsg::IsMember { addr });
    answer.is_member
}

#[test]
fn an_account_has_one_spelling() {
    let mut suite = Suite::new();
    let a = account(1);
    let upper = a.as_str().to_uppercase();
    let response = suite.write(&update(upper.clone(), 1)).unwrap();
    let named = format!("update-score addr={a} stage=1 score=1 total_score=1");
    assert_eq!(own_events(&response), [named]);
    let scores = vec![(a.to_string(), 6), (upper.clone(), 7)];
    suite.write(&ExecuteMsg::UpdateScores { stage: 1, scores }).unwrap();
    assert_eq!(suite.all_by_get_scores(1, 10), [(a.clone(), 7)]);
    let (addr, stage) = (upper.clone(), 1);
    let answer: ScoreResponse = suite.ask(&QueryMsg::GetScore { addr, stage });
    assert_eq!((answer.addr, answer.score), (a, 7));
}

#[test]
fn a_member_has_one_spelling() {
    let mut suite = Suite::new();
    let new = account(1);
    let upper = new.as_str().to_uppercase();
    let addr = upper.clone();
    suite.write(&ExecuteMsg::AddAllowList { addr }).unwrap();
    assert!(is_member(&suite, new.as_str()));
    assert!(is_member(&suite, &upper));
    assert_eq!(suite.members(None, None).len(), 2);
    let addr = upper;
    suite.write(&ExecuteMsg::RemoveAllowList { addr }).unwrap();
    assert!(!is_member(&suite, new.as_str()));
}

#[test]
fn texts_that_are_not_accounts_are_refused() {
    let mut suite = Suite::new();
    let owner = suite.owner.clone();
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
        let (addr, nobody) = (text.to_string(), Addr::unchecked(text));
        for (sender, msg) in [
            (suite.member.clone(), update(text, 1)),
            (suite.member.clone(), add_member(&nobody)),
            (suite.member.clone(), ExecuteMsg::RemoveAllowList { addr: addr.clone() }),
            (owner.clone(), transfer(&nobody)),
            (owner.clone(), set_finalizer(Some(&nobody))),
        ] {
            let error = suite.send(&sender, &msg).unwrap_err();
            assert!(
                matches!(&error, ContractError::InvalidAddress { addr, .. }
                    if *addr == text[..text.len().min(128)]),
                "{text}: {error}"
            );
        }
    }
    assert_eq!(suite.stage(1).count, Some(0));
    suite.write(&update(long_account(1), 1)).unwrap();
}

#[test]
fn invalid_rows_come_after_the_sender_and_the_stage() {
    let mut suite = Suite::new();
    let stranger = suite.stranger.clone();
    let denied = ContractError::PermissionDenied {
        addr: stranger.to_string(),
    };
    let scores = vec![("?".to_string(), 1)];
    let batch = ExecuteMsg::UpdateScores { stage: 9, scores };
    for msg in [batch, packed_bytes(9, vec![1]), update("?", 9)] {
        assert_eq!(suite.send(&stranger, &msg).unwrap_err(), denied);
        let not_found = ContractError::StageNotFound { stage: 9 };
        assert_eq!(suite.write(&msg).unwrap_err(), not_found);
    }
}
