//! The calls of a history.

use std::fmt::{Debug, Formatter};

use cosmwasm_std::{coins, Addr, Binary, Coin, MigrateInfo};
use proptest::option;
use proptest::prelude::*;

use super::accounts::{caller, numbered, stage, OWNER};
use super::json_of;
use super::messages::{any_creation, creation, message, migration};

/// A call of an entry point, in a block after that of the call before it.
#[derive(Clone)]
pub struct Call {
    pub sender: Addr,
    pub funds: Vec<Coin>,
    /// How much higher the block is.
    pub blocks: u64,
    /// How much later the block is.
    pub seconds: u64,
    pub action: Action,
}

#[derive(Clone)]
pub enum Action {
    Instantiate(Binary),
    Execute(Binary),
    /// A checked finalize that expects what the stage holds, or more by these.
    FinalizeChecked(u64, [u64; 3]),
    /// The version is that of the code before, as the contract declares it to the chain.
    Migrate(Binary, MigrateVersion),
    /// Messages that `vip-score` does not have.
    ExecuteOwn(Binary),
    MigrateOwn(Binary, MigrateVersion),
}

type MigrateVersion = Option<u64>;

impl Call {
    /// Whether it creates a contract.
    pub fn is_first(&self) -> bool {
        matches!(self.action, Action::Instantiate(_))
    }

    /// Whether it has a message that `vip-score` does not have.
    pub fn is_own(&self) -> bool {
        matches!(self.action, Action::ExecuteOwn(_) | Action::MigrateOwn(..))
    }

    pub fn migrate_info(&self, old_migrate_version: MigrateVersion) -> MigrateInfo {
        MigrateInfo {
            sender: self.sender.clone(),
            old_migrate_version,
        }
    }
}

impl Debug for Call {
    /// One line: a person reads the shortest history that fails.
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} by {} after {} s", self.action, self.sender, self.seconds)?;
        self.funds.iter().try_for_each(|coin| write!(f, " with {coin}"))
    }
}

impl Debug for Action {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (name, json) = match self {
            Action::Instantiate(json) => ("instantiate", json),
            Action::Execute(json) | Action::ExecuteOwn(json) => ("execute", json),
            Action::Migrate(json, _) | Action::MigrateOwn(json, _) => ("migrate", json),
            Action::FinalizeChecked(stage, more) => {
                return write!(
                    f,
                    "execute finalize_stage_checked of stage {stage}, expecting {more:?} more than it holds"
                )
            }
        };
        write!(f, "{name} {}", String::from_utf8_lossy(json))
    }
}

/// The call that creates the contract.
pub fn first_call() -> impl Strategy<Value = Call> {
    creation().prop_map(|message| Call {
        sender: numbered(OWNER),
        funds: vec![],
        blocks: 1,
        seconds: 1,
        action: Action::Instantiate(json_of(&message)),
    })
}

/// Any call, also with the messages that the contract adds for `execute` and `migrate`.
pub fn call(
    messages: Option<BoxedStrategy<Binary>>,
    migrations: Option<BoxedStrategy<Binary>>,
) -> impl Strategy<Value = Call> {
    let version = || option::of(0..3u64);
    let checked = (
        stage(),
        prop_oneof![4 => Just([0; 3]), 1 => [0..2u64, 0..2u64, 0..2u64]],
    );
    let mut actions = vec![
        (
            20,
            message().prop_map(|message| Action::Execute(json_of(&message))).boxed(),
        ),
        (
            3,
            checked
                .prop_map(|(stage, more)| Action::FinalizeChecked(stage, more))
                .boxed(),
        ),
        (
            2,
            (migration(), version())
                .prop_map(|(m, version)| Action::Migrate(json_of(&m), version))
                .boxed(),
        ),
        (
            1,
            any_creation()
                .prop_map(|message| Action::Instantiate(json_of(&message)))
                .boxed(),
        ),
    ];
    if let Some(messages) = messages {
        actions.push((8, messages.prop_map(Action::ExecuteOwn).boxed()));
    }
    if let Some(migrations) = migrations {
        let own = (migrations, version()).prop_map(|(json, version)| Action::MigrateOwn(json, version));
        actions.push((3, own.boxed()));
    }
    let funds = prop_oneof![15 => Just(vec![]), 1 => (1..1000u128).prop_map(|amount| coins(amount, "umin"))];
    // Up to a year, for what a contract does at a time.
    let seconds = prop_oneof![8 => 1..60u64, 1 => 60..31_557_600u64];
    let parts = (
        caller(),
        funds,
        1..10_000u64,
        seconds,
        proptest::strategy::Union::new_weighted(actions),
    );
    parts.prop_map(|(sender, funds, blocks, seconds, action)| Call {
        sender,
        funds,
        blocks,
        seconds,
        action,
    })
}
