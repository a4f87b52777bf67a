//! The answers to queries, one function for each.

use std::slice;

use cosmwasm_std::{Deps, StdResult, Storage};

use crate::account::parse_addr;
use crate::members::members_after;
use crate::msg::{
    AccountScore, ContractVersionResponse, InitStageResponse, IsMemberResponse, MemberCountResponse, MembersResponse,
    OwnershipResponse, ScoreResponse, ScoresFromResponse, ScoresOfResponse, ScoresResponse, StageInfoResponse,
    StageResponse,
};
use crate::permissions::is_member;
use crate::reader::{read_page, read_scores, Start};
use crate::stages::{find_stage, Stage};
use crate::state::{FINALIZER, INIT_STAGE, MEMBERS_CAN_MANAGE, MEMBER_LIST, OWNER, PENDING_OWNER};
use crate::version::{CONTRACT_NAME, CONTRACT_VERSION};
use crate::ContractError;

/// Most rows of `get_scores_from`, most members of `get_members`, and most addresses of `get_scores_of`.
const MAX_ROWS: usize = 1_000;

/// Most rows of `get_scores`. A node grants 3,000,000 gas to a query by default, and this many rows of 32-byte addresses fit,
/// also in the reference contract's form.
const MAX_PUBLISHED_ROWS: usize = 4_000;

pub fn get_score(deps: Deps, stage: u64, text: String) -> Result<ScoreResponse, ContractError> {
    let found = read_scores(deps, stage, slice::from_ref(&text))?.into_iter();
    match found.last() {
        Some((addr, Some(score))) => Ok(ScoreResponse { stage, addr, score }),
        _ => Err(ContractError::ScoreNotFound { stage, addr: text }),
    }
}

/// The published page. A reader of the reference contract treats a page with fewer rows than its limit as the last one, so a
/// page must not be short while rows follow.
pub fn get_scores(
    deps: Deps,
    stage: u64,
    limit: u64,
    start_after: Option<String>,
) -> Result<ScoresResponse, ContractError> {
    // No `start_after` means the same as an empty one: the reference contract never shows a row of the empty text.
    let start = Start::After(start_after.unwrap_or_default());
    let page = read_page(deps, stage, &start, clamp(limit, MAX_PUBLISHED_ROWS))?;
    let max = page.scores.len();
    if page.next.is_some() && (max as u64) < limit {
        return Err(ContractError::LimitTooLarge { limit, max });
    }
    let rows = page.scores.into_iter();
    let scores = rows
        .map(|AccountScore { addr, score }| ScoreResponse { stage, addr, score })
        .collect();
    Ok(ScoresResponse { scores })
}

pub fn get_scores_from(
    deps: Deps,
    stage: u64,
    from: Option<String>,
    limit: u64,
) -> Result<ScoresFromResponse, ContractError> {
    let start = Start::At(from.unwrap_or_default());
    read_page(deps, stage, &start, clamp(limit, MAX_ROWS))
}

pub fn get_scores_of(deps: Deps, stage: u64, addrs: &[String]) -> Result<ScoresOfResponse, ContractError> {
    if addrs.len() > MAX_ROWS {
        return Err(ContractError::TooManyAddresses {
            count: addrs.len(),
            max: MAX_ROWS,
        });
    }
    let found = read_scores(deps, stage, addrs)?.into_iter();
    let scores = found.map(|(_, score)| score).collect();
    Ok(ScoresOfResponse { scores })
}

pub fn get_stage_info(storage: &dyn Storage, stage: u64) -> Result<StageInfoResponse, ContractError> {
    let found = get_stage(storage, stage)?;
    if !found.exists {
        return Err(ContractError::StageNotFound { stage });
    }
    Ok(StageInfoResponse {
        stage,
        total_score: found.total_score,
        is_finalized: found.is_finalized,
    })
}

pub fn get_stage(storage: &dyn Storage, stage: u64) -> StdResult<StageResponse> {
    Ok(match find_stage(storage, stage)? {
        Some(Stage::Ours(record)) => StageResponse {
            stage,
            exists: true,
            total_score: record.total_score,
            is_finalized: record.is_finalized,
            count: Some(record.count),
            revision: record.revision,
        },
        Some(Stage::Reference(record)) => StageResponse {
            stage,
            exists: true,
            total_score: record.total_score,
            is_finalized: true,
            count: None,
            revision: 0,
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
    deps: Deps,
    start_after: Option<String>,
    limit: Option<u64>,
) -> Result<MembersResponse, ContractError> {
    let limit = clamp(limit.unwrap_or(u64::MAX), MAX_ROWS);
    let after = start_after.map(|text| parse_addr(deps.api, &text));
    let members = members_after(deps.storage, after.transpose()?.as_ref(), limit)?;
    Ok(MembersResponse { members })
}

pub fn get_member_count(storage: &dyn Storage) -> StdResult<MemberCountResponse> {
    let count = MEMBER_LIST.load(storage)?.count;
    Ok(MemberCountResponse { count })
}

pub fn get_is_member(deps: Deps, text: &str) -> Result<IsMemberResponse, ContractError> {
    let is_member = is_member(deps.storage, &parse_addr(deps.api, text)?)?;
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
