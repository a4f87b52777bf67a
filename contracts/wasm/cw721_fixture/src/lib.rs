//! For tests only: the published `cw721-base` (CosmWasm/cw-nfts, Apache-2.0) behind its own messages, so that tests run
//! against the contract that rollups have. Instantiated with a script instead, the same code is a contract that emits
//! scripted events and returns scripted answers, without checking them.

mod scripted;

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{entry_point, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw721::receiver::Cw721ReceiveMsg;
use cw721_base::msg as nft;
use scripted::{Answers, Tell};

#[cw_serde]
#[serde(untagged)]
pub enum InstantiateMsg {
    Scripted { answers: Answers },
    Nft(Box<nft::InstantiateMsg>),
}

#[cw_serde]
#[serde(untagged)]
pub enum ExecuteMsg {
    Scripted {
        tell: Tell,
    },
    /// What a CW-721 contract calls when a token is sent to a contract.
    Received {
        receive_nft: Cw721ReceiveMsg,
    },
    Nft(Box<nft::ExecuteMsg>),
}

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    match msg {
        InstantiateMsg::Scripted { answers } => scripted::instantiate(deps, answers),
        InstantiateMsg::Nft(msg) => cw721_base::entry::instantiate(deps, env, info, *msg).map_err(plain),
    }
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Scripted { tell } => scripted::execute(deps, tell),
        ExecuteMsg::Received { .. } => Ok(Response::new()),
        ExecuteMsg::Nft(msg) => cw721_base::entry::execute(deps, env, info, *msg).map_err(plain),
    }
}

#[entry_point]
pub fn query(deps: Deps, env: Env, msg: nft::QueryMsg) -> StdResult<Binary> {
    match scripted::answer(deps, &msg)? {
        Some(answer) => Ok(answer),
        None => cw721_base::entry::query(deps, env, msg).map_err(plain),
    }
}

#[entry_point]
pub fn migrate(deps: DepsMut, env: Env, msg: nft::MigrateMsg) -> StdResult<Response> {
    cw721_base::entry::migrate(deps, env, msg).map_err(plain)
}

fn plain(error: impl ToString) -> StdError {
    StdError::generic_err(error.to_string())
}
