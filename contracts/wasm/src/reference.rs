//! What the reference contract has stored before a migration, in its form. Its finalized stages stay in this form and are
//! only read; the migration moves its open stage into pages.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Addr, Empty, Order, StdResult, Storage};
use cw_storage_plus::{Bound, Map};

use crate::ContractError;

/// By text, which the reference contract took as it was, address or not.
pub const ALLOW_LIST: Map<&str, Empty> = Map::new("allow_list");

pub const STAGES: Map<u64, ReferenceStage> = Map::new("stages");

/// By stage (8 bytes, big-endian) and text. Not a composite key of cw-storage-plus, which would have the length of the stage
/// before it.
const SCORES: Map<&[u8], u64> = Map::new("scores");

/// The longest text that can be part of a key: the VM stops the contract for keys above 64 KiB, and a text has the name
/// `scores` with its length, and a stage, before it.
const LONGEST_TEXT: usize = 65_536 - 16;

/// A stage as the reference contract stores it.
#[cw_serde]
pub struct ReferenceStage {
    pub stage: u64,
    /// May be wrong: the reference contract's sums wrap, and a second finalize of the stage before resets it.
    pub total_score: u64,
    pub is_finalized: bool,
}

/// The score under a text, address or not.
pub fn load_score(storage: &dyn Storage, stage: u64, text: &str) -> Result<Option<u64>, ContractError> {
    Ok(SCORES.may_load(storage, &row_key(stage, text)?)?)
}

/// The rows from a text on, in ascending order of text.
pub fn rows_from<'a>(
    storage: &'a dyn Storage,
    stage: u64,
    text: &str,
) -> Result<impl Iterator<Item = StdResult<(Addr, u64)>> + 'a, ContractError> {
    let start = Bound::InclusiveRaw(row_key(stage, text)?);
    let next = stage.checked_add(1).map(u64::to_be_bytes);
    let end = next.map(|key| Bound::ExclusiveRaw(key.to_vec()));
    let rows = SCORES.range_raw(storage, Some(start), end, Order::Ascending);
    Ok(rows.map(|row| {
        let (key, score) = row?;
        let text = String::from_utf8(key[size_of::<u64>()..].to_vec())?;
        Ok((Addr::unchecked(text), score))
    }))
}

/// Fails with `TextTooLong` if the text is too long to be part of a key.
fn row_key(stage: u64, text: &str) -> Result<Vec<u8>, ContractError> {
    let (bytes, max) = (text.len(), LONGEST_TEXT);
    if bytes > max {
        return Err(ContractError::TextTooLong { bytes, max });
    }
    Ok([stage.to_be_bytes().as_slice(), text.as_bytes()].concat())
}
