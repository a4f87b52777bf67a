//! A game that scores in the transaction of a player's win, with no file and no server. Its address is a member of the scoring
//! contract (`add_allow_list`).

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{
    entry_point, to_json_binary, Addr, Binary, Deps, DepsMut, Empty, Env, Event, MessageInfo, QuerierWrapper, Reply,
    ReplyOn, Response, StdError, StdResult, SubMsg, WasmMsg,
};
use cw_storage_plus::Item;
use vip_score::msg::{ExecuteMsg as ScoreMsg, QueryMsg as ScoreQuery, StageResponse};

/// The scoring contract.
const SCORES: Item<Addr> = Item::new("scores");

/// The stage that is scored: the only place that knows it.
const STAGE: Item<u64> = Item::new("stage");

#[cw_serde]
pub struct InstantiateMsg {
    pub scores: String,
    /// Any stage up to the open one.
    pub stage: u64,
}

#[cw_serde]
pub enum ExecuteMsg {
    /// The sender wins. A real game computes the points; it never takes them from the sender.
    Win { points: u64 },
}

#[cw_serde]
pub enum QueryMsg {
    /// The stage that the last win scored in.
    GetStage {},
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    SCORES.save(deps.storage, &deps.api.addr_validate(&msg.scores)?)?;
    STAGE.save(deps.storage, &msg.stage)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Win { points } = msg;
    let won = Event::new("won").add_attribute("points", points.to_string());
    let response = Response::new().add_event(won);
    let scores = SCORES.load(deps.storage)?;
    let stage = match open_stage(&deps.querier, &scores, STAGE.load(deps.storage)?) {
        Ok(stage) => stage,
        Err(error) => return Ok(response.add_event(not_scored(error.to_string()))),
    };
    STAGE.save(deps.storage, &stage)?;
    let increase = ScoreMsg::IncreaseScore {
        addr: info.sender.into_string(),
        stage,
        amount: points,
    };
    let message = WasmMsg::Execute {
        contract_addr: scores.into_string(),
        msg: to_json_binary(&increase)?,
        funds: vec![],
    };
    // A plain message that fails would take the win with it. A submessage with a reply does not: only what it wrote is undone.
    // It has no gas limit of its own: if it runs out, so does the whole transaction, and no win goes without its score.
    let score = SubMsg {
        reply_on: ReplyOn::Error,
        gas_limit: None,
        ..SubMsg::new(message)
    };
    Ok(response.add_submessage(score))
}

/// The scoring contract refused, for example because the score would overflow or this contract is no longer a member.
#[entry_point]
pub fn reply(_deps: DepsMut, _env: Env, reply: Reply) -> StdResult<Response> {
    Ok(Response::new().add_event(not_scored(reply.result.unwrap_err())))
}

/// Lets the operator add the points later.
fn not_scored(reason: String) -> Event {
    Event::new("not_scored").add_attribute("reason", reason)
}

/// The open stage is the first one that is not finalized: each finalize opens the next. So a win moves on right after a finalize.
fn open_stage(querier: &QuerierWrapper, scores: &Addr, from: u64) -> StdResult<u64> {
    for stage in from..u64::MAX {
        let info: StageResponse = querier.query_wasm_smart(scores, &ScoreQuery::GetStage { stage })?;
        if !info.is_finalized {
            return Ok(stage);
        }
    }
    Err(StdError::generic_err("the last stage is finalized"))
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    let QueryMsg::GetStage {} = msg;
    to_json_binary(&STAGE.load(deps.storage)?)
}

/// Allows its code to be replaced by the admin, who is named when it is instantiated.
#[entry_point]
pub fn migrate(_deps: DepsMut, _env: Env, _msg: Empty) -> StdResult<Response> {
    Ok(Response::new())
}
