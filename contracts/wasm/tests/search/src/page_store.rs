//! The invariants of the pages of a stage (top of `src/pages.rs`), and of stages (R3 to R7, R21), after every call of
//! random sequences over addresses that share long prefixes.

use std::collections::{BTreeMap, BTreeSet};

use crate::suite::*;
use cosmwasm_std::Addr;
use proptest::prelude::*;
use vip_score::msg::ExecuteMsg;
use vip_score::testing::random;

const STAGES: u64 = 3;

type Entries = Vec<(Vec<u8>, Vec<u8>)>;

#[derive(Clone, Debug)]
enum Call {
    /// Rows in one message.
    Write(Vec<(Vec<u8>, u64)>, Form),
    /// Offsets from the stage's sum, count and revision: zero, up or down.
    FinalizeChecked(i8, i8, i8),
    Finalize,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Plain,
    Packed,
    Increase,
    Decrease,
}

#[derive(Default)]
struct Stage {
    scores: BTreeMap<Addr, u64>,
    calls: u64,
    /// All of its entries in storage, once it is finalized.
    frozen: Option<Entries>,
}

impl Stage {
    fn total(&self) -> u64 {
        self.scores.values().sum()
    }
}

/// The entries of the storage whose keys start with these bytes.
fn entries(suite: &Suite, beginning: &[u8]) -> Entries {
    let state = suite.raw_state().into_iter();
    state.filter(|(key, _)| key.starts_with(beginning)).collect()
}

fn entries_of_stage(suite: &Suite, stage: u64) -> Entries {
    let number = stage.to_be_bytes();
    let mut found = entries(suite, &[&[1], number.as_slice()].concat());
    found.extend(entries(suite, &[b"\x00\x0dstage_records", number.as_slice()].concat()));
    found
}

/// The invariants at the top of `src/pages.rs`. Returns the low keys.
fn assert_pages(suite: &Suite, stage: u64, count: usize) -> BTreeSet<Vec<u8>> {
    let pages = layout::pages(suite, stage);
    assert_eq!(pages.is_empty(), count == 0);
    assert!(pages.first().is_none_or(|(low, _)| low.is_empty()));
    let least = if pages.len() == 1 { 1 } else { 5 };
    for (i, (low, rows)) in pages.iter().enumerate() {
        assert!((least..=10).contains(&rows.len()), "{} rows", rows.len());
        assert!(rows.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(rows.iter().all(|(key, _)| [20, 32].contains(&key.len())));
        assert!(*low <= rows[0].0);
        if let Some((next, _)) = pages.get(i + 1) {
            assert!(rows.last().unwrap().0 < *next);
        }
    }
    assert_eq!(pages.iter().map(|(_, rows)| rows.len()).sum::<usize>(), count);
    pages.into_iter().map(|(low, _)| low).collect()
}

fn message(stage: u64, rows: &[(Addr, u64)], form: Form) -> ExecuteMsg {
    let one = |(addr, amount): &(Addr, u64)| (addr.to_string(), *amount);
    match (form, rows.first().map(one)) {
        (Form::Increase, Some((addr, amount))) => ExecuteMsg::IncreaseScore { addr, stage, amount },
        (Form::Decrease, Some((addr, amount))) => ExecuteMsg::DecreaseScore { addr, stage, amount },
        (Form::Packed, _) => packed_bytes(stage, packed(rows)),
        _ => ExecuteMsg::UpdateScores {
            stage,
            scores: texts(rows),
        },
    }
}

/// Applies the message to the model; false if the contract must refuse it.
fn apply(stage: &mut Stage, rows: &[(Addr, u64)], form: Form) -> bool {
    let is_one = matches!(form, Form::Increase | Form::Decrease);
    let rows = if is_one { &rows[..rows.len().min(1)] } else { rows };
    for (addr, amount) in rows {
        let score = stage.scores.get(addr).copied().unwrap_or(0);
        let next = match form {
            Form::Increase => score + amount,
            Form::Decrease if *amount > score => return false,
            Form::Decrease => score - amount,
            Form::Plain | Form::Packed => *amount,
        };
        stage.scores.insert(addr.clone(), next);
    }
    stage.calls += u64::from(!rows.is_empty());
    true
}

/// Addresses of 20 and 32 bytes that share long prefixes, even beyond 20 bytes.
fn clustered_address() -> impl Strategy<Value = Vec<u8>> {
    let base = (0..3u8).prop_map(|n| [0, 0x5a, 255][n as usize]);
    let shared = prop_oneof![Just(0usize), Just(4), Just(17), Just(19), Just(20), Just(31)];
    let tail = prop::collection::vec(prop_oneof![Just(0u8), Just(255), 0..4u8, any::<u8>()], 32);
    (base, shared, tail, any::<bool>()).prop_map(|(base, shared, mut tail, is_long)| {
        tail[..shared].fill(base);
        tail.truncate(if is_long { 32 } else { 20 });
        tail
    })
}

fn call() -> impl Strategy<Value = Call> {
    let row = (clustered_address(), 0..1000u64);
    let form = prop_oneof![
        Just(Form::Plain),
        Just(Form::Packed),
        Just(Form::Increase),
        Just(Form::Decrease)
    ];
    let off = || prop_oneof![4 => Just(0i8), 1 => Just(1), 1 => Just(-1)];
    prop_oneof![
        12 => (prop::collection::vec(row, 0..40), form).prop_map(|(rows, form)| Call::Write(rows, form)),
        2 => (off(), off(), off()).prop_map(|(t, c, r)| Call::FinalizeChecked(t, c, r)),
        1 => Just(Call::Finalize),
    ]
}

fn run(calls: Vec<(u64, Call)>) -> Result<(), String> {
    let mut suite = Suite::new();
    let mut stages: BTreeMap<u64, Stage> = BTreeMap::from([(1, Stage::default())]);
    let mut lows: BTreeMap<u64, BTreeSet<Vec<u8>>> = BTreeMap::new();
    for (number, call) in calls {
        let stage = stages.get_mut(&number);
        let open = stage.filter(|stage| stage.frozen.is_none());
        match call {
            Call::Write(rows, form) => {
                let rows: Vec<_> = rows.iter().map(|(a, s)| (addr_of(a), *s)).collect();
                let is_right = open.is_some_and(|stage| apply(stage, &rows, form));
                assert_eq!(suite.write(&message(number, &rows, form)).is_ok(), is_right);
            }
            Call::Finalize | Call::FinalizeChecked(..) => {
                let (msg, is_right) = match (call, open) {
                    (Call::FinalizeChecked(total, count, revision), Some(stage)) => {
                        let found = suite.stage(number);
                        let by = |value: u64, off: i8| value.wrapping_add_signed(off.into());
                        let msg = checked(
                            number,
                            by(stage.total(), total),
                            by(stage.scores.len() as u64, count),
                            by(found.revision, revision),
                        );
                        (msg, (total, count, revision) == (0, 0, 0))
                    }
                    (_, open) => (ExecuteMsg::FinalizeStage { stage: number }, open.is_some()),
                };
                assert_eq!(suite.write(&msg).is_ok(), is_right);
                if is_right {
                    let frozen = entries_of_stage(&suite, number);
                    stages.get_mut(&number).unwrap().frozen = Some(frozen);
                    stages.insert(number + 1, Stage::default());
                }
            }
        }
        for (number, stage) in &stages {
            let found = suite.stage(*number);
            assert_eq!(found.total_score, stage.total());
            assert_eq!(found.count, Some(stage.scores.len() as u64));
            assert_eq!(found.revision, stage.calls);
            assert_eq!(found.is_finalized, stage.frozen.is_some());
            let new = assert_pages(&suite, *number, stage.scores.len());
            let old = lows.insert(*number, new.clone()).unwrap_or_default();
            assert!(old.is_subset(&new), "a low key is gone");
            if let Some(frozen) = &stage.frozen {
                assert_eq!(entries_of_stage(&suite, *number), *frozen);
            }
        }
    }
    for (number, stage) in &stages {
        let rows: Vec<_> = stage.scores.clone().into_iter().collect();
        let rows = in_order(&rows);
        assert_eq!(suite.all_by_get_scores(*number, 7), rows);
        assert_eq!(suite.all_by_get_scores_from(*number, 1000), rows);
    }
    let first = stages
        .keys()
        .map(|number| entries(&suite, &[&[1], number.to_be_bytes().as_slice()].concat()));
    let pages: usize = first.map(|entries| entries.len()).sum();
    assert_eq!(entries(&suite, &[1]).len(), pages, "an entry is in no stage");
    Ok(())
}

#[test]
fn invariants_hold_after_every_call() {
    let calls = prop::collection::vec((1..=STAGES, call()), 1..30);
    random::run(30, calls, run);
}

/// One stage that grows by small batches, so that pages are split many times.
#[test]
fn pages_stay_in_order_while_a_stage_grows() {
    let row = || (clustered_address(), any::<u32>().prop_map(u64::from));
    let batch = prop::collection::vec(row(), 1..8).prop_map(|rows| (1, Call::Write(rows, Form::Plain)));
    random::run(4, prop::collection::vec(batch, 40..60), run);
}
