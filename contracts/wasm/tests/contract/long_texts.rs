//! Texts of any length fail with the contract's own errors: the VM stops a contract that touches a key above 64 KiB, or that
//! passes an address above 256 bytes.

use crate::suite::*;
use cosmwasm_std::testing::{message_info, mock_env, MockQuerier, MockStorage};
use cosmwasm_std::{from_json, Addr, Empty, Env, MigrateInfo, Order, OwnedDeps, Record, Storage};
use vip_score::contract::{execute, instantiate, migrate, query};
use vip_score::msg::{
    ExecuteMsg, InstantiateMsg, MembersResponse, MigrateMsg, QueryMsg, ScoresFromResponse,
    ScoresResponse,
};
use vip_score::ContractError;

/// The longest text that the reference contract can have stored in a row.
const LONGEST: usize = 65_520;

/// Storage with the VM's limit.
#[derive(Default)]
struct VmStorage(MockStorage);

fn check(key: &[u8]) -> &[u8] {
    assert!(key.len() <= 64 * 1024, "the VM stops the contract");
    key
}

impl Storage for VmStorage {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.0.get(check(key))
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        self.0.set(check(key), value);
    }

    fn remove(&mut self, key: &[u8]) {
        self.0.remove(check(key));
    }

    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        self.0.range(start.map(check), end.map(check), order)
    }
}

struct Chain {
    deps: OwnedDeps<VmStorage, ChainApi, MockQuerier<Empty>>,
    env: Env,
}

impl Chain {
    fn new() -> Self {
        let mut env = mock_env();
        env.contract.address = long_account(1);
        let deps = OwnedDeps {
            storage: VmStorage::default(),
            api: ChainApi::new(),
            querier: MockQuerier::<Empty>::default(),
            custom_query_type: std::marker::PhantomData,
        };
        Chain { deps, env }
    }

    fn instantiate(&mut self, member: &str) -> Result<(), ContractError> {
        let msg = InstantiateMsg {
            allow_list: vec![member.to_string()],
            init_stage: 1,
        };
        let info = message_info(&owner(), &[]);
        instantiate(self.deps.as_mut(), self.env.clone(), info, msg).map(drop)
    }

    /// A migrated contract: stage 1 is open, in the reference contract's form, with these texts at 1, 2, ...
    fn of_reference(texts: &[&str]) -> Self {
        let mut chain = Chain::new();
        chain.instantiate(account(1).as_str()).unwrap();
        let storage = &mut chain.deps.storage;
        storage.remove(b"contract_info");
        let record = br#"{"stage":1,"total_score":0,"is_finalized":false}"#;
        storage.set(b"\x00\x06stages\0\0\0\0\0\0\0\x01", record);
        for (text, score) in texts.iter().zip(1..) {
            let key = [b"\x00\x06scores\0\0\0\0\0\0\0\x01", text.as_bytes()].concat();
            storage.set(&key, score.to_string().as_bytes());
        }
        let info = MigrateInfo {
            sender: owner(),
            old_migrate_version: None,
        };
        let env = chain.env.clone();
        migrate(chain.deps.as_mut(), env, MigrateMsg {}, info).unwrap();
        chain
    }

    fn send(&mut self, sender: &Addr, msg: ExecuteMsg) -> Result<(), ContractError> {
        let info = message_info(sender, &[]);
        execute(self.deps.as_mut(), self.env.clone(), info, msg).map(drop)
    }

    fn ask<T: serde::de::DeserializeOwned>(&self, msg: QueryMsg) -> Result<T, ContractError> {
        let answer = query(self.deps.as_ref(), self.env.clone(), msg)?;
        Ok(from_json(answer).unwrap())
    }

    fn page(&self, start_after: &str) -> Result<Vec<String>, ContractError> {
        let answer: ScoresResponse = self.ask(QueryMsg::GetScores {
            stage: 1,
            limit: 10,
            start_after: Some(start_after.to_string()),
        })?;
        let rows = answer.scores.into_iter();
        Ok(rows.map(|row| row.addr.into_string()).collect())
    }

    fn page_from(&self, from: &str) -> Result<Vec<String>, ContractError> {
        let answer: ScoresFromResponse = self.ask(QueryMsg::GetScoresFrom {
            stage: 1,
            limit: 10,
            from: Some(from.to_string()),
        })?;
        let rows = answer.scores.into_iter();
        Ok(rows.map(|row| row.addr.into_string()).collect())
    }
}

fn assert_all_refused(chain: &mut Chain) {
    let (member, owner) = (account(1), owner());
    for length in [129, 257, LONGEST, LONGEST + 1, 65_536, 65_537, 300_000] {
        let text = "x".repeat(length);
        let invalid = ContractError::InvalidAddress {
            addr: text[..128].to_string(),
            reason: "longer than 128 bytes".to_string(),
        };
        let (addr, stage, amount) = (text.clone(), 1, 5);
        let scores = vec![(account(2).into_string(), 1), (addr.clone(), 1)];
        let nobody = Addr::unchecked(&text);
        for (sender, msg) in [
            (&member, ExecuteMsg::UpdateScores { stage, scores }),
            (
                &member,
                ExecuteMsg::UpdateScore {
                    addr: addr.clone(),
                    stage,
                    amount,
                },
            ),
            (
                &member,
                ExecuteMsg::IncreaseScore {
                    addr: addr.clone(),
                    stage,
                    amount,
                },
            ),
            (
                &member,
                ExecuteMsg::DecreaseScore {
                    addr: addr.clone(),
                    stage,
                    amount,
                },
            ),
            (&member, add_member(&nobody)),
            (&member, ExecuteMsg::RemoveAllowList { addr: addr.clone() }),
            (&owner, transfer(&nobody)),
            (&owner, set_finalizer(Some(&nobody))),
        ] {
            assert_eq!(chain.send(sender, msg).unwrap_err(), invalid, "{length}");
        }
        for msg in [
            QueryMsg::GetScore {
                addr: addr.clone(),
                stage,
            },
            QueryMsg::GetScoresOf {
                stage,
                addrs: vec![addr.clone()],
            },
            QueryMsg::IsMember { addr },
        ] {
            let error = chain.ask::<serde_json::Value>(msg).unwrap_err();
            assert_eq!(error, invalid, "{length}");
        }
        let members = chain.ask::<MembersResponse>(QueryMsg::GetMembers {
            start_after: Some(text.clone()),
            limit: None,
        });
        let (after, from) = (chain.page(&text), chain.page_from(&text));
        if length > LONGEST {
            let too_long = ContractError::TextTooLong {
                bytes: length,
                max: LONGEST,
            };
            assert_eq!(members.unwrap_err(), too_long);
            assert_eq!(after.unwrap_err(), too_long);
            assert_eq!(from.unwrap_err(), too_long);
        } else {
            assert!(members.unwrap().members.is_empty());
            assert!(after.unwrap().is_empty());
            assert!(from.unwrap().is_empty());
        }
    }
}

#[test]
fn long_texts_are_refused_in_a_stage_with_pages() {
    let mut chain = Chain::new();
    let long = "x".repeat(70_000);
    let error = chain.instantiate(&long).unwrap_err();
    assert!(matches!(error, ContractError::InvalidAddress { .. }));
    let mut chain = Chain::new();
    chain.instantiate(account(1).as_str()).unwrap();
    assert_all_refused(&mut chain);
}

#[test]
fn long_texts_are_refused_in_a_stage_of_the_reference_contract() {
    assert_all_refused(&mut Chain::of_reference(&["", "a", account(3).as_str()]));
}

#[test]
fn the_longest_text_of_the_reference_contract_is_read_and_written() {
    let (a, b) = ("w".repeat(LONGEST), format!("{}x", "w".repeat(LONGEST - 1)));
    let mut chain = Chain::of_reference(&[&a, "junk", &b]);
    assert_eq!(chain.page("junk").unwrap(), [a.clone(), b.clone()]);
    assert_eq!(chain.page(&a).unwrap(), std::slice::from_ref(&b));
    assert_eq!(chain.page(&b).unwrap(), [""; 0]);
    assert_eq!(chain.page_from(&b).unwrap(), std::slice::from_ref(&b));
    let scores = vec![(b, 0)];
    let msg = ExecuteMsg::UpdateScores { stage: 1, scores };
    chain.send(&account(1), msg).unwrap();
    let answer: serde_json::Value = chain.ask(QueryMsg::GetStageInfo { stage: 1 }).unwrap();
    assert_eq!(answer["total_score"], 3);
}
