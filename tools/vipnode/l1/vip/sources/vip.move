/// Stands in for the module of this name on Initia's L1 while a contract or a tool is developed. It holds what tools read:
/// the stage, the registered bridges and the snapshots, with the layout of L1. It does not distribute rewards, and there are
/// no challenges and no vesting. ANY account can set the stage, register a bridge and submit a snapshot.
module vip::vip {
    use std::error;
    use std::option;
    use std::signer;
    use std::string::{Self, String};
    use std::vector;
    use minitia_std::bigdecimal::{Self, BigDecimal};
    use minitia_std::block;
    use minitia_std::table::{Self, Table};
    use minitia_std::table_key;
    use vip::operator;

    /// Only the account that holds the module may initialize it.
    const ENOT_PUBLISHER: u64 = 1;
    /// The stage would end before it starts.
    const EEND_BEFORE_START: u64 = 2;
    /// The bridge is registered already.
    const EBRIDGE_ALREADY_REGISTERED: u64 = 3;
    /// The bridge is not registered.
    const EBRIDGE_NOT_REGISTERED: u64 = 4;
    /// The VM type is not 0 (Move), 1 (Wasm) or 2 (EVM).
    const EINVALID_VM_TYPE: u64 = 5;
    /// The stage has not ended.
    const ESTAGE_NOT_ENDED: u64 = 6;
    /// Only the bridge's operator may do this.
    const EUNAUTHORIZED: u64 = 7;

    /// Two weeks in seconds, the interval of mainnet.
    const STAGE_INTERVAL: u64 = 1_209_600;
    /// Stages over which a reward vests.
    const VESTING_PERIOD: u64 = 26;
    /// 26 weeks in seconds.
    const MINIMUM_LOCK_STAKING_PERIOD: u64 = 15_724_800;
    /// One day in seconds.
    const CHALLENGE_PERIOD: u64 = 86_400;
    /// The version of every bridge. On L1 a bridge that is registered again has the next one.
    const FIRST_VERSION: u64 = 1;
    /// The largest VM type.
    const EVM: u64 = 2;
    const ASCENDING: u8 = 1;

    /// The fields of L1's resource in its order.
    struct ModuleStore has key {
        /// The current stage.
        stage: u64,
        /// When it started, in unix seconds.
        stage_start_time: u64,
        /// When it is due to end, in unix seconds.
        stage_end_time: u64,
        /// Seconds that the next stage is due to take.
        stage_interval: u64,
        /// Stages over which a reward vests.
        vesting_period: u64,
        /// Seconds.
        minimum_lock_staking_period: u64,
        /// Seconds in which a snapshot can be challenged.
        challenge_period: u64,
        agent_data: AgentData,
        minimum_score_ratio: BigDecimal,
        pool_split_ratio: BigDecimal,
        maximum_tvl_ratio: BigDecimal,
        minimum_eligible_tvl: u64,
        maximum_weight_ratio: BigDecimal,
        /// By stage, as 8 bytes in big-endian order.
        stage_data: Table<vector<u8>, StageData>,
        bridges: Table<BridgeInfoKey, Bridge>,
        /// Empty here.
        challenges: Table<vector<u8>, Nothing>,
    }

    /// The key of a bridge. Numbers are 8 bytes in big-endian order.
    struct BridgeInfoKey has copy, drop {
        is_registered: bool,
        bridge_id: vector<u8>,
        version: vector<u8>,
    }

    struct Bridge has store, drop {
        /// The first stage of which L1 expects a snapshot.
        init_stage: u64,
        /// 0 while the bridge is registered.
        end_stage: u64,
        bridge_addr: address,
        operator_addr: address,
        vip_l2_score_contract: String,
        vip_weight: BigDecimal,
        /// 0 Move, 1 Wasm, 2 EVM.
        vm_type: u64,
    }

    /// What L1 keeps of a stage that has ended; rewards are 0 here.
    struct StageData has store {
        stage_start_time: u64,
        stage_end_time: u64,
        pool_split_ratio: BigDecimal,
        total_operator_funded_reward: u64,
        operator_funded_rewards: Table<u64, u64>,
        total_user_funded_reward: u64,
        user_funded_rewards: Table<u64, u64>,
        vesting_period: u64,
        minimum_score_ratio: BigDecimal,
        snapshots: Table<SnapshotKey, Snapshot>,
    }

    /// The key of a snapshot. Numbers are 8 bytes in big-endian order.
    struct SnapshotKey has copy, drop {
        bridge_id: vector<u8>,
        version: vector<u8>,
    }

    struct Snapshot has store, drop {
        /// When it was submitted, in unix seconds.
        create_time: u64,
        /// When it last changed, in unix seconds.
        upsert_time: u64,
        merkle_root: vector<u8>,
        total_l2_score: u64,
    }

    /// One bridge in the answer of `get_bridge_infos`.
    struct BridgeResponse has drop {
        init_stage: u64,
        bridge_id: u64,
        version: u64,
        bridge_addr: address,
        operator_addr: address,
        vip_l2_score_contract: String,
        vip_weight: BigDecimal,
        vm_type: u64,
    }

    /// Who takes snapshots and moves the stage on the real L1.
    struct AgentData has store {
        agent: address,
        api_uri: String,
    }

    /// The value of the table that stays empty.
    struct Nothing has store {}

    /// Creates the resource with stage 1, which starts at `start_time` (unix seconds) and takes two weeks. Called at genesis.
    public entry fun initialize(publisher: &signer, start_time: u64) {
        assert!(
            signer::address_of(publisher) == @vip,
            error::permission_denied(ENOT_PUBLISHER)
        );
        operator::initialize(publisher);
        move_to(
            publisher,
            ModuleStore {
                stage: 1,
                stage_start_time: start_time,
                stage_end_time: start_time + STAGE_INTERVAL,
                stage_interval: STAGE_INTERVAL,
                vesting_period: VESTING_PERIOD,
                minimum_lock_staking_period: MINIMUM_LOCK_STAKING_PERIOD,
                challenge_period: CHALLENGE_PERIOD,
                agent_data: AgentData { agent: @vip, api_uri: string::utf8(b"") },
                minimum_score_ratio: bigdecimal::from_ratio_u64(1, 2),
                pool_split_ratio: bigdecimal::from_ratio_u64(1, 5),
                maximum_tvl_ratio: bigdecimal::one(),
                minimum_eligible_tvl: 0,
                maximum_weight_ratio: bigdecimal::one(),
                stage_data: table::new(),
                bridges: table::new(),
                challenges: table::new()
            }
        );
    }

    /// Development only, for any account: makes `stage` the current stage, with its times in unix seconds.
    public entry fun set_stage(
        _account: &signer, stage: u64, stage_start_time: u64, stage_end_time: u64
    ) acquires ModuleStore {
        assert!(
            stage_start_time <= stage_end_time,
            error::invalid_argument(EEND_BEFORE_START)
        );
        let store = borrow_global_mut<ModuleStore>(@vip);
        store.stage = stage;
        store.stage_start_time = stage_start_time;
        store.stage_end_time = stage_end_time;
    }

    /// Development only, for any account: what the agent does on the real L1 when a stage has ended. The next stage starts
    /// where the current one was due to end, whatever the time is.
    public entry fun advance_stage(_account: &signer) acquires ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip);
        let stage_key = table_key::encode_u64(store.stage);
        keep_stage_data(store, stage_key);
        store.stage = store.stage + 1;
        store.stage_start_time = store.stage_end_time;
        store.stage_end_time = store.stage_end_time + store.stage_interval;
    }

    /// Development only, for any account: registers a rollup. On L1 a governance proposal does this. The first stage that L1
    /// expects is the one after the current stage.
    public entry fun register(
        _account: &signer,
        operator: address,
        bridge_id: u64,
        bridge_address: address,
        vip_l2_score_contract: String,
        operator_commission_max_rate: BigDecimal,
        operator_commission_max_change_rate: BigDecimal,
        operator_commission_rate: BigDecimal,
        vm_type: u64
    ) acquires ModuleStore {
        assert!(vm_type <= EVM, error::unavailable(EINVALID_VM_TYPE));
        let store = borrow_global_mut<ModuleStore>(@vip);
        let key = registered(bridge_id, FIRST_VERSION);
        assert!(
            !store.bridges.contains(key),
            error::unavailable(EBRIDGE_ALREADY_REGISTERED)
        );
        store.bridges.add(
            key,
            Bridge {
                init_stage: store.stage + 1,
                end_stage: 0,
                bridge_addr: bridge_address,
                operator_addr: operator,
                vip_l2_score_contract,
                vip_weight: bigdecimal::zero(),
                vm_type
            }
        );
        operator::register(
            operator,
            bridge_id,
            FIRST_VERSION,
            store.stage,
            operator_commission_max_rate,
            operator_commission_max_change_rate,
            operator_commission_rate
        );
    }

    /// For the operator, once in a stage: sets the share of the rewards that it keeps.
    public entry fun update_operator_commission(
        operator: &signer, bridge_id: u64, version: u64, commission_rate: BigDecimal
    ) acquires ModuleStore {
        let stage = borrow_global<ModuleStore>(@vip).stage;
        operator::update_commission(operator, bridge_id, version, stage, commission_rate);
    }

    /// For the operator: hands its role to another account.
    public entry fun update_operator(
        operator: &signer, bridge_id: u64, new_operator_addr: address
    ) acquires ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip);
        let key = registered(bridge_id, FIRST_VERSION);
        assert!(
            store.bridges.contains(key),
            error::unavailable(EBRIDGE_NOT_REGISTERED)
        );
        let bridge = store.bridges.borrow_mut(key);
        assert!(
            bridge.operator_addr == signer::address_of(operator),
            error::permission_denied(EUNAUTHORIZED)
        );
        bridge.operator_addr = new_operator_addr;
        operator::update_address(operator, bridge_id, FIRST_VERSION, new_operator_addr);
    }

    /// Development only, for any account: names another scoring contract. On L1 a governance proposal does this.
    public entry fun update_l2_score_contract(
        _account: &signer, bridge_id: u64, new_vip_l2_score_contract: String
    ) acquires ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip);
        let key = registered(bridge_id, FIRST_VERSION);
        assert!(
            store.bridges.contains(key),
            error::unavailable(EBRIDGE_NOT_REGISTERED)
        );
        store.bridges.borrow_mut(key).vip_l2_score_contract = new_vip_l2_score_contract;
    }

    /// Development only, for any account: what the agent does on L1 once the operator has finalized a stage. A second
    /// submission replaces the first, which on L1 takes a challenge. Stages may be submitted in any order, unlike on L1.
    public entry fun submit_snapshot(
        _account: &signer,
        bridge_id: u64,
        version: u64,
        stage: u64,
        merkle_root: vector<u8>,
        total_l2_score: u64
    ) acquires ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip);
        assert!(stage < store.stage, error::invalid_argument(ESTAGE_NOT_ENDED));
        assert!(
            store.bridges.contains(registered(bridge_id, version)),
            error::unavailable(EBRIDGE_NOT_REGISTERED)
        );
        let stage_key = table_key::encode_u64(stage);
        keep_stage_data(store, stage_key);
        let snapshots = &mut store.stage_data.borrow_mut(stage_key).snapshots;
        let key = SnapshotKey {
            bridge_id: table_key::encode_u64(bridge_id),
            version: table_key::encode_u64(version)
        };
        let (_, now) = block::get_block_info();
        let create_time =
            if (snapshots.contains(key)) {
                snapshots.borrow(key).create_time
            } else { now };
        snapshots.upsert(
            key,
            Snapshot { create_time, upsert_time: now, merkle_root, total_l2_score }
        );
    }

    #[view]
    /// The registered bridges, ascending by their id.
    public fun get_bridge_infos(): vector<BridgeResponse> acquires ModuleStore {
        let infos = vector::empty();
        let store = borrow_global<ModuleStore>(@vip);
        let iter =
            store.bridges.iter(
                option::some(registered(0, 0)), option::none(), ASCENDING
            );
        while (iter.prepare()) {
            let (key, bridge) = iter.next();
            infos.push_back(
                BridgeResponse {
                    init_stage: bridge.init_stage,
                    bridge_id: table_key::decode_u64(key.bridge_id),
                    version: table_key::decode_u64(key.version),
                    bridge_addr: bridge.bridge_addr,
                    operator_addr: bridge.operator_addr,
                    vip_l2_score_contract: bridge.vip_l2_score_contract,
                    vip_weight: bridge.vip_weight,
                    vm_type: bridge.vm_type
                }
            );
        };
        infos
    }

    fun registered(bridge_id: u64, version: u64): BridgeInfoKey {
        BridgeInfoKey {
            is_registered: true,
            bridge_id: table_key::encode_u64(bridge_id),
            version: table_key::encode_u64(version)
        }
    }

    /// Adds a stage without rewards, with the parameters and times of now, if it is not there yet.
    fun keep_stage_data(store: &mut ModuleStore, stage_key: vector<u8>) {
        if (store.stage_data.contains(stage_key)) return;
        let stage_data = StageData {
            stage_start_time: store.stage_start_time,
            stage_end_time: store.stage_end_time,
            pool_split_ratio: store.pool_split_ratio,
            total_operator_funded_reward: 0,
            operator_funded_rewards: table::new(),
            total_user_funded_reward: 0,
            user_funded_rewards: table::new(),
            vesting_period: store.vesting_period,
            minimum_score_ratio: store.minimum_score_ratio,
            snapshots: table::new()
        };
        store.stage_data.add(stage_key, stage_data);
    }
}
