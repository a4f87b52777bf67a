//! The scores of stages that the reference contract created, in its form: an entry for each account, under the stage in
//! eight bytes and the text of the address, even an invalid one. Such a stage is read and, while it is open, written in
//! this form; later stages have pages.

use cosmwasm_std::{Addr, Api, Order, StdResult, Storage};
use cw_storage_plus::{Bound, Map};

use crate::account::{is_too_long, parse_account, Account};
use crate::ContractError;

/// By the key of [`row_key`]. Not a composite key of cw-storage-plus, which would have the length of the stage before it.
const SCORES: Map<&[u8], u64> = Map::new("scores");

/// The rows that a batch touches, in ascending order of the text of their address.
pub struct TouchedRows {
    stage: u64,
    rows: Vec<Row>,
}

struct Row {
    key: Vec<u8>,
    score: Option<u64>,
    is_changed: bool,
}

impl TouchedRows {
    /// Reads the rows of all keys. Keys are ascending.
    pub fn load(storage: &dyn Storage, stage: u64, keys: &[&[u8]]) -> StdResult<Self> {
        let mut rows = Vec::with_capacity(keys.len());
        for key in keys {
            rows.push(Row {
                key: key.to_vec(),
                score: load_score(storage, stage, key)?,
                is_changed: false,
            });
        }
        Ok(TouchedRows { stage, rows })
    }

    pub fn score(&self, key: &[u8]) -> Option<u64> {
        self.rows.get(self.place(key)?)?.score
    }

    pub fn set(&mut self, key: &[u8], score: u64) {
        if let Some(place) = self.place(key) {
            let row = &mut self.rows[place];
            row.is_changed |= row.score != Some(score);
            row.score = Some(score);
        }
    }

    /// Writes the rows that changed.
    pub fn save(self, storage: &mut dyn Storage) -> StdResult<()> {
        for row in self.rows {
            if let (true, Some(score)) = (row.is_changed, row.score) {
                SCORES.save(storage, &row_key(self.stage, &row.key), &score)?;
            }
        }
        Ok(())
    }

    fn place(&self, key: &[u8]) -> Option<usize> {
        let found = self
            .rows
            .binary_search_by(|row| row.key.as_slice().cmp(key));
        found.ok()
    }
}

/// The account for a text in a stage of this form. A text with a row refers to that row, even if the chain would not
/// accept it or spells it differently: the reference contract accepted any text, and such rows must stay accessible.
pub fn parse_account_in(
    storage: &dyn Storage,
    api: &dyn Api,
    stage: u64,
    text: &str,
) -> Result<Account, ContractError> {
    let has_row = !is_too_long(text) && SCORES.has(storage, &row_key(stage, text.as_bytes()));
    let addr = if has_row {
        Addr::unchecked(text)
    } else {
        parse_account(api, text)?.addr
    };
    let key = addr.as_bytes().to_vec();
    Ok(Account { addr, key })
}

/// The score under the text of an address.
pub fn load_score(storage: &dyn Storage, stage: u64, key: &[u8]) -> StdResult<Option<u64>> {
    SCORES.may_load(storage, &row_key(stage, key))
}

/// The rows from a text on, in ascending order of text. The text has at most `LONGEST_TEXT` bytes.
pub fn rows_from<'a>(
    storage: &'a dyn Storage,
    stage: u64,
    text: &str,
) -> impl Iterator<Item = StdResult<(Addr, u64)>> + 'a {
    let start = Bound::InclusiveRaw(row_key(stage, text.as_bytes()));
    let end = stage
        .checked_add(1)
        .map(|next| Bound::ExclusiveRaw(row_key(next, &[])));
    let rows = SCORES.range_raw(storage, Some(start), end, Order::Ascending);
    rows.map(|row| {
        let (key, score) = row?;
        let text = String::from_utf8(key[size_of::<u64>()..].to_vec())?;
        Ok((Addr::unchecked(text), score))
    })
}

fn row_key(stage: u64, text: &[u8]) -> Vec<u8> {
    [stage.to_be_bytes().as_slice(), text].concat()
}
