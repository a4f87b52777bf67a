//! The accounts and stages of random histories: few, so that calls meet.

use cosmwasm_std::testing::MockApi;
use cosmwasm_std::{Addr, Api, CanonicalAddr};
use proptest::prelude::*;

/// How many accounts get scores: a stage has several pages of rows, and a message often names an account twice.
const SCORED: u8 = 24;

/// The accounts with a part of their own come after those with scores.
pub const OWNER: u8 = SCORED;
pub const MEMBERS: [u8; 2] = [SCORED + 1, SCORED + 2];
pub const FINALIZER: u8 = SCORED + 3;
const STRANGER: u8 = SCORED + 4;
/// The contract itself, with a long address: it can send messages too.
pub const CONTRACT: u8 = SCORED + 5;
const ALL: u8 = SCORED + 6;

/// The address functions of an Initia rollup.
pub fn api() -> MockApi {
    MockApi::default().with_prefix("init")
}

/// Every fourth account has an address of 32 bytes, like those of contracts, which begins with that of another account.
pub fn numbered(number: u8) -> Addr {
    let is_long = number % 4 == 1;
    let beginning = number - u8::from(is_long);
    // An odd factor spreads the accounts over all first bytes, each with its own.
    let mut bytes = vec![beginning.wrapping_mul(89); 20];
    bytes.resize(if is_long { 32 } else { 20 }, number);
    api()
        .addr_humanize(&CanonicalAddr::from(bytes))
        .expect("an address has 20 or 32 bytes")
}

/// An account that gets scores or calls in a history of [`Contract`](super::Contract), with an address of 20 or 32 bytes.
pub fn account() -> impl Strategy<Value = Addr> {
    (0..ALL).prop_map(numbered)
}

/// An account that calls: most often one that may do something.
pub fn caller() -> impl Strategy<Value = Addr> {
    let member = (0..MEMBERS.len()).prop_map(|index| MEMBERS[index]);
    let numbers = prop_oneof![
        24 => member,
        4 => Just(OWNER),
        3 => Just(FINALIZER),
        1 => Just(STRANGER),
        1 => Just(CONTRACT),
        1 => 0..SCORED,
    ];
    numbers.prop_map(numbered)
}

/// The text of an account, in a spelling that a chain may accept or not.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        30 => account().prop_map(Addr::into_string),
        1 => account().prop_map(|addr| addr.as_str().to_uppercase()),
        1 => ".{0,12}",
    ]
}

/// A stage of a history of [`Contract`](super::Contract): finalized, open or unknown; also 0, and the last ones up to 2^64 - 1.
pub fn stage() -> impl Strategy<Value = u64> {
    prop_oneof![
        16 => Just(1),
        8 => Just(2),
        3 => 3..5u64,
        1 => Just(0),
        2 => u64::MAX - 2..=u64::MAX,
        1 => any::<u64>(),
    ]
}

/// The first stage of a contract: with the second last one, a history can finalize the last.
pub fn first_stage() -> impl Strategy<Value = u64> {
    prop_oneof![9 => Just(1), 1 => Just(u64::MAX - 1)]
}
