//! The life of a stage: created, open, finalized.

use cosmwasm_std::{Addr, DepsMut, Event, Response, Storage};

use crate::ownership::check_finalizer;
use crate::state::{StageRecord, STAGES};
use crate::ContractError;

/// What the caller of the checked finalize expects the stage to hold.
pub struct Expected {
    pub total: u64,
    pub count: u64,
    /// Covers the content too, not only sum and count (R4).
    pub revision: Option<u64>,
}

/// Creates an open stage without scores.
pub fn create_stage(storage: &mut dyn Storage, stage: u64) -> Result<Event, ContractError> {
    if stage == 0 {
        return Err(ContractError::StageZero {});
    }
    let record = StageRecord {
        stage,
        total_score: 0,
        is_finalized: false,
        count: Some(0),
        paged: true,
        revision: 0,
    };
    STAGES.save(storage, stage, &record)?;
    Ok(Event::new("create-stage").add_attribute("stage", stage.to_string()))
}

/// The stage, if there is one.
pub fn load_stage(storage: &dyn Storage, stage: u64) -> Result<StageRecord, ContractError> {
    STAGES
        .may_load(storage, stage)?
        .ok_or(ContractError::StageNotFound { stage })
}

/// The stage, if scores can be written to it.
pub fn load_open_stage(storage: &dyn Storage, stage: u64) -> Result<StageRecord, ContractError> {
    let record = load_stage(storage, stage)?;
    if record.is_finalized {
        return Err(ContractError::StageFinalized { stage });
    }
    Ok(record)
}

/// Freezes an open stage and creates the next one, unless it exists (R2, R3). With `expected`, only if the stage holds
/// exactly that (R4).
pub fn execute_finalize(
    deps: DepsMut,
    sender: Addr,
    stage: u64,
    expected: Option<Expected>,
) -> Result<Response, ContractError> {
    check_finalizer(deps.storage, &sender)?;
    let mut record = load_open_stage(deps.storage, stage)?;
    if let Some(expected) = expected {
        check_expected(&record, &expected)?;
    }
    record.is_finalized = true;
    STAGES.save(deps.storage, stage, &record)?;
    let mut response = Response::new()
        .add_event(Event::new("finalize-stage").add_attribute("stage", stage.to_string()));
    if let Some(next) = stage.checked_add(1) {
        if !STAGES.has(deps.storage, next) {
            response = response.add_event(create_stage(deps.storage, next)?);
        }
    }
    Ok(response)
}

fn check_expected(record: &StageRecord, expected: &Expected) -> Result<(), ContractError> {
    let stage = record.stage;
    // Every open stage is counted: ours from the start, those of the reference contract by the migration.
    let count = record.count.unwrap_or(0);
    if (record.total_score, count) != (expected.total, expected.count) {
        return Err(ContractError::FinalizeMismatch {
            stage,
            expected_total: expected.total,
            expected_count: expected.count,
            total: record.total_score,
            count,
        });
    }
    match expected.revision {
        Some(expected_revision) if expected_revision != record.revision => {
            Err(ContractError::RevisionMismatch {
                stage,
                expected_revision,
                revision: record.revision,
            })
        }
        _ => Ok(()),
    }
}
