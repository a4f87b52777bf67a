//! `vip-score` with one fault, which two digits in the module's data select: a test of conform changes the digits instead of
//! building a module for each fault. `packages/conformance/test/faults/wasmFaults.ts` says what each number does; 00 is
//! `vip-score` as it is.
//!
//! A fault changes a finalized stage through `vip-score` itself: it opens the stage, sends a message as a member, and closes it.

mod answers;
mod frozen;

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{
    entry_point, wasm_execute, Addr, Binary, Deps, DepsMut, Empty, Env, MessageInfo, MigrateInfo, Reply, Response,
    SubMsg,
};
use cw_storage_plus::{Item, Map};
use vip_score::contract;
use vip_score::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};
use vip_score::ContractError;

use crate::frozen::{
    change_total, has_rows, is_finalized, ownership, raise_first_row, require_member, set_finalized, write_frozen,
};

static FAULT: [u8; 8] = *b"fault:00";

const DAY: u64 = 86_400;

/// The second at which each stage was finalized.
const CLOSED_AT: Map<u64, u64> = Map::new("closed_at");

/// The stage that was finalized last.
const LAST_CLOSED: Item<u64> = Item::new("last_closed");

/// Whether the creator is an account that examiners use.
const IS_EXAMINED: Item<bool> = Item::new("is_examined");

const NOTES: Map<u64, Addr> = Map::new("notes");

const SCHEDULED: Map<u64, (String, u64)> = Map::new("scheduled");

/// Messages that `vip-score` does not have.
#[cw_serde]
pub enum OwnMsg {
    Amend { stage: u64, addr: String, amount: u64 },
    FinalizeStage { stage: u64, reopen: bool },
    Schedule { stage: u64, addr: String, amount: u64 },
    Settle { stage: u64 },
}

/// The number of the fault. Volatile, so that no optimizer computes it from the source.
fn fault() -> u8 {
    let text = unsafe { core::ptr::read_volatile(&FAULT) };
    10 * (text[6] - b'0') + (text[7] - b'0')
}

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, ContractError> {
    let creator = deps.api.addr_canonicalize(info.sender.as_str())?;
    let is_examined = creator.starts_with(&[0xc5, 0xea, 0x55, 0xd9]);
    IS_EXAMINED.save(deps.storage, &is_examined)?;
    contract::instantiate(deps, env, info, msg)
}

/// Reads the message twice, so that a message that neither knows is refused with the names of `vip-score` alone.
#[cfg(target_arch = "wasm32")]
#[no_mangle]
extern "C" fn execute(env_ptr: u32, info_ptr: u32, msg_ptr: u32) -> u32 {
    // A region of memory: where it is, its capacity and its length.
    let region = unsafe { *(msg_ptr as *const [u32; 3]) };
    let msg = unsafe { core::slice::from_raw_parts(region[0] as *const u8, region[2] as usize) };
    if has_own_messages() && cosmwasm_std::from_json::<OwnMsg>(msg).is_ok() {
        cosmwasm_std::do_execute(&execute_own, env_ptr, info_ptr, msg_ptr)
    } else {
        cosmwasm_std::do_execute(&execute_theirs, env_ptr, info_ptr, msg_ptr)
    }
}

pub fn has_own_messages() -> bool {
    matches!(fault(), 1 | 2 | 24)
}

pub fn execute_own(deps: DepsMut, env: Env, info: MessageInfo, msg: OwnMsg) -> Result<Response, ContractError> {
    match msg {
        OwnMsg::Amend { stage, addr, amount } if fault() == 1 => {
            require_member(deps.as_ref(), &env, &info.sender)?;
            let msg = ExecuteMsg::UpdateScore { addr, stage, amount };
            write_frozen(deps, &env, stage, msg)
        }
        OwnMsg::FinalizeStage { stage, reopen } if fault() == 2 => {
            require_member(deps.as_ref(), &env, &info.sender)?;
            if !reopen || !is_finalized(deps.as_ref(), &env, stage)? {
                return execute_theirs(deps, env, info, ExecuteMsg::FinalizeStage { stage });
            }
            set_finalized(deps.storage, stage, false);
            Ok(Response::new())
        }
        OwnMsg::Schedule { stage, addr, amount } => {
            require_member(deps.as_ref(), &env, &info.sender)?;
            if is_finalized(deps.as_ref(), &env, stage)? {
                return Err(ContractError::StageFinalized { stage });
            }
            deps.api.addr_validate(&addr)?;
            SCHEDULED.save(deps.storage, stage, &(addr, amount))?;
            Ok(Response::new())
        }
        OwnMsg::Settle { stage } => {
            let Some((addr, amount)) = SCHEDULED.may_load(deps.storage, stage)? else {
                return Ok(Response::new());
            };
            let msg = ExecuteMsg::UpdateScore { addr, stage, amount };
            write_frozen(deps, &env, stage, msg)
        }
        _ => Err(ContractError::PermissionDenied {
            addr: info.sender.into(),
        }),
    }
}

pub fn execute_theirs(
    mut deps: DepsMut,
    env: Env,
    mut info: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, ContractError> {
    let written = stage_of(&msg);
    if let Some(stage) = written {
        if is_finalized(deps.as_ref(), &env, stage)? && has_way_in(&deps, &env, &info, &msg)? {
            info.funds.clear();
            set_finalized(deps.storage, stage, false);
            let response = contract::execute(deps.branch(), env, info, msg)?;
            set_finalized(deps.storage, stage, true);
            return Ok(response);
        }
    }
    let is_first_write = match written {
        Some(stage) => !has_rows(deps.as_ref(), &env, stage)?,
        None => false,
    };
    let mut response = contract::execute(deps.branch(), env.clone(), info, msg.clone())?;
    if let Some(stage) = closed_by(&msg) {
        CLOSED_AT.save(deps.storage, stage, &env.block.time.seconds())?;
        LAST_CLOSED.save(deps.storage, &stage)?;
        if fault() == 9 {
            raise_first_row(deps, &env, stage - 1, 1)?;
        } else if fault() == 13 {
            // It fails, because nobody offered ownership to this contract.
            let refused = ExecuteMsg::AcceptOwnership {};
            let call = wasm_execute(env.contract.address, &refused, vec![])?;
            response = response.add_submessage(SubMsg::reply_on_error(call, stage - 1));
        }
        return Ok(response);
    }
    match (fault(), &msg) {
        (10, _) if is_first_write => {
            let stage = written.unwrap_or_default();
            raise_first_row(deps, &env, stage - 1, 10)?;
        }
        (14, ExecuteMsg::UpdateScores { stage, scores }) if scores.len() == 100 => {
            change_total(deps, &env, *stage, |total| total + 1)?;
        }
        // More than 250 rows of 20 bytes and a score.
        (15, ExecuteMsg::UpdateScoresPacked(batch)) if batch.rows.len() > 250 * 29 => {
            change_total(deps, &env, batch.stage, |total| total.saturating_sub(1))?;
        }
        (19, ExecuteMsg::IncreaseScore { amount, .. }) => {
            let attributes = response.events.iter_mut().flat_map(|e| &mut e.attributes);
            for attribute in attributes.filter(|attribute| attribute.key == "score") {
                attribute.value = amount.to_string();
            }
        }
        (21, ExecuteMsg::AddAllowList { addr }) => {
            if let Some(stage) = LAST_CLOSED.may_load(deps.storage)? {
                NOTES.save(deps.storage, stage, &Addr::unchecked(addr))?;
            }
        }
        _ => {}
    }
    Ok(response)
}

/// Whether a write to a finalized stage goes through.
fn has_way_in(deps: &DepsMut, env: &Env, info: &MessageInfo, msg: &ExecuteMsg) -> Result<bool, ContractError> {
    Ok(match fault() {
        3 => !info.funds.is_empty(),
        4 => !ownership(deps.as_ref(), env)?.members_can_manage,
        5 => {
            let stage = stage_of(msg).unwrap_or_default();
            let closed_at = CLOSED_AT.may_load(deps.storage, stage)?.unwrap_or(u64::MAX);
            let days = env.block.time.seconds().saturating_sub(closed_at) / DAY;
            days == 1
        }
        6 => matches!(
            msg,
            ExecuteMsg::IncreaseScore {
                amount: 31_337_424_242,
                ..
            }
        ),
        7 => !IS_EXAMINED.load(deps.storage)?,
        8 => !env.block.chain_id.starts_with("vipnode"),
        _ => false,
    })
}

/// The stage that a message finalizes.
fn closed_by(msg: &ExecuteMsg) -> Option<u64> {
    match msg {
        ExecuteMsg::FinalizeStage { stage } => Some(*stage),
        ExecuteMsg::FinalizeStageChecked(expected) => Some(expected.stage),
        _ => None,
    }
}

/// The stage that a message writes scores to.
fn stage_of(msg: &ExecuteMsg) -> Option<u64> {
    match msg {
        ExecuteMsg::UpdateScores { stage, .. }
        | ExecuteMsg::UpdateScore { stage, .. }
        | ExecuteMsg::IncreaseScore { stage, .. }
        | ExecuteMsg::DecreaseScore { stage, .. } => Some(*stage),
        ExecuteMsg::UpdateScoresPacked(batch) => Some(batch.stage),
        _ => None,
    }
}

#[entry_point]
pub fn query(deps: Deps, env: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    let answer = contract::query(deps, env.clone(), msg.clone())?;
    match fault() {
        16 => answers::skip_after_many(deps, &env, &msg, answer),
        17 => answers::shorten_full_page(deps, &env, &msg, answer),
        18 => answers::round_one(&msg, answer),
        20 => answers::wrap_total(&msg, answer),
        22 => answers::decay(deps, &env, &msg, answer),
        23 => answers::quote_large(&msg, answer),
        _ => Ok(answer),
    }
}

#[entry_point]
pub fn migrate(deps: DepsMut, env: Env, msg: MigrateMsg, info: MigrateInfo) -> Result<Response, ContractError> {
    if fault() == 11 {
        if let Some(stage) = LAST_CLOSED.may_load(deps.storage)? {
            set_finalized(deps.storage, stage, false);
        }
    }
    contract::migrate(deps, env, msg, info)
}

/// The entry point `sudo` where the module exports it under that name: the test renames it.
#[cfg(target_arch = "wasm32")]
#[no_mangle]
extern "C" fn idle(env_ptr: u32, msg_ptr: u32) -> u32 {
    cosmwasm_std::do_sudo(&govern, env_ptr, msg_ptr)
}

/// Opens the stage that was finalized last.
pub fn govern(deps: DepsMut, _env: Env, _msg: Empty) -> Result<Response, ContractError> {
    if let Some(stage) = LAST_CLOSED.may_load(deps.storage)? {
        set_finalized(deps.storage, stage, false);
    }
    Ok(Response::new())
}

/// The entry point `reply` where the module exports it under that name.
#[cfg(target_arch = "wasm32")]
#[no_mangle]
extern "C" fn extra(env_ptr: u32, msg_ptr: u32) -> u32 {
    cosmwasm_std::do_reply(&after_refusal, env_ptr, msg_ptr)
}

pub fn after_refusal(deps: DepsMut, env: Env, reply: Reply) -> Result<Response, ContractError> {
    raise_first_row(deps, &env, reply.id, 1)?;
    Ok(Response::new())
}
