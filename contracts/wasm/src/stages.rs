//! The life of a stage: created, open, finalized.

use cosmwasm_std::{Addr, DepsMut, Event, Response, StdResult, Storage};

use crate::msg::FinalizeStageChecked;
use crate::permissions::check_finalizer;
use crate::reference::{self, ReferenceStage};
use crate::state::{StageRecord, STAGES};
use crate::ContractError;

/// A stage as readers find it.
pub enum Stage {
    /// One of this contract, with its scores in pages.
    Ours(StageRecord),
    /// One that the reference contract finalized before a migration.
    Reference(ReferenceStage),
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
        count: 0,
        revision: 0,
    };
    STAGES.save(storage, stage, &record)?;
    Ok(Event::new("create-stage").add_attribute("stage", stage.to_string()))
}

/// The stage, if there is one.
pub fn find_stage(storage: &dyn Storage, stage: u64) -> StdResult<Option<Stage>> {
    if let Some(record) = STAGES.may_load(storage, stage)? {
        return Ok(Some(Stage::Ours(record)));
    }
    Ok(reference::find_stage(storage, stage)?.map(Stage::Reference))
}

/// The stage; an error if there is none.
pub fn load_stage(storage: &dyn Storage, stage: u64) -> Result<Stage, ContractError> {
    find_stage(storage, stage)?.ok_or(ContractError::StageNotFound { stage })
}

/// The stage, if scores can be written to it.
pub fn load_open_stage(storage: &dyn Storage, stage: u64) -> Result<StageRecord, ContractError> {
    match load_stage(storage, stage)? {
        Stage::Ours(record) if !record.is_finalized => Ok(record),
        _ => Err(ContractError::StageFinalized { stage }),
    }
}

/// Freezes the open stage and creates the next one (R2, R3). With `expected`, only if the stage holds exactly that (R4).
pub fn execute_finalize(
    deps: DepsMut,
    sender: Addr,
    stage: u64,
    expected: Option<FinalizeStageChecked>,
) -> Result<Response, ContractError> {
    check_finalizer(deps.storage, &sender)?;
    let mut record = load_open_stage(deps.storage, stage)?;
    if let Some(expected) = expected {
        check_expected(&record, &expected)?;
    }
    record.is_finalized = true;
    STAGES.save(deps.storage, stage, &record)?;
    let mut response =
        Response::new().add_event(Event::new("finalize-stage").add_attribute("stage", stage.to_string()));
    if let Some(next) = stage.checked_add(1) {
        response = response.add_event(create_stage(deps.storage, next)?);
    }
    Ok(response)
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
