//! A batch of rows written to one stage: reads what it needs once, applies the rows one after another, writes once.

use cosmwasm_std::Storage;

use crate::account::Account;
use crate::state::{StageRecord, STAGES};
use crate::store::LoadedPages;
use crate::ContractError;

/// The change that a row makes to a score.
#[derive(Clone, Copy)]
pub enum Change {
    Set(u64),
    Increase(u64),
    Decrease(u64),
}

/// A row that was written.
pub struct WrittenRow {
    pub account: Account,
    /// The score after the row.
    pub score: u64,
    /// The total of the stage after the row.
    pub total_score: u64,
}

/// Applies rows to an open stage in their order and saves the stage, with its revision raised by one if there is a row
/// (R21). Returns the rows as they were written, in the same order.
pub fn write_rows(
    storage: &mut dyn Storage,
    mut record: StageRecord,
    rows: Vec<(Account, Change)>,
) -> Result<Vec<WrittenRow>, ContractError> {
    if rows.is_empty() {
        return Ok(vec![]);
    }
    let mut pages = LoadedPages::new(record.stage);
    let mut written = Vec::with_capacity(rows.len());
    for (account, change) in rows {
        let page = pages.page_of(storage, &account.key)?;
        let before = page.score(&account.key);
        let score = apply(&record, &account, before, change)?;
        record.total_score = record
            .total_score
            .checked_sub(before.unwrap_or(0))
            .and_then(|others| others.checked_add(score))
            .ok_or(ContractError::TotalOverflow { stage: record.stage })?;
        if before.is_none() {
            record.count += 1;
        }
        page.set(&account.key, score);
        written.push(WrittenRow {
            account,
            score,
            total_score: record.total_score,
        });
    }
    record.revision += 1;
    pages.save(storage);
    STAGES.save(storage, record.stage, &record)?;
    Ok(written)
}

/// The score after a change.
fn apply(record: &StageRecord, account: &Account, before: Option<u64>, change: Change) -> Result<u64, ContractError> {
    let stage = record.stage;
    let addr = || account.addr.to_string();
    match (change, before) {
        (Change::Set(amount), _) => Ok(amount),
        (Change::Increase(amount), _) => {
            let sum = before.unwrap_or(0).checked_add(amount);
            sum.ok_or_else(|| ContractError::ScoreOverflow { stage, addr: addr() })
        }
        (Change::Decrease(0), None) => Ok(0),
        (Change::Decrease(amount), None) => Err(ContractError::InsufficientScoreOfNone {
            stage,
            addr: addr(),
            amount,
        }),
        (Change::Decrease(amount), Some(score)) => {
            let difference = score.checked_sub(amount);
            difference.ok_or_else(|| ContractError::InsufficientScore {
                stage,
                addr: addr(),
                score,
                amount,
            })
        }
    }
}
