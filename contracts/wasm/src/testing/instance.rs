//! A contract on a chain: its storage, and the block that the next call is in.

use std::collections::BTreeMap;

use cosmwasm_std::testing::{message_info, mock_env, MockQuerier, MockStorage};
use cosmwasm_std::{from_json, Binary, Deps, DepsMut, Empty, Env, Order, QuerierWrapper, Storage};
use serde::de::DeserializeOwned;

use super::accounts::{api, numbered, CONTRACT};
use super::calls::{Action, Call};
use super::readings::{self, Stage};
use super::{json_of, Answer, Contract};
use crate::msg::{ExecuteMsg, FinalizeStageChecked, QueryMsg, StageResponse};

pub struct Instance<'a> {
    contract: &'a Contract,
    storage: MockStorage,
    env: Env,
    /// The stages as they were after the last call.
    stages: BTreeMap<u64, Stage>,
}

impl<'a> Instance<'a> {
    pub fn new(contract: &'a Contract) -> Self {
        let mut env = mock_env();
        env.contract.address = numbered(CONTRACT);
        Instance {
            contract,
            storage: MockStorage::default(),
            env,
            stages: BTreeMap::new(),
        }
    }

    /// A contract with a storage of its own, in the same block.
    pub fn another(&self) -> Self {
        let mut another = Self::new(self.contract);
        another.env.block = self.env.block.clone();
        another
    }

    /// Makes a call. A refused one leaves no trace.
    pub fn make(&mut self, call: &Call) -> Result<Answer<()>, String> {
        self.env.block.height += call.blocks;
        self.env.block.time = self.env.block.time.plus_seconds(call.seconds);
        let action = self.resolved(&call.action)?;
        let before = copy(&self.storage);
        let contract = self.contract;
        let info = message_info(&call.sender, &call.funds);
        let env = self.env.clone();
        let (api, querier) = (api(), MockQuerier::<Empty>::default());
        let deps = DepsMut {
            storage: &mut self.storage,
            api: &api,
            querier: QuerierWrapper::new(&querier),
        };
        let result = match &action {
            Action::Instantiate(json) => (contract.instantiate)(deps, env, info, json),
            Action::Migrate(json, version) | Action::MigrateOwn(json, version) => {
                (contract.migrate)(deps, env, json, call.migrate_info(*version))
            }
            Action::Execute(json) | Action::ExecuteOwn(json) => (contract.execute)(deps, env, info, json),
            Action::FinalizeChecked(..) => unreachable!("it is resolved"),
        };
        if result.is_err() {
            self.storage = before;
        }
        Ok(result)
    }

    /// The action with what the stage holds now.
    fn resolved(&self, action: &Action) -> Result<Action, String> {
        let Action::FinalizeChecked(stage, more) = action else {
            return Ok(action.clone());
        };
        let stage = *stage;
        let found: StageResponse = self.ask(&QueryMsg::GetStage { stage })?;
        let [total, count, revision] = more;
        let message = ExecuteMsg::FinalizeStageChecked(FinalizeStageChecked {
            stage,
            expected_total: found.total_score.wrapping_add(*total),
            expected_count: found.count.unwrap_or(0).wrapping_add(*count),
            expected_revision: found.revision.wrapping_add(*revision),
        });
        Ok(Action::Execute(json_of(&message)))
    }

    /// Checks all that must hold after this call.
    pub fn check(&mut self, call: &Call) -> Result<(), String> {
        let stages = readings::check(self, &self.stages);
        self.stages = stages.map_err(|fault| format!("{fault}, after {call:?}"))?;
        Ok(())
    }

    /// How many finalized stages have scores.
    pub fn frozen(&self) -> usize {
        let stages = self.stages.values();
        stages
            .filter(|stage| stage.is_finalized && !stage.rows.is_empty())
            .count()
    }

    /// The answer to a query that may not be refused.
    pub fn ask<T: DeserializeOwned>(&self, query: &QueryMsg) -> Result<T, String> {
        let json = self.answer(query);
        let json = json.map_err(|refusal| format!("the query {query:?} is refused: {}", refusal.reason()))?;
        from_json(&json).map_err(|error| format!("the query {query:?} has another answer: {error}"))
    }

    fn answer(&self, query: &QueryMsg) -> Answer<Binary> {
        let (api, querier) = (api(), MockQuerier::<Empty>::default());
        let deps = Deps {
            storage: &self.storage,
            api: &api,
            querier: QuerierWrapper::new(&querier),
        };
        (self.contract.query)(deps, self.env.clone(), &json_of(query))
    }
}

fn copy(storage: &MockStorage) -> MockStorage {
    let mut copy = MockStorage::default();
    for (key, value) in storage.range(None, None, Order::Ascending) {
        copy.set(&key, &value);
    }
    copy
}
