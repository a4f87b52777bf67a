//! Taking over a contract with its data.

use cosmwasm_std::{Addr, DepsMut, Event, Order, Response, StdResult, Storage};

use crate::ownership::set_first_owner;
use crate::state::{StageRecord, INIT_STAGE, STAGES};
use crate::store::reference_rows_from;
use crate::version::{CONTRACT_NAME, CONTRACT_VERSION};
use crate::ContractError;

/// The most rows of finalized stages that a migration counts. A row costs about 330 gas.
const COUNTED_ROWS: usize = 20_000;

/// Takes over an earlier version of this contract, or a contract with the reference contract's storage.
///
/// Scores stay where they are: stages of the reference contract keep its form of storage, and only stages that are created
/// afterward have pages. The sender, who is the contract's admin, becomes the owner. An open stage gets the exact sum and
/// number of its rows; a finalized one keeps its total, even a wrong one, and is counted if it is not too large.
pub fn take_over(deps: DepsMut, sender: Addr) -> Result<Response, ContractError> {
    let storage = deps.storage;
    let mut response = Response::new();
    if cw2::CONTRACT.may_load(storage)?.is_some() {
        cw2::ensure_from_older_version(storage, CONTRACT_NAME, CONTRACT_VERSION)
            .map_err(|error| refused(error.to_string()))?;
        check_counted(storage)?;
    } else {
        if INIT_STAGE.may_load(storage)?.is_none() {
            return Err(refused("this is not a scoring contract"));
        }
        set_first_owner(storage, &sender)?;
        response = response.add_events(count_stages(storage)?);
        cw2::set_contract_version(storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    }
    Ok(response)
}

/// Fails if the reference contract, or another one, has written a stage since this contract counted it: its count is gone,
/// and so may be its scores, which that contract could not see.
fn check_counted(storage: &dyn Storage) -> Result<(), ContractError> {
    for record in newest_first(storage)? {
        if !record.is_finalized && record.count.is_none() {
            return Err(refused(format!(
                "stage {} was written by another contract since this one left",
                record.stage
            )));
        }
    }
    Ok(())
}

/// Counts the open stages, and as many of the finalized ones, newest first, as stay below the limit together.
fn count_stages(storage: &mut dyn Storage) -> Result<Vec<Event>, ContractError> {
    let mut events = Vec::new();
    let mut budget = COUNTED_ROWS;
    for mut record in newest_first(storage)? {
        if record.is_finalized {
            let Some(count) = count_rows(storage, record.stage, budget)? else {
                budget = 0;
                continue;
            };
            budget -= count;
            record.count = Some(count as u64);
        } else {
            let (total_score, count) = sum_rows(storage, record.stage)?;
            record.total_score = total_score;
            record.count = Some(count);
        }
        STAGES.save(storage, record.stage, &record)?;
        events.push(
            Event::new("count-stage")
                .add_attribute("stage", record.stage.to_string())
                .add_attribute("count", record.count.unwrap_or(0).to_string())
                .add_attribute("total_score", record.total_score.to_string()),
        );
    }
    Ok(events)
}

fn newest_first(storage: &dyn Storage) -> StdResult<Vec<StageRecord>> {
    STAGES
        .range(storage, None, None, Order::Descending)
        .map(|stage| Ok(stage?.1))
        .collect()
}

/// The number of rows of a stage, if it is at most `most`.
fn count_rows(storage: &dyn Storage, stage: u64, most: usize) -> StdResult<Option<usize>> {
    let mut count = 0;
    for row in reference_rows_from(storage, stage, "").take(most + 1) {
        row?;
        count += 1;
    }
    Ok((count <= most).then_some(count))
}

/// The sum and the number of the rows of a stage.
fn sum_rows(storage: &dyn Storage, stage: u64) -> Result<(u64, u64), ContractError> {
    // A chain cannot hold enough rows for a sum of 2^128.
    let mut total = 0u128;
    let mut count = 0;
    for row in reference_rows_from(storage, stage, "") {
        total += u128::from(row?.1);
        count += 1;
    }
    match u64::try_from(total) {
        Ok(total) => Ok((total, count)),
        Err(_) => Err(refused(format!(
            "the scores of stage {stage}, which is open, exceed 2^64 - 1 together: lower them first"
        ))),
    }
}

/// The error for a contract that cannot be taken over.
fn refused(reason: impl Into<String>) -> ContractError {
    ContractError::MigrationRefused {
        reason: reason.into(),
    }
}
