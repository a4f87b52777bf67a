//! Texts of any length fail with the contract's own errors: the VM stops a contract that touches a key above 64 KiB, or that
//! passes an address above 256 bytes.

use crate::suite::*;
use cosmwasm_std::{Addr, Storage};
use vip_score::msg::{
    ExecuteMsg, MembersResponse, QueryMsg, ScoresFromResponse, ScoresResponse, StageInfoResponse,
};
use vip_score::ContractError;

/// The longest text that the reference contract can have stored in a row.
const LONGEST: usize = 65_520;

/// A migrated contract: stage 1 is open, in the reference contract's form, with these texts at 1, 2, ...
fn of_reference(texts: &[&str]) -> Suite {
    let mut suite = Suite::new();
    let storage = &mut suite.deps.storage;
    storage.remove(b"contract_info");
    let record = br#"{"stage":1,"total_score":0,"is_finalized":false}"#;
    storage.set(b"\x00\x06stages\0\0\0\0\0\0\0\x01", record);
    for (text, score) in texts.iter().zip(1..) {
        let key = [b"\x00\x06scores\0\0\0\0\0\0\0\x01", text.as_bytes()].concat();
        storage.set(&key, score.to_string().as_bytes());
    }
    suite.migrate().unwrap();
    suite
}

fn page(suite: &Suite, start_after: &str) -> Result<Vec<String>, ContractError> {
    let answer: ScoresResponse = suite.try_ask(&QueryMsg::GetScores {
        stage: 1,
        limit: 10,
        start_after: Some(start_after.to_string()),
    })?;
    let rows = answer.scores.into_iter();
    Ok(rows.map(|row| row.addr.into_string()).collect())
}

fn page_from(suite: &Suite, from: &str) -> Result<Vec<String>, ContractError> {
    let answer: ScoresFromResponse = suite.try_ask(&QueryMsg::GetScoresFrom {
        stage: 1,
        limit: 10,
        from: Some(from.to_string()),
    })?;
    let rows = answer.scores.into_iter();
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
        let (addr, stage, amount) = (text.clone(), 1, 5);
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
        let members = suite.try_ask::<MembersResponse>(&QueryMsg::GetMembers {
            start_after: Some(text.clone()),
            limit: None,
        });
        let (after, from) = (page(&suite, &text), page_from(&suite, &text));
        if length > LONGEST {
            let too_long = ContractError::TextTooLong {
                bytes: length,
                max: LONGEST,
            };
            assert_eq!(members.unwrap_err(), too_long);
            assert_eq!(after.unwrap_err(), too_long);
            assert_eq!(from.unwrap_err(), too_long);
        } else {
            assert!(members.unwrap().members.is_empty());
            assert!(after.unwrap().is_empty());
            assert!(from.unwrap().is_empty());
        }
    }
}

#[test]
fn long_texts_are_refused_in_a_stage_with_pages() {
    let long = "x".repeat(70_000);
    let refused = Suite::without_contract().instantiate(&[&long], 1, &[]);
    let error = refused.unwrap_err();
    assert!(matches!(error, ContractError::InvalidAddress { .. }));
    assert_all_refused(Suite::new());
}

#[test]
fn long_texts_are_refused_in_a_stage_of_the_reference_contract() {
    assert_all_refused(of_reference(&["", "a", account(3).as_str()]));
}

#[test]
fn the_longest_text_of_the_reference_contract_is_read_and_written() {
    let (a, b) = ("w".repeat(LONGEST), format!("{}x", "w".repeat(LONGEST - 1)));
    let mut suite = of_reference(&[&a, "junk", &b]);
    assert_eq!(page(&suite, "junk").unwrap(), [a.clone(), b.clone()]);
    assert_eq!(page(&suite, &a).unwrap(), std::slice::from_ref(&b));
    assert_eq!(page(&suite, &b).unwrap(), [""; 0]);
    assert_eq!(page_from(&suite, &b).unwrap(), std::slice::from_ref(&b));
    let scores = vec![(b, 0)];
    let msg = ExecuteMsg::UpdateScores { stage: 1, scores };
    suite.write(&msg).unwrap();
    let info: StageInfoResponse = suite.ask(&QueryMsg::GetStageInfo { stage: 1 });
    assert_eq!(info.total_score, 3);
}
