//! The scores of a stage in pages, in ascending order of key.
//!
//! A page holds the rows from its low key on, up to the low key of the next page. Its place in storage is
//! `0x01 ‖ stage ‖ low key`, so the store itself finds the page of a key: it is the last one at or below. The first page of
//! a stage has the empty low key. A page that outgrows `ROWS_PER_PAGE` is divided evenly, and a new page gets the shortest
//! low key that tells it from the row before it, because every byte costs. Rows are never removed, so pages never merge.

use cosmwasm_std::{Order, StdError, StdResult, Storage};

use crate::row_codec::{push_row, RowsOf};

/// First byte of the keys of pages. No other key of the contract begins with it.
const PREFIX: u8 = 1;

/// Most rows of a page. More make neighbours cheaper and single rows dearer; with ten, no order of writing costs more than
/// in the reference contract.
const ROWS_PER_PAGE: usize = 10;

/// The rows of a page, in ascending order of key.
type Rows = Vec<(Vec<u8>, u64)>;

struct Page {
    low: Vec<u8>,
    rows: Rows,
    is_changed: bool,
}

impl Page {
    /// The place of a key among the rows, or the one where it belongs.
    fn find(&self, key: &[u8]) -> Result<usize, usize> {
        self.rows
            .binary_search_by(|(other, _)| other.as_slice().cmp(key))
    }

    fn score(&self, key: &[u8]) -> Option<u64> {
        let place = self.find(key).ok()?;
        Some(self.rows[place].1)
    }
}

/// The pages that a batch touches, in ascending order of low key.
pub struct TouchedPages {
    stage: u64,
    pages: Vec<Page>,
}

impl TouchedPages {
    /// Reads the pages of all keys, each page once. Keys are ascending.
    pub fn load(storage: &dyn Storage, stage: u64, keys: &[&Vec<u8>]) -> StdResult<Self> {
        let mut pages: Vec<Page> = Vec::new();
        // Where the newest page ends: unknown, or known to have no end or to end at a key.
        let mut end: Option<Option<Vec<u8>>> = None;
        for key in keys {
            let newest = pages.last();
            if newest.is_some_and(|page| is_inside(page, &end, key)) {
                continue;
            }
            let above = newest.map(|page| page.low.as_slice());
            match (find_page(storage, stage, above, key)?, above) {
                (None, Some(low)) => end = Some(next_low(storage, stage, low)?),
                (found, _) => {
                    pages.push(found.unwrap_or_else(first_page));
                    end = None;
                }
            }
        }
        Ok(TouchedPages { stage, pages })
    }

    /// The score under a key that was named to `load`.
    pub fn score(&self, key: &[u8]) -> Option<u64> {
        self.pages.get(self.place(key)?)?.score(key)
    }

    /// Sets the score under a key that was named to `load`.
    pub fn set(&mut self, key: Vec<u8>, score: u64) {
        let place = self.place(&key);
        if let Some(page) = place.and_then(|place| self.pages.get_mut(place)) {
            match page.find(&key) {
                Ok(place) if page.rows[place].1 == score => return,
                Ok(place) => page.rows[place].1 = score,
                Err(place) => page.rows.insert(place, (key, score)),
            }
            page.is_changed = true;
        }
    }

    /// Writes the pages that changed.
    pub fn save(self, storage: &mut dyn Storage) {
        for page in self.pages {
            if page.is_changed {
                save_page(storage, self.stage, page);
            }
        }
    }

    /// The place of the last page at or below a key.
    fn place(&self, key: &[u8]) -> Option<usize> {
        let above = self
            .pages
            .partition_point(|page| page.low.as_slice() <= key);
        above.checked_sub(1)
    }
}

/// Whether a key above the low key of a page is known to lie in it.
fn is_inside(page: &Page, end: &Option<Option<Vec<u8>>>, key: &Vec<u8>) -> bool {
    if page.rows.last().is_some_and(|(last, _)| key <= last) {
        return true;
    }
    match end {
        None => false,
        Some(None) => true,
        Some(Some(end)) => key < end,
    }
}

/// The page of a stage that has none yet.
fn first_page() -> Page {
    Page {
        low: vec![],
        rows: vec![],
        is_changed: false,
    }
}

/// The score under a key.
pub fn load_score(storage: &dyn Storage, stage: u64, key: &[u8]) -> StdResult<Option<u64>> {
    let page = find_page(storage, stage, None, key)?;
    Ok(page.and_then(|page| page.score(key)))
}

/// The rows from a key on, in ascending order, until `visit` returns false.
pub fn visit_rows(
    storage: &dyn Storage,
    stage: u64,
    key: &[u8],
    visit: &mut dyn FnMut(Vec<u8>, u64) -> StdResult<bool>,
) -> StdResult<()> {
    let first = find_page(storage, stage, None, key)?.unwrap_or_else(first_page);
    let next = storage.range(
        Some(&after(storage_key(stage, &first.low))),
        Some(&stage_end(stage)),
        Order::Ascending,
    );
    let mut rows = first.rows;
    rows.retain(|(other, _)| other.as_slice() >= key);
    for page in next {
        for (key, score) in rows {
            if !visit(key, score)? {
                return Ok(());
            }
        }
        rows = read_rows(&page.1)?;
    }
    for (key, score) in rows {
        if !visit(key, score)? {
            break;
        }
    }
    Ok(())
}

/// The page of a key, if it lies above the page with the low key `above`.
fn find_page(
    storage: &dyn Storage,
    stage: u64,
    above: Option<&[u8]>,
    key: &[u8],
) -> StdResult<Option<Page>> {
    let start = match above {
        Some(low) => after(storage_key(stage, low)),
        None => storage_key(stage, &[]),
    };
    let end = after(storage_key(stage, key));
    let found = storage
        .range(Some(&start), Some(&end), Order::Descending)
        .next();
    let Some((storage_key, bytes)) = found else {
        return Ok(None);
    };
    Ok(Some(Page {
        low: low_of(&storage_key),
        rows: read_rows(&bytes)?,
        is_changed: false,
    }))
}

/// The low key of the page after the one with this low key.
fn next_low(storage: &dyn Storage, stage: u64, low: &[u8]) -> StdResult<Option<Vec<u8>>> {
    let start = after(storage_key(stage, low));
    let next = storage
        .range(Some(&start), Some(&stage_end(stage)), Order::Ascending)
        .next();
    Ok(next.map(|(key, _)| low_of(&key)))
}

fn save_page(storage: &mut dyn Storage, stage: u64, page: Page) {
    let Page { mut low, rows, .. } = page;
    let parts = rows.len().div_ceil(ROWS_PER_PAGE);
    for part in 0..parts {
        let first = rows.len() * part / parts;
        let next = rows.len() * (part + 1) / parts;
        if part > 0 {
            low = shortest_between(&rows[first - 1].0, &rows[first].0);
        }
        let mut bytes = Vec::new();
        for (key, score) in &rows[first..next] {
            push_row(&mut bytes, key, *score);
        }
        storage.set(&storage_key(stage, &low), &bytes);
    }
}

fn read_rows(bytes: &[u8]) -> StdResult<Rows> {
    let mut rows = Vec::with_capacity(ROWS_PER_PAGE);
    for row in RowsOf::new(bytes) {
        let (key, score) = row.map_err(|fault| StdError::generic_err(fault.reason))?;
        rows.push((key.to_vec(), score));
    }
    Ok(rows)
}

/// The shortest key above `below` and at or below `key`.
fn shortest_between(below: &[u8], key: &[u8]) -> Vec<u8> {
    let common = below.iter().zip(key).take_while(|(a, b)| a == b).count();
    key[..key.len().min(common + 1)].to_vec()
}

fn storage_key(stage: u64, low: &[u8]) -> Vec<u8> {
    [&[PREFIX], stage.to_be_bytes().as_slice(), low].concat()
}

fn low_of(storage_key: &[u8]) -> Vec<u8> {
    storage_key[1 + size_of::<u64>()..].to_vec()
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
