//! The messages that write scores.

use cosmwasm_std::{Addr, Binary, CanonicalAddr, DepsMut, Event, Storage};

use crate::account::{parse_account, Account};
use crate::events::Events;
use crate::pages::{decode_rows, page_of};
use crate::roles::check_member;
use crate::stages::load_open_stage;
use crate::state::{StageRecord, STAGES};
use crate::ContractError;

/// The change that a row makes to a score.
#[derive(Clone, Copy)]
pub enum Change {
    Set(u64),
    Increase(u64),
    Decrease(u64),
}

/// Writes rows; one `update-score` event for each, in their order.
pub fn execute_write(deps: DepsMut, sender: Addr, stage: u64, rows: Vec<(String, Change)>) -> Events {
    check_member(deps.storage, &sender)?;
    let record = load_open_stage(deps.storage, stage)?;
    let mut parsed = Vec::with_capacity(rows.len());
    for (addr, change) in rows {
        parsed.push((parse_account(deps.api, &addr)?, change));
    }
    let written = write_rows(deps.storage, record, &parsed)?;
    let events = parsed.iter().zip(written).map(|((account, _), row)| {
        Event::new("update-score")
            .add_attribute("addr", &account.addr)
            .add_attribute("stage", stage.to_string())
            .add_attribute("score", row.score.to_string())
            .add_attribute("total_score", row.total_score.to_string())
    });
    Ok(events.collect())
}

/// Writes a packed batch, whose rows have the form of rows in storage (`pages`); one event for it.
pub fn execute_write_packed(deps: DepsMut, sender: Addr, stage: u64, rows: Binary) -> Events {
    check_member(deps.storage, &sender)?;
    let record = load_open_stage(deps.storage, stage)?;
    let total_before = record.total_score;
    let rows = decode_rows(&rows).map_err(|position| ContractError::InvalidPackedScores { position })?;
    let mut parsed = Vec::with_capacity(rows.len());
    for (key, score) in rows {
        let addr = deps.api.addr_humanize(&CanonicalAddr::from(key.as_slice()))?;
        parsed.push((Account { addr, key }, Change::Set(score)));
    }
    let written = write_rows(deps.storage, record, &parsed)?;
    let total = written.last().map_or(total_before, |row| row.total_score);
    Ok(vec![Event::new("update-scores-packed")
        .add_attribute("stage", stage.to_string())
        .add_attribute("count", written.len().to_string())
        .add_attribute("total_score", total.to_string())])
}

/// A row after it was written, and the total of the stage after it.
pub struct WrittenRow {
    pub score: u64,
    pub total_score: u64,
}

/// Applies rows to an open stage in their order and saves the stage, with its revision raised by one if there is a row
/// (R21). Returns the rows as they were written. Writes nothing before all rows are checked, so that a contract that
/// goes on after an error has changed nothing.
pub fn write_rows(
    storage: &mut dyn Storage,
    mut record: StageRecord,
    rows: &[(Account, Change)],
) -> Result<Vec<WrittenRow>, ContractError> {
    if rows.is_empty() {
        return Ok(vec![]);
    }
    let stage = record.stage;
    // In order of key, so that each page is read once; rows of one account stay in their order.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&index| &rows[index].0.key);
    let mut pages = Vec::new();
    let mut changes = vec![(None, 0); rows.len()];
    for index in order {
        let (account, change) = &rows[index];
        let page = page_of(&mut pages, storage, stage, &account.key)?;
        let before = page.score(&account.key);
        let score = apply(*change, before, stage, &account.addr)?;
        page.set(&account.key, score);
        changes[index] = (before, score);
    }
    let mut written = Vec::with_capacity(rows.len());
    for (before, score) in changes {
        let others = record.total_score.checked_sub(before.unwrap_or(0));
        let total = others.and_then(|others| others.checked_add(score));
        record.total_score = total.ok_or(ContractError::TotalOverflow { stage })?;
        record.count += u64::from(before.is_none());
        let total_score = record.total_score;
        written.push(WrittenRow { score, total_score });
    }
    record.revision += 1;
    for page in pages {
        page.save(storage, stage);
    }
    STAGES.save(storage, stage, &record)?;
    Ok(written)
}

/// The score after a change.
fn apply(change: Change, before: Option<u64>, stage: u64, addr: &Addr) -> Result<u64, ContractError> {
    let addr = || addr.to_string();
    let score = before.unwrap_or(0);
    match change {
        Change::Set(amount) => Ok(amount),
        Change::Increase(amount) => score
            .checked_add(amount)
            .ok_or_else(|| ContractError::ScoreOverflow { stage, addr: addr() }),
        Change::Decrease(amount) => score.checked_sub(amount).ok_or_else(|| match before {
            Some(score) => ContractError::InsufficientScore {
                stage,
                addr: addr(),
                score,
                amount,
            },
            None => ContractError::InsufficientScoreOfNone {
                stage,
                addr: addr(),
                amount,
            },
        }),
    }
}
