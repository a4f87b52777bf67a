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
            let addr = if n % 7 == 0 {
                long_account(n)
            } else {
                account(n)
            };
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
    let invalid = |reason, position| ContractError::InvalidPackedScores { reason, position };
    let with = |tail: &[u8]| [good.as_slice(), tail].concat();
    let scored = |score: &[u8]| [&good[..21], score].concat();
    let short = "the address is cut short";
    let length = "the address has neither 20 nor 32 bytes";
    let cut = "the row is cut short";
    let long_form = "the score is not in its shortest form";
    let too_large = "the score exceeds 2^64 - 1";
    for (rows, error) in [
        (good[..10].to_vec(), invalid(short, 1)),
        (scored(&[]), invalid(cut, 21)),
        (scored(&[0x80]), invalid(cut, 22)),
        (with(&[20]), invalid(short, 23)),
        (with(&[0, 1]), invalid(length, 22)),
        (with(&[1, 1, 1]), invalid(length, 22)),
        (with(&scored(&[0x81, 0])), invalid(long_form, 43)),
        (scored(&[0x80, 0]), invalid(long_form, 21)),
        (
            scored(&[&[255; 9][..], &[2]].concat()),
            invalid(too_large, 21),
        ),
        (
            scored(&[&[255; 9][..], &[0x81]].concat()),
            invalid(too_large, 21),
        ),
    ] {
        let error_found = suite.write(&packed_bytes(1, rows)).unwrap_err();
        assert_eq!(error_found, error);
    }
}
