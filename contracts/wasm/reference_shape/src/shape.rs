use cosmwasm_schema::cw_serde;
use cosmwasm_std::{
    entry_point, to_json_binary, Binary, Deps, DepsMut, Empty, Env, Event, MessageInfo, Order, Response, StdError,
    StdResult, Storage,
};
use cw_storage_plus::{Bound, Item, Map};

use crate::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg, ScoreRow, ScoresPage};

const INIT_STAGE: Item<u64> = Item::new("init_stage");
/// By the stage in eight bytes and the text of the address.
pub const SCORES: Map<Vec<u8>, u64> = Map::new("scores");
pub const STAGES: Map<u64, StageInfo> = Map::new("stages");
pub const MEMBERS: Map<String, Empty> = Map::new("allow_list");

#[cw_serde]
pub struct StageInfo {
    pub stage: u64,
    pub total_score: u64,
    pub is_finalized: bool,
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    INIT_STAGE.save(deps.storage, &msg.init_stage)?;
    let mut response = Response::new().add_event(create_stage(deps.storage, msg.init_stage)?);
    for addr in msg.allow_list {
        response = response.add_event(add_member(deps.storage, addr)?);
    }
    Ok(response)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let storage = deps.storage;
    if !MEMBERS.has(storage, info.sender.into_string()) {
        return Err(StdError::generic_err("Address is not allowed"));
    }
    let response = Response::new();
    Ok(match msg {
        ExecuteMsg::FinalizeStage { stage } => {
            let mut info = STAGES.may_load(storage, stage)?.ok_or_else(not_found)?;
            info.is_finalized = true;
            STAGES.save(storage, stage, &info)?;
            response
                .add_event(Event::new("finalize-stage").add_attribute("stage", stage.to_string()))
                .add_event(create_stage(storage, stage.wrapping_add(1))?)
        }
        ExecuteMsg::IncreaseScore { addr, stage, amount } => {
            check_open(storage, stage)?;
            let before = score(storage, stage, &addr)?.unwrap_or(0);
            response.add_event(set_score(storage, stage, addr, before.wrapping_add(amount))?)
        }
        ExecuteMsg::DecreaseScore { addr, stage, amount } => {
            check_open(storage, stage)?;
            let before = score(storage, stage, &addr)?.ok_or_else(|| StdError::generic_err("User score not found"))?;
            let after = before
                .checked_sub(amount)
                .ok_or_else(|| StdError::generic_err("Insufficient score"))?;
            response.add_event(set_score(storage, stage, addr, after)?)
        }
        ExecuteMsg::UpdateScore { addr, stage, amount } => {
            check_open(storage, stage)?;
            response.add_event(set_score(storage, stage, addr, amount)?)
        }
        ExecuteMsg::UpdateScores { stage, scores } => {
            let events = scores.into_iter().map(|(addr, amount)| {
                check_open(storage, stage).expect("a batch stops the VM");
                set_score(storage, stage, addr, amount)
            });
            response.add_events(events.collect::<StdResult<Vec<_>>>()?)
        }
        ExecuteMsg::AddAllowList { addr } => response.add_event(add_member(storage, addr)?),
        ExecuteMsg::RemoveAllowList { addr } => {
            MEMBERS.remove(storage, addr.clone());
            response.add_event(Event::new("remove-allow-list").add_attribute("addr", addr))
        }
    })
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    match msg {
        QueryMsg::GetScore { addr, stage } => {
            let score = SCORES.load(deps.storage, row_key(stage, &addr))?;
            to_json_binary(&ScoreRow { stage, addr, score })
        }
        QueryMsg::GetScores {
            stage,
            limit,
            start_after,
        } => {
            let min = Bound::ExclusiveRaw(row_key(stage, &start_after.unwrap_or_default()));
            let max = Bound::ExclusiveRaw(row_key(stage.wrapping_add(1), ""));
            let scores = SCORES
                .range(deps.storage, Some(min), Some(max), Order::Ascending)
                .take(usize::try_from(limit).unwrap_or(usize::MAX))
                .map(|row| {
                    let (key, score) = row?;
                    let addr = String::from_utf8(key[8..].to_vec())?;
                    Ok(ScoreRow { stage, addr, score })
                });
            let scores = scores.collect::<StdResult<_>>()?;
            to_json_binary(&ScoresPage { scores })
        }
        QueryMsg::GetStageInfo { stage } => to_json_binary(&STAGES.load(deps.storage, stage)?),
    }
}

#[entry_point]
pub fn migrate(_deps: DepsMut, _env: Env, _msg: MigrateMsg) -> StdResult<Response> {
    Ok(Response::new())
}

fn create_stage(storage: &mut dyn Storage, stage: u64) -> StdResult<Event> {
    if stage == 0 {
        return Err(StdError::generic_err("Stage can not be zero"));
    }
    let info = StageInfo {
        stage,
        total_score: 0,
        is_finalized: false,
    };
    STAGES.save(storage, stage, &info)?;
    Ok(Event::new("create-stage").add_attribute("stage", stage.to_string()))
}

fn add_member(storage: &mut dyn Storage, addr: String) -> StdResult<Event> {
    MEMBERS.save(storage, addr.clone(), &Empty {})?;
    Ok(Event::new("add-allow-list").add_attribute("addr", addr))
}

fn check_open(storage: &dyn Storage, stage: u64) -> StdResult<()> {
    let info = STAGES.may_load(storage, stage)?.ok_or_else(not_found)?;
    if info.is_finalized {
        return Err(StdError::generic_err("Stage finalized"));
    }
    Ok(())
}

fn score(storage: &dyn Storage, stage: u64, addr: &str) -> StdResult<Option<u64>> {
    SCORES.may_load(storage, row_key(stage, addr))
}

fn set_score(storage: &mut dyn Storage, stage: u64, addr: String, to: u64) -> StdResult<Event> {
    let before = score(storage, stage, &addr)?.unwrap_or(0);
    SCORES.save(storage, row_key(stage, &addr), &to)?;
    let mut info = STAGES.load(storage, stage)?;
    info.total_score = info.total_score.wrapping_sub(before).wrapping_add(to);
    STAGES.save(storage, stage, &info)?;
    Ok(Event::new("update-score")
        .add_attribute("addr", addr)
        .add_attribute("stage", stage.to_string())
        .add_attribute("score", to.to_string())
        .add_attribute("total_score", info.total_score.to_string()))
}

fn row_key(stage: u64, addr: &str) -> Vec<u8> {
    [stage.to_be_bytes().as_slice(), addr.as_bytes()].concat()
}

fn not_found() -> StdError {
    StdError::generic_err("Stage not found")
}
