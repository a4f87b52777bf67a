//! What a query reads is bounded by its limit, whatever addresses a stolen member key has written (W13).

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::msg::QueryMsg;

/// The most reads of a page of so many rows: the stage, and two ranges with their entries. Pages of the store have at least
/// five rows, and one row more is read than returned.
fn most_reads(rows: usize) -> usize {
    8 + rows.div_ceil(5)
}

/// An address of 32 bytes that shares its first 20 with others.
fn clustered(first: u8, number: u64) -> Addr {
    let tail = some_bytes(number, 12);
    addr_of(&[vec![first; 20], tail].concat())
}

fn reads<T>(suite: &Suite, query: impl FnOnce(&Suite) -> T) -> usize {
    let before = suite.deps.storage.reads();
    query(suite);
    suite.deps.storage.reads() - before
}

/// Writes the accounts in batches of 500, and reads the stage in pages of several sizes.
fn assert_bounded(name: &str, accounts: &[Addr]) {
    let mut suite = Suite::new();
    let rows: Vec<_> = accounts.iter().map(|addr| (addr.clone(), 1)).collect();
    for batch in rows.chunks(500) {
        suite.update(1, batch).unwrap();
    }
    let all = in_order(&rows);
    for limit in [1, 7, 100, 1000] {
        for (index, (addr, _)) in all.iter().enumerate().step_by(limit.max(50)) {
            let text = addr.as_str();
            let returned = limit.min(all.len() - index);
            let from = reads(&suite, |suite| {
                let page = suite.page_from(1, limit as u64, Some(text)).unwrap();
                assert_eq!(page.scores.len(), returned);
                assert_eq!(page.scores[0].addr, *addr);
            });
            assert!(from <= most_reads(returned), "{name}, {limit}: {from}");
            let after = reads(&suite, |suite| {
                let page = suite.page(1, limit as u64, Some(text));
                assert_eq!(page.len(), limit.min(all.len() - index - 1));
            });
            assert!(after <= most_reads(limit), "{name}, {limit}: {after}");
        }
    }
    for addrs in accounts.chunks(1000) {
        let addrs: Vec<_> = addrs.iter().map(Addr::to_string).collect();
        let most = 2 + 2 * addrs.len();
        let addr = addrs[0].clone();
        let one = reads(&suite, |suite| {
            let question = QueryMsg::GetScore { addr, stage: 1 };
            suite.answer(&question).unwrap()
        });
        assert!(one <= 3, "{name}: {one}");
        let many = reads(&suite, |suite| {
            let question = QueryMsg::GetScoresOf { stage: 1, addrs };
            suite.answer(&question).unwrap()
        });
        assert!(many <= most, "{name}: {many}");
    }
}

#[test]
fn a_query_reads_no_more_than_its_limit_needs() {
    let cluster = |first| (0..3_000).map(move |n| clustered(first, n));
    let others = || (0..500).map(account);
    let short = || [addr_of(&[0x7f; 20])].into_iter();
    assert_bounded("random", &(0..3_000).map(account).collect::<Vec<_>>());
    assert_bounded(
        "a cluster at the front",
        &cluster(0).chain(others()).collect::<Vec<_>>(),
    );
    assert_bounded(
        "a cluster at the end",
        &cluster(255).chain(others()).collect::<Vec<_>>(),
    );
    assert_bounded(
        "a cluster with the short address that it begins with",
        &cluster(0x7f).chain(short()).chain(others()).collect::<Vec<_>>(),
    );
    assert_bounded(
        "written last to first",
        &in_order(&cluster(0x7f).map(|addr| (addr, 0)).collect::<Vec<_>>())
            .into_iter()
            .rev()
            .map(|(addr, _)| addr)
            .collect::<Vec<_>>(),
    );
}
