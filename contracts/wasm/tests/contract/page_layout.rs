//! Where the rows of a stage are stored (W14, W16). `tests/search` finds out whether the invariants hold after any calls.

use crate::suite::layout::pages;
use crate::suite::*;
use cosmwasm_std::Addr;

fn sizes(suite: &Suite) -> Vec<usize> {
    let pages = pages(suite, 1).into_iter();
    pages.map(|(_, rows)| rows.len()).collect()
}

/// Ascending.
fn some_rows(count: u64) -> Vec<(Addr, u64)> {
    let rows: Vec<_> = (0..count).map(|n| (account(n), n)).collect();
    in_order(&rows)
}

#[test]
fn a_page_that_outgrows_10_rows_is_divided_evenly() {
    let mut suite = Suite::new();
    let rows = some_rows(52);
    suite.update(1, &rows[..10]).unwrap();
    assert_eq!(sizes(&suite), [10]);
    suite.update(1, &rows[10..11]).unwrap();
    assert_eq!(sizes(&suite), [5, 6]);
    // In the same call and in any order, and each page for itself.
    let mut others = rows[11..].to_vec();
    others.reverse();
    suite.update(1, &others).unwrap();
    assert_eq!(sizes(&suite), [5, 9, 9, 10, 9, 10]);
    suite.update(1, &rows).unwrap();
    assert_eq!(sizes(&suite), [5, 9, 9, 10, 9, 10]);
}

#[test]
fn a_page_has_the_shortest_low_key_that_separates_it_from_the_row_before() {
    let mut suite = Suite::new();
    suite.update(1, &some_rows(300)).unwrap();
    let pages = pages(&suite, 1);
    assert_eq!(pages[0].0, [0; 0]);
    for pair in pages.windows(2) {
        let [(_, rows_before), (low, rows)] = pair else {
            unreachable!()
        };
        let (before, first) = (&rows_before.last().unwrap().0, &rows[0].0);
        assert!(first.starts_with(low) && before < low);
        assert!(before.starts_with(&low[..low.len() - 1]));
    }
}
