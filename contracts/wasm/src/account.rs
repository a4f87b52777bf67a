use cosmwasm_std::{Addr, Api, CanonicalAddr, StdResult};

use crate::order_key::{address_of, order_key};
use crate::ContractError;

/// Addresses longer than this are refused before the VM looks at them: it stops the contract for those above 256 bytes.
const LONGEST_TEXT: usize = 128;

/// An account: its address in the chain's own spelling, and the key under which its scores lie.
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
        addr: text.to_string(),
        reason,
    };
    if text.len() > LONGEST_TEXT {
        return Err(invalid(format!("longer than {LONGEST_TEXT} bytes")));
    }
    let canonical = api
        .addr_canonicalize(text)
        .map_err(|error| invalid(error.to_string()))?;
    if !is_account_length(canonical.len()) {
        return Err(invalid(format!(
            "{} bytes, an account has 20 or 32",
            canonical.len()
        )));
    }
    let addr = api
        .addr_humanize(&canonical)
        .map_err(|error| invalid(error.to_string()))?;
    let key = order_key(&canonical);
    Ok(Account { addr, key })
}

/// Reads an address in any spelling that the chain accepts and gives it back in the chain's own.
pub fn parse_addr(api: &dyn Api, text: &str) -> Result<Addr, ContractError> {
    Ok(parse_account(api, text)?.addr)
}

/// The account whose scores lie under `key`.
pub fn account_of(api: &dyn Api, key: Vec<u8>) -> StdResult<Account> {
    let addr = api.addr_humanize(&CanonicalAddr::from(address_of(&key)))?;
    Ok(Account { addr, key })
}

/// Whether an address may have so many bytes.
pub fn is_account_length(bytes: usize) -> bool {
    bytes == 20 || bytes == 32
}
