//! The rows of `update_scores_packed`.

use cosmwasm_std::{Api, CanonicalAddr};

use crate::account::Account;
use crate::batch::Change;
use crate::store::decode_rows;
use crate::ContractError;

/// Reads the rows of a packed batch, which have the form of rows in storage (`store`).
pub fn unpack_rows(api: &dyn Api, bytes: &[u8]) -> Result<Vec<(Account, Change)>, ContractError> {
    let rows = decode_rows(bytes)
        .map_err(|position| ContractError::InvalidPackedScores { position })?
        .into_iter();
    rows.map(|(address, score)| {
        let addr = api.addr_humanize(&CanonicalAddr::from(address))?;
        let key = address.to_vec();
        Ok((Account { addr, key }, Change::Set(score)))
    })
    .collect()
}
