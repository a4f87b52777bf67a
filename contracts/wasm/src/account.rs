//! Accounts: parses a text into an address.

use cosmwasm_std::{Addr, Api};

use crate::ContractError;

/// Longer addresses are refused before the VM sees them: it stops the contract for addresses above 256 bytes.
const LONGEST_ADDRESS: usize = 128;

/// An account: its address in the chain's own spelling, and the bytes of the address, the key of its scores.
#[derive(Clone, Debug)]
pub struct Account {
    pub addr: Addr,
    pub key: Vec<u8>,
}

/// Reads an address in any spelling that the chain accepts.
///
/// Fails with `InvalidAddress` if the chain does not accept it or if it has neither 20 nor 32 bytes.
pub fn parse_account(api: &dyn Api, text: &str) -> Result<Account, ContractError> {
    let invalid = |reason: String| ContractError::InvalidAddress {
        addr: text.chars().take(LONGEST_ADDRESS).collect(),
        reason,
    };
    if text.len() > LONGEST_ADDRESS {
        return Err(invalid(format!("longer than {LONGEST_ADDRESS} bytes")));
    }
    let canonical = api
        .addr_canonicalize(text)
        .map_err(|error| invalid(error.to_string()))?;
    if !is_account_length(canonical.len()) {
        return Err(invalid(format!("{} bytes, an account has 20 or 32", canonical.len())));
    }
    let addr = api
        .addr_humanize(&canonical)
        .map_err(|error| invalid(error.to_string()))?;
    let key = canonical.into();
    Ok(Account { addr, key })
}

/// Whether an address may have this many bytes.
pub fn is_account_length(bytes: usize) -> bool {
    bytes == 20 || bytes == 32
}
