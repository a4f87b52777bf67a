//! The contract's identity in cw2.

/// The name of this contract.
pub const CONTRACT_NAME: &str = "vipscore:vip-score";
/// The version of this contract, as in semantic versioning.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");
