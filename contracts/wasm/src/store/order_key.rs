//! Addresses as bytes that sort like their bech32 text.
//!
//! The text of an address spells its bytes in groups of five bits, and the characters are not in the order of the groups.
//! An order key has each group replaced by the rank of its character. Where two addresses differ within the length of the
//! shorter one, their keys sort like their texts.

/// The characters of bech32 by group (BIP-173).
const CHARACTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// The rank of each group's character among all characters.
const RANKS: [u8; 32] = ranks();

/// The group of each rank, the inverse of `RANKS`.
const GROUPS: [u8; 32] = groups();

const fn ranks() -> [u8; 32] {
    let mut ranks = [0; 32];
    let mut group = 0;
    while group < 32 {
        ranks[group] = rank_of(CHARACTERS[group]);
        group += 1;
    }
    ranks
}

const fn groups() -> [u8; 32] {
    let mut groups = [0; 32];
    let mut group = 0;
    while group < 32 {
        groups[RANKS[group] as usize] = group as u8;
        group += 1;
    }
    groups
}

/// How many characters of bech32 come before this one.
const fn rank_of(character: u8) -> u8 {
    let mut rank = 0;
    let mut i = 0;
    while i < 32 {
        if CHARACTERS[i] < character {
            rank += 1;
        }
        i += 1;
    }
    rank
}

/// The order key of an address: 20 bytes for 20, 33 for 32.
pub fn order_key(address: &[u8]) -> Vec<u8> {
    let groups = (address.len() * 8).div_ceil(5);
    map_groups(address, groups, &RANKS, (groups * 5).div_ceil(8))
}

/// The address of an order key.
pub fn address_of(key: &[u8]) -> Vec<u8> {
    let groups = key.len() * 8 / 5;
    map_groups(key, groups, &GROUPS, groups * 5 / 8)
}

/// The highest 20-byte order key, as far as 32 characters determine it, such that no address below it has a text of `text`
/// or after it. `prefix` is the common prefix of all addresses. None if all addresses come before `text`.
pub fn lower_bound(text: &str, prefix: &str) -> Option<Vec<u8>> {
    const SHORTEST: usize = 32;
    let Some(data) = text.strip_prefix(prefix) else {
        return if text < prefix { Some(vec![]) } else { None };
    };
    let mut ranks = [0; SHORTEST];
    for (i, character) in data.bytes().take(SHORTEST).enumerate() {
        let rank = rank_of(character);
        if rank == 32 {
            ranks[i..].fill(31);
            break;
        }
        ranks[i] = rank;
        if !CHARACTERS.contains(&character) {
            break;
        }
    }
    Some(pack(ranks.into_iter(), SHORTEST * 5 / 8))
}

fn map_groups(bytes: &[u8], groups: usize, table: &[u8; 32], length: usize) -> Vec<u8> {
    let mapped = (0..groups).map(|i| {
        let bit = i * 5;
        let high = bytes[bit / 8];
        let low = bytes.get(bit / 8 + 1).copied().unwrap_or(0);
        let group = u16::from_be_bytes([high, low]) >> (11 - bit % 8) & 31;
        table[group as usize]
    });
    pack(mapped, length)
}

/// Packs groups of five bits into `length` bytes: pads with zeros, drops surplus bits.
fn pack(groups: impl Iterator<Item = u8>, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    for (i, group) in groups.enumerate() {
        let bit = i * 5;
        let [high, low] = (u16::from(group) << (11 - bit % 8)).to_be_bytes();
        bytes[bit / 8] |= high;
        if let Some(byte) = bytes.get_mut(bit / 8 + 1) {
            *byte |= low;
        }
    }
    bytes
}
