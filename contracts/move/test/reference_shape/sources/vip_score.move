/// A module with the structs, the functions and the events of the published scoring contract, and no more: what an operator
/// who did not use ours has on the chain. Tests upgrade it to ours in place, and use it as a contract without our additions.
///
/// Written from the description of the interface. It has the published abort codes; an overflow is the VM's arithmetic error,
/// and an account without a score cannot be decreased, not even by 0.
module vip_score::vip_score {
    use std::event;
    use std::option::{Self, Option};
    use std::signer;

    use minitia_std::simple_map::{Self, SimpleMap};
    use minitia_std::table::{Self, Table};

    struct ModuleStore has key {
        init_stage: u64,
        deployers: SimpleMap<address, bool>,
        scores: Table<u64, Scores>
    }

    struct Scores has store {
        total_score: u64,
        is_finalized: bool,
        score: Table<address, u64>
    }

    struct GetScoresResponse {
        stage: u64,
        scores: vector<Score>
    }

    struct Score {
        addr: address,
        score: u64
    }

    #[event]
    struct DeployerAddedEvent has drop, store {
        deployer: address
    }

    #[event]
    struct DeployerRemovedEvent has drop, store {
        deployer: address
    }

    #[event]
    struct UpdateScoreEvent has drop, store {
        account: address,
        stage: u64,
        score: u64,
        total_score: u64
    }

    #[event]
    struct FinalizedScoreEvent has drop, store {
        stage: u64
    }

    fun init_module(publisher: &signer) {
        let store = ModuleStore { init_stage: 0, deployers: simple_map::new(), scores: table::new() };
        move_to(publisher, store);
    }

    public entry fun add_deployer_script(publisher: &signer, deployer: address) acquires ModuleStore {
        assert!(signer::address_of(publisher) == @vip_score, 0x50001);
        let store = &mut ModuleStore[@vip_score];
        assert!(!store.deployers.contains_key(&deployer), 0x10004);
        store.deployers.add(deployer, true);
        event::emit(DeployerAddedEvent { deployer });
    }

    public entry fun remove_deployer_script(publisher: &signer, deployer: address) acquires ModuleStore {
        assert!(signer::address_of(publisher) == @vip_score, 0x50001);
        let store = &mut ModuleStore[@vip_score];
        assert!(store.deployers.contains_key(&deployer), 0x10005);
        store.deployers.remove(&deployer);
        event::emit(DeployerRemovedEvent { deployer });
    }

    public entry fun set_init_stage(deployer: &signer, stage: u64) acquires ModuleStore {
        assert!(stage > 0, 0x10009);
        let store = &mut ModuleStore[@vip_score];
        check_deployer(store, deployer);
        assert!(store.init_stage == 0, 0x8000a);
        store.init_stage = stage;
        add_stage(store, stage);
    }

    public entry fun finalize_script(deployer: &signer, stage: u64) acquires ModuleStore {
        let store = &mut ModuleStore[@vip_score];
        check_deployer(store, deployer);
        open_stage(store, stage).is_finalized = true;
        add_stage(store, stage + 1);
        event::emit(FinalizedScoreEvent { stage });
    }

    public entry fun update_score_script(
        deployer: &signer, stage: u64, addrs: vector<address>, update_scores: vector<u64>
    ) acquires ModuleStore {
        let store = &mut ModuleStore[@vip_score];
        check_deployer(store, deployer);
        assert!(addrs.length() == update_scores.length(), 0x10006);
        let scores = open_stage(store, stage);
        for (i in 0..addrs.length()) {
            set_score(scores, addrs[i], stage, update_scores[i]);
        };
    }

    public fun increase_score(
        deployer: &signer, account: address, stage: u64, amount: u64
    ) acquires ModuleStore {
        let store = &mut ModuleStore[@vip_score];
        check_deployer(store, deployer);
        let scores = open_stage(store, stage);
        let score = *scores.score.borrow_with_default(account, &0);
        set_score(scores, account, stage, score + amount);
    }

    public fun decrease_score(
        deployer: &signer, account: address, stage: u64, amount: u64
    ) acquires ModuleStore {
        let store = &mut ModuleStore[@vip_score];
        check_deployer(store, deployer);
        let scores = open_stage(store, stage);
        let score = *scores.score.borrow(account);
        assert!(score >= amount, 0x10002);
        set_score(scores, account, stage, score - amount);
    }

    public fun update_score(
        deployer: &signer, account: address, stage: u64, amount: u64
    ) acquires ModuleStore {
        let store = &mut ModuleStore[@vip_score];
        check_deployer(store, deployer);
        set_score(open_stage(store, stage), account, stage, amount);
    }

    #[view]
    public fun get_score(account: address, stage: u64): u64 acquires ModuleStore {
        let store = &ModuleStore[@vip_score];
        if (store.scores.contains(stage)) {
            *store.scores.borrow(stage).score.borrow_with_default(account, &0)
        } else 0
    }

    #[view]
    public fun get_total_score(stage: u64): u64 acquires ModuleStore {
        let store = &ModuleStore[@vip_score];
        if (store.scores.contains(stage)) store.scores.borrow(stage).total_score else 0
    }

    #[view]
    public fun get_scores(
        stage: u64, limit: u16, start_after: Option<address>
    ): GetScoresResponse acquires ModuleStore {
        let store = &ModuleStore[@vip_score];
        let page = vector[];
        if (store.scores.contains(stage)) {
            let most = if (limit < 1000) limit else 1000;
            let rows = store.scores.borrow(stage).score.iter(option::none(), start_after, 2);
            while (page.length() < (most as u64) && rows.prepare()) {
                let (addr, score) = rows.next();
                page.push_back(Score { addr, score: *score });
            };
        };
        GetScoresResponse { stage, scores: page }
    }

    fun check_deployer(store: &ModuleStore, caller: &signer) {
        assert!(store.deployers.contains_key(&signer::address_of(caller)), 0x10001);
    }

    fun open_stage(store: &mut ModuleStore, stage: u64): &mut Scores {
        assert!(store.scores.contains(stage), 0x10003);
        let scores = store.scores.borrow_mut(stage);
        assert!(!scores.is_finalized, 0x10008);
        scores
    }

    fun add_stage(store: &mut ModuleStore, stage: u64) {
        store.scores.add(stage, Scores { total_score: 0, is_finalized: false, score: table::new() });
    }

    fun set_score(scores: &mut Scores, account: address, stage: u64, score: u64) {
        let row = scores.score.borrow_mut_with_default(account, 0);
        scores.total_score = scores.total_score - *row + score;
        *row = score;
        event::emit(UpdateScoreEvent { account, stage, score, total_score: scores.total_score });
    }
}
