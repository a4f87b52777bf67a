//! The random histories for authors of wrapped contracts, on this contract and on contracts with planted faults.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;

use cosmwasm_schema::{cw_serde, schema_for};
use cosmwasm_std::{from_json, to_json_binary, to_json_vec, Binary, Deps, DepsMut, Env, MessageInfo, Storage};
use proptest::prelude::*;
use vip_score::contract::{execute, instantiate, migrate, query};
use vip_score::msg::{ExecuteMsg, QueryMsg, ScoresResponse, StageResponse};
use vip_score::testing::{stage, Contract};
use vip_score::ContractError;

const HISTORIES: u32 = 500;

/// Enough of them to send every message many times.
const FEW: u32 = 50;

#[cw_serde]
#[serde(untagged)]
enum WrappedMsg {
    Score(ExecuteMsg),
    Own(OwnMsg),
}

#[cw_serde]
enum OwnMsg {
    Correct { stage: u64 },
}

/// A stage as it is stored.
#[cw_serde]
struct Record {
    stage: u64,
    total_score: u64,
    is_finalized: bool,
    count: u64,
    revision: u64,
}

/// Changes the stored record of a stage, past the contract.
fn change_record(storage: &mut dyn Storage, stage: u64, change: impl Fn(&mut Record)) {
    let key = [b"\x00\x0dstage_records", stage.to_be_bytes().as_slice()].concat();
    if let Some(json) = storage.get(&key) {
        let mut record: Record = from_json(json).unwrap();
        change(&mut record);
        storage.set(&key, &to_json_vec(&record).unwrap());
    }
}

/// Changes the first score of a finalized stage, past the contract.
fn correct(deps: DepsMut, env: Env, stage: u64) -> Result<(), ContractError> {
    let found: StageResponse = from_json(query(deps.as_ref(), env, QueryMsg::GetStage { stage })?)?;
    let key = [&[1], stage.to_be_bytes().as_slice()].concat();
    if let (true, Some(mut page)) = (found.is_finalized, deps.storage.get(&key)) {
        // The last byte of the first row: the length of its address, the address, and eight bytes.
        let last = usize::from(page[0]) + 8;
        page[last] ^= 1;
        deps.storage.set(&key, &page);
    }
    Ok(())
}

fn corrections() -> impl Strategy<Value = WrappedMsg> {
    stage().prop_map(|stage| WrappedMsg::Own(OwnMsg::Correct { stage }))
}

/// What this many histories find in a contract.
fn fault_of(contract: Contract, histories: u32) -> String {
    let run = AssertUnwindSafe(|| contract.run_histories(histories));
    let panic = catch_unwind(run).expect_err("the fault was not found");
    *panic.downcast::<String>().expect("a panic has a text")
}

/// Asserts that what the histories found has these words.
fn assert_names(fault: &str, words: &[&str]) {
    for word in words {
        assert!(fault.contains(word), "no {word:?} in: {fault}");
    }
}

#[test]
fn no_history_breaks_a_stage() {
    Contract::new(instantiate, execute, query, migrate).run_histories(HISTORIES);
}

#[test]
fn every_message_is_sent() {
    let sent = Rc::new(RefCell::new(BTreeSet::new()));
    let names = sent.clone();
    let noted = move |deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg| {
        let json = to_json_binary(&msg)?;
        let text = String::from_utf8_lossy(&json).into_owned();
        names.borrow_mut().extend(text.split('"').nth(1).map(str::to_string));
        execute(deps, env, info, msg)
    };
    Contract::new(instantiate, noted, query, migrate).run_histories(FEW);
    let variants = schema_for!(ExecuteMsg).schema.subschemas.unwrap().one_of.unwrap();
    let variants = variants
        .into_iter()
        .map(|variant| variant.into_object().object.unwrap());
    let all: BTreeSet<String> = variants.flat_map(|variant| variant.required).collect();
    assert_eq!(*sent.borrow(), all);
}

#[test]
fn a_message_that_changes_a_finalized_stage_is_found() {
    let corrected = |mut deps: DepsMut, env: Env, info: MessageInfo, msg: WrappedMsg| match msg {
        WrappedMsg::Score(msg) => execute(deps, env, info, msg),
        WrappedMsg::Own(OwnMsg::Correct { stage }) => correct(deps.branch(), env, stage).map(|()| Default::default()),
    };
    let contract = Contract::new(instantiate, corrected, query, migrate).with_messages(corrections());
    assert_names(&fault_of(contract, HISTORIES), &["finalized stage ", "rows", "correct"]);
}

#[test]
fn a_migration_that_opens_a_finalized_stage_is_found() {
    let opening = |mut deps: DepsMut, env, msg, info| {
        let response = migrate(deps.branch(), env, msg, info)?;
        change_record(deps.storage, 1, |record| record.is_finalized = false);
        Ok::<_, ContractError>(response)
    };
    let contract = Contract::new(instantiate, execute, query, opening);
    assert_names(
        &fault_of(contract, HISTORIES),
        &["finalized stage 1:", "open", "migrate"],
    );
}

#[test]
fn a_migration_of_the_contracts_own_that_changes_a_revision_is_found() {
    #[cw_serde]
    struct OwnMigrateMsg {
        stage: Option<u64>,
    }
    let stepping = |mut deps: DepsMut, env, msg: OwnMigrateMsg, info| {
        let ours = vip_score::msg::MigrateMsg { allow_list: None };
        let response = migrate(deps.branch(), env, ours, info)?;
        if let Some(stage) = msg.stage {
            change_record(deps.storage, stage, |record| record.revision += 1);
        }
        Ok::<_, ContractError>(response)
    };
    let own = stage().prop_map(|stage| OwnMigrateMsg { stage: Some(stage) });
    let contract = Contract::new(instantiate, execute, query, stepping).with_migrations(own);
    assert_names(
        &fault_of(contract, HISTORIES),
        &["finalized stage ", "revision", "migrate"],
    );
}

#[test]
fn a_total_that_is_wrong_for_a_repeated_account_is_found() {
    let repeating = |mut deps: DepsMut, env, info, msg: ExecuteMsg| {
        let response = execute(deps.branch(), env, info, msg.clone())?;
        if let ExecuteMsg::UpdateScores { stage, scores } = msg {
            let accounts: BTreeSet<_> = scores.iter().map(|(addr, _)| addr).collect();
            if accounts.len() < scores.len() {
                change_record(deps.storage, stage, |record| record.total_score += 1);
            }
        }
        Ok::<_, ContractError>(response)
    };
    let contract = Contract::new(instantiate, repeating, query, migrate);
    assert_names(
        &fault_of(contract, HISTORIES),
        &["stage ", "total", "sum", "update_scores"],
    );
}

#[test]
fn a_page_that_lacks_a_row_is_found() {
    let short = |deps: Deps, env: Env, msg: QueryMsg| -> Result<Binary, ContractError> {
        let is_page = matches!(msg, QueryMsg::GetScores { .. });
        let answer = query(deps, env, msg)?;
        if !is_page {
            return Ok(answer);
        }
        let mut page: ScoresResponse = from_json(answer)?;
        page.scores.pop();
        Ok(to_json_binary(&page)?)
    };
    let contract = Contract::new(instantiate, execute, short, migrate);
    assert_names(
        &fault_of(contract, HISTORIES),
        &["stage ", "get_scores ", "get_scores_from", "no row"],
    );
}

/// A history that nothing changes would show nothing.
#[test]
fn a_contract_that_refuses_every_message_is_found() {
    let closed =
        |_: DepsMut, _: Env, _: MessageInfo, _: ExecuteMsg| Err::<_, ContractError>(ContractError::NoMembers {});
    let contract = Contract::new(instantiate, closed, query, migrate);
    assert_names(&fault_of(contract, FEW), &["none of ", "histories"]);
}

/// Such a message would never be tested.
#[test]
fn a_message_that_the_contract_does_not_read_is_found() {
    let contract = Contract::new(instantiate, execute, query, migrate).with_messages(corrections());
    assert_names(&fault_of(contract, HISTORIES), &["correct", "cannot be read"]);
}
