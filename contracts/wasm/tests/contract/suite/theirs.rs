//! A contract of the reference's shape, and migrations.

use cosmwasm_std::{Addr, Empty};
use cw_multi_test::{AppResponse, Contract, ContractWrapper, Executor};
use reference_shape::{ExecuteMsg as TheirMsg, QueryMsg as TheirQuery, ScoresPage, StageInfo};
use vip_score::msg::MigrateMsg;
use vip_score::ContractError;

use super::{account, contract_error, new_app, our_code, owner, Suite, MAX};

pub fn their_code() -> Box<dyn Contract<Empty>> {
    Box::new(
        ContractWrapper::new(
            reference_shape::execute,
            reference_shape::instantiate,
            reference_shape::query,
        )
        .with_migrate(reference_shape::migrate),
    )
}

/// A contract of the reference's shape on a separate chain.
pub struct Theirs {
    pub suite: Suite,
}

impl Theirs {
    pub fn new() -> Self {
        let mut app = new_app();
        let (owner, member) = (owner(), account(1_000_001));
        let code = app.store_code(their_code());
        let msg = reference_shape::InstantiateMsg {
            allow_list: vec![member.to_string()],
            init_stage: 1,
        };
        let admin = Some(owner.to_string());
        let contract = app
            .instantiate_contract(code, owner.clone(), &msg, &[], "vip", admin)
            .unwrap();
        let stranger = account(1_000_002);
        let suite = Suite {
            app,
            contract,
            owner,
            member,
            stranger,
        };
        Theirs { suite }
    }

    pub fn send(&mut self, msg: &TheirMsg) {
        let Suite {
            app,
            contract,
            member,
            ..
        } = &mut self.suite;
        app.execute_contract(member.clone(), contract.clone(), msg, &[])
            .unwrap();
    }

    pub fn update(&mut self, stage: u64, rows: &[(&str, u64)]) {
        let scores = rows.iter().map(|(addr, score)| (addr.to_string(), *score));
        self.send(&TheirMsg::UpdateScores {
            stage,
            scores: scores.collect(),
        });
    }

    pub fn finalize(&mut self, stage: u64) {
        self.send(&TheirMsg::FinalizeStage { stage });
    }

    pub fn stage(&self, stage: u64) -> StageInfo {
        let Suite { app, contract, .. } = &self.suite;
        let msg = TheirQuery::GetStageInfo { stage };
        app.wrap().query_wasm_smart(contract, &msg).unwrap()
    }

    pub fn rows(&self, stage: u64) -> Vec<(Addr, u64)> {
        let Suite { app, contract, .. } = &self.suite;
        let msg = TheirQuery::GetScores {
            stage,
            limit: MAX,
            start_after: None,
        };
        let page: ScoresPage = app.wrap().query_wasm_smart(contract, &msg).unwrap();
        let rows = page.scores.into_iter();
        rows.map(|row| (Addr::unchecked(row.addr), row.score))
            .collect()
    }

    pub fn migrate(mut self) -> Suite {
        migrate(&mut self.suite).unwrap();
        self.suite
    }
}

pub fn migrate(suite: &mut Suite) -> Result<AppResponse, ContractError> {
    let code = suite.app.store_code(our_code());
    let (owner, contract) = (suite.owner.clone(), suite.contract.clone());
    suite
        .app
        .migrate_contract(owner, contract, &MigrateMsg {}, code)
        .map_err(contract_error)
}
