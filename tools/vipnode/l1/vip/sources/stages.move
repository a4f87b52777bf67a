/// What L1 keeps of each stage: its times, its rewards and the snapshots of its scores. `vip::vip` decides who may change what.
module vip::stages {
    use std::option::{Self, Option};
    use minitia_std::bigdecimal::BigDecimal;
    use minitia_std::block;
    use minitia_std::table::{Self, Table};
    use minitia_std::table_key;

    friend vip::vip;

    const DESCENDING: u8 = 2;

    struct StageData has store {
        /// Unix seconds.
        stage_start_time: u64,
        /// Unix seconds.
        stage_end_time: u64,
        pool_split_ratio: BigDecimal,
        total_operator_funded_reward: u64,
        /// By bridge.
        operator_funded_rewards: Table<u64, u64>,
        total_user_funded_reward: u64,
        /// By bridge.
        user_funded_rewards: Table<u64, u64>,
        vesting_period: u64,
        minimum_score_ratio: BigDecimal,
        snapshots: Table<SnapshotKey, Snapshot>
    }

    /// The key of a snapshot. Numbers are 8 bytes in big-endian order.
    struct SnapshotKey has copy, drop {
        bridge_id: vector<u8>,
        version: vector<u8>
    }

    struct Snapshot has copy, store, drop {
        /// When it was submitted, in unix seconds.
        create_time: u64,
        /// When it last changed, in unix seconds.
        upsert_time: u64,
        merkle_root: vector<u8>,
        total_l2_score: u64
    }

    public(friend) fun add(
        stages: &mut Table<vector<u8>, StageData>,
        stage: u64,
        stage_start_time: u64,
        stage_end_time: u64,
        pool_split_ratio: BigDecimal,
        vesting_period: u64,
        minimum_score_ratio: BigDecimal
    ) {
        stages.add(
            table_key::encode_u64(stage),
            StageData {
                stage_start_time,
                stage_end_time,
                pool_split_ratio,
                total_operator_funded_reward: 0,
                operator_funded_rewards: table::new(),
                total_user_funded_reward: 0,
                user_funded_rewards: table::new(),
                vesting_period,
                minimum_score_ratio,
                snapshots: table::new()
            }
        );
    }

    /// Adds the rewards of one bridge to a stage that has data.
    public(friend) fun fund(
        stages: &mut Table<vector<u8>, StageData>,
        stage: u64,
        bridge_id: u64,
        operator_reward: u64,
        user_reward: u64
    ) {
        let data = stages.borrow_mut(table_key::encode_u64(stage));
        data.operator_funded_rewards.add(bridge_id, operator_reward);
        data.total_operator_funded_reward += operator_reward;
        data.user_funded_rewards.add(bridge_id, user_reward);
        data.total_user_funded_reward += user_reward;
    }

    /// Returns the rewards of one bridge in a stage that has data, those of the operator and those of the users; none if it was not
    /// funded.
    public(friend) fun rewards(
        stages: &Table<vector<u8>, StageData>, stage: u64, bridge_id: u64
    ): Option<vector<u64>> {
        let data = stages.borrow(table_key::encode_u64(stage));
        if (!data.user_funded_rewards.contains(bridge_id)) return option::none();
        option::some(
            vector[
                *data.operator_funded_rewards.borrow(bridge_id),
                *data.user_funded_rewards.borrow(bridge_id)
            ]
        )
    }

    public(friend) fun contains(
        stages: &Table<vector<u8>, StageData>, stage: u64
    ): bool {
        stages.contains(table_key::encode_u64(stage))
    }

    public(friend) fun set_times(
        stages: &mut Table<vector<u8>, StageData>,
        stage: u64,
        start_time: u64,
        end_time: u64
    ) {
        let data = stages.borrow_mut(table_key::encode_u64(stage));
        data.stage_start_time = start_time;
        data.stage_end_time = end_time;
    }

    /// Returns the snapshot of a stage that has data, if there is one.
    public(friend) fun snapshot(
        stages: &Table<vector<u8>, StageData>,
        stage: u64,
        bridge_id: u64,
        version: u64
    ): Option<Snapshot> {
        let snapshots = &stages.borrow(table_key::encode_u64(stage)).snapshots;
        let key = key_of(bridge_id, version);
        if (snapshots.contains(key)) option::some(*snapshots.borrow(key))
        else option::none()
    }

    /// Returns the newest stage of which a version of a bridge has a snapshot, or 0.
    public(friend) fun newest_snapshot(
        stages: &Table<vector<u8>, StageData>, bridge_id: u64, version: u64
    ): u64 {
        let iter = stages.iter(option::none(), option::none(), DESCENDING);
        while (iter.prepare()) {
            let (stage_key, data) = iter.next();
            if (data.snapshots.contains(key_of(bridge_id, version)))
                return table_key::decode_u64(stage_key);
        };
        0
    }

    /// Removes the snapshot of a stage, which must be there.
    public(friend) fun remove_snapshot(
        stages: &mut Table<vector<u8>, StageData>,
        stage: u64,
        bridge_id: u64,
        version: u64
    ) {
        let data = stages.borrow_mut(table_key::encode_u64(stage));
        data.snapshots.remove(key_of(bridge_id, version));
    }

    public(friend) fun create_time(snapshot: &Snapshot): u64 {
        snapshot.create_time
    }

    public(friend) fun merkle_root(snapshot: &Snapshot): vector<u8> {
        snapshot.merkle_root
    }

    public(friend) fun total_l2_score(snapshot: &Snapshot): u64 {
        snapshot.total_l2_score
    }

    /// Stores the snapshot of a stage that has data. One that replaces another keeps the time of its creation.
    public(friend) fun put_snapshot(
        stages: &mut Table<vector<u8>, StageData>,
        stage: u64,
        bridge_id: u64,
        version: u64,
        merkle_root: vector<u8>,
        total_l2_score: u64
    ) {
        let key = key_of(bridge_id, version);
        let snapshots = &mut stages.borrow_mut(table_key::encode_u64(stage)).snapshots;
        let (_, now) = block::get_block_info();
        let create_time =
            if (snapshots.contains(key)) snapshots.borrow(key).create_time
            else now;
        snapshots.upsert(
            key,
            Snapshot { create_time, upsert_time: now, merkle_root, total_l2_score }
        );
    }

    fun key_of(bridge_id: u64, version: u64): SnapshotKey {
        SnapshotKey {
            bridge_id: table_key::encode_u64(bridge_id),
            version: table_key::encode_u64(version)
        }
    }
}
