//! Packed batches.

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::ContractError;

fn write(suite: &mut Suite, rows: Vec<u8>) -> Result<cw_multi_test::AppResponse, ContractError> {
    suite.write(&packed_bytes(1, rows))
}

fn bytes(rows: &[(Addr, u64)]) -> Vec<u8> {
    packed(rows).into()
}

#[test]
fn a_packed_batch_does_what_update_scores_does() {
    let scores = [0, 1, 127, 128, 999, 1 << 14, ABOVE_DOUBLES, MAX / 2];
    let rows: Vec<(Addr, u64)> = (0..200)
        .map(|n| {
            let addr = if n % 7 == 0 {
                long_account(n)
            } else {
                account(n)
            };
            (addr, scores[n as usize % 7])
        })
        .chain([(account(1), scores[7])])
        .collect();
    let (mut plain, mut tight) = (Suite::new(), Suite::new());
    plain.update(1, &rows).unwrap();
    let response = write(&mut tight, bytes(&rows)).unwrap();
    let stage = plain.stage(1);
    assert_eq!(stage.count, Some(200));
    let total = format!("total_score={}", stage.total_score);
    assert_eq!(
        own_events(&response),
        [event(
            "update-scores-packed",
            &["stage=1", "count=201", &total]
        )]
    );
    // Each of these calls starts with its own stage, so revisions agree too.
    assert_eq!(plain.raw_state(), tight.raw_state());
}

#[test]
fn the_largest_score_fits() {
    let mut suite = Suite::new();
    write(&mut suite, bytes(&[(account(1), MAX)])).unwrap();
    assert_eq!(suite.score(1, &account(1)), Some(MAX));
}

#[test]
fn an_empty_batch_writes_nothing() {
    let mut suite = Suite::new();
    suite.update(1, &[(account(1), 4)]).unwrap();
    let before = suite.raw_state();
    let response = write(&mut suite, vec![]).unwrap();
    let attributes = ["stage=1", "count=0", "total_score=4"];
    assert_eq!(
        own_events(&response),
        [event("update-scores-packed", &attributes)]
    );
    assert_eq!(suite.raw_state(), before);
}

#[test]
fn a_malformed_batch_is_refused() {
    let mut suite = Suite::new();
    let before = suite.raw_state();
    let good = bytes(&[(account(1), 1)]);
    let invalid = |reason, position| ContractError::InvalidPackedScores { reason, position };
    let with = |tail: &[u8]| [good.as_slice(), tail].concat();
    let short = "the address is cut short";
    let length = "the address has neither 20 nor 32 bytes";
    let mut zero_digit = with(&good);
    *zero_digit.last_mut().unwrap() = 0x81;
    zero_digit.push(0);
    let mut too_large = good[..21].to_vec();
    too_large.extend([255; 9]);
    too_large.push(2);
    for (rows, error) in [
        (good[..10].to_vec(), invalid(short, 1)),
        (good[..21].to_vec(), invalid("the row is cut short", 21)),
        (with(&[20]), invalid(short, 23)),
        (with(&[0, 1]), invalid(length, 22)),
        (with(&[1, 1, 1]), invalid(length, 22)),
        (
            zero_digit,
            invalid("the score is not in its shortest form", 43),
        ),
        (too_large, invalid("the score exceeds 2^64 - 1", 21)),
    ] {
        assert_eq!(write(&mut suite, rows).unwrap_err(), error);
    }
    assert_eq!(suite.raw_state(), before);
}
