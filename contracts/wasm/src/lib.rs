//! The scoring contract of an Initia rollup: a score for each account in each stage, written by allow-list members and
//! permanently frozen once the stage is finalized. `docs/spec.md` of the repository has the rules of behavior; comments
//! here cite their numbers.
//!
//! Where to start reading: `msg` has every message, `contract` dispatches them, `state` declares what is stored, and
//! `store` explains how scores are stored and which invariants hold.

mod account;
mod batch;
pub mod contract;
mod error;
mod members;
mod migrate;
pub mod msg;
mod ownership;
mod packed;
mod permissions;
mod query;
mod reader;
mod reference;
mod scores;
mod stages;
mod state;
mod store;
mod version;

pub use error::ContractError;
