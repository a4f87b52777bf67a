//! A contract that builds on `vip-score`: it keeps every message and query, and adds one of each. The feature `library` leaves
//! out the entry points of `vip-score`, so that this contract has only its own.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{
    entry_point, from_json, to_json_binary, Binary, Deps, DepsMut, Env, MessageInfo, MigrateInfo, Response,
};
use vip_score::contract;
use vip_score::msg::{
    ContractVersionResponse, ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg, ScoresOfResponse, StageResponse,
};
use vip_score::ContractError;

const NAME: &str = "acme:awards";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The points of an award.
const AWARD: u64 = 10;

/// `untagged`, so that the messages of `vip-score` keep their form.
#[cw_serde]
#[serde(untagged)]
pub enum AwardsMsg {
    Score(ExecuteMsg),
    Own(OwnMsg),
}

#[cw_serde]
pub enum OwnMsg {
    /// Adds the points of an award to an account's score. For members.
    Award { stage: u64, addr: String },
}

#[cw_serde]
#[serde(untagged)]
pub enum AwardsQuery {
    Score(QueryMsg),
    Own(OwnQuery),
}

#[cw_serde]
pub enum OwnQuery {
    /// An account's part of the stage's total, in hundredths of a percent.
    GetShare { stage: u64, addr: String },
}

#[cw_serde]
pub struct ShareResponse {
    pub share: u64,
}

#[entry_point]
pub fn instantiate(
    mut deps: DepsMut,
    env: Env,
    info: MessageInfo,
    msg: InstantiateMsg,
) -> Result<Response, ContractError> {
    let response = contract::instantiate(deps.branch(), env, info, msg)?;
    // Over the name and version of `vip-score`: it is not that contract.
    cw2::set_contract_version(deps.storage, NAME, VERSION)?;
    Ok(response)
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: AwardsMsg) -> Result<Response, ContractError> {
    // Every write goes through `vip-score`, which checks the sender and the stage.
    let msg = match msg {
        AwardsMsg::Score(msg) => msg,
        AwardsMsg::Own(OwnMsg::Award { stage, addr }) => ExecuteMsg::IncreaseScore {
            stage,
            addr,
            amount: AWARD,
        },
    };
    contract::execute(deps, env, info, msg)
}

#[entry_point]
pub fn query(deps: Deps, env: Env, msg: AwardsQuery) -> Result<Binary, ContractError> {
    match msg {
        AwardsQuery::Score(QueryMsg::GetContractVersion {}) => Ok(to_json_binary(&ContractVersionResponse {
            contract: NAME.to_string(),
            version: VERSION.to_string(),
        })?),
        AwardsQuery::Score(msg) => contract::query(deps, env, msg),
        AwardsQuery::Own(OwnQuery::GetShare { stage, addr }) => {
            let addrs = vec![addr];
            let scores: ScoresOfResponse = from_json(contract::query(
                deps,
                env.clone(),
                QueryMsg::GetScoresOf { stage, addrs },
            )?)?;
            let info: StageResponse = from_json(contract::query(deps, env, QueryMsg::GetStage { stage })?)?;
            let score = u128::from(scores.scores[0].unwrap_or(0));
            let share = score * 10_000 / u128::from(info.total_score).max(1);
            Ok(to_json_binary(&ShareResponse { share: share as u64 })?)
        }
    }
}

/// Takes over a contract with the reference contract's storage, and replaces one of `vip-score` or an earlier release of this
/// one, which keep their data.
#[entry_point]
pub fn migrate(mut deps: DepsMut, env: Env, msg: MigrateMsg, info: MigrateInfo) -> Result<Response, ContractError> {
    let response = contract::migrate(deps.branch(), env, msg, info)?;
    cw2::set_contract_version(deps.storage, NAME, VERSION)?;
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosmwasm_std::testing::{message_info, mock_dependencies, mock_env, MockStorage};
    use cosmwasm_std::{Order, Record, Storage};
    use vip_score::testing::proptest::prelude::*;
    use vip_score::testing::{account, stage, Contract};

    #[test]
    fn no_history_breaks_a_stage() {
        let awards = (stage(), account()).prop_map(|(stage, addr)| {
            let addr = addr.into_string();
            AwardsMsg::Own(OwnMsg::Award { stage, addr })
        });
        Contract::new(instantiate, execute, query, migrate)
            .with_messages(awards)
            .run_histories(500);
    }

    #[test]
    fn a_release_replaces_an_earlier_one_and_keeps_all_scores() {
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
        for (stage, amount) in [(1, 5), (2, 7)] {
            for msg in [
                ExecuteMsg::UpdateScore {
                    addr: member.to_string(),
                    stage,
                    amount,
                },
                ExecuteMsg::FinalizeStage { stage },
            ] {
                let msg = AwardsMsg::Score(msg);
                execute(deps.as_mut(), mock_env(), info(), msg).unwrap();
            }
        }
        let everything =
            |storage: &MockStorage| -> Vec<Record> { storage.range(None, None, Order::Ascending).collect() };
        let before = everything(&deps.storage);
        for (name, version) in [(NAME, "1.0.0"), ("vipscore:vip-score", "1.0.0")] {
            cw2::set_contract_version(&mut deps.storage, name, version).unwrap();
            let admin = MigrateInfo {
                sender: member.clone(),
                old_migrate_version: None,
            };
            let msg = MigrateMsg { allow_list: None };
            migrate(deps.as_mut(), mock_env(), msg, admin).unwrap();
            // Its name and version too.
            assert_eq!(everything(&deps.storage), before);
        }
    }

    #[test]
    fn it_adds_to_the_messages_and_a_finalized_stage_stays() {
        let mut deps = mock_dependencies();
        let member = deps.api.addr_make("member");
        let info = || message_info(&member, &[]);
        let allow_list = vec![member.to_string()];
        let msg = InstantiateMsg {
            allow_list,
            init_stage: 1,
            finalizer: None,
            members_can_manage: None,
        };
        instantiate(deps.as_mut(), mock_env(), info(), msg).unwrap();
        let mut send = |json: String| {
            let msg = from_json::<AwardsMsg>(json.as_bytes()).unwrap();
            execute(deps.as_mut(), mock_env(), info(), msg)
        };
        send(format!(
            r#"{{"update_score":{{"addr":"{member}","stage":1,"amount":5}}}}"#
        ))
        .unwrap();
        let award = format!(r#"{{"award":{{"addr":"{member}","stage":1}}}}"#);
        send(award.clone()).unwrap();
        send(r#"{"finalize_stage":{"stage":1}}"#.to_string()).unwrap();
        let finalized = ContractError::StageFinalized { stage: 1 };
        assert_eq!(send(award).unwrap_err(), finalized);
        let ask = |json: String| {
            let msg = from_json::<AwardsQuery>(json.as_bytes()).unwrap();
            query(deps.as_ref(), mock_env(), msg).unwrap()
        };
        let stage: StageResponse = from_json(ask(r#"{"get_stage":{"stage":1}}"#.to_string())).unwrap();
        assert_eq!((stage.total_score, stage.count), (15, Some(1)));
        let share: ShareResponse =
            from_json(ask(format!(r#"{{"get_share":{{"addr":"{member}","stage":1}}}}"#))).unwrap();
        assert_eq!(share.share, 10_000);
    }
}
