/// Stands in for the module of this name on Initia's L1 while a contract or a tool is developed: the stages, the bridges and
/// the snapshots, with the layout, the rules and the error codes of L1. Functions marked "development only" are not on L1, and
/// ANY account can call them. What is left out: docs/vipnode.md.
module vip::vip {
    use std::error;
    use std::option::Option;
    use std::signer;
    use std::string::String;
    use minitia_std::bigdecimal::{Self, BigDecimal};
    use minitia_std::block;
    use minitia_std::table::{Self, Table};
    use minitia_std::table_key;
    use vip::bank;
    use vip::bridges::{Self, Bridge, BridgeInfoKey, BridgeResponse};
    use vip::gas_price;
    use vip::merkle;
    use vip::operator;
    use vip::stages::{Self, Snapshot, StageData};
    use vip::tvl_manager;
    use vip::vault;
    use vip::vesting;

    /// The account may not do this.
    const EUNAUTHORIZED: u64 = 1;
    /// The bridge is registered already.
    const EBRIDGE_ALREADY_REGISTERED: u64 = 2;
    /// The bridge has a snapshot of this stage already.
    const ESNAPSHOT_ALREADY_EXISTS: u64 = 3;
    /// L1 has no such stage.
    const ESTAGE_DATA_NOT_FOUND: u64 = 4;
    /// There is no such version of the bridge.
    const EBRIDGE_NOT_FOUND: u64 = 5;
    /// The bridge has no snapshot of this stage.
    const ESNAPSHOT_NOT_FOUND: u64 = 6;
    /// The bridge is not registered, or was not in this stage.
    const EBRIDGE_NOT_REGISTERED: u64 = 7;
    /// The stage before has no snapshot yet.
    const EPREV_STAGE_SNAPSHOT_NOT_FOUND: u64 = 8;
    /// The bridge got no rewards in this stage.
    const EFUNDED_REWARD_NOT_FOUND: u64 = 9;
    /// The proof does not lead to the snapshot's root.
    const EINVALID_MERKLE_PROOFS: u64 = 10;
    /// A hash of a proof has not 32 bytes.
    const EINVALID_PROOF_LENGTH: u64 = 11;
    /// A claim must continue the one before.
    const EINVALID_CLAIMABLE_STAGE: u64 = 16;
    /// The lists of a claim have different lengths, or none.
    const EINVALID_BATCH_ARGUMENT: u64 = 17;
    /// The weights of all bridges are more than 1.
    const EINVALID_WEIGHT: u64 = 19;
    /// The stages of a claim are not consecutive.
    const EINVALID_STAGE_ORDER: u64 = 20;
    /// The snapshot can still be challenged.
    const EINVALID_CLAIMABLE_PERIOD: u64 = 21;
    /// The time in which a snapshot can be challenged is over.
    const EINVALID_CHALLENGE_PERIOD: u64 = 22;
    /// Only a stage that has ended can be challenged.
    const EINVALID_CHALLENGE_STAGE: u64 = 23;
    /// The stage has not ended.
    const EINVALID_STAGE_SNAPSHOT: u64 = 25;
    /// The VM type is not 0 (Move), 1 (Wasm) or 2 (EVM).
    const EINVALID_VM_TYPE: u64 = 26;
    /// The stage has not reached its end.
    const ETOO_EARLY_FUND: u64 = 27;
    /// The bridge's account holds less than the minimum.
    const EMIN_ELIGIBLE_TVL: u64 = 34;
    /// Not on L1: the stage would end before it starts.
    const EEND_BEFORE_START: u64 = 100;

    /// Two weeks in seconds, the interval of mainnet.
    const STAGE_INTERVAL: u64 = 1_209_600;
    /// Stages over which a reward vests.
    const VESTING_PERIOD: u64 = 26;
    /// 26 weeks in seconds.
    const MINIMUM_LOCK_STAKING_PERIOD: u64 = 15_724_800;
    /// One day in seconds.
    const CHALLENGE_PERIOD: u64 = 86_400;
    /// Bytes of a hash.
    const PROOF_LENGTH: u64 = 32;
    /// The largest VM type.
    const EVM: u64 = 2;

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
        /// The share of the rewards that the balances of the bridges divide; the rest goes by their weights.
        pool_split_ratio: BigDecimal,
        /// Unused, on L1 too.
        maximum_tvl_ratio: BigDecimal,
        /// The least that a bridge's account must hold of the reward token.
        minimum_eligible_tvl: u64,
        maximum_weight_ratio: BigDecimal,
        /// By stage, as 8 bytes in big-endian order.
        stage_data: Table<vector<u8>, StageData>,
        bridges: Table<BridgeInfoKey, Bridge>,
        /// By the challenge's id, as 8 bytes in big-endian order.
        challenges: Table<vector<u8>, ExecutedChallenge>
    }

    /// Who takes snapshots and ends stages.
    struct AgentData has store, drop {
        agent: address,
        api_uri: String
    }

    struct ExecutedChallenge has store {
        challenge_id: u64,
        bridge_id: u64,
        version: u64,
        stage: u64,
        new_l2_total_score: u64,
        title: String,
        summary: String,
        api_uri: String,
        new_agent: address,
        merkle_root: vector<u8>
    }

    /// Creates the resource with stage 1, which starts at `start_time` (unix seconds) and takes two weeks. Called at genesis.
    public entry fun initialize(
        publisher: &signer, start_time: u64, agent: address, api_uri: String
    ) {
        check_chain(publisher);
        gas_price::initialize(publisher);
        operator::initialize(publisher);
        tvl_manager::initialize(publisher);
        vault::initialize(publisher);
        vesting::initialize(publisher);
        let store = ModuleStore {
            stage: 1,
            stage_start_time: start_time,
            stage_end_time: start_time + STAGE_INTERVAL,
            stage_interval: STAGE_INTERVAL,
            vesting_period: VESTING_PERIOD,
            minimum_lock_staking_period: MINIMUM_LOCK_STAKING_PERIOD,
            challenge_period: CHALLENGE_PERIOD,
            agent_data: AgentData { agent, api_uri },
            minimum_score_ratio: bigdecimal::from_ratio_u64(1, 2),
            pool_split_ratio: bigdecimal::from_ratio_u64(2, 5),
            maximum_tvl_ratio: bigdecimal::zero(),
            minimum_eligible_tvl: 0,
            maximum_weight_ratio: bigdecimal::one(),
            stage_data: table::new(),
            bridges: table::new(),
            challenges: table::new()
        };
        add_stage_data(&mut store, 1, start_time, start_time + STAGE_INTERVAL);
        move_to(publisher, store);
    }

    /// Development only: makes `stage` the current stage, with its times in unix seconds. It and the one before get data without
    /// rewards if they have none; stages in between are left out.
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
        add_stage_data(store, stage, stage_start_time, stage_end_time);
        stages::set_times(
            &mut store.stage_data,
            stage,
            stage_start_time,
            stage_end_time
        );
        if (stage > 1) add_stage_data(
            store, stage - 1, stage_start_time, stage_start_time
        );
        let (bridge_ids, balances) = bridges::balances(&store.bridges);
        for (i in 0..bridge_ids.length()) {
            tvl_manager::add_initial_snapshot(stage, bridge_ids[i], balances[i]);
        };
    }

    /// Development only: sets parameters that on L1 a proposal changes (`update_params`). Seconds, stages, seconds, and units of
    /// the reward token.
    public entry fun set_parameters(
        _account: &signer,
        stage_interval: u64,
        vesting_period: u64,
        challenge_period: u64,
        minimum_eligible_tvl: u64
    ) acquires ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip);
        store.stage_interval = stage_interval;
        store.vesting_period = vesting_period;
        store.challenge_period = challenge_period;
        store.minimum_eligible_tvl = minimum_eligible_tvl;
    }

    /// Development only: sets the base price of gas and its lower bound, in millionths of the token's smallest unit.
    public entry fun set_base_gas_price(_account: &signer, millionths: u64) {
        gas_price::set(millionths);
    }

    /// Development only: does what `fund_reward_script` does, whatever the time is.
    public entry fun advance_stage(_account: &signer) acquires ModuleStore {
        start_next_stage(borrow_global_mut<ModuleStore>(@vip));
    }

    /// For the agent, once the current stage has reached its end: starts the next one, where the current one was due to end, with
    /// its rewards.
    public entry fun fund_reward_script(agent: &signer) acquires ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip);
        check_agent(store, agent);
        let (_, now) = block::get_block_info();
        assert!(
            store.stage_end_time <= now,
            error::invalid_state(ETOO_EARLY_FUND)
        );
        start_next_stage(store);
    }

    /// By governance: registers a rollup, from the next stage on. The version is 1, or one more than before a deregistration.
    public entry fun register(
        chain: &signer,
        operator: address,
        bridge_id: u64,
        bridge_address: address,
        vip_l2_score_contract: String,
        operator_commission_max_rate: BigDecimal,
        operator_commission_max_change_rate: BigDecimal,
        operator_commission_rate: BigDecimal,
        vm_type: u64
    ) acquires ModuleStore {
        check_chain(chain);
        let store = borrow_global_mut<ModuleStore>(@vip);
        let (is_registered, version) = bridges::newest(&store.bridges, bridge_id);
        assert!(
            !is_registered,
            error::unavailable(EBRIDGE_ALREADY_REGISTERED)
        );
        operator::register(
            operator,
            bridge_id,
            version + 1,
            store.stage,
            operator_commission_max_rate,
            operator_commission_max_change_rate,
            operator_commission_rate
        );
        assert!(vm_type <= EVM, error::unavailable(EINVALID_VM_TYPE));
        let balance = bank::balance(bridge_address);
        assert!(
            balance >= store.minimum_eligible_tvl,
            error::unavailable(EMIN_ELIGIBLE_TVL)
        );
        bridges::add(
            &mut store.bridges,
            bridge_id,
            version + 1,
            store.stage + 1,
            bridge_address,
            operator,
            vip_l2_score_contract,
            vm_type
        );
        tvl_manager::add_initial_snapshot(store.stage, bridge_id, balance);
    }

    /// By governance: ends the registration of a rollup with the current stage. Its users can still claim.
    public entry fun deregister(chain: &signer, bridge_id: u64) acquires ModuleStore {
        check_chain(chain);
        let store = borrow_global_mut<ModuleStore>(@vip);
        let version = registered_version(store, bridge_id);
        let stage = store.stage;
        bridges::end(&mut store.bridges, bridge_id, version, stage);
    }

    /// By governance: names another scoring contract.
    public entry fun update_l2_score_contract(
        chain: &signer, bridge_id: u64, new_vip_l2_score_contract: String
    ) acquires ModuleStore {
        check_chain(chain);
        let store = borrow_global_mut<ModuleStore>(@vip);
        let version = registered_version(store, bridge_id);
        bridges::set_contract(
            &mut store.bridges,
            bridge_id,
            version,
            new_vip_l2_score_contract
        );
    }

    /// By governance: sets the weight of a bridge in the rewards.
    public entry fun update_vip_weight(
        chain: &signer, bridge_id: u64, weight: BigDecimal
    ) acquires ModuleStore {
        check_chain(chain);
        let store = borrow_global_mut<ModuleStore>(@vip);
        let version = registered_version(store, bridge_id);
        bridges::set_weight(&mut store.bridges, bridge_id, version, weight);
        assert!(
            bigdecimal::le(bridges::total_weight(&store.bridges), bigdecimal::one()),
            error::invalid_argument(EINVALID_WEIGHT)
        );
    }

    /// By governance: changes the account and the bounds of the commission of a version's operator. `get_bridge_infos` keeps the
    /// old account.
    public entry fun update_operator_info(
        chain: &signer,
        bridge_id: u64,
        version: u64,
        operator_addr: Option<address>,
        commission_max_rate: Option<BigDecimal>,
        commission_max_change_rate: Option<BigDecimal>
    ) {
        check_chain(chain);
        operator::update_info(
            bridge_id,
            version,
            operator_addr,
            commission_max_rate,
            commission_max_change_rate
        );
    }

    /// For the operator, once in a stage: sets the share of the rewards that it keeps.
    public entry fun update_operator_commission(
        operator: &signer, bridge_id: u64, version: u64, commission_rate: BigDecimal
    ) acquires ModuleStore {
        let stage = borrow_global<ModuleStore>(@vip).stage;
        operator::update_commission(operator, bridge_id, version, stage, commission_rate);
    }

    /// For the operator: hands its role to another account. Both `Bridge` and `OperatorInfo` must name the caller.
    public entry fun update_operator(
        operator: &signer, bridge_id: u64, new_operator_addr: address
    ) acquires ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip);
        let version = registered_version(store, bridge_id);
        assert!(
            bridges::operator(&store.bridges, bridge_id, version)
                == signer::address_of(operator),
            error::permission_denied(EUNAUTHORIZED)
        );
        bridges::set_operator(
            &mut store.bridges, bridge_id, version, new_operator_addr
        );
        operator::update_address(operator, bridge_id, version, new_operator_addr);
    }

    /// For the agent: submits the root over the scores of a stage that has ended, once, and in the order of the stages.
    public entry fun submit_snapshot(
        agent: &signer,
        bridge_id: u64,
        version: u64,
        stage: u64,
        merkle_root: vector<u8>,
        total_l2_score: u64
    ) acquires ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip);
        check_agent(store, agent);
        assert!(
            stage < store.stage,
            error::invalid_argument(EINVALID_STAGE_SNAPSHOT)
        );
        check_stage_data(store, stage);
        let known = bridges::stages(&store.bridges, bridge_id, version);
        assert!(known.is_some(), error::not_found(EBRIDGE_NOT_FOUND));
        let known = known.destroy_some();
        let (init_stage, end_stage) = (known[0], known[1]);
        assert!(
            stage == init_stage
                || has_snapshot(store, stage - 1, bridge_id, version),
            error::not_found(EPREV_STAGE_SNAPSHOT_NOT_FOUND)
        );
        assert!(
            end_stage == 0 || stage <= end_stage,
            error::unavailable(EBRIDGE_NOT_REGISTERED)
        );
        assert!(
            !has_snapshot(store, stage, bridge_id, version),
            error::already_exists(ESNAPSHOT_ALREADY_EXISTS)
        );
        stages::put_snapshot(
            &mut store.stage_data,
            stage,
            bridge_id,
            version,
            merkle_root,
            total_l2_score
        );
    }

    /// For any account: counts what the bridges hold, for their averages in this stage.
    public entry fun add_tvl_snapshot() acquires ModuleStore {
        count_balances(borrow_global<ModuleStore>(@vip));
    }

    /// By governance: removes a snapshot of the registered version within the challenge period, and leaves later ones. The agent can
    /// submit it again.
    public entry fun execute_rollup_challenge(
        chain: &signer, bridge_id: u64, challenge_stage: u64
    ) acquires ModuleStore {
        check_chain(chain);
        let store = borrow_global_mut<ModuleStore>(@vip);
        let version = check_challenge(store, bridge_id, challenge_stage);
        stages::remove_snapshot(
            &mut store.stage_data, challenge_stage, bridge_id, version
        );
    }

    /// By governance: replaces a snapshot of the registered version within the challenge period, and the agent.
    public entry fun execute_challenge(
        chain: &signer,
        bridge_id: u64,
        challenge_stage: u64,
        challenge_id: u64,
        title: String,
        summary: String,
        new_api_uri: String,
        new_agent: address,
        new_merkle_root: vector<u8>,
        new_l2_total_score: u64
    ) acquires ModuleStore {
        check_chain(chain);
        let store = borrow_global_mut<ModuleStore>(@vip);
        let version = check_challenge(store, bridge_id, challenge_stage);
        stages::put_snapshot(
            &mut store.stage_data,
            challenge_stage,
            bridge_id,
            version,
            new_merkle_root,
            new_l2_total_score
        );
        store.agent_data = AgentData { agent: new_agent, api_uri: new_api_uri };
        store.challenges.add(
            table_key::encode_u64(challenge_id),
            ExecutedChallenge {
                challenge_id,
                bridge_id,
                version,
                stage: challenge_stage,
                new_l2_total_score,
                title,
                summary,
                api_uri: new_api_uri,
                new_agent,
                merkle_root: new_merkle_root
            }
        );
    }

    /// For a user: claims consecutive stages, of which the first follows the last one claimed, with a proof of each score other than
    /// 0. Rewards of earlier stages are paid as far as they vest; those of the claimed ones start to.
    public entry fun batch_claim_user_reward_script(
        account: &signer,
        bridge_id: u64,
        version: u64,
        stages: vector<u64>,
        merkle_proofs: vector<vector<vector<u8>>>,
        l2_scores: vector<u64>
    ) acquires ModuleStore {
        let count = stages.length();
        assert!(
            count != 0
                && count == merkle_proofs.length()
                && count == l2_scores.length(),
            error::invalid_argument(EINVALID_BATCH_ARGUMENT)
        );
        let store = borrow_global<ModuleStore>(@vip);
        let user = signer::address_of(account);
        check_claimable(
            store,
            user,
            bridge_id,
            version,
            stages[0],
            stages[count - 1]
        );
        count_balances(store);
        let vested = 0;
        for (i in 0..count) {
            let (stage, l2_score) = (stages[i], l2_scores[i]);
            assert!(
                stage == stages[0] + i,
                error::invalid_argument(EINVALID_STAGE_ORDER)
            );
            let snapshot = load_snapshot(store, stage, bridge_id, version);
            let total = stages::total_l2_score(&snapshot);
            if (l2_score != 0) {
                let leaf = merkle::leaf(bridge_id, stage, user, l2_score, total);
                check_proof(&snapshot, leaf, merkle_proofs[i]);
            };
            let (_, user_reward) = load_rewards(store, stage, bridge_id);
            let reward =
                if (total == 0) 0
                else vesting::mul_div(user_reward, l2_score, total);
            vested += vesting::claim_user_stage(
                user,
                bridge_id,
                version,
                stage,
                stage + store.vesting_period,
                l2_score,
                store.minimum_score_ratio,
                reward
            );
        };
        vault::pay(user, vested);
    }

    /// For the operator of a version: claims all stages that have a snapshot. Rewards are paid as far as they vest.
    public entry fun batch_claim_operator_reward_script(
        operator: &signer, bridge_id: u64, version: u64
    ) acquires ModuleStore {
        operator::check(operator, bridge_id, version);
        let store = borrow_global<ModuleStore>(@vip);
        count_balances(store);
        let init_stage = bridges::stages(&store.bridges, bridge_id, version).destroy_some()[0];
        let last = stages::newest_snapshot(&store.stage_data, bridge_id, version);
        let next = vesting::next_operator_stage(bridge_id, version, init_stage);
        while (next <= last) {
            load_snapshot(store, next, bridge_id, version);
            let (operator_reward, _) = load_rewards(store, next, bridge_id);
            vesting::claim_operator_stage(
                bridge_id,
                version,
                next,
                next + store.vesting_period,
                operator_reward
            );
            next += 1;
        };
        vault::pay(
            signer::address_of(operator),
            vesting::vest_operator(bridge_id, version, last)
        );
    }

    #[view]
    /// The registered bridges, ascending by their id.
    public fun get_bridge_infos(): vector<BridgeResponse> acquires ModuleStore {
        bridges::infos(&borrow_global<ModuleStore>(@vip).bridges)
    }

    /// Governance acts as the account of the standard library.
    fun check_chain(account: &signer) {
        let caller = signer::address_of(account);
        assert!(
            caller == @minitia_std || caller == @vip,
            error::permission_denied(EUNAUTHORIZED)
        );
    }

    fun check_agent(store: &ModuleStore, account: &signer) {
        assert!(
            signer::address_of(account) == store.agent_data.agent,
            error::permission_denied(EUNAUTHORIZED)
        );
    }

    fun check_stage_data(store: &ModuleStore, stage: u64) {
        assert!(
            stages::contains(&store.stage_data, stage),
            error::not_found(ESTAGE_DATA_NOT_FOUND)
        );
    }

    fun registered_version(store: &ModuleStore, bridge_id: u64): u64 {
        let (is_registered, version) = bridges::newest(&store.bridges, bridge_id);
        assert!(is_registered, error::unavailable(EBRIDGE_NOT_REGISTERED));
        version
    }

    /// Checks that governance can challenge a snapshot of the registered version now, and returns the version.
    fun check_challenge(store: &ModuleStore, bridge_id: u64, stage: u64): u64 {
        assert!(
            stage < store.stage,
            error::permission_denied(EINVALID_CHALLENGE_STAGE)
        );
        let version = registered_version(store, bridge_id);
        let snapshot = load_snapshot(store, stage, bridge_id, version);
        let (_, now) = block::get_block_info();
        assert!(
            now < stages::create_time(&snapshot) + store.challenge_period,
            error::permission_denied(EINVALID_CHALLENGE_PERIOD)
        );
        version
    }

    fun count_balances(store: &ModuleStore) {
        let (bridge_ids, balances) = bridges::balances(&store.bridges);
        tvl_manager::add_snapshot(store.stage, bridge_ids, balances);
    }

    fun has_snapshot(
        store: &ModuleStore, stage: u64, bridge_id: u64, version: u64
    ): bool {
        stages::snapshot(&store.stage_data, stage, bridge_id, version).is_some()
    }

    fun load_snapshot(
        store: &ModuleStore, stage: u64, bridge_id: u64, version: u64
    ): Snapshot {
        check_stage_data(store, stage);
        let snapshot = stages::snapshot(&store.stage_data, stage, bridge_id, version);
        assert!(snapshot.is_some(), error::not_found(ESNAPSHOT_NOT_FOUND));
        snapshot.destroy_some()
    }

    fun load_rewards(store: &ModuleStore, stage: u64, bridge_id: u64): (u64, u64) {
        let rewards = stages::rewards(&store.stage_data, stage, bridge_id);
        assert!(rewards.is_some(), error::not_found(EFUNDED_REWARD_NOT_FOUND));
        let rewards = rewards.destroy_some();
        (rewards[0], rewards[1])
    }

    /// Checks that a user's claim of the stages `first` to `last` is due.
    fun check_claimable(
        store: &ModuleStore,
        user: address,
        bridge_id: u64,
        version: u64,
        first: u64,
        last: u64
    ) {
        let snapshot = load_snapshot(store, last, bridge_id, version);
        let (_, now) = block::get_block_info();
        assert!(
            now > stages::create_time(&snapshot) + store.challenge_period,
            error::permission_denied(EINVALID_CLAIMABLE_PERIOD)
        );
        let init_stage = bridges::stages(&store.bridges, bridge_id, version).destroy_some()[0];
        let claimed = vesting::last_claimed_stage(user, bridge_id, version);
        // The first claim may leave stages out, which are then lost.
        assert!(
            first <= init_stage
                || claimed.is_none()
                || claimed.destroy_some() == first - 1,
            error::invalid_argument(EINVALID_CLAIMABLE_STAGE)
        );
    }

    fun check_proof(
        snapshot: &Snapshot, leaf: vector<u8>, proof: vector<vector<u8>>
    ) {
        assert!(
            proof.all(|hash| hash.length() == PROOF_LENGTH),
            error::invalid_argument(EINVALID_PROOF_LENGTH)
        );
        assert!(
            merkle::root(leaf, proof) == stages::merkle_root(snapshot),
            error::invalid_argument(EINVALID_MERKLE_PROOFS)
        );
    }

    fun start_next_stage(store: &mut ModuleStore) {
        let (next, start) = (store.stage + 1, store.stage_end_time);
        let end = start + store.stage_interval;
        count_balances(store);
        let funded_by = store.stage;
        store.stage = next;
        store.stage_start_time = start;
        store.stage_end_time = end;
        // Only `set_stage` makes a stage that has been before the next one.
        if (!stages::contains(&store.stage_data, next)) {
            add_stage_data(store, next, start, end);
            fund_stage(store, funded_by);
        };
        count_balances(store);
    }

    /// Divides the rewards of the current stage between the registered bridges, by their balances in the stage before, and of each
    /// bridge between its operator and its users.
    fun fund_stage(store: &mut ModuleStore, before: u64) {
        let (bridge_ids, versions, shares) =
            bridges::shares(
                &store.bridges,
                before,
                store.pool_split_ratio,
                store.maximum_weight_ratio,
                store.minimum_eligible_tvl
            );
        for (i in 0..bridge_ids.length()) {
            let reward =
                bigdecimal::mul_by_u64_truncate(shares[i], vault::reward_per_stage());
            let commission = operator::commission(bridge_ids[i], versions[i]);
            let operator_reward = bigdecimal::mul_by_u64_truncate(commission, reward);
            stages::fund(
                &mut store.stage_data,
                store.stage,
                bridge_ids[i],
                operator_reward,
                reward - operator_reward
            );
        };
    }

    /// Adds a stage without rewards, with the parameters of now, if it is not there yet.
    fun add_stage_data(
        store: &mut ModuleStore, stage: u64, start_time: u64, end_time: u64
    ) {
        if (stages::contains(&store.stage_data, stage)) return;
        stages::add(
            &mut store.stage_data,
            stage,
            start_time,
            end_time,
            store.pool_split_ratio,
            store.vesting_period,
            store.minimum_score_ratio
        );
    }
}
