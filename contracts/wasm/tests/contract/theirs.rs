//! A contract of the reference's shape.

use cosmwasm_std::testing::message_info;
use cosmwasm_std::{from_json, Addr, StdResult};
use reference_shape::{ExecuteMsg as TheirMsg, QueryMsg as TheirQuery, ScoresPage, StageInfo};
use serde::de::DeserializeOwned;
use vip_score::ContractError;

use crate::suite::{Suite, MAX};

/// The storage of a contract of the reference's shape.
pub struct Theirs {
    pub suite: Suite,
}

impl Theirs {
    pub fn new() -> Self {
        let mut suite = Suite::without_contract();
        let msg = reference_shape::InstantiateMsg {
            allow_list: vec![suite.member.to_string()],
            init_stage: 1,
        };
        let info = message_info(&suite.owner, &[]);
        suite
            .attempt(|deps, env| reference_shape::instantiate(deps, env, info, msg))
            .unwrap();
        Theirs { suite }
    }

    pub fn send(&mut self, msg: TheirMsg) {
        let info = message_info(&self.suite.member, &[]);
        self.suite
            .attempt(|deps, env| reference_shape::execute(deps, env, info, msg))
            .unwrap();
    }

    pub fn update(&mut self, stage: u64, rows: &[(&str, u64)]) {
        let scores = rows.iter().map(|(addr, score)| (addr.to_string(), *score));
        self.send(TheirMsg::UpdateScores {
            stage,
            scores: scores.collect(),
        });
    }

    pub fn finalize(&mut self, stage: u64) {
        self.send(TheirMsg::FinalizeStage { stage });
    }

    fn ask<T: DeserializeOwned>(&self, msg: TheirQuery) -> StdResult<T> {
        let Suite { deps, env, .. } = &self.suite;
        from_json(reference_shape::query(deps.as_ref(), env.clone(), msg)?)
    }

    pub fn stage(&self, stage: u64) -> StageInfo {
        self.ask(TheirQuery::GetStageInfo { stage }).unwrap()
    }

    pub fn rows(&self, stage: u64) -> Vec<(Addr, u64)> {
        let msg = TheirQuery::GetScores {
            stage,
            limit: MAX,
            start_after: None,
        };
        let page: ScoresPage = self.ask(msg).unwrap();
        let rows = page.scores.into_iter();
        rows.map(|row| (Addr::unchecked(row.addr), row.score)).collect()
    }

    pub fn migrate(mut self) -> Suite {
        self.suite.migrate().unwrap();
        self.suite
    }

    /// Why a migration is refused.
    pub fn refusal(&mut self) -> String {
        match self.suite.migrate().unwrap_err() {
            ContractError::MigrationRefused { reason } => reason,
            error => error.to_string(),
        }
    }
}
