//! Reading a stage in ascending order of address text, in either form of storage.

use cosmwasm_std::{Addr, Deps, Env, StdResult, Storage};

use crate::account::account_of;
use crate::order_key::lower_bound;
use crate::state::{StageRecord, STAGES};
use crate::{legacy, pages};

/// Where a page begins; the text need not be an address.
pub enum Start {
    AtFirst,
    At(String),
    After(String),
}

impl Start {
    fn text(&self) -> &str {
        match self {
            Start::AtFirst => "",
            Start::At(text) | Start::After(text) => text,
        }
    }

    fn includes(&self, addr: &Addr) -> bool {
        match self {
            Start::AtFirst => true,
            Start::At(text) => addr.as_str() >= text.as_str(),
            Start::After(text) => addr.as_str() > text.as_str(),
        }
    }
}

/// The score under the key of an account in a stage.
pub fn load_score(
    storage: &dyn Storage,
    record: &StageRecord,
    key: &[u8],
) -> StdResult<Option<u64>> {
    if record.paged {
        pages::load_score(storage, record.stage, key)
    } else {
        legacy::load_score(storage, record.stage, key)
    }
}

/// At most `limit` rows of a stage from `start` on, in ascending order of address text; fewer only at the end. None of a
/// stage that was never created.
pub fn read_rows(
    deps: Deps,
    env: &Env,
    stage: u64,
    start: Start,
    limit: usize,
) -> StdResult<Vec<(Addr, u64)>> {
    match STAGES.may_load(deps.storage, stage)? {
        None => Ok(vec![]),
        Some(record) if record.paged => read_paged(deps, env, stage, start, limit),
        Some(_) => read_legacy(deps.storage, stage, start, limit),
    }
}

fn read_legacy(
    storage: &dyn Storage,
    stage: u64,
    start: Start,
    limit: usize,
) -> StdResult<Vec<(Addr, u64)>> {
    let mut rows = Vec::new();
    let from = start.text().as_bytes();
    legacy::visit_rows(storage, stage, from, &mut |addr, score| {
        if rows.len() >= limit {
            return Ok(false);
        }
        if start.includes(&addr) {
            rows.push((addr, score));
        }
        Ok(true)
    })?;
    Ok(rows)
}

fn read_paged(
    deps: Deps,
    env: &Env,
    stage: u64,
    start: Start,
    limit: usize,
) -> StdResult<Vec<(Addr, u64)>> {
    /// Keys that agree in so many bytes may sort unlike their texts.
    const DECISIVE: usize = 20;
    let Some(from) = lower_bound(start.text(), prefix_of(&env.contract.address)) else {
        return Ok(vec![]);
    };
    let mut rows: Vec<(Addr, u64)> = Vec::new();
    let mut last_key: Vec<u8> = Vec::new();
    pages::visit_rows(deps.storage, stage, &from, &mut |key, score| {
        let is_tie = last_key.get(..DECISIVE) == key.get(..DECISIVE);
        if rows.len() >= limit && !is_tie {
            return Ok(false);
        }
        let account = account_of(deps.api, key)?;
        last_key = account.key;
        if start.includes(&account.addr) {
            rows.push((account.addr, score));
        }
        Ok(true)
    })?;
    // Only an address of 20 bytes and the longer ones that begin with it can be out of order.
    rows.sort_unstable();
    rows.truncate(limit);
    Ok(rows)
}

/// What all addresses of the chain begin with: a name and the digit 1.
fn prefix_of(addr: &Addr) -> &str {
    let text = addr.as_str();
    text.rfind('1')
        .map_or(text, |separator| &text[..=separator])
}
