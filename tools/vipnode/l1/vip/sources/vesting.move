/// Rewards that have been claimed and are paid out over the following stages, with the layout and the rules of the module of this
/// name on L1.
module vip::vesting {
    use std::bcs;
    use std::error;
    use std::option::{Self, Option};
    use std::vector;
    use minitia_std::bigdecimal::{Self, BigDecimal};
    use minitia_std::table::{Self, Table};
    use minitia_std::table_key;

    friend vip::vip;

    /// The stage is claimed already.
    const EVESTING_ALREADY_CLAIMED: u64 = 2;
    /// Nothing of this account and version is vesting.
    const EVESTING_NOT_FOUND: u64 = 3;
    /// Nothing of this stage is vesting.
    const EINVALID_STAGE: u64 = 6;

    const ASCENDING: u8 = 1;

    struct ModuleStore has key {
        /// By bridge and version, each as 8 bytes in big-endian order, and the account.
        user_vestings: Table<vector<u8>, VestingStore<UserVesting>>,
        /// The same with the account 0x0.
        operator_vestings: Table<vector<u8>, VestingStore<OperatorVesting>>
    }

    struct VestingStore<Vesting: copy + drop + store> has store {
        last_claimed_stage: u64,
        /// By the stage that was claimed, as 8 bytes in big-endian order.
        vestings: Table<vector<u8>, Vesting>
    }

    /// A reward of a user. Each later stage that the user claims pays a part of it.
    struct UserVesting has copy, drop, store {
        initial_reward: u64,
        remaining_reward: u64,
        /// What stages with a score below the minimum did not pay.
        penalty_reward: u64,
        start_stage: u64,
        end_stage: u64,
        /// The most that one stage pays.
        vest_max_amount: u64,
        l2_score: u64,
        /// A stage with at least this score pays the most.
        minimum_score: u64
    }

    /// A reward of an operator. It vests with each stage that has a snapshot.
    struct OperatorVesting has copy, drop, store {
        initial_reward: u64,
        remaining_reward: u64,
        start_stage: u64,
        end_stage: u64
    }

    public(friend) fun initialize(publisher: &signer) {
        move_to(
            publisher,
            ModuleStore { user_vestings: table::new(), operator_vestings: table::new() }
        );
    }

    /// Returns the stage that a user claimed last; none before the first claim.
    public(friend) fun last_claimed_stage(
        account: address, bridge_id: u64, version: u64
    ): Option<u64> acquires ModuleStore {
        let stores = &borrow_global<ModuleStore>(@vip).user_vestings;
        let key = key_of(bridge_id, version, account);
        if (stores.contains(key)) option::some(stores.borrow(key).last_claimed_stage)
        else option::none()
    }

    /// Claims one stage of a user with the score `l2_score`: earlier rewards vest, and the stage's own starts to. Returns the
    /// amount to pay.
    public(friend) fun claim_user_stage(
        account: address,
        bridge_id: u64,
        version: u64,
        stage: u64,
        end_stage: u64,
        l2_score: u64,
        minimum_score_ratio: BigDecimal,
        reward: u64
    ): u64 acquires ModuleStore {
        let stores = &mut borrow_global_mut<ModuleStore>(@vip).user_vestings;
        let store = store_of(stores, key_of(bridge_id, version, account));
        let stage_key = table_key::encode_u64(stage);
        let vested = vest_user(&mut store.vestings, stage, l2_score);
        assert!(
            !store.vestings.contains(stage_key),
            error::already_exists(EVESTING_ALREADY_CLAIMED)
        );
        if (reward > 0) {
            store.vestings.add(
                stage_key,
                UserVesting {
                    initial_reward: reward,
                    remaining_reward: reward,
                    penalty_reward: 0,
                    start_stage: stage,
                    end_stage,
                    vest_max_amount: reward / (end_stage - stage),
                    l2_score,
                    minimum_score: bigdecimal::mul_by_u64_truncate(
                        minimum_score_ratio, l2_score
                    )
                }
            );
        };
        store.last_claimed_stage = stage;
        vested
    }

    /// Vests all rewards of a user for one more stage, and removes those that are paid out. Returns the amount.
    fun vest_user(
        vestings: &mut Table<vector<u8>, UserVesting>, stage: u64, l2_score: u64
    ): u64 {
        let paid = 0;
        let finished = vector::empty();
        let iter = vestings.iter_mut(option::none(), option::none(), ASCENDING);
        while (iter.prepare_mut()) {
            let (key, vesting) = iter.next_mut();
            // The stage takes this from the position, and pays it in proportion to the score.
            let due = min(vesting.vest_max_amount, vesting.remaining_reward);
            let earned =
                if (l2_score >= vesting.minimum_score) vesting.vest_max_amount
                else mul_div(vesting.vest_max_amount, l2_score, vesting.minimum_score);
            let vested = min(earned, due);
            vesting.remaining_reward -= due;
            vesting.penalty_reward += due - vested;
            paid += vested;
            if (stage == vesting.end_stage || vesting.remaining_reward == 0) {
                // Division leaves a rest.
                paid += vesting.remaining_reward;
                finished.push_back(key);
            }
        };
        finished.for_each(|key| { vestings.remove(key); });
        paid
    }

    /// Returns the first stage that a version's operator has not claimed; `init_stage` before the first claim.
    public(friend) fun next_operator_stage(
        bridge_id: u64, version: u64, init_stage: u64
    ): u64 acquires ModuleStore {
        let stores = &mut borrow_global_mut<ModuleStore>(@vip).operator_vestings;
        let last = store_of(stores, key_of(bridge_id, version, @0x0)).last_claimed_stage;
        if (last == 0) init_stage
        else last + 1
    }

    /// Claims one stage of a version's operator, whose reward starts to vest.
    public(friend) fun claim_operator_stage(
        bridge_id: u64,
        version: u64,
        stage: u64,
        end_stage: u64,
        reward: u64
    ) acquires ModuleStore {
        let stores = &mut borrow_global_mut<ModuleStore>(@vip).operator_vestings;
        let store = store_of(stores, key_of(bridge_id, version, @0x0));
        store.vestings.add(
            table_key::encode_u64(stage),
            OperatorVesting {
                initial_reward: reward,
                remaining_reward: reward,
                start_stage: stage,
                end_stage
            }
        );
        store.last_claimed_stage = stage;
    }

    /// Vests all rewards of a version's operator until the stage `last`, and removes those that are paid out. Returns the amount.
    public(friend) fun vest_operator(
        bridge_id: u64, version: u64, last: u64
    ): u64 acquires ModuleStore {
        let stores = &mut borrow_global_mut<ModuleStore>(@vip).operator_vestings;
        let vestings = &mut store_of(stores, key_of(bridge_id, version, @0x0)).vestings;
        let paid = 0;
        let finished = vector::empty();
        let iter = vestings.iter_mut(option::none(), option::none(), ASCENDING);
        while (iter.prepare_mut()) {
            let (key, vesting) = iter.next_mut();
            let vested =
                if (last >= vesting.end_stage) {
                    finished.push_back(key);
                    vesting.remaining_reward
                } else {
                    let (start, end) = (vesting.start_stage, vesting.end_stage);
                    let until_now = mul_div(vesting.initial_reward, last - start, end - start);
                    until_now - (vesting.initial_reward - vesting.remaining_reward)
                };
            vesting.remaining_reward -= vested;
            paid += vested;
        };
        finished.for_each(|key| { vestings.remove(key); });
        paid
    }

    #[view]
    /// A reward of a user that has not been paid out.
    public fun get_user_vesting(
        account_addr: address,
        bridge_id: u64,
        version: u64,
        stage: u64
    ): UserVesting acquires ModuleStore {
        find(
            &borrow_global<ModuleStore>(@vip).user_vestings,
            key_of(bridge_id, version, account_addr),
            stage
        )
    }

    #[view]
    /// A reward of an operator that has not been paid out.
    public fun get_operator_vesting(
        bridge_id: u64, version: u64, stage: u64
    ): OperatorVesting acquires ModuleStore {
        find(
            &borrow_global<ModuleStore>(@vip).operator_vestings,
            key_of(bridge_id, version, @0x0),
            stage
        )
    }

    fun find<Vesting: copy + drop + store>(
        stores: &Table<vector<u8>, VestingStore<Vesting>>, key: vector<u8>, stage: u64
    ): Vesting {
        assert!(stores.contains(key), error::not_found(EVESTING_NOT_FOUND));
        let vestings = &stores.borrow(key).vestings;
        let stage_key = table_key::encode_u64(stage);
        assert!(vestings.contains(stage_key), error::not_found(EINVALID_STAGE));
        *vestings.borrow(stage_key)
    }

    /// Returns a store, which is empty before the first claim.
    fun store_of<Vesting: copy + drop + store>(
        stores: &mut Table<vector<u8>, VestingStore<Vesting>>, key: vector<u8>
    ): &mut VestingStore<Vesting> {
        if (!stores.contains(key)) {
            stores.add(
                key, VestingStore { last_claimed_stage: 0, vestings: table::new() }
            );
        };
        stores.borrow_mut(key)
    }

    fun key_of(bridge_id: u64, version: u64, account: address): vector<u8> {
        let key = table_key::encode_u64(bridge_id);
        key.append(table_key::encode_u64(version));
        key.append(bcs::to_bytes(&account));
        key
    }

    fun min(one: u64, other: u64): u64 {
        if (one < other) one else other
    }

    /// Returns `amount * part / whole`, rounded down.
    public(friend) fun mul_div(amount: u64, part: u64, whole: u64): u64 {
        ((amount as u128) * (part as u128) / (whole as u128)) as u64
    }
}
