//! The answers to queries.

use cosmwasm_std::{to_json_binary, Addr, Binary, Deps, Order, StdResult};
use cw_storage_plus::Bound;

use crate::account::parse_account;
use crate::msg::{
    AccountScore, ContractVersionResponse, InitStageResponse, IsMemberResponse, MemberCountResponse, MembersResponse,
    OwnershipResponse, QueryMsg, ScoreResponse, ScoresFromResponse, ScoresOfResponse, ScoresResponse,
    StageInfoResponse, StageResponse,
};
use crate::roles::is_member;
use crate::stages::{find_stage, load_stage};
use crate::state::{
    CONTRACT_NAME, CONTRACT_VERSION, FINALIZER, INIT_STAGE, MEMBERS, MEMBERS_CAN_MANAGE, MEMBER_LIST, OWNER,
    PENDING_OWNER,
};
use crate::{pages, reference, ContractError};

/// Most rows of `get_scores_from`, most members of `get_members`, and most addresses of `get_scores_of`.
const MAX_ROWS: usize = 1_000;

/// Most rows of `get_scores`. A node grants 3,000,000 gas to a query by default, and this many rows of 32-byte addresses fit,
/// also in the reference contract's form.
const MAX_PUBLISHED_ROWS: usize = 4_000;

/// Most bytes of the addresses of a page, so that a node can compute any page: 4,000 addresses of 32 bytes have less, and the
/// longest text of the reference contract too.
const MAX_TEXT_BYTES: usize = 256_000;

/// The answer to a query.
pub fn answer(deps: Deps, msg: QueryMsg) -> Result<Binary, ContractError> {
    let storage = deps.storage;
    let answer = match msg {
        QueryMsg::GetScore { addr, stage } => to_json_binary(&get_score(deps, stage, addr)?),
        QueryMsg::GetScores {
            stage,
            limit,
            start_after,
        } => to_json_binary(&get_scores(deps, stage, limit, start_after)?),
        QueryMsg::GetStageInfo { stage } => {
            let found = load_stage(storage, stage)?;
            to_json_binary(&StageInfoResponse {
                stage,
                total_score: found.total_score,
                is_finalized: found.is_finalized,
            })
        }
        QueryMsg::GetContractVersion {} => to_json_binary(&ContractVersionResponse {
            contract: CONTRACT_NAME.to_string(),
            version: CONTRACT_VERSION.to_string(),
        }),
        QueryMsg::GetInitStage {} => {
            let init_stage = INIT_STAGE.load(storage)?;
            to_json_binary(&InitStageResponse { init_stage })
        }
        QueryMsg::GetStage { stage } => to_json_binary(&find_stage(storage, stage)?),
        QueryMsg::GetScoresOf { stage, addrs } => {
            let scores = get_scores_of(deps, stage, &addrs)?;
            to_json_binary(&ScoresOfResponse { scores })
        }
        QueryMsg::GetScoresFrom { stage, from, limit } => {
            let (from, limit) = (from.unwrap_or_default(), clamp(limit, MAX_ROWS));
            to_json_binary(&read_page(deps, stage, &from, false, limit)?)
        }
        QueryMsg::GetMembers { start_after, limit } => {
            let members = get_members(deps, start_after, limit)?;
            to_json_binary(&MembersResponse { members })
        }
        QueryMsg::GetMemberCount {} => {
            let count = MEMBER_LIST.load(storage)?.count;
            to_json_binary(&MemberCountResponse { count })
        }
        QueryMsg::IsMember { addr } => {
            let is_member = is_member(storage, &parse_account(deps.api, &addr)?.addr)?;
            to_json_binary(&IsMemberResponse { is_member })
        }
        QueryMsg::GetOwnership {} => to_json_binary(&OwnershipResponse {
            owner: OWNER.load(storage)?,
            pending_owner: PENDING_OWNER.may_load(storage)?,
            members_can_manage: MEMBERS_CAN_MANAGE.load(storage)?,
            finalizer: FINALIZER.may_load(storage)?,
        }),
    };
    Ok(answer?)
}

fn get_score(deps: Deps, stage: u64, text: String) -> Result<ScoreResponse, ContractError> {
    match read_score(deps, &load_stage(deps.storage, stage)?, &text)? {
        (addr, Some(score)) => Ok(ScoreResponse { stage, addr, score }),
        _ => Err(ContractError::ScoreNotFound { stage, addr: text }),
    }
}

fn get_scores_of(deps: Deps, stage: u64, addrs: &[String]) -> Result<Vec<Option<u64>>, ContractError> {
    let (count, max) = (addrs.len(), MAX_ROWS);
    if count > max {
        return Err(ContractError::TooManyAddresses { count, max });
    }
    let stage = load_stage(deps.storage, stage)?;
    let scores = addrs.iter().map(|text| Ok(read_score(deps, &stage, text)?.1));
    scores.collect()
}

/// The account of a text in a stage, and its score if it has one.
fn read_score(deps: Deps, stage: &StageResponse, text: &str) -> Result<(Addr, Option<u64>), ContractError> {
    if stage.count.is_none() {
        let score = reference::load_score(deps.storage, stage.stage, text)?;
        return Ok((Addr::unchecked(text), score));
    }
    let account = parse_account(deps.api, text)?;
    let score = pages::load_score(deps.storage, stage.stage, &account.key)?;
    Ok((account.addr, score))
}

/// The published page. A reader of the reference contract treats a page with fewer rows than its limit as the last one, so a
/// page must not be short while rows follow.
fn get_scores(
    deps: Deps,
    stage: u64,
    limit: u64,
    start_after: Option<String>,
) -> Result<ScoresResponse, ContractError> {
    // No `start_after` means the same as an empty one: the reference contract never shows a row of the empty text.
    let start = start_after.unwrap_or_default();
    let page = read_page(deps, stage, &start, true, clamp(limit, MAX_PUBLISHED_ROWS))?;
    let max = page.scores.len();
    if page.next.is_some() && (max as u64) < limit {
        return Err(ContractError::LimitTooLarge { limit, max });
    }
    let rows = page.scores.into_iter();
    let scores = rows.map(|AccountScore { addr, score }| ScoreResponse { stage, addr, score });
    let scores = scores.collect();
    Ok(ScoresResponse { scores })
}

/// At most `limit` rows of a stage, in at most `MAX_TEXT_BYTES`, from the address `start` on or, with `is_after`, from the
/// first one after it on. The empty text is before all addresses. Empty for a stage that was never created.
fn read_page(
    deps: Deps,
    stage: u64,
    start: &str,
    is_after: bool,
    limit: usize,
) -> Result<ScoresFromResponse, ContractError> {
    let (mut scores, mut next, mut bytes) = (vec![], None, 0);
    for row in rows_from(deps, stage, start, is_after)? {
        let (addr, score) = row?;
        bytes += addr.as_str().len();
        if scores.len() == limit || bytes > MAX_TEXT_BYTES {
            next = Some(addr);
            break;
        }
        scores.push(AccountScore { addr, score });
    }
    Ok(ScoresFromResponse { scores, next })
}

type Rows<'a> = Box<dyn Iterator<Item = StdResult<(Addr, u64)>> + 'a>;

/// The rows of a page and all behind it, whatever form the stage has.
fn rows_from<'a>(deps: Deps<'a>, stage: u64, start: &'a str, is_after: bool) -> Result<Rows<'a>, ContractError> {
    let found = find_stage(deps.storage, stage)?;
    if !found.exists {
        return Ok(Box::new(std::iter::empty()));
    }
    if found.count.is_none() {
        let rows = reference::rows_from(deps.storage, stage, start)?;
        let is_start = move |addr: &Addr| is_after && addr.as_str() == start;
        return Ok(Box::new(
            rows.filter(move |row| !row.as_ref().is_ok_and(|(addr, _)| is_start(addr))),
        ));
    }
    let mut key = vec![];
    if !start.is_empty() {
        key = parse_account(deps.api, start)?.key;
    }
    if is_after {
        key.push(0);
    }
    let rows = pages::rows_from(deps.storage, stage, &key)?;
    Ok(Box::new(rows.map(move |row| {
        let (key, score) = row?;
        Ok((deps.api.addr_humanize(&key.into())?, score))
    })))
}

/// At most `limit` members after an address, in ascending order of text.
fn get_members(deps: Deps, start_after: Option<String>, limit: Option<u64>) -> Result<Vec<Addr>, ContractError> {
    let after = start_after.map(|text| parse_account(deps.api, &text));
    let after = after.transpose()?.map(|account| account.addr);
    let list = MEMBER_LIST.load(deps.storage)?;
    let members = MEMBERS.prefix(list.generation).keys(
        deps.storage,
        after.as_ref().map(Bound::exclusive),
        None,
        Order::Ascending,
    );
    let limit = clamp(limit.unwrap_or(u64::MAX), MAX_ROWS);
    Ok(members.take(limit).collect::<StdResult<_>>()?)
}

fn clamp(limit: u64, most: usize) -> usize {
    usize::try_from(limit).map_or(most, |limit| limit.min(most))
}
