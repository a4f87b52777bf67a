//! Texts of any length fail with the contract's own errors: the VM stops a contract that touches a key above 64 KiB, or that
//! passes an address above 256 bytes.

use crate::suite::*;
use crate::theirs::Theirs;
use cosmwasm_std::Addr;
use vip_score::msg::{ExecuteMsg, QueryMsg, ScoresResponse};
use vip_score::ContractError;

/// The longest text that the reference contract can have stored in a row.
const LONGEST: usize = 65_520;

/// A migrated contract: stage 1 is finalized, in the reference contract's form, with these texts at 1, 2, ...
fn of_reference(texts: &[&str]) -> Suite {
    let mut theirs = Theirs::new();
    let rows: Vec<_> = texts.iter().copied().zip(1..).collect();
    theirs.update(1, &rows);
    theirs.finalize(1);
    theirs.migrate()
}

fn page(suite: &Suite, stage: u64, start_after: &str) -> Result<Vec<String>, ContractError> {
    let answer: ScoresResponse = suite.try_ask(&QueryMsg::GetScores {
        stage,
        limit: 10,
        start_after: Some(start_after.to_string()),
    })?;
    let rows = answer.scores.into_iter();
    Ok(rows.map(|row| row.addr.into_string()).collect())
}

fn page_from(suite: &Suite, stage: u64, from: &str) -> Result<Vec<String>, ContractError> {
    let rows = suite.page_from(stage, 10, Some(from))?.scores.into_iter();
    Ok(rows.map(|row| row.addr.into_string()).collect())
}

fn assert_all_refused(mut suite: Suite) {
    let (member, owner) = (suite.member.clone(), suite.owner.clone());
    for length in [129, 257, LONGEST, LONGEST + 1, 65_536, 65_537, 300_000] {
        let text = "x".repeat(length);
        let invalid = ContractError::InvalidAddress {
            addr: text[..128].to_string(),
            reason: "longer than 128 bytes".to_string(),
        };
        let (addr, stage, amount) = (text.clone(), 2, 5);
        let scores = vec![(account(2).into_string(), 1), (addr.clone(), 1)];
        let nobody = Addr::unchecked(&text);
        for (sender, msg) in [
            (&member, ExecuteMsg::UpdateScores { stage, scores }),
            (
                &member,
                ExecuteMsg::UpdateScore {
                    addr: addr.clone(),
                    stage,
                    amount,
                },
            ),
            (
                &member,
                ExecuteMsg::IncreaseScore {
                    addr: addr.clone(),
                    stage,
                    amount,
                },
            ),
            (
                &member,
                ExecuteMsg::DecreaseScore {
                    addr: addr.clone(),
                    stage,
                    amount,
                },
            ),
            (&member, add_member(&nobody)),
            (&member, ExecuteMsg::RemoveAllowList { addr: addr.clone() }),
            (&owner, transfer(&nobody)),
            (&owner, set_finalizer(Some(&nobody))),
        ] {
            assert_eq!(suite.send(sender, &msg).unwrap_err(), invalid, "{length}");
        }
        for msg in [
            QueryMsg::GetScore {
                addr: addr.clone(),
                stage,
            },
            QueryMsg::GetScoresOf {
                stage,
                addrs: vec![addr.clone()],
            },
            QueryMsg::IsMember { addr },
        ] {
            let error = suite.answer(&msg).unwrap_err();
            assert_eq!(error, invalid, "{length}");
        }
        assert_eq!(page(&suite, 2, &text).unwrap_err(), invalid);
        assert_eq!(page_from(&suite, 2, &text).unwrap_err(), invalid);
    }
}

#[test]
fn long_texts_are_refused() {
    let long = "x".repeat(70_000);
    let refused = Suite::without_contract().instantiate(&[&long], 1, &[]);
    let error = refused.unwrap_err();
    assert!(matches!(error, ContractError::InvalidAddress { .. }));
    assert_all_refused(of_reference(&["", "a", account(3).as_str()]));
}

#[test]
fn the_longest_text_of_the_reference_contract_is_read() {
    let (a, b) = ("w".repeat(LONGEST), format!("{}x", "w".repeat(LONGEST - 1)));
    let suite = of_reference(&[&a, "junk", &b]);
    assert_eq!(page(&suite, 1, "junk").unwrap(), [a.clone(), b.clone()]);
    assert_eq!(page(&suite, 1, &a).unwrap(), std::slice::from_ref(&b));
    assert_eq!(page(&suite, 1, &b).unwrap(), [""; 0]);
    assert_eq!(page_from(&suite, 1, &b).unwrap(), std::slice::from_ref(&b));
    assert_eq!(suite.score(1, &Addr::unchecked(b)), Some(3));
}

#[test]
fn longer_texts_than_the_reference_contract_can_have_stored_are_refused() {
    let suite = of_reference(&["junk"]);
    for length in [LONGEST + 1, 65_536, 65_537, 300_000] {
        let text = "x".repeat(length);
        let too_long = ContractError::TextTooLong {
            bytes: length,
            max: LONGEST,
        };
        assert_eq!(page(&suite, 1, &text).unwrap_err(), too_long);
        assert_eq!(page_from(&suite, 1, &text).unwrap_err(), too_long);
        let addrs = vec![text.clone()];
        let one = QueryMsg::GetScore { addr: text, stage: 1 };
        assert_eq!(suite.answer(&one).unwrap_err(), too_long);
        let stage = 1;
        let many = QueryMsg::GetScoresOf { stage, addrs };
        assert_eq!(suite.answer(&many).unwrap_err(), too_long);
    }
}

#[test]
fn a_page_of_long_texts_stays_within_its_bytes() {
    let texts: Vec<String> = (b'a'..=b'p')
        .map(|c| char::from(c).to_string().repeat(60_000))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let suite = of_reference(&texts);
    let first = suite.page_from(1, 1000, None).unwrap();
    assert_eq!(first.scores.len(), 4);
    assert_eq!(first.next.unwrap().as_str(), texts[4]);
    assert_eq!(suite.all_by_get_scores_from(1, 1000).len(), 16);
    assert_eq!(suite.all_by_get_scores(1, 4).len(), 16);
    let error = suite.try_ask::<ScoresResponse>(&QueryMsg::GetScores {
        stage: 1,
        limit: 5,
        start_after: None,
    });
    let too_large = ContractError::LimitTooLarge { limit: 5, max: 4 };
    assert_eq!(error.unwrap_err(), too_large);
}
