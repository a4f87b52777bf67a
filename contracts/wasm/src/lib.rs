//! The scoring contract of an Initia rollup: a score for each account in each stage, written by allow-list members and
//! permanently frozen once the stage is finalized. `docs/spec.md` of the repository has the rules of behavior; comments
//! here cite their numbers.
//!
//! Where to start reading: `msg` has every message, `contract` dispatches them, `state` declares what is stored, and
//! `pages` explains how scores are stored and which invariants hold.

mod account;
pub mod contract;
mod error;
mod events;
mod migrate;
pub mod msg;
mod pages;
mod query;
mod reference;
mod roles;
mod scores;
mod stages;
mod state;
#[cfg(feature = "testing")]
pub mod testing;

pub use error::ContractError;
