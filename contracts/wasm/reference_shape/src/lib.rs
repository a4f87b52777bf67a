//! For tests only: a contract with the published interface, the storage and the faults of the reference contract
//! (initia-labs/vip-score-wasm), none of our additions and none of our savings.
//!
//! Faults it keeps on purpose: finalizing again creates the next stage anew and so empties and re-opens it; totals wrap at
//! 2^64; addresses are any text; an empty batch passes on any stage; a batch on a finalized stage stops the VM; the last
//! member can be removed; a page has no largest size; a score of nobody is a storage error.

mod msg;
mod shape;

pub use msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg, ScoreRow, ScoresPage};
pub use shape::{execute, instantiate, migrate, query, StageInfo, MEMBERS, SCORES, STAGES};
