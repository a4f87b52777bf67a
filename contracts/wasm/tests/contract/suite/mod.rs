//! A contract, its storage, and the calls that tests make to it.

pub mod layout;
pub mod messages;
mod storage;

use cosmwasm_std::testing::{message_info, mock_env, MockApi, MockQuerier};
use cosmwasm_std::{
    from_json, Addr, Api, Binary, CanonicalAddr, Coin, DepsMut, Empty, Env, MigrateInfo, OwnedDeps, Record, Response,
};
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use vip_score::contract;
use vip_score::msg::{
    ExecuteMsg, InstantiateMsg, MemberCountResponse, MembersResponse, MigrateMsg, QueryMsg, ScoresFromResponse,
    ScoresOfResponse, ScoresResponse, StageResponse,
};
use vip_score::ContractError;

pub use messages::*;
pub use storage::VmStorage;

pub const MAX: u64 = u64::MAX;
/// The smallest positive integer that a double cannot hold.
pub const ABOVE_DOUBLES: u64 = (1 << 53) + 1;

pub struct Suite {
    pub deps: OwnedDeps<VmStorage, MockApi, MockQuerier>,
    pub env: Env,
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

/// The address functions of the chain.
fn api() -> MockApi {
    MockApi::default().with_prefix("init")
}

/// An account with an address of 20 bytes, like those of keys.
pub fn account(number: u64) -> Addr {
    addr_of(&some_bytes(number, 20))
}

/// An account with an address of 32 bytes, like those of contracts.
pub fn long_account(number: u64) -> Addr {
    addr_of(&some_bytes(number, 32))
}

/// The bytes of an address, in whose order rows come.
pub fn bytes_of(addr: &Addr) -> Vec<u8> {
    api().addr_canonicalize(addr.as_str()).unwrap().into()
}

/// Rows in the order of pages.
pub fn in_order(rows: &[(Addr, u64)]) -> Vec<(Addr, u64)> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|(addr, _)| bytes_of(addr));
    rows
}

pub fn addr_of(bytes: &[u8]) -> Addr {
    api().addr_humanize(&CanonicalAddr::from(bytes)).unwrap()
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

/// The events of a call: names and attributes.
pub fn own_events(response: &Response) -> Vec<String> {
    let texts = response.events.iter().map(|event| {
        let attributes = event.attributes.iter();
        let texts = attributes.map(|a| format!(" {}={}", a.key, a.value));
        event.ty.clone() + &texts.collect::<String>()
    });
    texts.collect()
}

impl Suite {
    pub fn new() -> Self {
        Self::with_stage(1)
    }

    pub fn with_stage(init_stage: u64) -> Self {
        let mut suite = Self::without_contract();
        let member = suite.member.to_string();
        suite.instantiate(&[&member], init_stage, &[]).unwrap();
        suite
    }

    pub fn without_contract() -> Self {
        let mut env = mock_env();
        env.contract.address = long_account(1);
        Suite {
            deps: OwnedDeps {
                storage: VmStorage::default(),
                api: api(),
                querier: MockQuerier::<Empty>::default(),
                custom_query_type: PhantomData,
            },
            env,
            owner: account(1_000_000),
            member: account(1_000_001),
            stranger: account(1_000_002),
        }
    }

    /// The same contract again.
    pub fn copy(&self) -> Self {
        let mut copy = Self::without_contract();
        copy.deps.storage = self.deps.storage.clone();
        copy
    }

    /// Makes a call. A failed one leaves no trace, as on a chain.
    pub fn attempt<T, E>(&mut self, call: impl FnOnce(DepsMut, Env) -> Result<T, E>) -> Result<T, E> {
        let before = self.deps.storage.clone();
        let result = call(self.deps.as_mut(), self.env.clone());
        if result.is_err() {
            self.deps.storage = before;
        }
        result
    }

    pub fn instantiate(
        &mut self,
        allow_list: &[&str],
        init_stage: u64,
        coins: &[Coin],
    ) -> Result<Response, ContractError> {
        let msg = InstantiateMsg {
            allow_list: allow_list.iter().map(|text| text.to_string()).collect(),
            init_stage,
            finalizer: None,
            members_can_manage: None,
        };
        self.instantiate_with(msg, coins)
    }

    pub fn instantiate_with(&mut self, msg: InstantiateMsg, coins: &[Coin]) -> Result<Response, ContractError> {
        let info = message_info(&self.owner, coins);
        self.attempt(|deps, env| contract::instantiate(deps, env, info, msg))
    }

    /// Migrates whatever contract has the storage, as its admin.
    pub fn migrate(&mut self) -> Result<Response, ContractError> {
        self.migrate_with(MigrateMsg { allow_list: None })
    }

    pub fn migrate_with(&mut self, msg: MigrateMsg) -> Result<Response, ContractError> {
        let info = MigrateInfo {
            sender: self.owner.clone(),
            old_migrate_version: None,
        };
        self.attempt(|deps, env| contract::migrate(deps, env, msg, info))
    }

    pub fn send(&mut self, from: &Addr, msg: &ExecuteMsg) -> Result<Response, ContractError> {
        self.send_with(from, msg, &[])
    }

    pub fn send_with(&mut self, from: &Addr, msg: &ExecuteMsg, coins: &[Coin]) -> Result<Response, ContractError> {
        let info = message_info(from, coins);
        self.attempt(|deps, env| contract::execute(deps, env, info, msg.clone()))
    }

    /// Sends as the first member.
    pub fn write(&mut self, msg: &ExecuteMsg) -> Result<Response, ContractError> {
        let member = self.member.clone();
        self.send(&member, msg)
    }

    pub fn update(&mut self, stage: u64, rows: &[(Addr, u64)]) -> Result<Response, ContractError> {
        let scores = texts(rows);
        self.write(&ExecuteMsg::UpdateScores { stage, scores })
    }

    pub fn finalize(&mut self, stage: u64) -> Result<Response, ContractError> {
        self.write(&ExecuteMsg::FinalizeStage { stage })
    }

    /// The bytes of an answer.
    pub fn answer(&self, msg: &QueryMsg) -> Result<Binary, ContractError> {
        contract::query(self.deps.as_ref(), self.env.clone(), msg.clone())
    }

    pub fn try_ask<T: DeserializeOwned>(&self, msg: &QueryMsg) -> Result<T, ContractError> {
        Ok(from_json(self.answer(msg)?)?)
    }

    pub fn ask<T: DeserializeOwned>(&self, msg: &QueryMsg) -> T {
        self.try_ask(msg).unwrap()
    }

    pub fn stage(&self, stage: u64) -> StageResponse {
        self.ask(&QueryMsg::GetStage { stage })
    }

    pub fn score(&self, stage: u64, addr: &Addr) -> Option<u64> {
        let addrs = vec![addr.to_string()];
        let answer: ScoresOfResponse = self.ask(&QueryMsg::GetScoresOf { stage, addrs });
        answer.scores[0]
    }

    pub fn members(&self, start_after: Option<&Addr>, limit: Option<u64>) -> Vec<Addr> {
        let start_after = start_after.map(|addr| addr.to_string());
        let answer: MembersResponse = self.ask(&QueryMsg::GetMembers { start_after, limit });
        answer.members
    }

    pub fn member_count(&self) -> u64 {
        let answer: MemberCountResponse = self.ask(&QueryMsg::GetMemberCount {});
        answer.count
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

    /// One page of `get_scores_from`.
    pub fn page_from(&self, stage: u64, limit: u64, from: Option<&str>) -> Result<ScoresFromResponse, ContractError> {
        let from = from.map(str::to_string);
        self.try_ask(&QueryMsg::GetScoresFrom { stage, from, limit })
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
        let mut from: Option<String> = None;
        loop {
            let answer = self.page_from(stage, limit, from.as_deref()).unwrap();
            assert!(answer.scores.len() <= 1000);
            all.extend(answer.scores.into_iter().map(|row| (row.addr, row.score)));
            match answer.next {
                Some(next) => from = Some(next.into_string()),
                None => return all,
            }
        }
    }

    /// Everything in the contract's storage.
    pub fn raw_state(&self) -> Vec<Record> {
        self.deps.storage.entries()
    }
}
