//! For tests only: a contract with the published interface, the storage and the faults of the reference contract
//! (initia-labs/vip-score-wasm), without our additions and gas savings.
//!
//! Faults it keeps on purpose: finalizing again recreates the next stage, which empties and reopens it; totals wrap at
//! 2^64; addresses are any text; an empty batch passes on any stage; a batch on a finalized stage stops the VM; the last
//! member can be removed; a page has no maximum size; a missing score is a storage error.

mod msg;
mod shape;

pub use msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg, ScoreRow, ScoresPage};
pub use shape::{execute, instantiate, migrate, query, StageInfo, MEMBERS, SCORES, STAGES};
