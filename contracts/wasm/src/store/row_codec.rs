//! Rows, one after another, in a page and in a packed batch: the length of the address in one byte (20 or 32), the address,
//! and the score in eight bytes, the highest first.

use crate::account::is_account_length;

/// Appends one row. The address has 20 or 32 bytes.
pub fn push_row(bytes: &mut Vec<u8>, address: &[u8], score: u64) {
    bytes.push(address.len() as u8);
    bytes.extend_from_slice(address);
    bytes.extend_from_slice(&score.to_be_bytes());
}

/// Reads all rows: addresses and scores. Fails with the position of the first row that is not complete or whose address has
/// another length.
pub fn decode_rows(bytes: &[u8]) -> Result<Vec<(&[u8], u64)>, usize> {
    let mut rows = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (address, score, after) = split_row(rest).ok_or(bytes.len() - rest.len())?;
        rows.push((address, score));
        rest = after;
    }
    Ok(rows)
}

/// The address and the score of the first row, and the bytes after it.
fn split_row(bytes: &[u8]) -> Option<(&[u8], u64, &[u8])> {
    let (length, rest) = bytes.split_first()?;
    let (address, rest) = rest.split_at_checked(usize::from(*length))?;
    let (score, rest) = rest.split_first_chunk()?;
    is_account_length(address.len()).then_some((address, u64::from_be_bytes(*score), rest))
}
