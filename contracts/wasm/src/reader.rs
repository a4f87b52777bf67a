//! Reads scores, whatever the form in which a stage has them.

use std::iter;

use cosmwasm_std::{Addr, Deps, StdResult};

use crate::account::parse_account;
use crate::msg::{AccountScore, ScoresFromResponse};
use crate::reference;
use crate::stages::{find_stage, load_stage, Stage};
use crate::store::{rows_from, LoadedPages};
use crate::ContractError;

/// Most bytes of the addresses of a page, so that a node can compute any page: 4,000 addresses of 32 bytes have less, and the
/// longest text of the reference contract too.
const MAX_TEXT_BYTES: usize = 256_000;

/// Where a page starts. The empty text is before all addresses.
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

    fn includes(&self, text: &str) -> bool {
        match self {
            Start::At(_) => true,
            Start::After(start) => text != start,
        }
    }
}

/// At most `limit` rows of a stage from `start` on, in at most `MAX_TEXT_BYTES`. Empty for a stage that was never created.
pub fn read_page(deps: Deps, stage: u64, start: &Start, limit: usize) -> Result<ScoresFromResponse, ContractError> {
    let text = start.text();
    match find_stage(deps.storage, stage)? {
        None => fill_page(limit, iter::empty()),
        Some(Stage::Ours(_)) => {
            let mut key = if text.is_empty() {
                vec![]
            } else {
                parse_account(deps.api, text)?.key
            };
            if let Start::After(_) = start {
                key.push(0);
            }
            let rows = rows_from(deps.storage, stage, &key)?;
            fill_page(
                limit,
                rows.map(|row| {
                    let (key, score) = row?;
                    Ok((deps.api.addr_humanize(&key.into())?, score))
                }),
            )
        }
        Some(Stage::Reference(_)) => {
            let rows = reference::rows_from(deps.storage, stage, text)?;
            let rows = rows.filter(|row| !matches!(row, Ok((addr, _)) if !start.includes(addr.as_str())));
            fill_page(limit, rows)
        }
    }
}

fn fill_page(
    limit: usize,
    rows: impl Iterator<Item = StdResult<(Addr, u64)>>,
) -> Result<ScoresFromResponse, ContractError> {
    let (mut scores, mut bytes) = (vec![], 0);
    for row in rows {
        let (addr, score) = row?;
        bytes += addr.as_str().len();
        if scores.len() == limit || bytes > MAX_TEXT_BYTES {
            let next = Some(addr);
            return Ok(ScoresFromResponse { scores, next });
        }
        scores.push(AccountScore { addr, score });
    }
    let next = None;
    Ok(ScoresFromResponse { scores, next })
}

/// The accounts of texts in a stage, in their order, with their scores.
pub fn read_scores(deps: Deps, stage: u64, texts: &[String]) -> Result<Vec<(Addr, Option<u64>)>, ContractError> {
    let texts = texts.iter();
    match load_stage(deps.storage, stage)? {
        Stage::Ours(_) => {
            let mut pages = LoadedPages::new(stage);
            let scores = texts.map(|text| {
                let account = parse_account(deps.api, text)?;
                let page = pages.page_of(deps.storage, &account.key)?;
                Ok((account.addr, page.score(&account.key)))
            });
            scores.collect()
        }
        Stage::Reference(_) => {
            let scores = texts.map(|text| {
                let score = reference::load_score(deps.storage, stage, text)?;
                Ok((Addr::unchecked(text), score))
            });
            scores.collect()
        }
    }
}
