//! Where scores are stored, and how they are found, written and read.
//!
//! # Two forms
//!
//! A stage has one of two forms, which never changes and which `StageRecord::paged` names:
//!
//! - **Pages** (`pages`): stages that this contract created. Up to ten rows share an entry of the chain's store, because
//!   the chain charges far more for an entry than for the bytes in it.
//! - **The reference contract's form** (`reference_form`): stages that it created before a migration. Each row has an
//!   entry, with the text of its address as the key.
//!
//! Everything outside this module treats both alike: [`TouchedScores`] reads and writes a batch, [`read_rows`] reads a
//! page for a query, [`load_score`] one score, and [`parse_account_in_stage`] turns a text into the key of a score.
//!
//! # A stage in pages
//!
//! ```text
//! key:    0x01 ‖ stage (8 bytes, big-endian) ‖ low key
//! value:  row ‖ row ‖ ...           row: length of key (1 byte) ‖ key ‖ score (LEB128)
//! ```
//!
//! The key of a row is the order key of its address (`order_key`): bytes that sort like the address's bech32 text.
//!
//! Invariants, which random calls check after every call (`tests/search/src/page_store.rs`):
//!
//! 1. Nothing else in the contract's storage has a key that starts with `0x01`.
//! 2. The first page of a stage has the empty low key; a stage without scores has no page.
//! 3. The rows of a page are in strictly ascending order of key, and so are the pages of a stage: every row is at or above
//!    the low key of its page, and below the low key of the next one. So a key belongs to exactly one page, the last
//!    one whose low key is at or below it, and the store finds that page with one backward lookup.
//! 4. A page has 1 to 10 rows, and at least 5 unless it is the only one of its stage.
//! 5. A key occurs once in a stage, and every key is the order key of an address of 20 or 32 bytes.
//! 6. Rows are never removed, so pages are never merged, and a low key never changes.
//!
//! The total, the count and the revision are in the stage's record; `batch` writes them with the rows.

pub mod order_key;
mod pages;
mod reader;
mod reference_form;
mod row_codec;

use cosmwasm_std::{Api, StdResult, Storage};

use crate::account::{parse_account, Account};
use crate::state::StageRecord;
use crate::ContractError;

pub use reader::{read_rows, Start};
pub use reference_form::rows_from as reference_rows_from;
pub use row_codec::RowReader;

/// The scores of a stage that a batch or a query touches.
pub enum TouchedScores {
    Paged(pages::TouchedPages),
    Reference(reference_form::TouchedRows),
}

impl TouchedScores {
    /// Reads the scores under all keys, which may be in any order and repeat.
    pub fn load(
        storage: &dyn Storage,
        record: &StageRecord,
        mut keys: Vec<&[u8]>,
    ) -> StdResult<Self> {
        keys.sort_unstable();
        keys.dedup();
        let stage = record.stage;
        Ok(if record.paged {
            TouchedScores::Paged(pages::TouchedPages::load(storage, stage, &keys)?)
        } else {
            TouchedScores::Reference(reference_form::TouchedRows::load(storage, stage, &keys)?)
        })
    }

    /// The score under a key that was passed to `load`.
    pub fn score(&self, key: &[u8]) -> Option<u64> {
        match self {
            TouchedScores::Paged(pages) => pages.score(key),
            TouchedScores::Reference(rows) => rows.score(key),
        }
    }

    /// Sets the score under a key that was passed to `load`.
    pub fn set(&mut self, key: &[u8], score: u64) {
        match self {
            TouchedScores::Paged(pages) => pages.set(key, score),
            TouchedScores::Reference(rows) => rows.set(key, score),
        }
    }

    /// Writes what changed.
    pub fn save(self, storage: &mut dyn Storage) -> StdResult<()> {
        match self {
            TouchedScores::Paged(pages) => {
                pages.save(storage);
                Ok(())
            }
            TouchedScores::Reference(rows) => rows.save(storage),
        }
    }
}

/// The score under the key of an account.
pub fn load_score(
    storage: &dyn Storage,
    record: &StageRecord,
    key: &[u8],
) -> StdResult<Option<u64>> {
    if record.paged {
        pages::load_score(storage, record.stage, key)
    } else {
        reference_form::load_score(storage, record.stage, key)
    }
}

/// The account that a text stands for in a stage.
pub fn parse_account_in_stage(
    storage: &dyn Storage,
    api: &dyn Api,
    record: &StageRecord,
    text: &str,
) -> Result<Account, ContractError> {
    if record.paged {
        parse_account(api, text)
    } else {
        reference_form::parse_account_in(storage, api, record.stage, text)
    }
}
