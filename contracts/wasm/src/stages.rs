//! The life of a stage: created, open, finalized.

use cosmwasm_std::{Addr, DepsMut, Event, StdResult, Storage};

use crate::events::Events;
use crate::msg::{FinalizeStageChecked, StageResponse};
use crate::reference;
use crate::roles::check_finalizer;
use crate::state::{StageRecord, STAGES};
use crate::ContractError;

/// Creates an open stage without scores.
pub fn create_stage(storage: &mut dyn Storage, stage: u64) -> Result<Event, ContractError> {
    if stage == 0 {
        return Err(ContractError::StageZero {});
    }
    let record = StageRecord {
        stage,
        total_score: 0,
        is_finalized: false,
        count: 0,
        revision: 0,
    };
    STAGES.save(storage, stage, &record)?;
    Ok(Event::new("create-stage").add_attribute("stage", stage.to_string()))
}

/// A stage as queries return it. Without a count it is one that the reference contract finalized before a migration: its scores
/// have the form of `reference`. Those of all others are in `pages`.
pub fn find_stage(storage: &dyn Storage, stage: u64) -> StdResult<StageResponse> {
    let (exists, total_score, is_finalized, count, revision) = if let Some(ours) = STAGES.may_load(storage, stage)? {
        let count = Some(ours.count);
        (true, ours.total_score, ours.is_finalized, count, ours.revision)
    } else if let Some(theirs) = reference::STAGES.may_load(storage, stage)? {
        (true, theirs.total_score, true, None, 0)
    } else {
        (false, 0, false, Some(0), 0)
    };
    Ok(StageResponse {
        stage,
        exists,
        total_score,
        is_finalized,
        count,
        revision,
    })
}

/// The stage; an error if it was never created.
pub fn load_stage(storage: &dyn Storage, stage: u64) -> Result<StageResponse, ContractError> {
    let found = find_stage(storage, stage)?;
    if !found.exists {
        return Err(ContractError::StageNotFound { stage });
    }
    Ok(found)
}

/// The stage, if scores can be written to it.
pub fn load_open_stage(storage: &dyn Storage, stage: u64) -> Result<StageRecord, ContractError> {
    match STAGES.may_load(storage, stage)? {
        Some(record) if !record.is_finalized => Ok(record),
        None if !reference::STAGES.has(storage, stage) => Err(ContractError::StageNotFound { stage }),
        _ => Err(ContractError::StageFinalized { stage }),
    }
}

/// Freezes the open stage and creates the next one (R2, R3). With `expected`, only if the stage holds exactly that (R4).
pub fn execute_finalize(deps: DepsMut, sender: Addr, stage: u64, expected: Option<FinalizeStageChecked>) -> Events {
    check_finalizer(deps.storage, &sender)?;
    let mut record = load_open_stage(deps.storage, stage)?;
    if let Some(expected) = expected {
        check_expected(&record, &expected)?;
    }
    record.is_finalized = true;
    STAGES.save(deps.storage, stage, &record)?;
    let mut events = vec![Event::new("finalize-stage").add_attribute("stage", stage.to_string())];
    if let Some(next) = stage.checked_add(1) {
        events.push(create_stage(deps.storage, next)?);
    }
    Ok(events)
}

fn check_expected(record: &StageRecord, expected: &FinalizeStageChecked) -> Result<(), ContractError> {
    let stage = record.stage;
    if (record.total_score, record.count) != (expected.expected_total, expected.expected_count) {
        return Err(ContractError::FinalizeMismatch {
            stage,
            expected_total: expected.expected_total,
            expected_count: expected.expected_count,
            total: record.total_score,
            count: record.count,
        });
    }
    if record.revision != expected.expected_revision {
        return Err(ContractError::RevisionMismatch {
            stage,
            expected_revision: expected.expected_revision,
            revision: record.revision,
        });
    }
    Ok(())
}
