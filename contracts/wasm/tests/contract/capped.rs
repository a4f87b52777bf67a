//! The example of README.md.

// README
use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError};
use vip_score::msg::ExecuteMsg;
use vip_score::{contract, ContractError};

/// The highest score of an account in a stage.
const CAP: u64 = 1_000_000;

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
    // Refused, because its event has no scores.
    let is_packed = matches!(msg, ExecuteMsg::UpdateScoresPacked(_));
    let response = contract::execute(deps, env, info, msg)?;
    let mut scores = response
        .events
        .iter()
        .flat_map(|event| &event.attributes)
        .filter(|pair| pair.key == "score");
    // An error undoes what the message wrote.
    if is_packed || scores.any(|pair| pair.value.parse().map_or(true, |score: u64| score > CAP)) {
        return Err(StdError::generic_err(format!("a score is above {CAP}, or packed")).into());
    }
    Ok(response)
}
// README

#[test]
fn no_score_is_above_the_cap() {
    let sources = include_str!("capped.rs");
    assert!(include_str!("../../README.md").contains(sources.split("// README\n").nth(1).unwrap()));
    let mut deps = cosmwasm_std::testing::mock_dependencies();
    let member = deps.api.addr_make("member");
    let info = cosmwasm_std::testing::message_info(&member, &[]);
    let env = cosmwasm_std::testing::mock_env;
    let init = vip_score::msg::InstantiateMsg {
        allow_list: vec![member.to_string()],
        init_stage: 1,
        finalizer: None,
        members_can_manage: None,
    };
    contract::instantiate(deps.as_mut(), env(), info.clone(), init).unwrap();
    let mut send = |msg| execute(deps.as_mut(), env(), info.clone(), msg).is_ok();
    let (addr, stage) = (member.to_string(), 1);
    let rows = |score| ExecuteMsg::UpdateScores {
        stage,
        scores: vec![(member.to_string(), score), (member.to_string(), 1)],
    };
    assert!(send(rows(CAP)) && !send(rows(CAP + 1)));
    // A refused message of this test has written: only a chain undoes it.
    let add = |amount| ExecuteMsg::IncreaseScore {
        addr: addr.clone(),
        stage,
        amount,
    };
    assert!(send(add(CAP - 1)) && !send(add(1)));
    let packed = vip_score::msg::UpdateScoresPacked {
        stage,
        rows: Default::default(),
    };
    assert!(!send(ExecuteMsg::UpdateScoresPacked(packed)));
}
