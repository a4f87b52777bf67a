//! Reading a stage in ascending order of address text, in either form of storage.

use cosmwasm_std::{Addr, Api, CanonicalAddr, Deps, Env, StdResult, Storage};

use super::order_key::{address_of, lower_bound};
use super::{pages, reference_form};
use crate::state::STAGES;

/// Keys that differ within this many bytes sort like their texts; others may not (`order_key`).
const DECISIVE_BYTES: usize = 20;

/// Where a page starts; the text need not be an address.
pub enum Start {
    At(String),
    After(String),
}

impl Start {
    fn text(&self) -> &str {
        match self {
            Start::At(text) | Start::After(text) => text,
        }
    }

    fn includes(&self, addr: &Addr) -> bool {
        match self {
            Start::At(text) => addr.as_str() >= text.as_str(),
            Start::After(text) => addr.as_str() > text.as_str(),
        }
    }
}

/// At most `limit` rows of a stage from `start` on, in ascending order of address text; fewer only at the end. None of a
/// stage that was never created. The text of `start` has at most `LONGEST_TEXT` bytes.
pub fn read_rows(
    deps: Deps,
    env: &Env,
    stage: u64,
    start: &Start,
    limit: usize,
) -> StdResult<Vec<(Addr, u64)>> {
    match STAGES.may_load(deps.storage, stage)? {
        None => Ok(vec![]),
        Some(record) if record.paged => read_paged(deps, env, stage, start, limit),
        Some(_) => read_reference_form(deps.storage, stage, start, limit),
    }
}

fn read_reference_form(
    storage: &dyn Storage,
    stage: u64,
    start: &Start,
    limit: usize,
) -> StdResult<Vec<(Addr, u64)>> {
    reference_form::rows_from(storage, stage, start.text())
        .filter(|row| !matches!(row, Ok((addr, _)) if !start.includes(addr)))
        .take(limit)
        .collect()
}

fn read_paged(
    deps: Deps,
    env: &Env,
    stage: u64,
    start: &Start,
    limit: usize,
) -> StdResult<Vec<(Addr, u64)>> {
    let Some(from) = lower_bound(start.text(), prefix_of(&env.contract.address)) else {
        return Ok(vec![]);
    };
    let mut rows: Vec<(Addr, u64)> = Vec::new();
    let mut last_key: Vec<u8> = Vec::new();
    for row in pages::rows_from(deps.storage, stage, &from)? {
        let (key, score) = row?;
        let is_tie = last_key.get(..DECISIVE_BYTES) == key.get(..DECISIVE_BYTES);
        if rows.len() >= limit && !is_tie {
            break;
        }
        let addr = addr_of(deps.api, &key)?;
        if start.includes(&addr) {
            rows.push((addr, score));
        }
        last_key = key;
    }
    // Only an address of 20 bytes and the longer ones that start with it can be out of order.
    rows.sort_unstable();
    rows.truncate(limit);
    Ok(rows)
}

fn addr_of(api: &dyn Api, key: &[u8]) -> StdResult<Addr> {
    api.addr_humanize(&CanonicalAddr::from(address_of(key)))
}

/// The common prefix of all addresses of the chain: a name and the digit 1.
fn prefix_of(addr: &Addr) -> &str {
    let text = addr.as_str();
    text.rfind('1')
        .map_or(text, |separator| &text[..=separator])
}
