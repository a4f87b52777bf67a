//! Changes of a finalized stage.

use cosmwasm_std::{from_json, Addr, Deps, DepsMut, Empty, Env, MessageInfo, Response, Storage};
use cw_storage_plus::Map;
use vip_score::contract;
use vip_score::msg::{
    ExecuteMsg, IsMemberResponse, MembersResponse, OwnershipResponse, QueryMsg, ScoresFromResponse, StageResponse,
};
use vip_score::ContractError;

/// The stages of `vip-score`, whose records this reads as text.
const STAGES: Map<u64, Empty> = Map::new("stage_records");

fn stage(deps: Deps, env: &Env, stage: u64) -> Result<StageResponse, ContractError> {
    let answer = contract::query(deps, env.clone(), QueryMsg::GetStage { stage })?;
    Ok(from_json(answer)?)
}

pub fn is_finalized(deps: Deps, env: &Env, number: u64) -> Result<bool, ContractError> {
    Ok(stage(deps, env, number)?.is_finalized)
}

pub fn has_rows(deps: Deps, env: &Env, number: u64) -> Result<bool, ContractError> {
    Ok(stage(deps, env, number)?.count != Some(0))
}

pub fn ownership(deps: Deps, env: &Env) -> Result<OwnershipResponse, ContractError> {
    let answer = contract::query(deps, env.clone(), QueryMsg::GetOwnership {})?;
    Ok(from_json(answer)?)
}

pub fn set_finalized(storage: &mut dyn Storage, stage: u64, is_finalized: bool) {
    let value = |flag: bool| format!(r#""is_finalized":{flag}"#);
    edit(storage, stage, &value(!is_finalized), &value(is_finalized));
}

pub fn change_total(deps: DepsMut, env: &Env, number: u64, change: impl Fn(u64) -> u64) -> Result<(), ContractError> {
    let total = stage(deps.as_ref(), env, number)?.total_score;
    let value = |total: u64| format!(r#""total_score":{total},"#);
    edit(deps.storage, number, &value(total), &value(change(total)));
    Ok(())
}

fn edit(storage: &mut dyn Storage, stage: u64, from: &str, to: &str) {
    let key = STAGES.key(stage);
    let record = storage.get(&key).unwrap_or_default();
    let text = String::from_utf8_lossy(&record).replace(from, to);
    storage.set(&key, text.as_bytes());
}

/// Sends a message to a finalized stage, as the first member. Nothing happens to an open one.
pub fn write_frozen(mut deps: DepsMut, env: &Env, stage: u64, msg: ExecuteMsg) -> Result<Response, ContractError> {
    if !is_finalized(deps.as_ref(), env, stage)? {
        return Ok(Response::new());
    }
    let info = MessageInfo {
        sender: first_member(deps.as_ref(), env)?,
        funds: vec![],
    };
    set_finalized(deps.storage, stage, false);
    let response = contract::execute(deps.branch(), env.clone(), info, msg)?;
    set_finalized(deps.storage, stage, true);
    Ok(response)
}

/// Adds to the first score of a finalized stage.
pub fn raise_first_row(deps: DepsMut, env: &Env, stage: u64, amount: u64) -> Result<(), ContractError> {
    let first = QueryMsg::GetScoresFrom {
        stage,
        from: None,
        limit: 1,
    };
    let page: ScoresFromResponse = from_json(contract::query(deps.as_ref(), env.clone(), first)?)?;
    if let Some(row) = page.scores.first() {
        let addr = row.addr.to_string();
        let msg = ExecuteMsg::IncreaseScore { addr, stage, amount };
        write_frozen(deps, env, stage, msg)?;
    }
    Ok(())
}

fn first_member(deps: Deps, env: &Env) -> Result<Addr, ContractError> {
    let page = QueryMsg::GetMembers {
        start_after: None,
        limit: Some(1),
    };
    let members: MembersResponse = from_json(contract::query(deps, env.clone(), page)?)?;
    Ok(members.members[0].clone())
}

pub fn require_member(deps: Deps, env: &Env, sender: &Addr) -> Result<(), ContractError> {
    let addr = sender.to_string();
    let question = QueryMsg::IsMember { addr: addr.clone() };
    let answer: IsMemberResponse = from_json(contract::query(deps, env.clone(), question)?)?;
    if answer.is_member {
        Ok(())
    } else {
        Err(ContractError::PermissionDenied { addr })
    }
}
