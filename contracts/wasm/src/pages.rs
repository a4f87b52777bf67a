//! Where scores are stored, and how they are found, written and read.
//!
//! The rows of a stage are in pages: up to ten rows share an entry of the chain's store, because the chain charges far more
//! for an entry than for the bytes in it. (Stages that the reference contract finalized before a migration keep its form:
//! `reference`.)
//!
//! ```text
//! key:    0x01 ‖ stage (8 bytes, big-endian) ‖ low key
//! value:  row ‖ row ‖ ...           row: length of the address (1 byte) ‖ address ‖ score (8 bytes, big-endian)
//! ```
//!
//! The key of a row is the bytes of the account's address.
//!
//! Invariants, which random calls check after every call (`tests/search/src/page_store.rs`):
//!
//! 1. Nothing else in the contract's storage has a key that starts with `0x01`.
//! 2. The first page of a stage has the empty low key; a stage without scores has no page.
//! 3. The rows of a page are in strictly ascending order of key, and so are the pages of a stage: every row is at or above
//!    the low key of its page, and below the low key of the next one. So a key belongs to exactly one page, the last
//!    one whose low key is at or below it, and the store finds that page with one backward lookup.
//! 4. A page has 1 to 10 rows, and at least 5 unless it is the only one of its stage.
//! 5. A key occurs once in a stage, and has 20 or 32 bytes.
//! 6. Rows are never removed, so pages are never merged, and a low key never changes.
//!
//! The total, the count and the revision are in the stage's record; `scores` writes them with the rows.

use std::collections::BTreeMap;

use cosmwasm_std::{Order, StdError, StdResult, Storage};

use crate::account::is_account_length;

/// First byte of the keys of pages. No other key of the contract starts with it.
const PREFIX: u8 = 1;

/// Most rows of a page. More rows make neighbors cheaper and isolated rows more expensive; with ten, no order of writing
/// costs more than in the reference contract.
const ROWS_PER_PAGE: usize = 10;

/// A page in memory: it can grow beyond the limit until it is saved.
#[derive(Default)]
pub struct Page {
    low: Vec<u8>,
    rows: BTreeMap<Vec<u8>, u64>,
    is_changed: bool,
}

impl Page {
    pub fn score(&self, key: &[u8]) -> Option<u64> {
        self.rows.get(key).copied()
    }

    pub fn set(&mut self, key: &[u8], score: u64) {
        let before = self.rows.insert(key.to_vec(), score);
        self.is_changed |= before != Some(score);
    }

    /// Whether it has a row at or above the key.
    fn reaches(&self, key: &[u8]) -> bool {
        let last = self.rows.last_key_value();
        last.is_some_and(|(last, _)| last.as_slice() >= key)
    }

    /// Writes the page if it changed, split evenly into as many pages as its rows need. A new page gets the shortest low key
    /// that separates it from the row before it, because every byte costs gas.
    pub fn save(self, storage: &mut dyn Storage, stage: u64) {
        if !self.is_changed {
            return;
        }
        let rows: Vec<_> = self.rows.into_iter().collect();
        let parts = rows.len().div_ceil(ROWS_PER_PAGE);
        let mut low = self.low;
        for part in 0..parts {
            let first = rows.len() * part / parts;
            let end = rows.len() * (part + 1) / parts;
            if part > 0 {
                low = shortest_between(&rows[first - 1].0, &rows[first].0);
            }
            let mut bytes = Vec::new();
            for (key, score) in &rows[first..end] {
                bytes.push(key.len() as u8);
                bytes.extend_from_slice(key);
                bytes.extend_from_slice(&score.to_be_bytes());
            }
            storage.set(&storage_key(stage, &low), &bytes);
        }
    }
}

/// The page that a key belongs to, among those that a batch has loaded, after it was loaded. Keys come in ascending order, so
/// it is the last of them or one behind it.
pub fn page_of<'a>(
    loaded: &'a mut Vec<Page>,
    storage: &dyn Storage,
    stage: u64,
    key: &[u8],
) -> StdResult<&'a mut Page> {
    let last = loaded.last();
    // Behind the last row, a page that is not loaded may start at or below the key.
    if !last.is_some_and(|page| page.reaches(key)) {
        let above = last.map(|page| page.low.as_slice());
        match find_page(storage, stage, above, key)? {
            Some(page) => loaded.push(page),
            // The stage is empty, and the key belongs to its first page.
            None if loaded.is_empty() => loaded.push(Page::default()),
            None => {}
        }
    }
    let last = loaded.len() - 1;
    Ok(&mut loaded[last])
}

/// The score of a key, if it has one.
pub fn load_score(storage: &dyn Storage, stage: u64, key: &[u8]) -> StdResult<Option<u64>> {
    let page = find_page(storage, stage, None, key)?;
    Ok(page.and_then(|page| page.score(key)))
}

/// The rows from a key on, in ascending order of key. Reads a page only when its first row is asked for.
pub fn rows_from<'a>(
    storage: &'a dyn Storage,
    stage: u64,
    key: &[u8],
) -> StdResult<impl Iterator<Item = StdResult<(Vec<u8>, u64)>> + 'a> {
    let mut first = find_page(storage, stage, None, key)?.unwrap_or_default();
    let start = after(storage_key(stage, &first.low));
    let first_rows = first.rows.split_off(key);
    // Above the low key of every page, which has at most 32 bytes.
    let end = storage_key(stage, &[0xff; 33]);
    let later = storage.range(Some(&start), Some(&end), Order::Ascending);
    let later_rows = later.flat_map(|(_, bytes)| match decode_page(&bytes) {
        Ok(rows) => rows.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    Ok(first_rows.into_iter().map(Ok).chain(later_rows))
}

/// The page that a key belongs to: the last one with a low key at or below the key. With `above`, only if its low key is above
/// that one.
fn find_page(storage: &dyn Storage, stage: u64, above: Option<&[u8]>, key: &[u8]) -> StdResult<Option<Page>> {
    let first = storage_key(stage, &[]);
    let start = above.map_or(first.clone(), |low| after(storage_key(stage, low)));
    let end = after(storage_key(stage, key));
    let mut backward = storage.range(Some(&start), Some(&end), Order::Descending);
    let Some((found, bytes)) = backward.next() else {
        return Ok(None);
    };
    Ok(Some(Page {
        low: found[first.len()..].to_vec(),
        rows: decode_page(&bytes)?.into_iter().collect(),
        is_changed: false,
    }))
}

fn decode_page(bytes: &[u8]) -> StdResult<Vec<(Vec<u8>, u64)>> {
    decode_rows(bytes).map_err(|position| StdError::generic_err(format!("a page has no row at byte {position}")))
}

/// Reads rows in the form that pages have: addresses and scores. Fails with the position of the first row that is not complete
/// or whose address does not have 20 or 32 bytes.
pub fn decode_rows(bytes: &[u8]) -> Result<Vec<(Vec<u8>, u64)>, usize> {
    let mut rows = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (address, score, after) = split_row(rest).ok_or(bytes.len() - rest.len())?;
        rows.push((address.to_vec(), score));
        rest = after;
    }
    Ok(rows)
}

/// The address and the score of the first row, and the bytes after it.
fn split_row(bytes: &[u8]) -> Option<(&[u8], u64, &[u8])> {
    let (length, rest) = bytes.split_first()?;
    let (address, rest) = rest.split_at_checked(usize::from(*length))?;
    let (score, rest) = rest.split_first_chunk()?;
    is_account_length(address.len()).then_some((address, u64::from_be_bytes(*score), rest))
}

/// The shortest key above `below` and at or below `key`.
fn shortest_between(below: &[u8], key: &[u8]) -> Vec<u8> {
    let common = below.iter().zip(key).take_while(|(a, b)| a == b).count();
    key[..key.len().min(common + 1)].to_vec()
}

fn storage_key(stage: u64, low: &[u8]) -> Vec<u8> {
    [&[PREFIX], stage.to_be_bytes().as_slice(), low].concat()
}

/// The next key in the order of bytes.
fn after(mut key: Vec<u8>) -> Vec<u8> {
    key.push(0);
    key
}
