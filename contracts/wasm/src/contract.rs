//! The entry points, which dispatch each message to a function of another module.

#[cfg(not(feature = "library"))]
use cosmwasm_std::entry_point;
use cosmwasm_std::{Binary, Deps, DepsMut, Env, MessageInfo, MigrateInfo, Response};

use crate::migrate::take_over;
use crate::msg::{
    ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg, SetAllowList, SetFinalizer, SetMembersCanManage,
    TransferOwnership, UpdateScoresPacked,
};
use crate::roles::{
    execute_accept, execute_add, execute_remove, execute_set, execute_set_finalizer, execute_set_members_can_manage,
    execute_transfer, name_finalizer, parse_members, replace_members,
};
use crate::scores::{execute_write, execute_write_packed, Change};
use crate::stages::{create_stage, execute_finalize};
use crate::state::{CONTRACT_NAME, CONTRACT_VERSION, INIT_STAGE, MEMBERS_CAN_MANAGE, OWNER};
use crate::{query, ContractError};

/// Creates the first stage and the allow list; the sender becomes the owner (R1, R14).
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn instantiate(
    deps: DepsMut,
    _env: Env,
    info: MessageInfo,
    msg: InstantiateMsg,
) -> Result<Response, ContractError> {
    check_no_funds(&info)?;
    cw2::set_contract_version(deps.storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    INIT_STAGE.save(deps.storage, &msg.init_stage)?;
    OWNER.save(deps.storage, &info.sender)?;
    MEMBERS_CAN_MANAGE.save(deps.storage, &msg.members_can_manage.unwrap_or(true))?;
    let mut events = vec![create_stage(deps.storage, msg.init_stage)?];
    let members = parse_members(deps.api, &msg.allow_list)?;
    events.extend(replace_members(deps.storage, members)?);
    if let Some(finalizer) = msg.finalizer {
        events.push(name_finalizer(deps, &finalizer)?);
    }
    Ok(Response::new().add_events(events))
}

#[cfg_attr(not(feature = "library"), entry_point)]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
    check_no_funds(&info)?;
    let sender = info.sender;
    let events = match msg {
        ExecuteMsg::FinalizeStage { stage } => execute_finalize(deps, sender, stage, None),
        ExecuteMsg::FinalizeStageChecked(expected) => execute_finalize(deps, sender, expected.stage, Some(expected)),
        ExecuteMsg::UpdateScores { stage, scores } => {
            let rows = scores.into_iter().map(|(addr, amount)| (addr, Change::Set(amount)));
            execute_write(deps, sender, stage, rows.collect())
        }
        ExecuteMsg::UpdateScoresPacked(UpdateScoresPacked { stage, rows }) => {
            execute_write_packed(deps, sender, stage, rows)
        }
        ExecuteMsg::UpdateScore { addr, stage, amount } => {
            execute_write(deps, sender, stage, vec![(addr, Change::Set(amount))])
        }
        ExecuteMsg::IncreaseScore { addr, stage, amount } => {
            execute_write(deps, sender, stage, vec![(addr, Change::Increase(amount))])
        }
        ExecuteMsg::DecreaseScore { addr, stage, amount } => {
            execute_write(deps, sender, stage, vec![(addr, Change::Decrease(amount))])
        }
        ExecuteMsg::AddAllowList { addr } => execute_add(deps, sender, addr),
        ExecuteMsg::RemoveAllowList { addr } => execute_remove(deps, sender, addr),
        ExecuteMsg::SetAllowList(SetAllowList { addrs }) => execute_set(deps, sender, addrs),
        ExecuteMsg::TransferOwnership(TransferOwnership { new_owner }) => execute_transfer(deps, sender, new_owner),
        ExecuteMsg::AcceptOwnership {} => execute_accept(deps, sender),
        ExecuteMsg::SetMembersCanManage(SetMembersCanManage { allowed }) => {
            execute_set_members_can_manage(deps, sender, allowed)
        }
        ExecuteMsg::SetFinalizer(SetFinalizer { finalizer }) => execute_set_finalizer(deps, sender, finalizer),
    };
    Ok(Response::new().add_events(events?))
}

#[cfg_attr(not(feature = "library"), entry_point)]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    query::answer(deps, msg)
}

/// Takes over a contract with the reference contract's storage (W21). One that this contract, or one that builds on it, has
/// written keeps everything but its members, if the message names others.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn migrate(deps: DepsMut, _env: Env, msg: MigrateMsg, info: MigrateInfo) -> Result<Response, ContractError> {
    let events = take_over(deps, info.sender, msg.allow_list)?;
    Ok(Response::new().add_events(events))
}

fn check_no_funds(info: &MessageInfo) -> Result<(), ContractError> {
    if info.funds.is_empty() {
        return Ok(());
    }
    Err(ContractError::FundsSent {})
}
