//! A contract that builds upon `vip-score`: it takes its messages, has one more, and answers its queries. The feature
//! `library` leaves out the entry points of `vip-score`, so that it has only its own.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{entry_point, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdError};
use vip_score::contract;
use vip_score::msg::{ExecuteMsg, InstantiateMsg, QueryMsg};
use vip_score::ContractError;

#[cw_serde]
pub enum ExtendedMsg {
    /// A message of `vip-score`.
    Score(ExecuteMsg),
    /// Gives the sender, a member, a score of 1.
    Greet { stage: u64 },
}

#[entry_point]
pub fn instantiate(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    msg: InstantiateMsg,
) -> Result<Response, ContractError> {
    contract::instantiate(deps, env, info, msg)
}

#[entry_point]
pub fn execute(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    msg: ExtendedMsg,
) -> Result<Response, ContractError> {
    let msg = match msg {
        ExtendedMsg::Score(ExecuteMsg::AddAllowList { .. }) => {
            return Err(StdError::generic_err("members are fixed").into());
        }
        ExtendedMsg::Score(msg) => msg,
        ExtendedMsg::Greet { stage } => ExecuteMsg::UpdateScore {
            addr: info.sender.to_string(),
            stage,
            amount: 1,
        },
    };
    contract::execute(deps, env, info, msg)
}

#[entry_point]
pub fn query(deps: Deps, env: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    contract::query(deps, env, msg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosmwasm_std::from_json;
    use cosmwasm_std::testing::{message_info, mock_dependencies, mock_env};
    use vip_score::msg::StageResponse;

    #[test]
    fn it_adds_to_the_messages_and_narrows_them_but_a_finalized_stage_stays() {
        let mut deps = mock_dependencies();
        let member = deps.api.addr_make("member");
        let info = || message_info(&member, &[]);
        let msg = InstantiateMsg {
            allow_list: vec![member.to_string()],
            init_stage: 1,
            finalizer: None,
            members_can_manage: None,
        };
        instantiate(deps.as_mut(), mock_env(), info(), msg).unwrap();
        let mut send = |msg| execute(deps.as_mut(), mock_env(), info(), msg);
        send(ExtendedMsg::Greet { stage: 1 }).unwrap();
        let addr = member.to_string();
        send(ExtendedMsg::Score(ExecuteMsg::AddAllowList { addr })).unwrap_err();
        let finalize = ExecuteMsg::FinalizeStage { stage: 1 };
        send(ExtendedMsg::Score(finalize)).unwrap();
        let finalized = ContractError::StageFinalized { stage: 1 };
        let error = send(ExtendedMsg::Greet { stage: 1 }).unwrap_err();
        assert_eq!(error, finalized);
        let answer = query(deps.as_ref(), mock_env(), QueryMsg::GetStage { stage: 1 }).unwrap();
        let stage: StageResponse = from_json(answer).unwrap();
        assert_eq!((stage.total_score, stage.count), (1, Some(1)));
    }
}
