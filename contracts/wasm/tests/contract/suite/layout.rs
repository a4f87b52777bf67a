//! The pages of a stage, decoded according to the description at the top of `src/pages.rs`.

use super::Suite;

/// The key and the score of a row.
type Row = (Vec<u8>, u64);

/// The pages of a stage in storage: low keys and rows.
pub fn pages(suite: &Suite, stage: u64) -> Vec<(Vec<u8>, Vec<Row>)> {
    let beginning = [&[1], stage.to_be_bytes().as_slice()].concat();
    let state = suite.raw_state().into_iter();
    let own = state.filter(|(key, _)| key.starts_with(&beginning));
    own.map(|(key, value)| (key[9..].to_vec(), rows_of(&value))).collect()
}

/// The rows of a page, with nothing after them.
fn rows_of(mut bytes: &[u8]) -> Vec<Row> {
    let mut rows = vec![];
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first().unwrap();
        let (key, rest) = rest.split_at(*length as usize);
        let (score, rest) = rest.split_at(8);
        let score = score.iter().fold(0, |score: u64, byte| (score << 8) + u64::from(*byte));
        rows.push((key.to_vec(), score));
        bytes = rest;
    }
    rows
}
