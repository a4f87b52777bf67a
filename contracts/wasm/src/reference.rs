//! What the reference contract has stored before a migration, in its form. Its finalized stages stay in this form and are
//! only read; the migration moves its open stage into pages.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Addr, Empty, Order, StdResult, Storage};
use cw_storage_plus::{Bound, Map};

use crate::ContractError;

/// By text.
const ALLOW_LIST: Map<&str, Empty> = Map::new("allow_list");

const STAGES: Map<u64, ReferenceStage> = Map::new("stages");

/// By the key of [`row_key`]. Not a composite key of cw-storage-plus, which would have the length of the stage before it.
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

pub fn find_stage(storage: &dyn Storage, stage: u64) -> StdResult<Option<ReferenceStage>> {
    STAGES.may_load(storage, stage)
}

/// Removes the record of the newest stage and returns it.
pub fn take_newest_stage(storage: &mut dyn Storage) -> StdResult<Option<ReferenceStage>> {
    let newest = STAGES
        .range(storage, None, None, Order::Descending)
        .next()
        .transpose()?;
    Ok(newest.map(|(stage, record)| {
        STAGES.remove(storage, stage);
        record
    }))
}

/// The texts on the allow list, in ascending order.
pub fn member_texts(storage: &dyn Storage) -> impl Iterator<Item = StdResult<String>> + '_ {
    ALLOW_LIST.keys(storage, None, None, Order::Ascending)
}

/// The score under a text, which the reference contract took as it was, address or not.
pub fn load_score(storage: &dyn Storage, stage: u64, text: &str) -> Result<Option<u64>, ContractError> {
    check_length(text)?;
    Ok(SCORES.may_load(storage, &row_key(stage, text.as_bytes()))?)
}

/// Fails with `TextTooLong` if a text is too long to be part of a key.
pub fn check_length(text: &str) -> Result<(), ContractError> {
    if text.len() > LONGEST_TEXT {
        return Err(ContractError::TextTooLong {
            bytes: text.len(),
            max: LONGEST_TEXT,
        });
    }
    Ok(())
}

/// The rows from a text on, in ascending order of text.
pub fn rows_from<'a>(
    storage: &'a dyn Storage,
    stage: u64,
    text: &str,
) -> Result<impl Iterator<Item = StdResult<(Addr, u64)>> + 'a, ContractError> {
    check_length(text)?;
    let start = Bound::InclusiveRaw(row_key(stage, text.as_bytes()));
    let end = stage.checked_add(1).map(|next| Bound::ExclusiveRaw(row_key(next, &[])));
    let rows = SCORES.range_raw(storage, Some(start), end, Order::Ascending);
    Ok(rows.map(|row| {
        let (key, score) = row?;
        let text = String::from_utf8(key[size_of::<u64>()..].to_vec())?;
        Ok((Addr::unchecked(text), score))
    }))
}

fn row_key(stage: u64, text: &[u8]) -> Vec<u8> {
    [stage.to_be_bytes().as_slice(), text].concat()
}
