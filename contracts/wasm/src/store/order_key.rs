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

/// The order key of 20 bytes below which no address lies whose text is `text` or follows it, as near as 32 characters tell.
/// `prefix` is what all addresses begin with; none if all of them come before `text`.
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

/// Groups of five bits one after the other, in `length` bytes: zeros are added, surplus bits left out.
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

#[cfg(test)]
mod tests {
    use super::*;
    use cosmwasm_std::testing::MockApi;
    use cosmwasm_std::{Api, CanonicalAddr};

    fn some_address(seed: u64, length: usize) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        (0..length)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u8
            })
            .collect()
    }

    fn text(address: &[u8]) -> String {
        let api = MockApi::default().with_prefix("init");
        api.addr_humanize(&CanonicalAddr::from(address.to_vec()))
            .unwrap()
            .into_string()
    }

    fn addresses() -> Vec<Vec<u8>> {
        (0..400)
            .map(|seed| some_address(seed, if seed % 3 == 0 { 32 } else { 20 }))
            .chain([
                vec![0; 20],
                vec![255; 20],
                vec![1; 32],
                vec![255; 32],
                vec![0; 32],
            ])
            .collect()
    }

    #[test]
    fn a_key_gives_its_address_back() {
        for address in addresses() {
            let key = order_key(&address);
            assert_eq!(key.len(), if address.len() == 20 { 20 } else { 33 });
            assert_eq!(address_of(&key), address);
        }
    }

    #[test]
    fn keys_sort_like_texts() {
        let mut by_key: Vec<_> = addresses()
            .iter()
            .map(|address| (order_key(address), text(address)))
            .collect();
        let mut by_text: Vec<_> = by_key.iter().map(|(_, text)| text.clone()).collect();
        by_key.sort();
        by_text.sort();
        // The zero addresses of 20 and of 32 bytes are the one pair here that agrees in 20 bytes.
        let keys: Vec<_> = by_key.into_iter().map(|(_, text)| text).collect();
        let same = keys.iter().zip(&by_text).filter(|(a, b)| a == b).count();
        assert!(same >= keys.len() - 2, "{same} of {}", keys.len());
    }

    #[test]
    fn a_lower_bound_leaves_out_no_address_that_follows() {
        let by_key: Vec<_> = addresses()
            .iter()
            .map(|address| (order_key(address), text(address)))
            .collect();
        let mut texts: Vec<String> = by_key.iter().map(|(_, text)| text.clone()).collect();
        let odd: Vec<String> = texts
            .iter()
            .take(50)
            .flat_map(|t| {
                [
                    t[..20].to_string(),
                    format!("{}b", &t[..9]),
                    format!("{}~", &t[..9]),
                    format!("{}é", &t[..12]),
                    format!("{}\u{0}", &t[..9]),
                ]
            })
            .collect();
        texts.extend(odd);
        texts.extend(["", "a", "init", "init1", "init2", "inis", "z", "INIT1"].map(String::from));
        for start in &texts {
            let bound = lower_bound(start, "init1");
            for (key, text) in &by_key {
                let is_above = bound.as_ref().is_some_and(|bound| key >= bound);
                assert!(is_above || text < start, "{start} {text}");
            }
        }
    }
}
