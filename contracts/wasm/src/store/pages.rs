//! The pages of a stage; `store` documents their format and invariants.

use cosmwasm_std::{Order, StdError, StdResult, Storage};

use super::row_codec::{push_row, RowReader};

/// First byte of the keys of pages. No other key of the contract starts with it.
const PREFIX: u8 = 1;

/// Most rows of a page. More rows make neighbors cheaper and isolated rows more expensive; with ten, no order of writing
/// costs more than in the reference contract.
const ROWS_PER_PAGE: usize = 10;

/// The key of an account and its score.
type Row = (Vec<u8>, u64);

/// A page in memory: it can grow beyond the limit until it is saved.
struct Page {
    low: Vec<u8>,
    rows: Vec<Row>,
    is_changed: bool,
}

impl Page {
    /// The first page of a stage that has none yet.
    fn first() -> Self {
        Page {
            low: vec![],
            rows: vec![],
            is_changed: false,
        }
    }

    /// The place of a key among the rows, or the one where it belongs.
    fn find(&self, key: &[u8]) -> Result<usize, usize> {
        self.rows
            .binary_search_by(|(other, _)| other.as_slice().cmp(key))
    }

    fn score(&self, key: &[u8]) -> Option<u64> {
        let place = self.find(key).ok()?;
        Some(self.rows[place].1)
    }

    fn set(&mut self, key: &[u8], score: u64) {
        match self.find(key) {
            Ok(place) if self.rows[place].1 == score => return,
            Ok(place) => self.rows[place].1 = score,
            Err(place) => self.rows.insert(place, (key.to_vec(), score)),
        }
        self.is_changed = true;
    }

    /// Writes the page, split evenly into as many pages as its rows need. A new page gets the shortest low key that separates
    /// it from the row before it, because every byte costs gas.
    fn save(self, storage: &mut dyn Storage, stage: u64) {
        let Page { mut low, rows, .. } = self;
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

/// The pages that a batch touches, in ascending order of low key.
pub struct TouchedPages {
    stage: u64,
    pages: Vec<Page>,
}

impl TouchedPages {
    /// Reads the pages of all keys, each page once. Keys are ascending.
    pub fn load(storage: &dyn Storage, stage: u64, keys: &[&[u8]]) -> StdResult<Self> {
        let mut pages: Vec<Page> = Vec::new();
        for key in keys {
            let newest = pages.last();
            let last_row = newest.and_then(|page| page.rows.last());
            if last_row.is_some_and(|(last, _)| *key <= last.as_slice()) {
                continue;
            }
            let above = newest.map(|page| page.low.as_slice());
            match find_page(storage, stage, above, key)? {
                Some(page) => pages.push(page),
                None if pages.is_empty() => pages.push(Page::first()),
                // No page starts between the newest one and the key: the key belongs at the end of the newest.
                None => {}
            }
        }
        Ok(TouchedPages { stage, pages })
    }

    pub fn score(&self, key: &[u8]) -> Option<u64> {
        self.pages.get(self.place(key)?)?.score(key)
    }

    pub fn set(&mut self, key: &[u8], score: u64) {
        if let Some(place) = self.place(key) {
            self.pages[place].set(key, score);
        }
    }

    /// Writes the pages that changed.
    pub fn save(self, storage: &mut dyn Storage) {
        for page in self.pages {
            if page.is_changed {
                page.save(storage, self.stage);
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

/// The score under a key.
pub fn load_score(storage: &dyn Storage, stage: u64, key: &[u8]) -> StdResult<Option<u64>> {
    let page = find_page(storage, stage, None, key)?;
    Ok(page.and_then(|page| page.score(key)))
}

/// The rows from a key on, in ascending order.
pub fn rows_from<'a>(
    storage: &'a dyn Storage,
    stage: u64,
    key: &[u8],
) -> StdResult<impl Iterator<Item = StdResult<Row>> + 'a> {
    let mut first = find_page(storage, stage, None, key)?.unwrap_or_else(Page::first);
    first.rows.retain(|(other, _)| other.as_slice() >= key);
    let start = after(storage_key(stage, &first.low));
    let later = storage.range(Some(&start), Some(&stage_end(stage)), Order::Ascending);
    let later_rows = later.flat_map(|(_, bytes)| match read_rows(&bytes) {
        Ok(rows) => rows.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    Ok(first.rows.into_iter().map(Ok).chain(later_rows))
}

/// The page that a key belongs to: the last one with a low key at or below it. With `above`, only if its low key is above
/// that one.
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
    let mut backward = storage.range(Some(&start), Some(&end), Order::Descending);
    let Some((storage_key, bytes)) = backward.next() else {
        return Ok(None);
    };
    Ok(Some(Page {
        low: low_of(&storage_key),
        rows: read_rows(&bytes)?,
        is_changed: false,
    }))
}

fn read_rows(bytes: &[u8]) -> StdResult<Vec<Row>> {
    let mut rows = Vec::with_capacity(ROWS_PER_PAGE);
    for row in RowReader::new(bytes) {
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
