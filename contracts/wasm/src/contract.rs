//! The entry points, which dispatch each message to a function of another module.

use cosmwasm_std::{
    entry_point, to_json_binary, Binary, Deps, DepsMut, Env, MessageInfo, MigrateInfo, Response,
};

use crate::account::parse_addr;
use crate::batch::Change;
use crate::members::{add_member, execute_add, execute_remove};
use crate::migrate::take_over;
use crate::msg::{
    ExecuteMsg, FinalizeStageChecked, InstantiateMsg, MigrateMsg, QueryMsg, SetFinalizer,
    SetMembersCanManage, TransferOwnership, UpdateScoresPacked,
};
use crate::ownership::{
    execute_accept, execute_set_finalizer, execute_set_members_can_manage, execute_transfer,
    set_first_owner,
};
use crate::query;
use crate::scores::{execute_write, execute_write_packed};
use crate::stages::{create_stage, execute_finalize, Expected};
use crate::state::INIT_STAGE;
use crate::version::{CONTRACT_NAME, CONTRACT_VERSION};
use crate::ContractError;

/// Creates the first stage and the allow list; the sender becomes the owner (R1, R14).
#[entry_point]
pub fn instantiate(
    deps: DepsMut,
    _env: Env,
    info: MessageInfo,
    msg: InstantiateMsg,
) -> Result<Response, ContractError> {
    check_no_funds(&info)?;
    cw2::set_contract_version(deps.storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    INIT_STAGE.save(deps.storage, &msg.init_stage)?;
    set_first_owner(deps.storage, &info.sender)?;
    let mut response = Response::new().add_event(create_stage(deps.storage, msg.init_stage)?);
    if msg.allow_list.is_empty() {
        return Err(ContractError::NoMembers {});
    }
    for addr in msg.allow_list {
        let addr = parse_addr(deps.api, &addr)?;
        response = response.add_events(add_member(deps.storage, &addr)?);
    }
    Ok(response)
}

#[entry_point]
pub fn execute(
    deps: DepsMut,
    _env: Env,
    info: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, ContractError> {
    check_no_funds(&info)?;
    let sender = info.sender;
    match msg {
        ExecuteMsg::FinalizeStage { stage } => execute_finalize(deps, sender, stage, None),
        ExecuteMsg::FinalizeStageChecked(FinalizeStageChecked {
            stage,
            expected_total: total,
            expected_count: count,
            expected_revision: revision,
        }) => {
            let expected = Expected {
                total,
                count,
                revision,
            };
            execute_finalize(deps, sender, stage, Some(expected))
        }
        ExecuteMsg::UpdateScores { stage, scores } => {
            let rows = scores
                .into_iter()
                .map(|(addr, amount)| (addr, Change::Set(amount)));
            execute_write(deps, sender, stage, rows.collect())
        }
        ExecuteMsg::UpdateScoresPacked(UpdateScoresPacked { stage, rows }) => {
            execute_write_packed(deps, sender, stage, rows)
        }
        ExecuteMsg::UpdateScore {
            addr,
            stage,
            amount,
        } => execute_write(deps, sender, stage, vec![(addr, Change::Set(amount))]),
        ExecuteMsg::IncreaseScore {
            addr,
            stage,
            amount,
        } => execute_write(deps, sender, stage, vec![(addr, Change::Increase(amount))]),
        ExecuteMsg::DecreaseScore {
            addr,
            stage,
            amount,
        } => execute_write(deps, sender, stage, vec![(addr, Change::Decrease(amount))]),
        ExecuteMsg::AddAllowList { addr } => execute_add(deps, sender, addr),
        ExecuteMsg::RemoveAllowList { addr } => execute_remove(deps, sender, addr),
        ExecuteMsg::TransferOwnership(TransferOwnership { new_owner }) => {
            execute_transfer(deps, sender, new_owner)
        }
        ExecuteMsg::AcceptOwnership {} => execute_accept(deps, sender),
        ExecuteMsg::SetMembersCanManage(SetMembersCanManage { allowed }) => {
            execute_set_members_can_manage(deps, sender, allowed)
        }
        ExecuteMsg::SetFinalizer(SetFinalizer { finalizer }) => {
            execute_set_finalizer(deps, sender, finalizer)
        }
    }
}

#[entry_point]
pub fn query(deps: Deps, env: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    let answer = match msg {
        QueryMsg::GetScore { addr, stage } => {
            to_json_binary(&query::get_score(deps, stage, &addr)?)
        }
        QueryMsg::GetScores {
            stage,
            limit,
            start_after,
        } => to_json_binary(&query::get_scores(deps, env, stage, limit, start_after)?),
        QueryMsg::GetStageInfo { stage } => {
            to_json_binary(&query::get_stage_info(deps.storage, stage)?)
        }
        QueryMsg::GetContractVersion {} => to_json_binary(&query::get_contract_version()),
        QueryMsg::GetInitStage {} => to_json_binary(&query::get_init_stage(deps.storage)?),
        QueryMsg::GetStage { stage } => to_json_binary(&query::get_stage(deps.storage, stage)?),
        QueryMsg::GetScoresOf { stage, addrs } => {
            to_json_binary(&query::get_scores_of(deps, stage, &addrs)?)
        }
        QueryMsg::GetScoresFrom { stage, from, limit } => {
            to_json_binary(&query::get_scores_from(deps, env, stage, from, limit)?)
        }
        QueryMsg::GetMembers { start_after, limit } => {
            to_json_binary(&query::get_members(deps.storage, start_after, limit)?)
        }
        QueryMsg::IsMember { addr } => to_json_binary(&query::get_is_member(deps, &addr)?),
        QueryMsg::GetOwnership {} => to_json_binary(&query::get_ownership(deps.storage)?),
    };
    Ok(answer?)
}

/// Takes over a contract with the reference contract's storage, or an earlier version of this one.
#[entry_point]
pub fn migrate(
    deps: DepsMut,
    _env: Env,
    _msg: MigrateMsg,
    info: MigrateInfo,
) -> Result<Response, ContractError> {
    take_over(deps, info.sender)
}

fn check_no_funds(info: &MessageInfo) -> Result<(), ContractError> {
    if info.funds.is_empty() {
        return Ok(());
    }
    Err(ContractError::FundsSent {})
}
