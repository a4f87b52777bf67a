//! Everything in storage except scores, which `store` keeps, and the contract's name and version, which `cw2` keeps.
//!
//! `init_stage`, `stages` and `allow_list` have the reference contract's keys and form, so that a migration moves
//! nothing.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Addr, Empty};
use cw_storage_plus::{Item, Map};

/// The first stage.
pub const INIT_STAGE: Item<u64> = Item::new("init_stage");

/// All stages by number.
pub const STAGES: Map<u64, StageRecord> = Map::new("stages");

/// The members, by the text of their address.
pub const ALLOW_LIST: Map<&str, Empty> = Map::new("allow_list");

/// The owner, who manages members and names the finalizer.
pub const OWNER: Item<Addr> = Item::new("owner");

/// The account to which ownership is offered.
pub const PENDING_OWNER: Item<Addr> = Item::new("pending_owner");

/// Whether members may manage members too.
pub const MEMBERS_CAN_MANAGE: Item<bool> = Item::new("members_can_manage");

/// The only account that may finalize; absent while any member may.
pub const FINALIZER: Item<Addr> = Item::new("finalizer");

/// A stage. The reference contract writes only the first three fields.
#[cw_serde]
pub struct StageRecord {
    pub stage: u64,
    /// The sum of its scores.
    pub total_score: u64,
    pub is_finalized: bool,
    /// The number of its scores. Missing in a stage that the reference contract finalized and no migration counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Whether its scores are in pages. Missing in a stage of the reference contract.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paged: bool,
    /// The number of calls that wrote rows (R21). Missing in a stage that no such call has written since version 2.
    #[serde(default)]
    pub revision: u64,
}
