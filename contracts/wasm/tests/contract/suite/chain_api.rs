use cosmwasm_std::{Addr, Api, CanonicalAddr, RecoverPubkeyError, StdResult, VerificationError};
use cw_multi_test::MockApiBech32;

/// The address functions of the chain: like the Cosmos SDK, and unlike the mock, it also accepts an address in uppercase
/// (BIP-173).
pub struct ChainApi(MockApiBech32);

impl ChainApi {
    pub fn new() -> Self {
        ChainApi(MockApiBech32::new("init"))
    }
}

impl Api for ChainApi {
    fn addr_validate(&self, text: &str) -> StdResult<Addr> {
        self.0.addr_validate(text)
    }

    fn addr_canonicalize(&self, text: &str) -> StdResult<CanonicalAddr> {
        if text.chars().any(|character| character.is_lowercase()) {
            return self.0.addr_canonicalize(text);
        }
        self.0.addr_canonicalize(&text.to_lowercase())
    }

    fn addr_humanize(&self, canonical: &CanonicalAddr) -> StdResult<Addr> {
        self.0.addr_humanize(canonical)
    }

    fn secp256k1_verify(&self, _: &[u8], _: &[u8], _: &[u8]) -> Result<bool, VerificationError> {
        unreachable!("the contract verifies no signature")
    }

    fn secp256k1_recover_pubkey(
        &self,
        _: &[u8],
        _: &[u8],
        _: u8,
    ) -> Result<Vec<u8>, RecoverPubkeyError> {
        unreachable!("the contract verifies no signature")
    }

    fn ed25519_verify(&self, _: &[u8], _: &[u8], _: &[u8]) -> Result<bool, VerificationError> {
        unreachable!("the contract verifies no signature")
    }

    fn ed25519_batch_verify(
        &self,
        _: &[&[u8]],
        _: &[&[u8]],
        _: &[&[u8]],
    ) -> Result<bool, VerificationError> {
        unreachable!("the contract verifies no signature")
    }

    fn debug(&self, message: &str) {
        self.0.debug(message);
    }
}
