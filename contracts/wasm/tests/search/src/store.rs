//! The parts of the store that calls cannot reach alone: order keys and the bytes of rows.

use cosmwasm_std::testing::MockApi;
use cosmwasm_std::{Api, CanonicalAddr};
use proptest::prelude::*;

use crate::random::{self, clustered_address};
use order_key::{address_of, lower_bound, order_key};
use row_codec::{push_row, RowReader};

#[path = "../../../src/store/order_key.rs"]
mod order_key;
// Its position is for the contract's errors.
#[allow(dead_code)]
#[path = "../../../src/store/row_codec.rs"]
mod row_codec;

fn text(address: &[u8]) -> String {
    let api = MockApi::default().with_prefix("init");
    api.addr_humanize(&CanonicalAddr::from(address.to_vec()))
        .unwrap()
        .into_string()
}

fn some_address() -> impl Strategy<Value = Vec<u8>> {
    let length = prop_oneof![Just(20usize), Just(32)];
    prop_oneof![
        clustered_address(),
        length.prop_flat_map(|length| prop::collection::vec(any::<u8>(), length)),
    ]
}

#[test]
fn a_key_gives_its_address_back() {
    random::run(500, some_address(), |address| {
        let key = order_key(&address);
        assert_eq!(key.len(), if address.len() == 20 { 20 } else { 33 });
        assert_eq!(address_of(&key), address);
    });
}

#[test]
fn keys_sort_like_texts() {
    random::run(1000, (some_address(), some_address()), |(a, b)| {
        let (key_a, key_b) = (order_key(&a), order_key(&b));
        // One starts with the other: the checksum of the shorter one decides the order of their texts.
        let is_beginning = a.starts_with(&b) || b.starts_with(&a);
        if a == b || !is_beginning {
            assert_eq!(key_a.cmp(&key_b), text(&a).cmp(&text(&b)), "{a:?} {b:?}");
        } else {
            assert_eq!(key_a[..20], key_b[..20], "{a:?} {b:?}");
        }
    });
}

#[test]
fn keys_differ_in_20_bytes_if_their_addresses_do() {
    random::run(1000, (some_address(), some_address()), |(a, b)| {
        let (key_a, key_b) = (order_key(&a), order_key(&b));
        assert_eq!(key_a[..20] == key_b[..20], a[..20] == b[..20]);
        assert_eq!(key_a == key_b, a == b);
    });
}

#[test]
fn a_lower_bound_leaves_out_no_address_that_follows() {
    let tail = prop_oneof![
        Just(""),
        Just("b"),
        Just("~"),
        Just("é"),
        Just("\u{0}"),
        Just("q"),
        Just("l"),
        Just("Q"),
    ];
    let start = prop_oneof![
        4 => (some_address(), 0..70usize, tail).prop_map(|(address, length, tail)| {
            let text = text(&address);
            format!("{}{tail}", &text[..length.min(text.len())])
        }),
        1 => prop_oneof![Just(""), Just("a"), Just("init1"), Just("init2"), Just("inis"), Just("INIT1")]
            .prop_map(String::from),
    ];
    random::run(1000, (some_address(), start), |(address, start)| {
        let bound = lower_bound(&start, "init1");
        let is_above = bound.is_some_and(|bound| order_key(&address) >= bound);
        assert!(is_above || text(&address) < start, "{start} {address:?}");
    });
}

#[test]
fn rows_that_are_read_are_the_bytes_that_were_written() {
    let row = (
        prop::collection::vec(any::<u8>(), 0..=255),
        any::<u64>(),
        0..64u32,
    );
    random::run(200, prop::collection::vec(row, 0..12), |rows| {
        let rows: Vec<_> = rows
            .into_iter()
            .map(|(key, n, bits)| (key, n >> bits))
            .collect();
        let mut bytes = vec![];
        for (key, score) in &rows {
            push_row(&mut bytes, key, *score);
        }
        let read: Vec<_> = RowReader::new(&bytes)
            .map(|row| row.map(|(key, score)| (key.to_vec(), score)).unwrap())
            .collect();
        assert_eq!(read, rows);
    });
}

#[test]
fn bytes_are_rows_in_one_way_or_not_at_all() {
    let byte = prop_oneof![0..6u8, Just(127u8), Just(128), Just(255), any::<u8>()];
    random::run(1000, prop::collection::vec(byte, 0..60), |bytes| {
        let mut again = vec![];
        for row in RowReader::new(&bytes) {
            match row {
                Ok((key, score)) => push_row(&mut again, key, score),
                Err(fault) => {
                    assert!(fault.position <= bytes.len());
                    return;
                }
            }
        }
        assert_eq!(again, bytes);
    });
}
