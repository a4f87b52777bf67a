//! What is in storage beside scores (`pages`, `legacy`), members (`members`) and the version (`version`). The first two
//! items lie where the reference contract has them.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::storage_keys::to_length_prefixed;
use cosmwasm_std::{from_json, Addr, Order, StdResult, Storage};
use cw_storage_plus::{Item, Map};

/// The first stage.
pub const INIT_STAGE: Item<u64> = Item::new("init_stage");

/// All stages by number.
pub const STAGES: Map<u64, StageRecord> = Map::new(STAGES_NAMESPACE);

const STAGES_NAMESPACE: &str = "stages";

/// The owner, who may manage members.
pub const OWNER: Item<Addr> = Item::new("owner");

/// The account to which ownership is offered.
pub const PENDING_OWNER: Item<Addr> = Item::new("pending_owner");

/// Whether members may manage members too.
pub const MEMBERS_CAN_MANAGE: Item<bool> = Item::new("members_can_manage");

/// A stage. The reference contract writes the first three fields alone.
#[cw_serde]
pub struct StageRecord {
    pub stage: u64,
    pub total_score: u64,
    pub is_finalized: bool,
    /// The number of its scores. Missing in a stage that the reference contract finalized and no migration counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Its scores lie in pages. Missing in a stage of the reference contract.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paged: bool,
}

/// All stages, the newest first.
pub fn load_stages(storage: &dyn Storage) -> StdResult<Vec<StageRecord>> {
    let start = to_length_prefixed(STAGES_NAMESPACE.as_bytes());
    // Above all keys of the namespace, which have eight bytes more.
    let end = [start.as_slice(), &[255; 9]].concat();
    let mut records = Vec::new();
    for (_, record) in storage.range(Some(&start), Some(&end), Order::Descending) {
        records.push(from_json(record)?);
    }
    Ok(records)
}
