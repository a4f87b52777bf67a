//! Random sequences of messages against a model of docs/spec.md.

use std::collections::{BTreeMap, BTreeSet};

use crate::suite::*;
use cosmwasm_std::Addr;
use proptest::prelude::*;
use vip_score::msg::{ExecuteMsg, MembersResponse, QueryMsg};
use vip_score::testing::random;
use vip_score::ContractError;

const SEQUENCES: u32 = 500;
const ACCOUNTS: u64 = 60;
const SENDERS: u64 = 4;

#[derive(Default)]
struct ModelStage {
    scores: BTreeMap<Addr, u64>,
    revision: u64,
    is_finalized: bool,
}

impl ModelStage {
    fn total(&self) -> u128 {
        self.scores.values().map(|score| u128::from(*score)).sum()
    }
}

struct Model {
    owner: Addr,
    finalizer: Option<Addr>,
    members_can_manage: bool,
    members: BTreeSet<Addr>,
    stages: BTreeMap<u64, ModelStage>,
}

impl Model {
    fn new(suite: &Suite) -> Self {
        Model {
            owner: suite.owner.clone(),
            finalizer: None,
            members_can_manage: true,
            members: BTreeSet::from([suite.member.clone()]),
            stages: BTreeMap::from([(1, ModelStage::default())]),
        }
    }

    /// What the message does, or the name of the error that it fails with.
    fn apply(&mut self, sender: &Addr, call: &Call) -> Result<(), &'static str> {
        let is_member = self.members.contains(sender);
        let is_owner = *sender == self.owner;
        let is_manager = is_owner || (is_member && self.members_can_manage);
        match call {
            Call::Add(_) | Call::Remove(_) if !is_manager => return Err("PermissionDenied"),
            Call::Add(addr) => drop(self.members.insert(addr.clone())),
            Call::Remove(addr) => {
                if self.members.contains(addr) && self.members.len() == 1 {
                    return Err("LastMember");
                }
                self.members.remove(addr);
            }
            Call::SetMembers(_) | Call::SetFinalizer(_) | Call::SetMembersCanManage(_) if !is_owner => {
                return Err("NotOwner")
            }
            Call::SetMembers(addrs) if addrs.is_empty() => return Err("NoMembers"),
            Call::SetMembers(addrs) => self.members = addrs.iter().cloned().collect(),
            Call::SetFinalizer(addr) => self.finalizer.clone_from(addr),
            Call::SetMembersCanManage(allowed) => self.members_can_manage = *allowed,
            Call::Finalize(number, expected) => {
                let may_finalize = match &self.finalizer {
                    Some(finalizer) => finalizer == sender,
                    None => is_member,
                };
                if !may_finalize {
                    return Err("PermissionDenied");
                }
                let stage = self.open(*number)?;
                let found = (stage.total(), stage.scores.len(), stage.revision);
                let is_expected =
                    expected.is_none_or(|(total, count, revision)| (u128::from(total), count, revision) == found);
                if !is_expected {
                    return Err("FinalizeMismatch");
                }
                stage.is_finalized = true;
                if let Some(next) = number.checked_add(1) {
                    self.stages.insert(next, ModelStage::default());
                }
            }
            Call::Write(..) if !is_member => return Err("PermissionDenied"),
            Call::Write(number, rows, _) => {
                let stage = self.open(*number)?;
                let before = stage.scores.clone();
                for (addr, change) in rows {
                    let score = stage.scores.get(addr).copied();
                    let next = match change {
                        Change::Set(amount) => Ok(*amount),
                        Change::Increase(amount) => score.unwrap_or(0).checked_add(*amount).ok_or("ScoreOverflow"),
                        Change::Decrease(amount) => score.unwrap_or(0).checked_sub(*amount).ok_or("InsufficientScore"),
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
                stage.revision += u64::from(!rows.is_empty());
            }
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
    Finalize(u64, Option<(u64, usize, u64)>),
    Add(Addr),
    Remove(Addr),
    SetMembers(Vec<Addr>),
    SetFinalizer(Option<Addr>),
    SetMembersCanManage(bool),
}

fn message(call: &Call) -> ExecuteMsg {
    match call {
        Call::Add(addr) => ExecuteMsg::AddAllowList { addr: addr.to_string() },
        Call::Remove(addr) => ExecuteMsg::RemoveAllowList { addr: addr.to_string() },
        Call::SetMembers(addrs) => set_members(addrs),
        Call::Finalize(stage, None) => ExecuteMsg::FinalizeStage { stage: *stage },
        Call::Finalize(stage, Some((total, count, revision))) => checked(*stage, *total, *count as u64, *revision),
        Call::SetFinalizer(addr) => set_finalizer(addr.as_ref()),
        Call::SetMembersCanManage(allowed) => set_members_can_manage(*allowed),
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
    (0..ACCOUNTS).prop_map(|n| if n % 4 == 0 { long_account(n) } else { account(n) })
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
        prop_oneof![amount().prop_map(Change::Increase), amount().prop_map(Change::Decrease)],
    );
    prop_oneof![
        10 => (stage(), prop::collection::vec(set, 0..40), any::<bool>())
            .prop_map(|(stage, rows, is_packed)| Call::Write(stage, rows, is_packed)),
        6 => (stage(), one).prop_map(|(stage, row)| Call::Write(stage, vec![row], false)),
        1 => stage().prop_map(|stage| Call::Finalize(stage, None)),
        1 => (stage(), 0..3u64, 0..3usize, 0..3u64)
            .prop_map(|(stage, total, count, revision)| Call::Finalize(stage, Some((total, count, revision)))),
        1 => prop::option::of((0..SENDERS).prop_map(account)).prop_map(Call::SetFinalizer),
        1 => any::<bool>().prop_map(Call::SetMembersCanManage),
        1 => (0..SENDERS).prop_map(|n| Call::Add(account(n))),
        1 => (0..SENDERS).prop_map(|n| Call::Remove(account(n))),
        1 => prop::collection::vec((0..SENDERS).prop_map(account), 0..4).prop_map(Call::SetMembers),
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
        assert_eq!(found.revision, stage.revision);
        let rows: Vec<_> = stage.scores.clone().into_iter().collect();
        let rows = in_order(&rows);
        assert_eq!(suite.all_by_get_scores(*number, 7), rows);
        assert_eq!(suite.all_by_get_scores_from(*number, 1000), rows);
    }
    let members: MembersResponse = suite.ask(&QueryMsg::GetMembers {
        start_after: None,
        limit: None,
    });
    assert!(members.members.iter().eq(&model.members));
    assert_eq!(suite.member_count(), model.members.len() as u64);
}

#[test]
fn any_sequence_of_messages_does_what_the_model_does() {
    let calls = prop::collection::vec((0..SENDERS, call()), 1..40);
    random::run(SEQUENCES, calls, |calls| {
        let mut suite = Suite::new();
        let mut model = Model::new(&suite);
        for (sender, call) in calls {
            let sender = match sender {
                0 => account(0),
                1 => suite.owner.clone(),
                _ => suite.member.clone(),
            };
            let expected = model.apply(&sender, &call);
            let found = suite.send(&sender, &message(&call));
            let found = found.map(drop).map_err(|error| name_of(&error));
            assert_eq!(found, expected.map_err(str::to_string), "{call:?}");
        }
        assert_same(&suite, &model);
        Ok(())
    });
}
