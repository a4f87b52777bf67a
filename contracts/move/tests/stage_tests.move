#[test_only]
/// The first stage, which only Move sets by a call, and what readers find before it (M6, M8, M11).
module vip_score::stage_tests {
    use std::bcs;
    use std::event;
    use std::option;

    use vip_score::contract_setup::{Self, assert_last_event};
    use vip_score::vip_score::{Self, FinalizedScoreEvent, UpdateScoreEvent, UpdateScoresEvent};

    struct Finalized has drop {
        stage: u64
    }

    struct Batch has drop {
        stage: u64,
        count: u64,
        total_score: u64
    }

    struct Stage has drop {
        stage: u64,
        exists: bool,
        total_score: u64,
        is_finalized: bool,
        score_count: u64,
        revision: u64
    }

    fun assert_answer(stage: Stage) {
        assert!(bcs::to_bytes(&vip_score::get_stage(stage.stage)) == bcs::to_bytes(&stage), 9);
    }

    #[test(deployer = @0x7)]
    fun there_is_no_stage_until_it_is_set(deployer: &signer) {
        contract_setup::publish(deployer);
        assert!(vip_score::get_init_stage() == 0, 1);
        vip_score::set_init_stage(deployer, 3);
        assert!(vip_score::get_init_stage() == 3, 2);
        assert_answer(
            Stage { stage: 3, exists: true, total_score: 0, is_finalized: false, score_count: 0, revision: 0 }
        );
        assert_answer(
            Stage { stage: 4, exists: false, total_score: 0, is_finalized: false, score_count: 0, revision: 0 }
        );
        assert!(vip_score::get_total_score(4) == 0, 3);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun nothing_is_written_before_the_first_stage(deployer: &signer) {
        contract_setup::publish(deployer);
        vip_score::update_score(deployer, @0x1, 1, 5);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun the_first_stage_is_for_deployers(deployer: &signer, stranger: &signer) {
        contract_setup::publish(deployer);
        vip_score::set_init_stage(stranger, 1);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10009, location = vip_score::vip_score)]
    fun the_first_stage_is_checked_before_the_caller(deployer: &signer, stranger: &signer) {
        contract_setup::publish(deployer);
        vip_score::set_init_stage(stranger, 0);
    }

    #[test(deployer = @0x7)]
    fun finalizing_emits_an_event(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::finalize_script(deployer, 1);
        assert_last_event<FinalizedScoreEvent, Finalized>(1, Finalized { stage: 1 });
        assert_answer(
            Stage { stage: 1, exists: true, total_score: 5, is_finalized: true, score_count: 1, revision: 1 }
        );
        vip_score::finalize_checked_script(deployer, 2, 0, 0, 0);
        assert_last_event<FinalizedScoreEvent, Finalized>(2, Finalized { stage: 2 });
    }

    #[test(deployer = @0x7)]
    fun an_empty_batch_of_one_event_emits_it(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_scores_script(deployer, 1, vector[], vector[]);
        assert_last_event<UpdateScoresEvent, Batch>(1, Batch { stage: 1, count: 0, total_score: 0 });
        vip_score::update_score_script(deployer, 1, vector[], vector[]);
        assert!(event::emitted_events<UpdateScoreEvent>().is_empty(), 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10006, location = vip_score::vip_score)]
    fun lengths_of_a_batch_of_one_event_are_checked_before_its_stage(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_scores_script(deployer, 2, vector[@0x1], vector[1, 2]);
    }

    #[test(deployer = @0x7)]
    fun scores_are_in_the_order_of_the_request(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 1, vector[@0x1, @0x3], vector[5, 0]);
        let scores = vip_score::get_scores_of(1, vector[@0x3, @0x4, @0x1]);
        assert!(scores == vector[option::some(0), option::none(), option::some(5)], 1);
        assert!(vip_score::get_scores_of(2, vector[@0x1]) == vector[option::none()], 2);
        assert!(vip_score::get_scores_of(1, vector[]).is_empty(), 3);
        assert!(vip_score::get_score(@0x4, 1) == 0, 4);
    }
}
