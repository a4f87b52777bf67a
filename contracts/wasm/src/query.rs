//! The answers to queries, one function for each.

use cosmwasm_std::{Addr, Deps, Env, StdResult, Storage};

use crate::account::{check_text, parse_addr};
use crate::members::{is_member, members_after};
use crate::msg::{
    AccountScore, ContractVersionResponse, InitStageResponse, IsMemberResponse, MembersResponse,
    OwnershipResponse, ScoreResponse, ScoresFromResponse, ScoresOfResponse, ScoresResponse,
    StageInfoResponse, StageResponse,
};
use crate::stages::load_stage;
use crate::state::{FINALIZER, INIT_STAGE, MEMBERS_CAN_MANAGE, OWNER, PENDING_OWNER, STAGES};
use crate::store::{load_score, parse_account_in_stage, read_rows, Start, TouchedScores};
use crate::version::{CONTRACT_NAME, CONTRACT_VERSION};
use crate::ContractError;

/// Most rows of `get_scores_from`, most members of `get_members`, and most addresses of `get_scores_of`.
const MAX_ROWS: usize = 1_000;

/// Most rows of `get_scores`. A node grants 3,000,000 gas to a query by default; 4,000 rows of 32-byte addresses take 1.7 M
/// in pages of five rows, and 2.6 M in the reference contract's form.
const MAX_PUBLISHED_ROWS: usize = 4_000;

pub fn get_score(deps: Deps, stage: u64, text: &str) -> Result<ScoreResponse, ContractError> {
    let record = load_stage(deps.storage, stage)?;
    let account = parse_account_in_stage(deps.storage, deps.api, &record, text)?;
    let score = load_score(deps.storage, &record, &account.key)?;
    let addr = account.addr;
    match score {
        Some(score) => Ok(ScoreResponse { stage, addr, score }),
        None => Err(ContractError::ScoreNotFound {
            stage,
            addr: addr.into_string(),
        }),
    }
}

/// The published page. A reader of the reference contract treats a page with fewer rows than its limit as the last one, so a
/// limit above the maximum must not return a short page while rows follow.
pub fn get_scores(
    deps: Deps,
    env: Env,
    stage: u64,
    limit: u64,
    start_after: Option<String>,
) -> Result<ScoresResponse, ContractError> {
    // No `start_after` means the same as an empty one: the reference contract never shows a row of the empty text.
    let start = start_after.unwrap_or_default();
    check_text(&start)?;
    let most = clamp(limit, MAX_PUBLISHED_ROWS + 1);
    let rows = read_rows(deps, &env, stage, &Start::After(start), most)?;
    if rows.len() > MAX_PUBLISHED_ROWS {
        return Err(ContractError::LimitTooLarge {
            limit,
            max: MAX_PUBLISHED_ROWS,
        });
    }
    let scores = rows
        .into_iter()
        .map(|(addr, score)| ScoreResponse { stage, addr, score })
        .collect();
    Ok(ScoresResponse { scores })
}

pub fn get_scores_from(
    deps: Deps,
    env: Env,
    stage: u64,
    from: Option<String>,
    limit: u64,
) -> Result<ScoresFromResponse, ContractError> {
    let from = from.unwrap_or_default();
    check_text(&from)?;
    let limit = clamp(limit, MAX_ROWS);
    let mut rows = read_rows(deps, &env, stage, &Start::At(from), limit + 1)?;
    let next = rows.drain(limit.min(rows.len())..).next();
    let scores = rows
        .into_iter()
        .map(|(addr, score)| AccountScore { addr, score })
        .collect();
    Ok(ScoresFromResponse {
        scores,
        next: next.map(|(addr, _)| addr),
    })
}

pub fn get_scores_of(
    deps: Deps,
    stage: u64,
    addrs: &[String],
) -> Result<ScoresOfResponse, ContractError> {
    if addrs.len() > MAX_ROWS {
        return Err(ContractError::TooManyAddresses {
            count: addrs.len(),
            max: MAX_ROWS,
        });
    }
    let record = load_stage(deps.storage, stage)?;
    let mut keys = Vec::with_capacity(addrs.len());
    for text in addrs {
        keys.push(parse_account_in_stage(deps.storage, deps.api, &record, text)?.key);
    }
    let touched = TouchedScores::load(
        deps.storage,
        &record,
        keys.iter().map(Vec::as_slice).collect(),
    )?;
    let scores = keys.iter().map(|key| touched.score(key)).collect();
    Ok(ScoresOfResponse { scores })
}

pub fn get_stage_info(
    storage: &dyn Storage,
    stage: u64,
) -> Result<StageInfoResponse, ContractError> {
    let record = load_stage(storage, stage)?;
    Ok(StageInfoResponse {
        stage,
        total_score: record.total_score,
        is_finalized: record.is_finalized,
    })
}

pub fn get_stage(storage: &dyn Storage, stage: u64) -> StdResult<StageResponse> {
    let record = STAGES.may_load(storage, stage)?;
    Ok(match record {
        Some(record) => StageResponse {
            stage,
            exists: true,
            total_score: record.total_score,
            is_finalized: record.is_finalized,
            count: record.count,
            revision: record.revision,
        },
        None => StageResponse {
            stage,
            exists: false,
            total_score: 0,
            is_finalized: false,
            count: Some(0),
            revision: 0,
        },
    })
}

pub fn get_init_stage(storage: &dyn Storage) -> StdResult<InitStageResponse> {
    let init_stage = INIT_STAGE.load(storage)?;
    Ok(InitStageResponse { init_stage })
}

pub fn get_contract_version() -> ContractVersionResponse {
    ContractVersionResponse {
        contract: CONTRACT_NAME.to_string(),
        version: CONTRACT_VERSION.to_string(),
    }
}

pub fn get_members(
    storage: &dyn Storage,
    start_after: Option<String>,
    limit: Option<u64>,
) -> Result<MembersResponse, ContractError> {
    let limit = clamp(limit.unwrap_or(u64::MAX), MAX_ROWS);
    let members = members_after(storage, start_after.as_deref(), limit)?;
    let members = members.into_iter().map(Addr::unchecked).collect();
    Ok(MembersResponse { members })
}

pub fn get_is_member(deps: Deps, text: &str) -> Result<IsMemberResponse, ContractError> {
    let is_exact = is_member(deps.storage, text);
    let is_member = is_exact || is_member(deps.storage, parse_addr(deps.api, text)?.as_str());
    Ok(IsMemberResponse { is_member })
}

pub fn get_ownership(storage: &dyn Storage) -> StdResult<OwnershipResponse> {
    Ok(OwnershipResponse {
        owner: OWNER.load(storage)?,
        pending_owner: PENDING_OWNER.may_load(storage)?,
        members_can_manage: MEMBERS_CAN_MANAGE.load(storage)?,
        finalizer: FINALIZER.may_load(storage)?,
    })
}

fn clamp(limit: u64, most: usize) -> usize {
    usize::try_from(limit).map_or(most, |limit| limit.min(most))
}
