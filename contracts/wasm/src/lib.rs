//! The scoring contract of an Initia rollup: a score for each account in each stage, written by allow-list members and
//! frozen for ever once the stage is finalized. `docs/spec.md` of the repository has the rules of behaviour; comments here
//! cite their numbers.

mod account;
mod batch;
mod call;
pub mod contract;
mod decode;
mod error;
mod legacy;
mod members;
mod migrate;
pub mod msg;
mod order_key;
mod ownership;
mod packed;
mod pages;
mod query;
mod reader;
mod row_codec;
mod scores;
mod stages;
mod state;
mod version;

pub use error::ContractError;
