//! Random histories of a contract that builds on this one, for its own tests: the feature `testing`.
//!
//! ```
//! # use vip_score::contract::{execute, instantiate, migrate, query};
//! use vip_score::msg::ExecuteMsg;
//! use vip_score::testing::proptest::prelude::*;
//! use vip_score::testing::{account, stage, Contract};
//!
//! let messages = (stage(), account()).prop_map(|(stage, addr)| ExecuteMsg::IncreaseScore {
//!     addr: addr.into_string(),
//!     stage,
//!     amount: 10,
//! });
//! Contract::new(instantiate, execute, query, migrate)
//!     .with_messages(messages)
//!     .run_histories(500);
//! ```

mod accounts;
mod calls;
mod instance;
mod messages;
pub mod random;
mod readings;

use std::cell::Cell;
use std::fmt::Display;

use cosmwasm_std::{from_json, to_json_binary, Binary, Deps, DepsMut, Env, MessageInfo, MigrateInfo, Response};
use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Strategy};
use serde::{de::DeserializeOwned, Serialize};

use calls::{call, first_call, Call};
use instance::Instance;

pub use accounts::{account, stage};
pub use proptest;

/// The most calls of a history.
const CALLS: usize = 60;

/// Why a call or a question has no effect.
enum Refusal {
    /// The contract does not have such a message.
    Unread(String),
    Refused(String),
}

impl Refusal {
    fn reason(self) -> String {
        let (Refusal::Unread(reason) | Refusal::Refused(reason)) = self;
        reason
    }
}

type Answer<T> = Result<T, Refusal>;

/// Entry points that take a message as JSON.
type Command = Box<dyn Fn(DepsMut, Env, MessageInfo, &Binary) -> Answer<()>>;
type Question = Box<dyn Fn(Deps, Env, &Binary) -> Answer<Binary>>;
type Migration = Box<dyn Fn(DepsMut, Env, &Binary, MigrateInfo) -> Answer<()>>;

/// The contract under test: its entry points, and the messages that it adds to those of `vip-score`.
pub struct Contract {
    instantiate: Command,
    execute: Command,
    query: Question,
    migrate: Migration,
    messages: Option<BoxedStrategy<Binary>>,
    migrations: Option<BoxedStrategy<Binary>>,
}

impl Contract {
    /// A contract with these entry points. They get each message as JSON, as on a chain, and the messages of `vip-score` in its
    /// form; a closure translates for an entry point that takes another form, and gives a `querier` to one that needs another
    /// contract. A closure for `execute` also passes messages on to a further entry point, such as `sudo`.
    pub fn new<I, X, Q, M, EI, EX, EQ, EM>(
        instantiate: impl Fn(DepsMut, Env, MessageInfo, I) -> Result<Response, EI> + 'static,
        execute: impl Fn(DepsMut, Env, MessageInfo, X) -> Result<Response, EX> + 'static,
        query: impl Fn(Deps, Env, Q) -> Result<Binary, EQ> + 'static,
        migrate: impl Fn(DepsMut, Env, M, MigrateInfo) -> Result<Response, EM> + 'static,
    ) -> Self
    where
        I: DeserializeOwned,
        X: DeserializeOwned,
        Q: DeserializeOwned,
        M: DeserializeOwned,
        EI: Display,
        EX: Display,
        EQ: Display,
        EM: Display,
    {
        Contract {
            instantiate: Box::new(move |deps, env, info, json| {
                refusable(instantiate(deps, env, info, read(json)?)).map(drop)
            }),
            execute: Box::new(move |deps, env, info, json| refusable(execute(deps, env, info, read(json)?)).map(drop)),
            query: Box::new(move |deps, env, json| refusable(query(deps, env, read(json)?))),
            migrate: Box::new(move |deps, env, json, info| refusable(migrate(deps, env, read(json)?, info)).map(drop)),
            messages: None,
            migrations: None,
        }
    }

    /// Adds the contract's own messages for `execute`, which every history sends too. [`account`] and [`stage`] give them
    /// addresses and stages that the other messages use.
    pub fn with_messages<T: Serialize>(mut self, messages: impl Strategy<Value = T> + 'static) -> Self {
        self.messages = Some(messages.prop_map(|message| json_of(&message)).boxed());
        self
    }

    /// Adds the contract's own messages for `migrate`.
    pub fn with_migrations<T: Serialize>(mut self, messages: impl Strategy<Value = T> + 'static) -> Self {
        self.migrations = Some(messages.prop_map(|message| json_of(&message)).boxed());
        self
    }

    /// Runs random histories of 1 to 60 calls on new contracts: `execute` with every message, `migrate`, and `instantiate`,
    /// from any account, for any stage, with and without coins, in blocks whose height and time grow. As on a chain, a call
    /// that fails leaves no trace, and `instantiate` gets a storage of its own. A chain lets only the admin migrate: here
    /// every account is one. Submessages of a response are not sent.
    ///
    /// There are `histories` of them, times `FUZZ_FACTOR` if it is set, from the seed in `FUZZ_SEED`, which is printed.
    ///
    /// After every call that succeeds, and at the end:
    ///
    /// - Every finalized stage has the total, count, revision and rows that it had when it was finalized, and is finalized.
    /// - The total of each open stage is the sum of its rows, its count is their number, and no stage is gone.
    /// - `get_scores`, `get_scores_from`, `get_scores_of` and `get_score` return the same scores, `get_stage` and
    ///   `get_stage_info` the same stage, and the queries for members the same members.
    ///
    /// # Panics
    ///
    /// With the shortest history that it finds, if one of these does not hold, if an entry point panics, if a query does not
    /// answer, or if the contract cannot read a message of its own. Also if none finalized a stage with scores: then the
    /// contract refuses so much that nothing was tested.
    pub fn run_histories(&self, histories: u32) {
        let calls = vec(call(self.messages.clone(), self.migrations.clone()), 1..=CALLS);
        let (run, frozen) = (Cell::new(0), Cell::new(0));
        random::run(histories, (first_call(), calls), |(first, calls)| {
            run.set(run.get() + 1);
            frozen.set(frozen.get() + self.run_history(&first, &calls)?);
            Ok(())
        });
        let (run, frozen) = (run.get(), frozen.get());
        assert!(frozen > 0, "none of {run} histories finalized a stage with scores");
    }

    /// Returns how many stages with scores it finalized, or what does not hold.
    fn run_history(&self, first: &Call, calls: &[Call]) -> Result<usize, String> {
        let mut instance = Instance::new(self);
        if let Err(refusal) = instance.make(first)? {
            return Err(format!("{first:?} is refused: {}", refusal.reason()));
        }
        let mut last = first;
        for call in calls {
            if call.is_first() {
                let mut another = instance.another();
                if another.make(call)?.is_ok() {
                    another.check(call)?;
                }
                continue;
            }
            match instance.make(call)? {
                Ok(()) => instance.check(call)?,
                Err(Refusal::Unread(reason)) if call.is_own() => {
                    return Err(format!("{call:?} cannot be read: {reason}"));
                }
                // Nothing is stored; the answers can only differ because the block is later, which the next check shows.
                Err(_) => {}
            }
            last = call;
        }
        instance.check(last)?;
        Ok(instance.frozen())
    }
}

fn json_of<T: Serialize>(message: &T) -> Binary {
    to_json_binary(message).expect("a message is JSON")
}

fn read<T: DeserializeOwned>(json: &Binary) -> Answer<T> {
    from_json(json).map_err(|error| Refusal::Unread(error.to_string()))
}

fn refusable<T, E: Display>(result: Result<T, E>) -> Answer<T> {
    result.map_err(|error| Refusal::Refused(error.to_string()))
}
