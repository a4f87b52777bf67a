/// The scoring contract of an Initia rollup: a score for each account in each stage, written by deployers and frozen
/// permanently once the stage is finalized. docs/spec.md has the rules of behavior; their numbers (R7) are cited
/// here.
///
/// Who may do what:
/// - a deployer writes scores;
/// - the finalizer finalizes stages, if the owner named one; otherwise every deployer does;
/// - the owner, at first the publisher, manages deployers, names the finalizer and hands ownership over;
/// - the publisher manages deployers too, until the owner turns that off.
///
/// Exactly one stage is open at any time: the highest one. Checks come in this order: caller, lengths, stage, rows
/// (R10). A call that aborts has written nothing.
///
/// The structs and functions of the reference contract (initia-labs/vip-score-move) keep their names, fields, abilities
/// and types: the VIP agent and explorers call these functions and open the tables of `ModuleStore` directly. What the
/// published structs cannot hold is in one other resource, `Extension`. A reference contract that is upgraded in place
/// has none until its publisher calls `complete_upgrade_script`; until then only the published views work.
module vip_score::vip_score {
    use std::event;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::{Self, String};

    use minitia_std::math64::min;
    use minitia_std::simple_map::{Self, SimpleMap};
    use minitia_std::table::{Self, Table};

    // Errors: complete abort codes, the category of std::error in the upper bits.

    /// The caller is not a deployer.
    const ENOT_DEPLOYER: u64 = 0x10001;

    /// The caller is not the publisher of the module.
    const ENOT_PUBLISHER: u64 = 0x50001;

    /// The score is less than the amount to subtract.
    const EINSUFFICIENT_SCORE: u64 = 0x10002;

    /// The stage was never created.
    const ESTAGE_NOT_FOUND: u64 = 0x10003;

    /// The account is already a deployer.
    const EDEPLOYER_EXISTS: u64 = 0x10004;

    /// The account is not a deployer.
    const EDEPLOYER_NOT_FOUND: u64 = 0x10005;

    /// The lists of addresses and scores differ in length.
    const ELENGTH_MISMATCH: u64 = 0x10006;

    /// The stage is finalized and can no longer change.
    const ESTAGE_FINALIZED: u64 = 0x10008;

    /// Stages count from 1.
    const ESTAGE_ZERO: u64 = 0x10009;

    /// The first stage is already set.
    const EINIT_STAGE_SET: u64 = 0x8000a;

    /// A score, or the total of the stage, would exceed 2^64 - 1.
    const ESCORE_OVERFLOW: u64 = 0x2000b;

    /// The stage has another total, number of scores or revision than expected. `get_stage` returns all three.
    const EFINALIZE_MISMATCH: u64 = 0x3000c;

    /// The caller is not the owner, or is the publisher and the owner turned off that the publisher manages
    /// deployers.
    const ENOT_OWNER: u64 = 0x5000d;

    /// Ownership was not offered to the caller.
    const ENOT_PENDING_OWNER: u64 = 0x5000e;

    /// The upgrade from the reference contract is not complete: the publisher has to call `complete_upgrade_script`.
    const EUPGRADE_INCOMPLETE: u64 = 0x3000f;

    /// The owner named a finalizer, and the caller is not it.
    const ENOT_FINALIZER: u64 = 0x50010;

    // Constants

    /// The version of this contract, as in semantic versioning.
    const VERSION: vector<u8> = b"1.0.0";

    /// The most rows or deployers that a page has.
    const MAX_LIMIT: u64 = 1000;

    const MAX_U64: u64 = 18446744073709551615;

    /// The order of a table iterator that starts at the highest address.
    const DESCENDING: u8 = 2;

    // State, all of it at the publisher's address

    /// Deployers and scores. Published: the fields must not change.
    struct ModuleStore has key {
        /// The first stage; 0 until it is set.
        init_stage: u64,
        /// The accounts that write scores. The values mean nothing.
        deployers: SimpleMap<address, bool>,
        /// The stages by number.
        scores: Table<u64, Scores>
    }

    /// One stage. Published: the fields must not change.
    struct Scores has store {
        /// The sum of all scores of the stage.
        total_score: u64,
        /// Whether the stage is finalized.
        is_finalized: bool,
        /// The score of each account that has one, 0 included. Its length is the number of scores.
        score: Table<address, u64>
    }

    /// What this contract adds to the published state. Created with the contract, or by `complete_upgrade_script`.
    struct Extension has key {
        /// Manages deployers, names the finalizer and hands ownership over; at first the publisher.
        owner: address,
        /// The account that ownership is offered to.
        pending_owner: Option<address>,
        /// The only account that may finalize stages; none: every deployer may.
        finalizer: Option<address>,
        /// Whether the publisher may manage deployers when it is not the owner.
        publisher_manages: bool,
        /// For each stage the number of calls that wrote rows; a stage that is missing was not written (R21).
        revisions: Table<u64, u64>
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
    /// The owner replaces all deployers: `count` of them were removed. A `DeployerAddedEvent` follows for each new one.
    struct DeployersClearedEvent has drop, store {
        count: u64
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
    /// `update_scores_script` wrote `count` rows; `total_score` is the total after the batch.
    struct UpdateScoresEvent has drop, store {
        stage: u64,
        count: u64,
        total_score: u64
    }

    #[event]
    /// A stage was finalized.
    struct FinalizedScoreEvent has drop, store {
        stage: u64
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

    #[event]
    /// The owner set the finalizer; none: every deployer may finalize.
    struct FinalizerSetEvent has drop, store {
        finalizer: Option<address>
    }

    #[event]
    /// The owner allowed the publisher to manage deployers, or no longer allows it.
    struct PublisherManagesSetEvent has drop, store {
        allowed: bool
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

    /// A stage; all but `stage` is 0 or false if it was never created (`exists`).
    struct GetStageResponse has copy, drop {
        stage: u64,
        exists: bool,
        total_score: u64,
        is_finalized: bool,
        /// How many accounts have a score, 0 included.
        score_count: u64,
        /// How many calls have written rows (R21).
        revision: u64
    }

    // Creation

    fun init_module(publisher: &signer) {
        move_to(
            publisher,
            ModuleStore { init_stage: 0, deployers: simple_map::new(), scores: table::new() }
        );
        create_extension(publisher);
    }

    /// Completes an upgrade in place from the reference contract; does nothing if it is complete. For the publisher.
    entry fun complete_upgrade_script(publisher: &signer) {
        check_publisher(publisher);
        if (!exists<Extension>(@vip_score)) create_extension(publisher);
    }

    fun create_extension(publisher: &signer) {
        move_to(
            publisher,
            Extension {
                owner: @vip_score,
                pending_owner: option::none(),
                finalizer: option::none(),
                publisher_manages: true,
                revisions: table::new()
            }
        );
    }

    fun check_upgraded() {
        assert!(is_upgraded(), EUPGRADE_INCOMPLETE);
    }

    // Writing scores: for deployers

    /// Sets the scores of many accounts. If an account has two rows, the last one counts (R11). Emits one
    /// `UpdateScoreEvent` a row. Aborts with `ELENGTH_MISMATCH`, and with `ESCORE_OVERFLOW` when the total exceeds
    /// u64 after any row.
    public entry fun update_score_script(
        deployer: &signer,
        stage: u64,
        addrs: vector<address>,
        scores: vector<u64>
    ) acquires ModuleStore, Extension {
        check_deployer(deployer);
        let count = addrs.length();
        assert!(count == scores.length(), ELENGTH_MISMATCH);
        let open = borrow_open_stage(&mut ModuleStore[@vip_score], stage);
        for (i in 0..count) {
            let account = addrs[i];
            let score = scores[i];
            write(open, account, score);
            event::emit(UpdateScoreEvent { account, stage, score, total_score: open.total_score });
        };
        if (count > 0) raise_revision(stage);
    }

    /// Sets the scores of many accounts as `update_score_script` does, with one `UpdateScoresEvent` for the batch:
    /// the cheapest way to write. A reader who follows `UpdateScoreEvent` does not see these scores.
    public entry fun update_scores_script(
        deployer: &signer,
        stage: u64,
        addrs: vector<address>,
        scores: vector<u64>
    ) acquires ModuleStore, Extension {
        check_deployer(deployer);
        let count = addrs.length();
        assert!(count == scores.length(), ELENGTH_MISMATCH);
        let open = borrow_open_stage(&mut ModuleStore[@vip_score], stage);
        for (i in 0..count) {
            write(open, addrs[i], scores[i]);
        };
        event::emit(UpdateScoresEvent { stage, count, total_score: open.total_score });
        if (count > 0) raise_revision(stage);
    }

    /// Sets the score of one account. Aborts with `ESCORE_OVERFLOW` when the total exceeds u64.
    public fun update_score(
        deployer: &signer, account: address, stage: u64, amount: u64
    ) acquires ModuleStore, Extension {
        check_deployer(deployer);
        let open = borrow_open_stage(&mut ModuleStore[@vip_score], stage);
        write_and_emit(open, stage, account, amount);
        raise_revision(stage);
    }

    /// Adds to the score of one account. Aborts with `ESCORE_OVERFLOW`. Adding 0 gives the account a score of 0 if it
    /// had none (R6).
    public fun increase_score(
        deployer: &signer, account: address, stage: u64, amount: u64
    ) acquires ModuleStore, Extension {
        check_deployer(deployer);
        let open = borrow_open_stage(&mut ModuleStore[@vip_score], stage);
        let score = *open.score.borrow_with_default(account, &0);
        assert!(amount <= MAX_U64 - score, ESCORE_OVERFLOW);
        write_and_emit(open, stage, account, score + amount);
        raise_revision(stage);
    }

    /// Subtracts from the score of one account. Aborts with `EINSUFFICIENT_SCORE`. Subtracting 0 gives the account a
    /// score of 0 if it had none (R6).
    public fun decrease_score(
        deployer: &signer, account: address, stage: u64, amount: u64
    ) acquires ModuleStore, Extension {
        check_deployer(deployer);
        let open = borrow_open_stage(&mut ModuleStore[@vip_score], stage);
        let score = *open.score.borrow_with_default(account, &0);
        assert!(amount <= score, EINSUFFICIENT_SCORE);
        write_and_emit(open, stage, account, score - amount);
        raise_revision(stage);
    }

    fun write_and_emit(open: &mut Scores, stage: u64, account: address, score: u64) {
        write(open, account, score);
        event::emit(UpdateScoreEvent { account, stage, score, total_score: open.total_score });
    }

    /// Sets the score of one account in an open stage; the total stays the sum of all scores (R7, R8). Inline, with a
    /// lookup before the write: a call would cost 90 gas per row, `borrow_mut_with_default` 380 gas per new row.
    inline fun write(open: &mut Scores, account: address, score: u64) {
        let others = open.total_score;
        if (open.score.contains(account)) {
            let current = open.score.borrow_mut(account);
            others -= *current;
            *current = score;
        } else {
            open.score.add(account, score);
        };
        assert!(score <= MAX_U64 - others, ESCORE_OVERFLOW);
        open.total_score = others + score;
    }

    /// Counts a call that wrote at least one row of a stage (R21).
    fun raise_revision(stage: u64) acquires Extension {
        let revision = Extension[@vip_score].revisions.borrow_mut_with_default(stage, 0);
        *revision += 1;
    }

    fun check_deployer(caller: &signer) acquires ModuleStore {
        check_upgraded();
        assert!(is_deployer(signer::address_of(caller)), ENOT_DEPLOYER);
    }

    // Stages

    /// Sets and creates the first stage, once. For deployers. Aborts with `ESTAGE_ZERO` or `EINIT_STAGE_SET`.
    public entry fun set_init_stage(deployer: &signer, stage: u64) acquires ModuleStore {
        assert!(stage != 0, ESTAGE_ZERO);
        check_deployer(deployer);
        let store = &mut ModuleStore[@vip_score];
        assert!(store.init_stage == 0, EINIT_STAGE_SET);
        store.init_stage = stage;
        create_stage(store, stage);
    }

    /// Freezes a stage permanently and creates the next one. For the finalizer if one is named, otherwise for deployers.
    /// Prefer `finalize_checked_script`. A second call aborts with `ESTAGE_FINALIZED`. After stage 2^64 - 1
    /// there is no next stage.
    public entry fun finalize_script(deployer: &signer, stage: u64) acquires ModuleStore, Extension {
        check_may_finalize(deployer);
        finalize(stage);
    }

    /// Finalizes a stage as `finalize_script` does, if it has exactly `expected_count` scores, those of 0 included,
    /// that add up to `expected_total`, and no call wrote to it since its revision was `expected_revision`. Aborts with
    /// `EFINALIZE_MISMATCH` otherwise.
    public entry fun finalize_checked_script(
        deployer: &signer,
        stage: u64,
        expected_total: u64,
        expected_count: u64,
        expected_revision: u64
    ) acquires ModuleStore, Extension {
        check_may_finalize(deployer);
        let open = borrow_open_stage(&mut ModuleStore[@vip_score], stage);
        assert!(open.total_score == expected_total, EFINALIZE_MISMATCH);
        assert!(open.score.length() == expected_count, EFINALIZE_MISMATCH);
        assert!(revision_of(stage) == expected_revision, EFINALIZE_MISMATCH);
        finalize(stage);
    }

    fun check_may_finalize(caller: &signer) acquires ModuleStore, Extension {
        let finalizer = get_finalizer();
        if (finalizer.is_none()) check_deployer(caller)
        else assert!(finalizer.contains(&signer::address_of(caller)), ENOT_FINALIZER);
    }

    fun finalize(stage: u64) acquires ModuleStore {
        let store = &mut ModuleStore[@vip_score];
        borrow_open_stage(store, stage).is_finalized = true;
        // A next stage that already exists, however it was created, keeps its scores.
        if (stage != MAX_U64 && !store.scores.contains(stage + 1)) {
            create_stage(store, stage + 1);
        };
        event::emit(FinalizedScoreEvent { stage });
    }

    fun create_stage(store: &mut ModuleStore, stage: u64) {
        store.scores.add(
            stage, Scores { total_score: 0, is_finalized: false, score: table::new() }
        );
    }

    /// A stage that may still change.
    fun borrow_open_stage(store: &mut ModuleStore, stage: u64): &mut Scores {
        assert!(store.scores.contains(stage), ESTAGE_NOT_FOUND);
        let scores = store.scores.borrow_mut(stage);
        assert!(!scores.is_finalized, ESTAGE_FINALIZED);
        scores
    }

    // Deployers

    /// Adds a deployer. For the publisher, until the owner turns that off (`ENOT_OWNER`). Aborts with
    /// `EDEPLOYER_EXISTS` if the account is one.
    public entry fun add_deployer_script(publisher: &signer, deployer: address) acquires ModuleStore, Extension {
        check_publisher_manages(publisher);
        add_deployer(deployer);
    }

    /// Removes a deployer, also the last one: the owner can always add another. For the publisher, until the owner
    /// turns that off (`ENOT_OWNER`). Aborts with `EDEPLOYER_NOT_FOUND` if the account is not one.
    public entry fun remove_deployer_script(publisher: &signer, deployer: address) acquires ModuleStore, Extension {
        check_publisher_manages(publisher);
        remove_deployer(deployer);
    }

    /// Adds a deployer as `add_deployer_script` does. For the owner.
    entry fun owner_add_deployer_script(owner: &signer, deployer: address) acquires ModuleStore, Extension {
        check_owner(owner);
        add_deployer(deployer);
    }

    /// Removes a deployer as `remove_deployer_script` does. For the owner.
    entry fun owner_remove_deployer_script(owner: &signer, deployer: address) acquires ModuleStore, Extension {
        check_owner(owner);
        remove_deployer(deployer);
    }

    /// Replaces all deployers; an address that is twice in the list counts once, and the list may be empty. For the
    /// owner. No deployer of before is visited, so it ends a flood of them at once.
    entry fun set_deployers_script(owner: &signer, deployers: vector<address>) acquires ModuleStore, Extension {
        check_owner(owner);
        let count = get_deployer_count();
        ModuleStore[@vip_score].deployers = simple_map::new();
        event::emit(DeployersClearedEvent { count });
        deployers.for_each(|deployer| if (!is_deployer(deployer)) add_deployer(deployer));
    }

    fun check_publisher(caller: &signer) {
        assert!(signer::address_of(caller) == @vip_score, ENOT_PUBLISHER);
    }

    fun check_publisher_manages(caller: &signer) acquires Extension {
        check_upgraded();
        check_publisher(caller);
        if (!publisher_manages()) check_owner(caller);
    }

    fun add_deployer(deployer: address) acquires ModuleStore {
        assert!(!is_deployer(deployer), EDEPLOYER_EXISTS);
        ModuleStore[@vip_score].deployers.add(deployer, true);
        event::emit(DeployerAddedEvent { deployer });
    }

    fun remove_deployer(deployer: address) acquires ModuleStore {
        assert!(is_deployer(deployer), EDEPLOYER_NOT_FOUND);
        ModuleStore[@vip_score].deployers.remove(&deployer);
        event::emit(DeployerRemovedEvent { deployer });
    }

    // Owner

    /// Sets the only account that may finalize stages; none: every deployer may. For the owner.
    entry fun set_finalizer_script(owner: &signer, finalizer: Option<address>) acquires Extension {
        check_owner(owner);
        Extension[@vip_score].finalizer = finalizer;
        event::emit(FinalizerSetEvent { finalizer });
    }

    /// Sets whether the publisher may manage deployers when it is not the owner. For the owner.
    entry fun set_publisher_manages_script(owner: &signer, allowed: bool) acquires Extension {
        check_owner(owner);
        Extension[@vip_score].publisher_manages = allowed;
        event::emit(PublisherManagesSetEvent { allowed });
    }

    /// Offers ownership, in place of any earlier offer. For the owner. Nothing changes until the new owner accepts;
    /// to withdraw an offer, offer ownership to yourself.
    entry fun transfer_ownership_script(owner: &signer, new_owner: address) acquires Extension {
        check_owner(owner);
        Extension[@vip_score].pending_owner = option::some(new_owner);
        event::emit(OwnershipTransferStartedEvent { previous_owner: get_owner(), new_owner });
    }

    /// Takes over ownership. For the account that it was offered to; `ENOT_PENDING_OWNER` for all others.
    entry fun accept_ownership_script(new_owner: &signer) acquires Extension {
        let accepting = signer::address_of(new_owner);
        assert!(get_pending_owner() == option::some(accepting), ENOT_PENDING_OWNER);
        let previous_owner = get_owner();
        Extension[@vip_score].owner = accepting;
        Extension[@vip_score].pending_owner = option::none();
        event::emit(OwnershipTransferredEvent { previous_owner, new_owner: accepting });
    }

    fun check_owner(caller: &signer) acquires Extension {
        assert!(signer::address_of(caller) == get_owner(), ENOT_OWNER);
    }

    // Views of scores and stages

    #[view]
    /// The score of an account in a stage; 0 if it has none or the stage was never created.
    public fun get_score(account: address, stage: u64): u64 acquires ModuleStore {
        let stages = &ModuleStore[@vip_score].scores;
        if (!stages.contains(stage)) return 0;
        *stages.borrow(stage).score.borrow_with_default(account, &0)
    }

    #[view]
    /// The scores of accounts in a stage, in the order of the request; none for an account that has no score, or in a
    /// stage that was never created.
    public fun get_scores_of(stage: u64, accounts: vector<address>): vector<Option<u64>> acquires ModuleStore {
        let stages = &ModuleStore[@vip_score].scores;
        if (!stages.contains(stage)) return accounts.map(|_account| option::none());
        let rows = &stages.borrow(stage).score;
        accounts.map(
            |account| {
                if (rows.contains(account)) option::some(*rows.borrow(account))
                else option::none()
            }
        )
    }

    #[view]
    /// A page of a stage in descending order of address, at most 1,000 rows whatever the limit; empty if the stage
    /// was never created. `start_after` is the last address of the page before. A page with fewer rows than the limit
    /// (or than 1,000) is the last one.
    public fun get_scores(
        stage: u64, limit: u16, start_after: Option<address>
    ): GetScoresResponse acquires ModuleStore {
        let stages = &ModuleStore[@vip_score].scores;
        let scores = vector[];
        if (!stages.contains(stage)) return GetScoresResponse { stage, scores };

        let rows = stages.borrow(stage).score.iter(option::none(), start_after, DESCENDING);
        let left = min(limit as u64, MAX_LIMIT);
        while (left > 0 && rows.prepare()) {
            let (addr, score) = rows.next();
            scores.push_back(Score { addr, score: *score });
            left -= 1;
        };
        GetScoresResponse { stage, scores }
    }

    #[view]
    /// A stage with its total, its flag, the number of its scores and its revision.
    public fun get_stage(stage: u64): GetStageResponse acquires ModuleStore, Extension {
        let revision = revision_of(stage);
        let stages = &ModuleStore[@vip_score].scores;
        let (exists, total_score, is_finalized, score_count) = (false, 0, false, 0);
        if (stages.contains(stage)) {
            let scores = stages.borrow(stage);
            (exists, total_score, is_finalized, score_count) = (
                true, scores.total_score, scores.is_finalized, scores.score.length()
            );
        };
        GetStageResponse { stage, exists, total_score, is_finalized, score_count, revision }
    }

    fun revision_of(stage: u64): u64 acquires Extension {
        check_upgraded();
        *Extension[@vip_score].revisions.borrow_with_default(stage, &0)
    }

    #[view]
    /// Whether a stage was created and is not finalized. For modules that score: a refused write aborts the whole transaction.
    public fun is_open(stage: u64): bool acquires ModuleStore {
        let stages = &ModuleStore[@vip_score].scores;
        stages.contains(stage) && !stages.borrow(stage).is_finalized
    }

    #[view]
    /// Whether the contract is new or its upgrade from the reference contract is complete. For modules that score: until it
    /// is, every write is refused.
    public fun is_upgraded(): bool {
        exists<Extension>(@vip_score)
    }

    #[view]
    /// The total of a stage; 0 if it was never created.
    public fun get_total_score(stage: u64): u64 acquires ModuleStore {
        let stages = &ModuleStore[@vip_score].scores;
        if (stages.contains(stage)) stages.borrow(stage).total_score else 0
    }

    #[view]
    /// The first stage; 0 until it is set.
    public fun get_init_stage(): u64 acquires ModuleStore {
        ModuleStore[@vip_score].init_stage
    }

    // Views of roles

    #[view]
    /// How many deployers there are.
    public fun get_deployer_count(): u64 acquires ModuleStore {
        ModuleStore[@vip_score].deployers.length()
    }

    #[view]
    /// The deployers from a place on, counted from 0, at most 1,000 whatever the limit; in no particular order, and
    /// empty past the last one.
    public fun get_deployers(offset: u64, limit: u64): vector<address> acquires ModuleStore {
        let deployers = ModuleStore[@vip_score].deployers.keys();
        if (offset >= deployers.length()) return vector[];
        let page = deployers.trim(offset);
        let size = min(min(limit, MAX_LIMIT), page.length());
        page.trim(size);
        page
    }

    #[view]
    /// Whether the account is a deployer.
    public fun is_deployer(account: address): bool acquires ModuleStore {
        ModuleStore[@vip_score].deployers.contains_key(&account)
    }

    #[view]
    /// The owner: at first the publisher.
    public fun get_owner(): address acquires Extension {
        check_upgraded();
        Extension[@vip_score].owner
    }

    #[view]
    /// The account that ownership is offered to, if any.
    public fun get_pending_owner(): Option<address> acquires Extension {
        check_upgraded();
        Extension[@vip_score].pending_owner
    }

    #[view]
    /// The only account that may finalize stages; none: every deployer may.
    public fun get_finalizer(): Option<address> acquires Extension {
        check_upgraded();
        Extension[@vip_score].finalizer
    }

    #[view]
    /// Whether the publisher may manage deployers when it is not the owner.
    public fun publisher_manages(): bool acquires Extension {
        check_upgraded();
        Extension[@vip_score].publisher_manages
    }

    #[view]
    /// The version of this contract, as in semantic versioning.
    public fun contract_version(): String {
        string::utf8(VERSION)
    }

    #[test_only]
    /// For the unit tests of packages that score.
    public fun init_for_test(publisher: &signer) {
        init_module(publisher);
    }
}
