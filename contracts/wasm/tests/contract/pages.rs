//! What queries return (W11, W12): order, limits, and where a page starts.

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::msg::{QueryMsg, ScoresOfResponse, ScoresResponse};
use vip_score::ContractError;

/// Rows with both address lengths, unsorted.
fn some_rows(count: u64) -> Vec<(Addr, u64)> {
    (0..count)
        .map(|n| {
            let addr = if n % 5 == 0 { long_account(n) } else { account(n) };
            (addr, n * 1000)
        })
        .collect()
}

/// Rows in batches of several sizes, so that pages are created, filled and split in every way.
fn suite_with(rows: &[(Addr, u64)]) -> Suite {
    let mut suite = Suite::new();
    let mut rest = rows;
    for size in [1, 2, 3, 10, 11, 40, 1, 300].iter().cycle() {
        let (batch, tail) = rest.split_at(rest.len().min(*size));
        if batch.is_empty() {
            return suite;
        }
        suite.update(1, batch).unwrap();
        rest = tail;
    }
    suite
}

#[test]
fn a_stage_is_read_whole_and_in_order_with_any_limit() {
    let rows = some_rows(1500);
    let suite = suite_with(&rows);
    let expected = in_order(&rows);
    for limit in [7, 10, 500, 1000, 5000] {
        assert_eq!(suite.all_by_get_scores(1, limit), expected, "{limit}");
        assert_eq!(suite.all_by_get_scores_from(1, limit), expected, "{limit}");
    }
    let stage = suite.stage(1);
    let total: u64 = rows.iter().map(|(_, score)| score).sum();
    assert_eq!((stage.total_score, stage.count), (total, Some(1500)));
}

#[test]
fn a_published_page_is_never_cut_short() {
    let rows = some_rows(4001);
    let mut suite = Suite::new();
    suite.update(1, &rows[..4000]).unwrap();
    for limit in [4000, 4001, MAX] {
        assert_eq!(suite.page(1, limit, None).len(), 4000, "{limit}");
    }
    suite.update(1, &rows[4000..]).unwrap();
    assert_eq!(suite.page(1, 4000, None).len(), 4000);
    let ask = |limit, start_after| {
        suite.try_ask::<ScoresResponse>(&QueryMsg::GetScores {
            stage: 1,
            limit,
            start_after,
        })
    };
    for limit in [4001, MAX] {
        let too_large = ContractError::LimitTooLarge { limit, max: 4000 };
        assert_eq!(ask(limit, None).unwrap_err(), too_large);
    }
    let first = in_order(&rows)[0].0.to_string();
    assert_eq!(ask(MAX, Some(first)).unwrap().scores.len(), 4000);
}

#[test]
fn a_limit_of_0_returns_no_rows_and_where_they_start() {
    let mut suite = Suite::new();
    suite.update(1, &[(account(1), 1)]).unwrap();
    assert_eq!(suite.page(1, 0, None), []);
    let page = suite.page_from(1, 0, None).unwrap();
    assert_eq!((page.scores.len(), page.next), (0, Some(account(1))));
}

#[test]
fn members_come_in_pages() {
    let mut suite = Suite::new();
    let mut all: Vec<Addr> = (0..30).map(account).collect();
    for addr in &all {
        suite.write(&add_member(addr)).unwrap();
    }
    all.push(suite.member.clone());
    all.sort();
    assert_eq!(suite.members(None, None), all);
    assert_eq!(suite.members(None, Some(4)), all[..4]);
    assert_eq!(suite.members(Some(&all[3]), Some(100)), all[4..]);
    assert_eq!(suite.members(all.last(), None).len(), 0);
}

#[test]
fn a_page_begins_at_or_after_any_address() {
    let rows = in_order(&some_rows(300));
    let suite = suite_with(&rows[..200]);
    for (addr, _) in &rows {
        let key = bytes_of(addr);
        let upper = addr.as_str().to_uppercase();
        for start in [addr.as_str(), &upper] {
            let after = rows[..200].iter().filter(|(addr, _)| bytes_of(addr) > key);
            let after: Vec<_> = after.take(25).cloned().collect();
            assert_eq!(suite.page(1, 25, Some(start)), after, "{start}");
            let at = rows[..200].iter().filter(|(addr, _)| bytes_of(addr) >= key);
            let at: Vec<_> = at.take(25).map(|(addr, _)| addr.clone()).collect();
            let found = suite.page_from(1, 25, Some(start)).unwrap().scores;
            let found: Vec<_> = found.into_iter().map(|row| row.addr).collect();
            assert_eq!(found, at, "{start}");
        }
    }
    let all = suite.page(1, 1000, None);
    assert_eq!(suite.page(1, 1000, Some("")), all);
}

#[test]
fn a_start_that_is_not_an_address_is_refused() {
    let mut suite = suite_with(&some_rows(3));
    let short = account(1).into_string();
    let other_chain = "cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sj9hjuh";
    for text in ["a", "init1", &short[..30], other_chain, &format!("{short}\0")] {
        let start_after = Some(text.to_string());
        let published = QueryMsg::GetScores {
            stage: 1,
            limit: 1,
            start_after,
        };
        for error in [
            suite.try_ask::<ScoresResponse>(&published).unwrap_err(),
            suite.page_from(1, 1, Some(text)).unwrap_err(),
        ] {
            assert!(
                matches!(&error, ContractError::InvalidAddress { addr, .. } if addr == text),
                "{error}"
            );
        }
    }
    // A stage that was never created has no rows after anything.
    assert_eq!(suite.page(9, 1, Some("a")), []);
    suite.finalize(1).unwrap();
    assert!(suite.page_from(1, 1, Some("a")).is_err());
}

#[test]
fn scores_of_many_accounts_come_in_the_order_of_the_question() {
    let suite = suite_with(&some_rows(50));
    let addrs = [49, 3, 77, 3, 1].map(|n| account(n).into_string()).to_vec();
    let answer: ScoresOfResponse = suite.ask(&QueryMsg::GetScoresOf { stage: 1, addrs });
    let expected = [Some(49_000), Some(3_000), None, Some(3_000), Some(1_000)];
    assert_eq!(answer.scores, expected);
}

#[test]
fn scores_of_more_than_1000_accounts_are_refused() {
    let suite = Suite::new();
    let ask = |count| {
        let addrs = vec![account(1).into_string(); count];
        suite.try_ask::<ScoresOfResponse>(&QueryMsg::GetScoresOf { stage: 1, addrs })
    };
    assert_eq!(ask(1000).unwrap().scores.len(), 1000);
    let (count, max) = (1001, 1000);
    let too_many = ContractError::TooManyAddresses { count, max };
    assert_eq!(ask(1001).unwrap_err(), too_many);
}
