//! The answers to queries, one function for each.

use cosmwasm_std::{Addr, Deps, Env, StdResult, Storage};

use crate::account::parse_addr;
use crate::batch::{parse_account_of_stage, TouchedScores};
use crate::members::{is_member, members_after};
use crate::msg::{
    AccountScore, ContractVersionResponse, InitStageResponse, IsMemberResponse, MembersResponse,
    OwnershipResponse, ScoreResponse, ScoresFromResponse, ScoresOfResponse, ScoresResponse,
    StageInfoResponse, StageResponse,
};
use crate::reader::{load_score, read_rows, Start};
use crate::stages::load_stage;
use crate::state::{INIT_STAGE, MEMBERS_CAN_MANAGE, OWNER, PENDING_OWNER, STAGES};
use crate::version::{CONTRACT_NAME, CONTRACT_VERSION};
use crate::ContractError;

/// Most rows of a page, and most addresses of `get_scores_of`.
const MAX_ROWS: usize = 1000;

pub fn get_score(deps: Deps, stage: u64, text: &str) -> Result<ScoreResponse, ContractError> {
    let record = load_stage(deps.storage, stage)?;
    let account = parse_account_of_stage(deps.storage, deps.api, &record, text)?;
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

pub fn get_scores(
    deps: Deps,
    env: Env,
    stage: u64,
    limit: u64,
    start_after: Option<String>,
) -> Result<ScoresResponse, ContractError> {
    let start = start_after.map_or(Start::AtFirst, Start::After);
    let rows = read_rows(deps, &env, stage, start, clamp(limit))?;
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
    let start = from.map_or(Start::AtFirst, Start::At);
    let limit = clamp(limit);
    let mut rows = read_rows(deps, &env, stage, start, limit + 1)?;
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
        keys.push(parse_account_of_stage(deps.storage, deps.api, &record, text)?.key);
    }
    let touched = TouchedScores::load(deps.storage, &record, keys.iter().collect())?;
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
        },
        None => StageResponse {
            stage,
            exists: false,
            total_score: 0,
            is_finalized: false,
            count: Some(0),
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
) -> StdResult<MembersResponse> {
    let limit = limit.map_or(MAX_ROWS, clamp);
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
    })
}

fn clamp(limit: u64) -> usize {
    limit.min(MAX_ROWS as u64) as usize
}
