//! The pages of a stage; `store` documents their format and invariants.

use std::collections::BTreeMap;
use std::ops::Bound;

use cosmwasm_std::{Order, StdError, StdResult, Storage};

use super::row_codec::{decode_rows, push_row};

/// First byte of the keys of pages. No other key of the contract starts with it.
const PREFIX: u8 = 1;

/// Most rows of a page. More rows make neighbors cheaper and isolated rows more expensive; with ten, no order of writing
/// costs more than in the reference contract.
const ROWS_PER_PAGE: usize = 10;

/// The pages of a stage that a batch or a query has used so far, by low key. Each is read once.
pub struct LoadedPages {
    stage: u64,
    pages: BTreeMap<Vec<u8>, Page>,
}

impl LoadedPages {
    pub fn new(stage: u64) -> Self {
        let pages = BTreeMap::new();
        LoadedPages { stage, pages }
    }

    /// The page that a key belongs to.
    pub fn page_of(&mut self, storage: &dyn Storage, key: &[u8]) -> StdResult<&mut Page> {
        let at_or_below = (Bound::Unbounded, Bound::Included(key));
        let loaded = self.pages.range::<[u8], _>(at_or_below).next_back();
        // A page that is not loaded may start between the loaded one and the key, but not before a row of the loaded one.
        let is_certain = loaded.is_some_and(|(_, page)| page.reaches(key));
        let mut low = loaded.map(|(low, _)| low.clone());
        if !is_certain {
            if let Some((found, page)) = find_page(storage, self.stage, low.as_deref(), key)? {
                self.pages.insert(found.clone(), page);
                low = Some(found);
            }
        }
        // Without a page the stage is empty, and the key belongs to its first one.
        Ok(self.pages.entry(low.unwrap_or_default()).or_default())
    }

    /// Writes the pages that changed.
    pub fn save(self, storage: &mut dyn Storage) {
        for (low, page) in self.pages {
            if page.is_changed {
                page.save(storage, self.stage, low);
            }
        }
    }
}

/// A page in memory: it can grow beyond the limit until it is saved.
#[derive(Default)]
pub struct Page {
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

    /// Writes the page, split evenly into as many pages as its rows need. A new page gets the shortest low key that separates
    /// it from the row before it, because every byte costs gas.
    fn save(self, storage: &mut dyn Storage, stage: u64, mut low: Vec<u8>) {
        let rows: Vec<_> = self.rows.into_iter().collect();
        let parts = rows.len().div_ceil(ROWS_PER_PAGE);
        for part in 0..parts {
            let first = rows.len() * part / parts;
            let end = rows.len() * (part + 1) / parts;
            if part > 0 {
                low = shortest_between(&rows[first - 1].0, &rows[first].0);
            }
            let mut bytes = Vec::new();
            for (key, score) in &rows[first..end] {
                push_row(&mut bytes, key, *score);
            }
            storage.set(&storage_key(stage, &low), &bytes);
        }
    }
}

/// The rows from a key on, in ascending order of key. Reads a page only when its first row is asked for.
pub fn rows_from<'a>(
    storage: &'a dyn Storage,
    stage: u64,
    key: &[u8],
) -> StdResult<impl Iterator<Item = StdResult<(Vec<u8>, u64)>> + 'a> {
    let (low, mut first) = find_page(storage, stage, None, key)?.unwrap_or_default();
    let first_rows = first.rows.split_off(key);
    let start = after(storage_key(stage, &low));
    let later = storage.range(Some(&start), Some(&stage_end(stage)), Order::Ascending);
    let later_rows = later.flat_map(|(_, bytes)| match read_rows(&bytes) {
        Ok(rows) => rows.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    Ok(first_rows.into_iter().map(Ok).chain(later_rows))
}

/// The page that a key belongs to, with its low key: the last one with a low key at or below the key. With `above`, only if
/// its low key is above that one.
fn find_page(
    storage: &dyn Storage,
    stage: u64,
    above: Option<&[u8]>,
    key: &[u8],
) -> StdResult<Option<(Vec<u8>, Page)>> {
    let start = match above {
        Some(low) => after(storage_key(stage, low)),
        None => storage_key(stage, &[]),
    };
    let end = after(storage_key(stage, key));
    let mut backward = storage.range(Some(&start), Some(&end), Order::Descending);
    let Some((found, bytes)) = backward.next() else {
        return Ok(None);
    };
    let low = found[storage_key(stage, &[]).len()..].to_vec();
    let rows = read_rows(&bytes)?;
    let is_changed = false;
    Ok(Some((low, Page { rows, is_changed })))
}

fn read_rows(bytes: &[u8]) -> StdResult<BTreeMap<Vec<u8>, u64>> {
    let rows = decode_rows(bytes)
        .map_err(|position| StdError::generic_err(format!("a page has no row at byte {position}")))?;
    Ok(rows.into_iter().map(|(key, score)| (key.to_vec(), score)).collect())
}

/// The shortest key above `below` and at or below `key`.
fn shortest_between(below: &[u8], key: &[u8]) -> Vec<u8> {
    let common = below.iter().zip(key).take_while(|(a, b)| a == b).count();
    key[..key.len().min(common + 1)].to_vec()
}

fn storage_key(stage: u64, low: &[u8]) -> Vec<u8> {
    [&[PREFIX], stage.to_be_bytes().as_slice(), low].concat()
}

/// Above all keys of the pages of a stage.
fn stage_end(stage: u64) -> Vec<u8> {
    match stage.checked_add(1) {
        Some(next) => storage_key(next, &[]),
        None => vec![PREFIX + 1],
    }
}

/// The next key in the order of bytes.
fn after(mut key: Vec<u8>) -> Vec<u8> {
    key.push(0);
    key
}
