/// What the bridges' accounts hold on average in a stage, which decides the rewards of the next one.
module vip::tvl_manager {
    use std::error;
    use minitia_std::block;
    use minitia_std::table::{Self, Table};
    use minitia_std::table_key;

    friend vip::vip;

    /// Nothing was counted for the bridge in this stage.
    const EINVALID_BRIDGE_ID: u64 = 1;

    /// Four hours in seconds.
    const SNAPSHOT_INTERVAL: u64 = 14_400;

    struct ModuleStore has key {
        last_snapshot_time: u64,
        last_snapshot_stage: u64,
        /// The least time between two counts of a stage, in seconds.
        snapshot_interval: u64,
        /// By stage and bridge, each as 8 bytes in big-endian order.
        summary: Table<vector<u8>, TvlSummary>
    }

    struct TvlSummary has copy, drop, store {
        /// How often the balance was counted.
        count: u64,
        /// The average, rounded down with each count.
        tvl: u64
    }

    public(friend) fun initialize(publisher: &signer) {
        move_to(
            publisher,
            ModuleStore {
                last_snapshot_time: 0,
                last_snapshot_stage: 0,
                snapshot_interval: SNAPSHOT_INTERVAL,
                summary: table::new()
            }
        );
    }

    /// Counts the balances of all bridges, unless that was done in this stage less than the interval ago.
    public(friend) fun add_snapshot(
        stage: u64, bridge_ids: vector<u64>, balances: vector<u64>
    ) acquires ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip);
        let (_, now) = block::get_block_info();
        if (stage <= store.last_snapshot_stage
            && now < store.last_snapshot_time + store.snapshot_interval) return;
        store.last_snapshot_time = now;
        store.last_snapshot_stage = stage;
        for (i in 0..bridge_ids.length()) {
            count(store, stage, bridge_ids[i], balances[i]);
        };
    }

    /// Counts the balance of one bridge, whenever the last time was.
    public(friend) fun add_initial_snapshot(
        stage: u64, bridge_id: u64, balance: u64
    ) acquires ModuleStore {
        count(borrow_global_mut<ModuleStore>(@vip), stage, bridge_id, balance);
    }

    fun count(
        store: &mut ModuleStore, stage: u64, bridge_id: u64, balance: u64
    ) {
        let key = key_of(stage, bridge_id);
        if (!store.summary.contains(key)) {
            store.summary.add(key, TvlSummary { count: 0, tvl: 0 });
        };
        let summary = store.summary.borrow_mut(key);
        let sum = (summary.count as u128) * (summary.tvl as u128) + (balance as u128);
        summary.count += 1;
        summary.tvl = ((sum / (summary.count as u128)) as u64);
    }

    #[view]
    public fun get_average_tvl(stage: u64, bridge_id: u64): u64 acquires ModuleStore {
        let summary = &borrow_global<ModuleStore>(@vip).summary;
        let key = key_of(stage, bridge_id);
        assert!(summary.contains(key), error::not_found(EINVALID_BRIDGE_ID));
        summary.borrow(key).tvl
    }

    fun key_of(stage: u64, bridge_id: u64): vector<u8> {
        let key = table_key::encode_u64(stage);
        key.append(table_key::encode_u64(bridge_id));
        key
    }
}
