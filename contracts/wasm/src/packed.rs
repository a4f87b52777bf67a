//! The rows of `update_scores_packed`.

use cosmwasm_std::{Api, CanonicalAddr, Storage};

use crate::account::{is_account_length, Account};
use crate::batch::Change;
use crate::state::StageRecord;
use crate::store::{parse_account_in_stage, RowReader};
use crate::ContractError;

/// Reads the rows of a packed batch: the length of the address in one byte (20 or 32), the bytes of the address, and the
/// score in unsigned LEB128 in its shortest form.
pub fn unpack_rows(
    storage: &dyn Storage,
    api: &dyn Api,
    record: &StageRecord,
    bytes: &[u8],
) -> Result<Vec<(Account, Change)>, ContractError> {
    let mut unpacked = Vec::new();
    let mut rows = RowReader::new(bytes);
    loop {
        let position = rows.position();
        let Some(row) = rows.next() else {
            return Ok(unpacked);
        };
        let (address, score) = row.map_err(|fault| ContractError::InvalidPackedScores {
            reason: fault.reason,
            position: fault.position,
        })?;
        if !is_account_length(address.len()) {
            return Err(ContractError::InvalidPackedScores {
                reason: "the address has neither 20 nor 32 bytes",
                position,
            });
        }
        let text = api.addr_humanize(&CanonicalAddr::from(address))?;
        let account = parse_account_in_stage(storage, api, record, text.as_str())?;
        unpacked.push((account, Change::Set(score)));
    }
}
