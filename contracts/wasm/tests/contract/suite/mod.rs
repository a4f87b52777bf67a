//! A chain with one contract, and the calls that tests make to it.

mod chain_api;
pub mod messages;
pub mod random;
pub mod theirs;

use anyhow::Error;
pub use chain_api::ChainApi;
use cosmwasm_std::{
    Addr, Api, CanonicalAddr, Coin, DepsMut, Env, Event, MigrateInfo, Response, Storage,
};
use cw_multi_test::{App, AppBuilder, AppResponse, Contract, ContractWrapper, Executor};
pub use messages::*;
use serde::de::DeserializeOwned;
use vip_score::contract;
use vip_score::msg::{
    ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg, ScoresFromResponse, ScoresResponse,
    StageResponse,
};
use vip_score::ContractError;

pub type TestApp = App<cw_multi_test::BankKeeper, ChainApi>;

pub const MAX: u64 = u64::MAX;
/// The smallest positive integer that a double cannot hold.
pub const ABOVE_DOUBLES: u64 = (1 << 53) + 1;

pub struct Suite {
    pub app: TestApp,
    pub contract: Addr,
    /// Created the contract; not a member.
    pub owner: Addr,
    /// The first member.
    pub member: Addr,
    pub stranger: Addr,
}

/// A stage that one call has written if it has scores.
pub fn stage(stage: u64, total_score: u64, count: u64, is_finalized: bool) -> StageResponse {
    StageResponse {
        stage,
        exists: true,
        total_score,
        is_finalized,
        count: Some(count),
        revision: count.min(1),
    }
}

pub fn new_app() -> TestApp {
    AppBuilder::new()
        .with_api(ChainApi::new())
        .build(|_, _, _| {})
}

pub fn our_code() -> Box<dyn Contract<cosmwasm_std::Empty>> {
    Box::new(
        ContractWrapper::new(contract::execute, contract::instantiate, contract::query)
            .with_migrate(migrate_by_owner),
    )
}

/// The sender of a migration, which cw-multi-test does not pass on.
fn migrate_by_owner(deps: DepsMut, env: Env, msg: MigrateMsg) -> Result<Response, ContractError> {
    let info = MigrateInfo {
        sender: owner(),
        old_migrate_version: None,
    };
    contract::migrate(deps, env, msg, info)
}

/// The account that creates the contracts of the tests and is their admin.
pub fn owner() -> Addr {
    account(1_000_000)
}

/// An account with an address of 20 bytes, like those of keys.
pub fn account(number: u64) -> Addr {
    addr_of(&some_bytes(number, 20))
}

/// An account with an address of 32 bytes, like those of contracts.
pub fn long_account(number: u64) -> Addr {
    addr_of(&some_bytes(number, 32))
}

pub fn addr_of(bytes: &[u8]) -> Addr {
    ChainApi::new()
        .addr_humanize(&CanonicalAddr::from(bytes))
        .unwrap()
}

pub fn some_bytes(number: u64, length: usize) -> Vec<u8> {
    let mut state = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..8).for_each(|_| {
        next();
    });
    (0..length).map(|_| next()).collect()
}

/// The row of a packed batch, written independently from its description.
pub fn packed_row(addr: &Addr, score: u64) -> Vec<u8> {
    let address = ChainApi::new().addr_canonicalize(addr.as_str()).unwrap();
    let mut row = vec![address.len() as u8];
    row.extend_from_slice(&address);
    let mut digits = vec![];
    let mut rest = score;
    loop {
        digits.push((rest % 128) as u8);
        rest /= 128;
        if rest == 0 {
            break;
        }
    }
    let last = digits.len() - 1;
    digits[..last].iter_mut().for_each(|digit| *digit += 128);
    row.extend(digits);
    row
}

pub fn packed(rows: &[(Addr, u64)]) -> cosmwasm_std::Binary {
    let bytes: Vec<u8> = rows
        .iter()
        .flat_map(|(addr, score)| packed_row(addr, *score))
        .collect();
    bytes.into()
}

pub fn texts(rows: &[(Addr, u64)]) -> Vec<(String, u64)> {
    rows.iter().map(|(a, s)| (a.to_string(), *s)).collect()
}

/// The events of the contract itself, without the chain's and without the contract's address.
pub fn own_events(response: &AppResponse) -> Vec<(String, Vec<String>)> {
    let own = |event: &&Event| event.ty.starts_with("wasm-");
    response
        .events
        .iter()
        .filter(own)
        .map(|event| {
            let attributes = event.attributes.iter().skip(1);
            let texts = attributes.map(|a| format!("{}={}", a.key, a.value));
            (event.ty["wasm-".len()..].to_string(), texts.collect())
        })
        .collect()
}

pub fn event(name: &str, attributes: &[&str]) -> (String, Vec<String>) {
    let attributes = attributes.iter().map(|text| text.to_string());
    (name.to_string(), attributes.collect())
}

impl Suite {
    pub fn new() -> Self {
        Self::with_stage(1)
    }

    pub fn with_stage(init_stage: u64) -> Self {
        let mut app = new_app();
        let owner = owner();
        let member = account(1_000_001);
        let stranger = account(1_000_002);
        let code = app.store_code(our_code());
        let msg = InstantiateMsg {
            allow_list: vec![member.to_string()],
            init_stage,
        };
        let contract = app
            .instantiate_contract(
                code,
                owner.clone(),
                &msg,
                &[],
                "vip",
                Some(owner.to_string()),
            )
            .unwrap();
        Suite {
            app,
            contract,
            owner,
            member,
            stranger,
        }
    }

    pub fn send(&mut self, from: &Addr, msg: &ExecuteMsg) -> Result<AppResponse, ContractError> {
        self.send_with(from, msg, &[])
    }

    pub fn send_with(
        &mut self,
        from: &Addr,
        msg: &ExecuteMsg,
        coins: &[Coin],
    ) -> Result<AppResponse, ContractError> {
        self.app
            .execute_contract(from.clone(), self.contract.clone(), msg, coins)
            .map_err(contract_error)
    }

    /// Sends as the first member.
    pub fn write(&mut self, msg: &ExecuteMsg) -> Result<AppResponse, ContractError> {
        let member = self.member.clone();
        self.send(&member, msg)
    }

    pub fn update(
        &mut self,
        stage: u64,
        rows: &[(Addr, u64)],
    ) -> Result<AppResponse, ContractError> {
        let scores = texts(rows);
        self.write(&ExecuteMsg::UpdateScores { stage, scores })
    }

    pub fn finalize(&mut self, stage: u64) -> Result<AppResponse, ContractError> {
        self.write(&ExecuteMsg::FinalizeStage { stage })
    }

    pub fn ask<T: DeserializeOwned>(&self, msg: &QueryMsg) -> T {
        self.try_ask(msg).unwrap()
    }

    pub fn try_ask<T: DeserializeOwned>(&self, msg: &QueryMsg) -> Result<T, String> {
        self.app
            .wrap()
            .query_wasm_smart(&self.contract, msg)
            .map_err(|error| error.to_string())
    }

    pub fn stage(&self, stage: u64) -> StageResponse {
        self.ask(&QueryMsg::GetStage { stage })
    }

    pub fn score(&self, stage: u64, addr: &Addr) -> Option<u64> {
        let addrs = vec![addr.to_string()];
        let answer: vip_score::msg::ScoresOfResponse =
            self.ask(&QueryMsg::GetScoresOf { stage, addrs });
        answer.scores[0]
    }

    /// One page of `get_scores`.
    pub fn page(&self, stage: u64, limit: u64, start_after: Option<&str>) -> Vec<(Addr, u64)> {
        let answer: ScoresResponse = self.ask(&QueryMsg::GetScores {
            stage,
            limit,
            start_after: start_after.map(str::to_string),
        });
        assert!(answer.scores.iter().all(|row| row.stage == stage));
        let rows = answer.scores.into_iter();
        rows.map(|row| (row.addr, row.score)).collect()
    }

    /// The whole stage through `get_scores`, as a client of the reference contract reads it.
    pub fn all_by_get_scores(&self, stage: u64, limit: u64) -> Vec<(Addr, u64)> {
        let mut all: Vec<(Addr, u64)> = vec![];
        loop {
            let last = all.last().map(|(addr, _)| addr.clone());
            let page = self.page(stage, limit, last.as_ref().map(Addr::as_str));
            let is_last = (page.len() as u64) < limit;
            all.extend(page);
            if is_last {
                return all;
            }
        }
    }

    /// The whole stage through `get_scores_from`.
    pub fn all_by_get_scores_from(&self, stage: u64, limit: u64) -> Vec<(Addr, u64)> {
        let mut all = vec![];
        let mut from = None;
        loop {
            let answer: ScoresFromResponse =
                self.ask(&QueryMsg::GetScoresFrom { stage, from, limit });
            assert!(answer.scores.len() <= 1000);
            all.extend(answer.scores.into_iter().map(|row| (row.addr, row.score)));
            match answer.next {
                Some(next) => from = Some(next.into_string()),
                None => return all,
            }
        }
    }

    /// Everything in the contract's storage.
    pub fn raw_state(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let storage: &dyn Storage = &*self.app.contract_storage(&self.contract);
        storage
            .range(None, None, cosmwasm_std::Order::Ascending)
            .collect()
    }
}

pub fn contract_error(error: Error) -> ContractError {
    error
        .downcast::<ContractError>()
        .expect("the contract's own error")
}
