/// The scoring contract of an Initia rollup: a score for each account in each stage, written by deployers and frozen for
/// ever once the stage is finalized.
///
/// Everything up to "Additions" is the published interface of the reference contract (initia-labs/vip-score-move): the VIP
/// agent and explorers call these functions and open the tables of `ModuleStore` directly, so names, types, abilities and
/// abort codes must not change. The additions are ours. docs/spec.md has all rules of behaviour; the numbers are cited
/// here.
///
/// Stages and scores are u64. Exactly one stage is open at any time: the highest one. Checks come in this order: caller,
/// lengths, stage, rows (R10). A call that aborts has written nothing.
///
/// Publish it under the compatible policy, or the immutable one when nobody shall ever change it. A module of the
/// reference contract can be upgraded to this one in place: all that the published structs cannot carry is kept in a
/// resource of its own, which is created when it is first needed.
module vip_score::vip_score {
    use std::event;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::{Self, String};
    use std::vector;

    use minitia_std::simple_map::{Self, SimpleMap};
    use minitia_std::table::{Self, Table};

    // Errors: complete abort codes, the category of std::error in the upper bits.

    /// The caller is no deployer.
    const ENOT_DEPLOYER: u64 = 0x10001;

    /// The caller is not the publisher of the module.
    const ENOT_PUBLISHER: u64 = 0x50001;

    /// The score is less than the amount to take away.
    const EINSUFFICIENT_SCORE: u64 = 0x10002;

    /// The stage was never created.
    const ESTAGE_NOT_FOUND: u64 = 0x10003;

    /// The account is a deployer already.
    const EDEPLOYER_EXISTS: u64 = 0x10004;

    /// The account is no deployer.
    const EDEPLOYER_NOT_FOUND: u64 = 0x10005;

    /// The lists of addresses and scores differ in length.
    const ELENGTH_MISMATCH: u64 = 0x10006;

    /// The stage is finalized and can no longer change.
    const ESTAGE_FINALIZED: u64 = 0x10008;

    /// Stages count from 1.
    const ESTAGE_ZERO: u64 = 0x10009;

    /// The first stage is set already.
    const EINIT_STAGE_SET: u64 = 0x8000a;

    /// A score, or the total of the stage, would exceed 2^64 - 1.
    const ESCORE_OVERFLOW: u64 = 0x2000b;

    /// The total or the number of scores is not the expected one. `get_stage` tells both.
    const EFINALIZE_MISMATCH: u64 = 0x3000c;

    /// The caller is not the owner.
    const ENOT_OWNER: u64 = 0x5000d;

    /// Ownership was not offered to the caller.
    const ENOT_PENDING_OWNER: u64 = 0x5000e;

    /// The version of this contract, as in semantic versioning.
    const VERSION: vector<u8> = b"1.0.0";

    /// The most rows a page of `get_scores` has.
    const MAX_LIMIT: u16 = 1000;

    const MAX_U64: u64 = 18446744073709551615;

    /// The order of a table iterator that starts at the highest address.
    const DESCENDING: u8 = 2;

    // State

    /// The state of the contract, at the publisher's address.
    struct ModuleStore has key {
        /// The first stage; 0 until it is set.
        init_stage: u64,
        /// The accounts that write scores. The values mean nothing.
        deployers: SimpleMap<address, bool>,
        /// The stages by number.
        scores: Table<u64, Scores>
    }

    /// One stage.
    struct Scores has store {
        /// The sum of all scores of the stage.
        total_score: u64,
        /// Whether the stage is finalized.
        is_finalized: bool,
        /// The score of each account that has one, 0 included. Its length is the number of scores.
        score: Table<address, u64>
    }

    /// Who owns the contract, at the publisher's address. It is there from the first offer of ownership on; until then the
    /// publisher is the owner.
    struct OwnerStore has key {
        owner: address,
        pending_owner: Option<address>
    }

    // Events

    #[event]
    /// A deployer was added.
    struct DeployerAddedEvent has drop, store {
        deployer: address
    }

    #[event]
    /// A deployer was removed.
    struct DeployerRemovedEvent has drop, store {
        deployer: address
    }

    #[event]
    /// A score was written. `score` and `total_score` are those after the write.
    struct UpdateScoreEvent has drop, store {
        account: address,
        stage: u64,
        score: u64,
        total_score: u64
    }

    #[event]
    /// A stage was finalized.
    struct FinalizedScoreEvent has drop, store {
        stage: u64
    }

    #[event]
    /// `update_scores_script` wrote `count` rows; `total_score` is the total after the batch.
    struct UpdateScoresEvent has drop, store {
        stage: u64,
        count: u64,
        total_score: u64
    }

    #[event]
    /// The owner offered ownership to `new_owner`, who has to accept it.
    struct OwnershipTransferStartedEvent has drop, store {
        previous_owner: address,
        new_owner: address
    }

    #[event]
    /// `new_owner` accepted ownership.
    struct OwnershipTransferredEvent has drop, store {
        previous_owner: address,
        new_owner: address
    }

    // Answers of views

    /// A page of scores.
    struct GetScoresResponse {
        stage: u64,
        scores: vector<Score>
    }

    /// One row of a page.
    struct Score {
        addr: address,
        score: u64
    }

    /// A stage; all but `stage` is 0 or false when it was never created (`exists`).
    struct GetStageResponse has copy, drop {
        stage: u64,
        exists: bool,
        total_score: u64,
        is_finalized: bool,
        score_count: u64
    }

    fun init_module(publisher: &signer) {
        move_to(
            publisher,
            ModuleStore { init_stage: 0, deployers: simple_map::new(), scores: table::new() }
        );
    }

    // Published: deployers and stages

    /// Adds a deployer. For the publisher. Aborts with `EDEPLOYER_EXISTS` if it is one.
    public entry fun add_deployer_script(publisher: &signer, deployer: address) acquires ModuleStore {
        check_publisher(publisher);
        add_deployer(deployer);
    }

    /// Removes a deployer, also the last one: the publisher can always add another. For the publisher. Aborts with
    /// `EDEPLOYER_NOT_FOUND` if it is none.
    public entry fun remove_deployer_script(publisher: &signer, deployer: address) acquires ModuleStore {
        check_publisher(publisher);
        remove_deployer(deployer);
    }

    /// Sets and creates the first stage, once. For deployers. Aborts with `ESTAGE_ZERO` or `EINIT_STAGE_SET`.
    public entry fun set_init_stage(deployer: &signer, stage: u64) acquires ModuleStore {
        assert!(stage != 0, ESTAGE_ZERO);
        let store = borrow_for_deployer(deployer);
        assert!(store.init_stage == 0, EINIT_STAGE_SET);
        store.init_stage = stage;
        create_stage(store, stage);
    }

    /// Freezes a stage for ever and creates the next one. For deployers. Prefer `finalize_checked_script`. A second call
    /// aborts with `ESTAGE_FINALIZED`. After stage 2^64 - 1 there is no next stage.
    public entry fun finalize_script(deployer: &signer, stage: u64) acquires ModuleStore {
        let store = borrow_for_deployer(deployer);
        finalize(store, stage);
    }

    // Published: scores

    /// Sets the scores of many accounts. For deployers. Of two rows for one account the last one counts (R11). Emits one
    /// `UpdateScoreEvent` a row. Aborts with `ELENGTH_MISMATCH`, and with `ESCORE_OVERFLOW` when the total exceeds u64
    /// after any row.
    public entry fun update_score_script(
        deployer: &signer,
        stage: u64,
        addrs: vector<address>,
        scores: vector<u64>
    ) acquires ModuleStore {
        let store = borrow_for_deployer(deployer);
        let count = vector::length(&addrs);
        assert!(count == vector::length(&scores), ELENGTH_MISMATCH);
        let open = borrow_open_stage(store, stage);
        let total = open.total_score;
        let rows = &mut open.score;
        let i = 0;
        while (i < count) {
            let account = *vector::borrow(&addrs, i);
            let score = *vector::borrow(&scores, i);
            total = write(rows, account, score, total);
            event::emit(UpdateScoreEvent { account, stage, score, total_score: total });
            i = i + 1;
        };
        open.total_score = total;
    }

    /// Adds to the score of one account. For deployers. Aborts with `ESCORE_OVERFLOW`. Adding 0 gives the account a score
    /// of 0 if it had none (R6).
    public fun increase_score(
        deployer: &signer, account: address, stage: u64, amount: u64
    ) acquires ModuleStore {
        let store = borrow_for_deployer(deployer);
        let open = borrow_open_stage(store, stage);
        let score = *table::borrow_with_default(&open.score, account, &0);
        assert!(amount <= MAX_U64 - score, ESCORE_OVERFLOW);
        replace(open, account, stage, score + amount);
    }

    /// Subtracts from the score of one account. For deployers. Aborts with `EINSUFFICIENT_SCORE`. Subtracting 0 gives the
    /// account a score of 0 if it had none (R6).
    public fun decrease_score(
        deployer: &signer, account: address, stage: u64, amount: u64
    ) acquires ModuleStore {
        let store = borrow_for_deployer(deployer);
        let open = borrow_open_stage(store, stage);
        let score = *table::borrow_with_default(&open.score, account, &0);
        assert!(amount <= score, EINSUFFICIENT_SCORE);
        replace(open, account, stage, score - amount);
    }

    /// Sets the score of one account. For deployers. Aborts with `ESCORE_OVERFLOW` when the total exceeds u64.
    public fun update_score(
        deployer: &signer, account: address, stage: u64, amount: u64
    ) acquires ModuleStore {
        let store = borrow_for_deployer(deployer);
        let open = borrow_open_stage(store, stage);
        replace(open, account, stage, amount);
    }

    // Published: views

    #[view]
    /// The score of an account in a stage; 0 if it has none or the stage was never created.
    public fun get_score(account: address, stage: u64): u64 acquires ModuleStore {
        let stages = &borrow_global<ModuleStore>(@vip_score).scores;
        if (!table::contains(stages, stage)) return 0;
        *table::borrow_with_default(&table::borrow(stages, stage).score, account, &0)
    }

    #[view]
    /// The total of a stage; 0 if it was never created.
    public fun get_total_score(stage: u64): u64 acquires ModuleStore {
        get_stage(stage).total_score
    }

    #[view]
    /// A page of a stage in descending order of address, at most 1,000 rows whatever the limit; empty if the stage was never
    /// created. `start_after` is the last address of the page before. A page with fewer rows than the limit (or than
    /// 1,000) is the last one.
    public fun get_scores(
        stage: u64, limit: u16, start_after: Option<address>
    ): GetScoresResponse acquires ModuleStore {
        let stages = &borrow_global<ModuleStore>(@vip_score).scores;
        let scores = vector[];
        if (!table::contains(stages, stage)) return GetScoresResponse { stage, scores };

        if (limit > MAX_LIMIT) limit = MAX_LIMIT;
        let rows = table::iter(
            &table::borrow(stages, stage).score, option::none(), start_after, DESCENDING
        );
        let left = limit;
        while (left > 0 && table::prepare(rows)) {
            let (addr, score) = table::next(rows);
            vector::push_back(&mut scores, Score { addr, score: *score });
            left = left - 1;
        };
        GetScoresResponse { stage, scores }
    }

    // Additions: scores and stages

    /// Sets the scores of many accounts as `update_score_script` does, with one `UpdateScoresEvent` for the batch: the
    /// cheapest way to write. For deployers. A reader who follows `UpdateScoreEvent` does not see these scores.
    public entry fun update_scores_script(
        deployer: &signer,
        stage: u64,
        addrs: vector<address>,
        scores: vector<u64>
    ) acquires ModuleStore {
        let store = borrow_for_deployer(deployer);
        let count = vector::length(&addrs);
        assert!(count == vector::length(&scores), ELENGTH_MISMATCH);
        let open = borrow_open_stage(store, stage);
        let total = open.total_score;
        let rows = &mut open.score;
        let i = 0;
        while (i < count) {
            total = write(rows, *vector::borrow(&addrs, i), *vector::borrow(&scores, i), total);
            i = i + 1;
        };
        open.total_score = total;
        event::emit(UpdateScoresEvent { stage, count, total_score: total });
    }

    /// Finalizes a stage if it holds exactly `expected_count` scores, those of 0 included, that add up to
    /// `expected_total`. For deployers. Aborts with `EFINALIZE_MISMATCH` otherwise, and changes nothing.
    public entry fun finalize_checked_script(
        deployer: &signer,
        stage: u64,
        expected_total: u64,
        expected_count: u64
    ) acquires ModuleStore {
        let store = borrow_for_deployer(deployer);
        let open = borrow_open_stage(store, stage);
        assert!(
            open.total_score == expected_total && table::length(&open.score) == expected_count,
            EFINALIZE_MISMATCH
        );
        finalize(store, stage);
    }

    // Additions: ownership

    /// Offers ownership, in place of any earlier offer. For the owner, at first the publisher. Nothing changes until the
    /// new owner accepts; to take an offer back, offer it to yourself.
    public entry fun transfer_ownership_script(owner: &signer, new_owner: address) acquires OwnerStore {
        check_owner(owner);
        let previous_owner = signer::address_of(owner);
        if (exists<OwnerStore>(@vip_score)) {
            borrow_global_mut<OwnerStore>(@vip_score).pending_owner = option::some(new_owner);
        } else {
            move_to(
                owner,
                OwnerStore { owner: previous_owner, pending_owner: option::some(new_owner) }
            );
        };
        event::emit(OwnershipTransferStartedEvent { previous_owner, new_owner });
    }

    /// Takes over ownership. For the account that it was offered to; `ENOT_PENDING_OWNER` for all others.
    public entry fun accept_ownership_script(new_owner: &signer) acquires OwnerStore {
        let accepting = signer::address_of(new_owner);
        assert!(get_pending_owner() == option::some(accepting), ENOT_PENDING_OWNER);
        let store = borrow_global_mut<OwnerStore>(@vip_score);
        let previous_owner = store.owner;
        store.owner = accepting;
        store.pending_owner = option::none();
        event::emit(OwnershipTransferredEvent { previous_owner, new_owner: accepting });
    }

    /// Adds a deployer as `add_deployer_script` does. For the owner.
    public entry fun owner_add_deployer_script(owner: &signer, deployer: address) acquires ModuleStore, OwnerStore {
        check_owner(owner);
        add_deployer(deployer);
    }

    /// Removes a deployer as `remove_deployer_script` does. For the owner.
    public entry fun owner_remove_deployer_script(
        owner: &signer, deployer: address
    ) acquires ModuleStore, OwnerStore {
        check_owner(owner);
        remove_deployer(deployer);
    }

    // Additions: views

    #[view]
    /// The version of this contract, as in semantic versioning.
    public fun contract_version(): String {
        string::utf8(VERSION)
    }

    #[view]
    /// A stage with its total, its flag and the number of its scores, those of 0 included.
    public fun get_stage(stage: u64): GetStageResponse acquires ModuleStore {
        let stages = &borrow_global<ModuleStore>(@vip_score).scores;
        if (!table::contains(stages, stage)) {
            return GetStageResponse {
                stage,
                exists: false,
                total_score: 0,
                is_finalized: false,
                score_count: 0
            }
        };
        let scores = table::borrow(stages, stage);
        GetStageResponse {
            stage,
            exists: true,
            total_score: scores.total_score,
            is_finalized: scores.is_finalized,
            score_count: table::length(&scores.score)
        }
    }

    #[view]
    /// Whether a stage is finalized; false if it was never created.
    public fun is_finalized(stage: u64): bool acquires ModuleStore {
        get_stage(stage).is_finalized
    }

    #[view]
    /// How many accounts have a score (possibly 0) in a stage; 0 if it was never created.
    public fun get_score_count(stage: u64): u64 acquires ModuleStore {
        get_stage(stage).score_count
    }

    #[view]
    /// The scores of accounts in a stage, in the order asked for; none for an account that has no score, or in a stage that
    /// was never created.
    public fun get_scores_of(stage: u64, accounts: vector<address>): vector<Option<u64>> acquires ModuleStore {
        let stages = &borrow_global<ModuleStore>(@vip_score).scores;
        if (!table::contains(stages, stage)) {
            return vector::map(accounts, |_account| option::none())
        };
        let rows = &table::borrow(stages, stage).score;
        vector::map(
            accounts,
            |account| {
                if (table::contains(rows, account)) option::some(*table::borrow(rows, account))
                else option::none()
            }
        )
    }

    #[view]
    /// The first stage; 0 until it is set.
    public fun get_init_stage(): u64 acquires ModuleStore {
        borrow_global<ModuleStore>(@vip_score).init_stage
    }

    #[view]
    /// All deployers, in no particular order.
    public fun get_deployers(): vector<address> acquires ModuleStore {
        simple_map::keys(&borrow_global<ModuleStore>(@vip_score).deployers)
    }

    #[view]
    /// Whether the account is a deployer.
    public fun is_deployer(account: address): bool acquires ModuleStore {
        simple_map::contains_key(&borrow_global<ModuleStore>(@vip_score).deployers, &account)
    }

    #[view]
    /// The owner: at first the publisher.
    public fun get_owner(): address acquires OwnerStore {
        if (exists<OwnerStore>(@vip_score)) borrow_global<OwnerStore>(@vip_score).owner
        else @vip_score
    }

    #[view]
    /// The account that ownership is offered to, if any.
    public fun get_pending_owner(): Option<address> acquires OwnerStore {
        if (exists<OwnerStore>(@vip_score)) borrow_global<OwnerStore>(@vip_score).pending_owner
        else option::none()
    }

    // Internal

    fun check_publisher(caller: &signer) {
        assert!(signer::address_of(caller) == @vip_score, ENOT_PUBLISHER);
    }

    fun check_owner(caller: &signer) acquires OwnerStore {
        assert!(signer::address_of(caller) == get_owner(), ENOT_OWNER);
    }

    /// The state of the contract, if the caller is a deployer.
    inline fun borrow_for_deployer(caller: &signer): &mut ModuleStore {
        let store = borrow_global_mut<ModuleStore>(@vip_score);
        assert!(
            simple_map::contains_key(&store.deployers, &signer::address_of(caller)),
            ENOT_DEPLOYER
        );
        store
    }

    /// A stage that may still change.
    fun borrow_open_stage(store: &mut ModuleStore, stage: u64): &mut Scores {
        assert!(table::contains(&store.scores, stage), ESTAGE_NOT_FOUND);
        let scores = table::borrow_mut(&mut store.scores, stage);
        assert!(!scores.is_finalized, ESTAGE_FINALIZED);
        scores
    }

    fun create_stage(store: &mut ModuleStore, stage: u64) {
        table::add(
            &mut store.scores,
            stage,
            Scores { total_score: 0, is_finalized: false, score: table::new() }
        );
    }

    fun finalize(store: &mut ModuleStore, stage: u64) {
        borrow_open_stage(store, stage).is_finalized = true;
        // A next stage that is there already, whatever created it, keeps its scores.
        if (stage != MAX_U64 && !table::contains(&store.scores, stage + 1)) {
            create_stage(store, stage + 1);
        };
        event::emit(FinalizedScoreEvent { stage });
    }

    fun add_deployer(deployer: address) acquires ModuleStore {
        let deployers = &mut borrow_global_mut<ModuleStore>(@vip_score).deployers;
        assert!(!simple_map::contains_key(deployers, &deployer), EDEPLOYER_EXISTS);
        simple_map::add(deployers, deployer, true);
        event::emit(DeployerAddedEvent { deployer });
    }

    fun remove_deployer(deployer: address) acquires ModuleStore {
        let deployers = &mut borrow_global_mut<ModuleStore>(@vip_score).deployers;
        assert!(simple_map::contains_key(deployers, &deployer), EDEPLOYER_NOT_FOUND);
        simple_map::remove(deployers, &deployer);
        event::emit(DeployerRemovedEvent { deployer });
    }

    /// Sets the score of one account and emits the row's event.
    fun replace(open: &mut Scores, account: address, stage: u64, score: u64) {
        let total_score = write(&mut open.score, account, score, open.total_score);
        open.total_score = total_score;
        event::emit(UpdateScoreEvent { account, stage, score, total_score });
    }

    /// Sets the score of one account and returns the new total. Inline, and asking before it writes, because both make a row
    /// cheaper: a call costs about 50 gas, `borrow_mut_with_default` a second access to the table.
    inline fun write(
        rows: &mut Table<address, u64>, account: address, score: u64, total: u64
    ): u64 {
        let others = total;
        if (table::contains(rows, account)) {
            let current = table::borrow_mut(rows, account);
            others = others - *current;
            *current = score;
        } else {
            table::add(rows, account, score);
        };
        assert!(score <= MAX_U64 - others, ESCORE_OVERFLOW);
        others + score
    }

    // Tests

    #[test_only]
    public fun init_module_for_test(publisher: &signer) {
        init_module(publisher);
    }

    #[test_only]
    public fun unpack_page(page: GetScoresResponse): (u64, vector<address>, vector<u64>) {
        let GetScoresResponse { stage, scores: rows } = page;
        let addrs = vector[];
        let scores = vector[];
        vector::for_each(rows, |row| {
            let Score { addr, score } = row;
            vector::push_back(&mut addrs, addr);
            vector::push_back(&mut scores, score);
        });
        (stage, addrs, scores)
    }
}
