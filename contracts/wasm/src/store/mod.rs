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
//! The total, the count and the revision are in the stage's record; `batch` writes them with the rows.

mod pages;
mod row_codec;

pub use pages::{rows_from, LoadedPages};
pub use row_codec::decode_rows;
