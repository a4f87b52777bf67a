//! Random sequences of messages against a model of docs/spec.md. Set `FUZZ_SEED` to run a printed seed again.

use std::collections::{BTreeMap, BTreeSet};

use crate::suite::*;
use cosmwasm_std::Addr;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use vip_score::msg::{ExecuteMsg, MembersResponse, QueryMsg};
use vip_score::ContractError;

const SEQUENCES: u32 = 60;
const ACCOUNTS: u64 = 60;
const SENDERS: u64 = 4;

#[derive(Default)]
struct ModelStage {
    scores: BTreeMap<Addr, u64>,
    is_finalized: bool,
}

impl ModelStage {
    fn total(&self) -> u128 {
        self.scores.values().map(|score| u128::from(*score)).sum()
    }
}

struct Model {
    members: BTreeSet<Addr>,
    stages: BTreeMap<u64, ModelStage>,
}

impl Model {
    /// What the message does, or the name of the error that it fails with.
    fn apply(&mut self, sender: &Addr, call: &Call) -> Result<(), &'static str> {
        let is_member = self.members.contains(sender);
        match call {
            Call::Add(addr) if is_member => drop(self.members.insert(addr.clone())),
            Call::Remove(addr) if is_member => {
                if self.members.contains(addr) && self.members.len() == 1 {
                    return Err("LastMember");
                }
                self.members.remove(addr);
            }
            _ if !is_member => return Err("PermissionDenied"),
            Call::Finalize(number, expected) => {
                let stage = self.open(*number)?;
                let found = (stage.total(), stage.scores.len());
                if expected.is_some_and(|(total, count)| (u128::from(total), count) != found) {
                    return Err("FinalizeMismatch");
                }
                stage.is_finalized = true;
                if let Some(next) = number.checked_add(1) {
                    self.stages.insert(next, ModelStage::default());
                }
            }
            Call::Write(number, rows, _) => {
                let stage = self.open(*number)?;
                let before = stage.scores.clone();
                for (addr, change) in rows {
                    let score = stage.scores.get(addr).copied();
                    let next = match change {
                        Change::Set(amount) => Ok(*amount),
                        Change::Increase(amount) => score
                            .unwrap_or(0)
                            .checked_add(*amount)
                            .ok_or("ScoreOverflow"),
                        Change::Decrease(amount) => score
                            .unwrap_or(0)
                            .checked_sub(*amount)
                            .ok_or("InsufficientScore"),
                    };
                    let result = next.and_then(|next| {
                        stage.scores.insert(addr.clone(), next);
                        let fits = stage.total() <= u128::from(MAX);
                        fits.then_some(()).ok_or("TotalOverflow")
                    });
                    if result.is_err() {
                        stage.scores = before;
                        return result;
                    }
                }
            }
            Call::Add(_) | Call::Remove(_) => unreachable!("answered above"),
        }
        Ok(())
    }

    fn open(&mut self, number: u64) -> Result<&mut ModelStage, &'static str> {
        match self.stages.get_mut(&number) {
            None => Err("StageNotFound"),
            Some(stage) if stage.is_finalized => Err("StageFinalized"),
            Some(stage) => Ok(stage),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Set(u64),
    Increase(u64),
    Decrease(u64),
}

#[derive(Clone, Debug)]
enum Call {
    Write(u64, Vec<(Addr, Change)>, bool),
    Finalize(u64, Option<(u64, usize)>),
    Add(Addr),
    Remove(Addr),
}

fn message(call: &Call) -> ExecuteMsg {
    match call {
        Call::Add(addr) => ExecuteMsg::AddAllowList {
            addr: addr.to_string(),
        },
        Call::Remove(addr) => ExecuteMsg::RemoveAllowList {
            addr: addr.to_string(),
        },
        Call::Finalize(stage, None) => ExecuteMsg::FinalizeStage { stage: *stage },
        Call::Finalize(stage, Some((total, count))) => checked(*stage, *total, *count as u64, None),
        Call::Write(stage, rows, is_packed) => {
            let stage = *stage;
            let set: Vec<_> = rows
                .iter()
                .filter_map(|(addr, change)| match change {
                    Change::Set(amount) => Some((addr.clone(), *amount)),
                    _ => None,
                })
                .collect();
            match rows.as_slice() {
                [(addr, Change::Increase(amount))] => ExecuteMsg::IncreaseScore {
                    addr: addr.to_string(),
                    stage,
                    amount: *amount,
                },
                [(addr, Change::Decrease(amount))] => ExecuteMsg::DecreaseScore {
                    addr: addr.to_string(),
                    stage,
                    amount: *amount,
                },
                _ if *is_packed => packed_bytes(stage, packed(&set)),
                _ => ExecuteMsg::UpdateScores {
                    stage,
                    scores: texts(&set),
                },
            }
        }
    }
}

fn some_account() -> impl Strategy<Value = Addr> {
    (0..ACCOUNTS).prop_map(|n| {
        if n % 4 == 0 {
            long_account(n)
        } else {
            account(n)
        }
    })
}

fn amount() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => 0..5000u64,
        2 => Just(ABOVE_DOUBLES),
        1 => (MAX - 3)..=MAX,
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let stage = || prop_oneof![30 => 1..4u64, 1 => Just(0), 1 => Just(MAX)];
    let set = (some_account(), amount().prop_map(Change::Set));
    let one = (
        some_account(),
        prop_oneof![
            amount().prop_map(Change::Increase),
            amount().prop_map(Change::Decrease)
        ],
    );
    prop_oneof![
        10 => (stage(), prop::collection::vec(set, 0..40), any::<bool>())
            .prop_map(|(stage, rows, is_packed)| Call::Write(stage, rows, is_packed)),
        6 => (stage(), one).prop_map(|(stage, row)| Call::Write(stage, vec![row], false)),
        1 => stage().prop_map(|stage| Call::Finalize(stage, None)),
        1 => (stage(), 0..3u64, 0..3usize)
            .prop_map(|(stage, total, count)| Call::Finalize(stage, Some((total, count)))),
        1 => (0..SENDERS).prop_map(|n| Call::Add(account(n))),
        1 => (0..SENDERS).prop_map(|n| Call::Remove(account(n))),
    ]
}

fn name_of(error: &ContractError) -> String {
    let text = error.to_string();
    text.split(':').next().unwrap_or_default().to_string()
}

fn assert_same(suite: &Suite, model: &Model) {
    for (number, stage) in &model.stages {
        let found = suite.stage(*number);
        assert_eq!(u128::from(found.total_score), stage.total());
        assert_eq!(found.count, Some(stage.scores.len() as u64));
        assert_eq!(found.is_finalized, stage.is_finalized);
        let rows: Vec<_> = stage.scores.clone().into_iter().collect();
        assert_eq!(suite.all_by_get_scores(*number, 7), rows);
        assert_eq!(suite.all_by_get_scores_from(*number, 1000), rows);
    }
    let members: MembersResponse = suite.ask(&QueryMsg::GetMembers {
        start_after: None,
        limit: None,
    });
    assert!(members.members.iter().eq(&model.members));
}

#[test]
fn any_sequence_of_messages_does_what_the_model_does() {
    let seed = fuzz_seed();
    println!("FUZZ_SEED={seed}");
    let config = Config {
        cases: SEQUENCES,
        failure_persistence: None,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let calls = prop::collection::vec((0..SENDERS, call()), 1..40);
    TestRunner::new_with_rng(config, rng)
        .run(&calls, |calls| {
            let mut suite = Suite::new();
            let first = suite.member.clone();
            let mut model = Model {
                members: BTreeSet::from([first.clone()]),
                stages: BTreeMap::from([(1, ModelStage::default())]),
            };
            for (sender, call) in calls {
                let sender = if sender == 0 {
                    account(0)
                } else {
                    first.clone()
                };
                let expected = model.apply(&sender, &call);
                let found = suite.send(&sender, &message(&call));
                let found = found.map(drop).map_err(|error| name_of(&error));
                assert_eq!(found, expected.map_err(str::to_string), "{call:?}");
            }
            assert_same(&suite, &model);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("FUZZ_SEED={seed}: {error}"));
}

fn fuzz_seed() -> u64 {
    match std::env::var("FUZZ_SEED") {
        Ok(text) => text.parse().expect("FUZZ_SEED is a number"),
        Err(_) => {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.expect("a clock after 1970").as_nanos() as u64
        }
    }
}
