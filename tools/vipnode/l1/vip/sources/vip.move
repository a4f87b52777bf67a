/// Stands in for the module of this name on Initia's L1 while a contract or a tool is developed. It holds the resource that
/// tools read and none of VIP's workings: no bridges, snapshots, challenges or rewards. ANY account can set the stage.
module vip::vip {
    use std::error;
    use std::signer;
    use std::string::{Self, String};
    use minitia_std::bigdecimal::{Self, BigDecimal};
    use minitia_std::table::{Self, Table};

    /// Only the account that holds the module may initialize it.
    const ENOT_PUBLISHER: u64 = 1;
    /// The stage would end before it starts.
    const EEND_BEFORE_START: u64 = 2;

    /// Two weeks in seconds, the interval of mainnet.
    const STAGE_INTERVAL: u64 = 1_209_600;
    /// Stages over which a reward vests.
    const VESTING_PERIOD: u64 = 26;
    /// 26 weeks in seconds.
    const MINIMUM_LOCK_STAKING_PERIOD: u64 = 15_724_800;
    /// One day in seconds.
    const CHALLENGE_PERIOD: u64 = 86_400;

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
        /// Empty here, as the two tables below.
        stage_data: Table<vector<u8>, Nothing>,
        bridges: Table<vector<u8>, Nothing>,
        challenges: Table<vector<u8>, Nothing>,
    }

    /// Who takes snapshots and moves the stage on the real L1.
    struct AgentData has store {
        agent: address,
        api_uri: String,
    }

    /// The value of the tables that stay empty.
    struct Nothing has store {}

    /// Creates the resource with stage 1, which starts at `start_time` (unix seconds) and takes two weeks. Called at genesis.
    public entry fun initialize(publisher: &signer, start_time: u64) {
        assert!(
            signer::address_of(publisher) == @vip,
            error::permission_denied(ENOT_PUBLISHER)
        );
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
        store.stage = store.stage + 1;
        store.stage_start_time = store.stage_end_time;
        store.stage_end_time = store.stage_end_time + store.stage_interval;
    }
}
