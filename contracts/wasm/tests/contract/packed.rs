//! Packed batches (W19).

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::ContractError;

#[test]
fn a_packed_batch_leaves_the_storage_that_update_scores_leaves() {
    let scores = [0, 1, 127, 128, 999, 1 << 14, ABOVE_DOUBLES];
    let rows: Vec<(Addr, u64)> = [(account(1), MAX), (account(1), 0)]
        .into_iter()
        .chain((0..200).map(|n| {
            let addr = if n % 7 == 0 { long_account(n) } else { account(n) };
            (addr, scores[n as usize % 7])
        }))
        .chain([(account(1), MAX / 2)])
        .collect();
    let (mut plain, mut tight) = (Suite::new(), Suite::new());
    plain.update(1, &rows).unwrap();
    tight.write(&packed_bytes(1, packed(&rows))).unwrap();
    assert_eq!(plain.stage(1).count, Some(200));
    assert_eq!(plain.raw_state(), tight.raw_state());
}

#[test]
fn a_malformed_batch_is_refused() {
    let mut suite = Suite::new();
    let good: Vec<u8> = packed(&[(account(1), 1)]).into();
    let with = |tail: &[u8]| [good.as_slice(), tail].concat();
    let of_length = |length: u8| [vec![length], vec![1; usize::from(length) + 8]].concat();
    for (rows, position) in [
        (good[..10].to_vec(), 0),
        (good[..21].to_vec(), 0),
        (good[..28].to_vec(), 0),
        (with(&[20]), 29),
        (with(&good[..28]), 29),
        (with(&[0; 9]), 29),
        (with(&of_length(19)), 29),
        (with(&of_length(33)), 29),
        (with(&with(&[1])), 58),
    ] {
        let refused = suite.write(&packed_bytes(1, rows)).unwrap_err();
        assert_eq!(refused, ContractError::InvalidPackedScores { position });
    }
    assert_eq!(suite.stage(1).count, Some(0));
}
