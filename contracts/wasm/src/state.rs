//! Everything in storage except scores, which `pages` keeps, and the contract's name and version, which `cw2` keeps.
//!
//! `init_stage` has the reference contract's key and form, so that a migration need not move it.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Addr, Empty};
use cw_storage_plus::{Item, Map};

/// The name of this contract.
pub const CONTRACT_NAME: &str = "vipscore:vip-score";

/// The version of this contract, as in semantic versioning.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first stage.
pub const INIT_STAGE: Item<u64> = Item::new("init_stage");

/// The stages by number, except those that the reference contract finalized before a migration (`reference`).
pub const STAGES: Map<u64, StageRecord> = Map::new("stage_records");

/// The members, by generation and the text of their address. Only those of the newest generation count.
pub const MEMBERS: Map<(u64, &Addr), Empty> = Map::new("members");

/// The newest generation of members.
pub const MEMBER_LIST: Item<MemberList> = Item::new("member_list");

/// The owner, who manages members and names the finalizer.
pub const OWNER: Item<Addr> = Item::new("owner");

/// The account to which ownership is offered.
pub const PENDING_OWNER: Item<Addr> = Item::new("pending_owner");

/// Whether members may manage members too.
pub const MEMBERS_CAN_MANAGE: Item<bool> = Item::new("members_can_manage");

/// The only account that may finalize; absent while any member may.
pub const FINALIZER: Item<Addr> = Item::new("finalizer");

/// A generation of members, and their number. Replacing all members starts the next generation.
#[cw_serde]
pub struct MemberList {
    pub generation: u64,
    pub count: u64,
}

/// A stage.
#[cw_serde]
pub struct StageRecord {
    pub stage: u64,
    /// The sum of its scores.
    pub total_score: u64,
    pub is_finalized: bool,
    /// The number of its scores.
    pub count: u64,
    /// The number of calls that wrote rows (R21).
    pub revision: u64,
}
