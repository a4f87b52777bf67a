//! Name and version of the contract in storage, in the form of the cw2 standard.

use cosmwasm_std::{StdResult, Storage};

use crate::migrate::refused;
use crate::ContractError;

/// The name of this contract.
pub const CONTRACT_NAME: &str = "vipscore:vip-score";
/// The version of this contract, as in semantic versioning.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The key that cw2 names.
const KEY: &[u8] = b"contract_info";

/// Writes name and version. By hand, because reading and writing with cw2 is 3 kB of code.
pub fn save_version(storage: &mut dyn Storage) {
    let text = format!(r#"{}{CONTRACT_VERSION}"}}"#, before_version());
    storage.set(KEY, text.as_bytes());
}

/// What the contract wrote of its name and version; none under the reference contract.
pub fn load_version(storage: &dyn Storage) -> StdResult<Option<String>> {
    match storage.get(KEY) {
        Some(bytes) => Ok(Some(String::from_utf8(bytes)?)),
        None => Ok(None),
    }
}

/// Fails with `MigrationRefused` unless what was written names this contract in a version up to this one.
pub fn check_earlier_version(written: &str) -> Result<(), ContractError> {
    let version = written
        .strip_prefix(&before_version())
        .and_then(|rest| rest.strip_suffix("\"}"));
    let Some(version) = version else {
        return Err(refused(format!("this is {written}, not {CONTRACT_NAME}")));
    };
    match (parts_of(version), parts_of(CONTRACT_VERSION)) {
        (Some(old), Some(new)) if old <= new => Ok(()),
        _ => Err(refused(format!(
            "version {version} is not one up to {CONTRACT_VERSION}"
        ))),
    }
}

fn before_version() -> String {
    format!(r#"{{"contract":"{CONTRACT_NAME}","version":""#)
}

/// The three numbers of a version. Versions of this contract have nothing after them.
fn parts_of(version: &str) -> Option<[u32; 3]> {
    let mut numbers = [0; 3];
    let mut parts = version.split('.');
    for number in &mut numbers {
        *number = parts.next()?.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}
