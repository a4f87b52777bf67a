//! The scores of stages that the reference contract created, where it left them: `scores` has a row of its own for each
//! account, under the stage in eight bytes and the text of the address, whatever that text is. Such a stage is read and,
//! while it is open, written in this form for ever; later stages have pages.

use cosmwasm_std::storage_keys::to_length_prefixed;
use cosmwasm_std::{Addr, Api, Order, StdError, StdResult, Storage};

use crate::account::{parse_account, Account};
use crate::ContractError;

const NAMESPACE: &[u8] = b"scores";

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
    pub fn load(storage: &dyn Storage, stage: u64, keys: &[&Vec<u8>]) -> StdResult<Self> {
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

    /// The score under a key that was named to `load`.
    pub fn score(&self, key: &[u8]) -> Option<u64> {
        self.rows.get(self.place(key)?)?.score
    }

    /// Sets the score under a key that was named to `load`.
    pub fn set(&mut self, key: &[u8], score: u64) {
        if let Some(place) = self.place(key) {
            let row = &mut self.rows[place];
            row.is_changed |= row.score != Some(score);
            row.score = Some(score);
        }
    }

    /// Writes the rows that changed.
    pub fn save(self, storage: &mut dyn Storage) {
        for row in self.rows {
            if let (true, Some(score)) = (row.is_changed, row.score) {
                let key = row_key(self.stage, &row.key);
                storage.set(&key, score.to_string().as_bytes());
            }
        }
    }

    fn place(&self, key: &[u8]) -> Option<usize> {
        let found = self
            .rows
            .binary_search_by(|row| row.key.as_slice().cmp(key));
        found.ok()
    }
}

/// The account of a text in a stage of this form. A text that has a row stands for that row, even if the chain would not
/// accept it or spells it otherwise: the reference contract took any text, and such rows must stay within reach.
pub fn parse_account_in(
    storage: &dyn Storage,
    api: &dyn Api,
    stage: u64,
    text: &str,
) -> Result<Account, ContractError> {
    if storage.get(&row_key(stage, text.as_bytes())).is_some() {
        let addr = Addr::unchecked(text);
        return Ok(account_of(addr));
    }
    Ok(account_of(parse_account(api, text)?.addr))
}

/// The account with the rows of an address.
fn account_of(addr: Addr) -> Account {
    let key = addr.as_bytes().to_vec();
    Account { addr, key }
}

/// The score under the text of an address.
pub fn load_score(storage: &dyn Storage, stage: u64, key: &[u8]) -> StdResult<Option<u64>> {
    let value = storage.get(&row_key(stage, key));
    value.map(|value| read_score(&value)).transpose()
}

/// The rows from a text on, in ascending order of text, until `visit` returns false.
pub fn visit_rows(
    storage: &dyn Storage,
    stage: u64,
    text: &[u8],
    visit: &mut dyn FnMut(Addr, u64) -> StdResult<bool>,
) -> StdResult<()> {
    let stage_start = row_key(stage, &[]);
    let start = row_key(stage, text);
    let end = match stage.checked_add(1) {
        Some(next) => row_key(next, &[]),
        // Above all keys of the namespace.
        None => [to_length_prefixed(NAMESPACE), vec![255; 9]].concat(),
    };
    for (key, value) in storage.range(Some(&start), Some(&end), Order::Ascending) {
        let text = String::from_utf8(key[stage_start.len()..].to_vec())?;
        if !visit(Addr::unchecked(text), read_score(&value)?)? {
            break;
        }
    }
    Ok(())
}

/// A score is a number in JSON.
fn read_score(value: &[u8]) -> StdResult<u64> {
    let text = std::str::from_utf8(value).unwrap_or_default();
    text.parse()
        .map_err(|_| StdError::generic_err("a score is no number"))
}

fn row_key(stage: u64, text: &[u8]) -> Vec<u8> {
    let namespace = to_length_prefixed(NAMESPACE);
    [&namespace, stage.to_be_bytes().as_slice(), text].concat()
}
