/// A game that scores in the transaction of a player's win, with no file and no server. Its object is a deployer of the scoring
/// contract: `get_scorer` returns the address to add.
module arena::arena {
    use std::event;
    use std::signer;

    use minitia_std::object::{Self, ExtendRef};

    use vip_score::vip_score;

    const MAX_U64: u64 = 18446744073709551615;

    struct Arena has key {
        /// Creates the signer of the object that is a deployer. Never leaves this module.
        scorer: ExtendRef,
        /// The stage that is scored: the only place that knows it. 0 before the first win.
        stage: u64
    }

    #[event]
    struct Won has drop, store {
        player: address,
        points: u64
    }

    #[event]
    /// The scoring contract would refuse. Lets the operator add the points later.
    struct NotScored has drop, store {
        player: address,
        points: u64
    }

    fun init_module(author: &signer) {
        let scorer = object::generate_extend_ref(&object::create_object(@arena, false));
        move_to(author, Arena { scorer, stage: 0 });
    }

    /// The sender wins. A real game computes the points; it never takes them from the sender.
    public entry fun win(player: &signer, points: u64) acquires Arena {
        let player = signer::address_of(player);
        event::emit(Won { player, points });
        let arena = &mut Arena[@arena];
        advance(arena);
        let scorer = object::generate_signer_for_extending(&arena.scorer);
        // Move has no way to catch an abort, which would undo the win too. So ask first for all that a refusal can depend on.
        if (can_score(signer::address_of(&scorer), arena.stage, points)) {
            vip_score::increase_score(&scorer, player, arena.stage, points);
        } else {
            event::emit(NotScored { player, points });
        }
    }

    /// Moves on to the open stage. Each finalize opens the next one, so this is at most one step a finalize.
    fun advance(arena: &mut Arena) {
        if (arena.stage == 0) arena.stage = vip_score::get_init_stage();
        while (arena.stage != 0 && arena.stage < MAX_U64 && !vip_score::is_open(arena.stage)) {
            arena.stage += 1;
        };
    }

    /// No score is above the stage's total: if the total has room, the score has too.
    fun can_score(scorer: address, stage: u64, points: u64): bool {
        vip_score::is_upgraded()
            && vip_score::is_deployer(scorer)
            && vip_score::is_open(stage)
            && points <= MAX_U64 - vip_score::get_total_score(stage)
    }

    #[view]
    /// The account that scores: add it as a deployer of the scoring contract.
    public fun get_scorer(): address acquires Arena {
        object::address_from_extend_ref(&Arena[@arena].scorer)
    }

    #[test(publisher = @vip_score, author = @arena, player = @0x42)]
    fun a_win_scores_in_the_open_stage(publisher: &signer, author: &signer, player: &signer) acquires Arena {
        vip_score::init_for_test(publisher);
        vip_score::add_deployer_script(publisher, signer::address_of(publisher));
        vip_score::set_init_stage(publisher, 1);
        init_module(author);
        // The game is not a deployer yet: the win counts, and is not scored.
        win(player, 5);
        assert!(vip_score::get_score(@0x42, 1) == 0, 1);
        vip_score::add_deployer_script(publisher, get_scorer());
        win(player, 5);
        win(player, 7);
        assert!(vip_score::get_score(@0x42, 1) == 12, 2);
        vip_score::finalize_script(publisher, 1);
        win(player, 3);
        assert!(vip_score::get_score(@0x42, 2) == 3, 3);
    }
}
