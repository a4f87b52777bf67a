#[test_only]
module vip_score::batch_tests {
    use std::event;

    use vip_score::contract_setup::{Self, assert_stage, assert_last_event};
    use vip_score::vip_score::{Self, UpdateScoreEvent, UpdateScoresEvent};

    const MAX: u64 = 18446744073709551615;

    struct Update has drop {
        account: address,
        stage: u64,
        score: u64,
        total_score: u64
    }

    struct Batch has drop {
        stage: u64,
        count: u64,
        total_score: u64
    }

    #[test(deployer = @0x7)]
    fun a_batch_emits_an_event_a_row(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 1, vector[@0x1, @0x2], vector[5, MAX - 5]);
        let update = Update { account: @0x2, stage: 1, score: MAX - 5, total_score: MAX };
        assert_last_event<UpdateScoreEvent, Update>(2, update);
        assert_stage(1, MAX, 2, false);
    }

    #[test(deployer = @0x7)]
    fun a_batch_of_one_event(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x2, 1, 100);
        vip_score::update_scores_script(deployer, 1, vector[@0x1, @0x2, @0x3], vector[5, 6, 0]);
        assert_last_event<UpdateScoresEvent, Batch>(1, Batch { stage: 1, count: 3, total_score: 11 });
        assert!(event::emitted_events<UpdateScoreEvent>().length() == 1, 1);
        assert!(vip_score::get_score(@0x2, 1) == 6, 2);
        assert_stage(1, 11, 3, false);
    }

    #[test(deployer = @0x7)]
    fun the_last_of_two_rows_counts(deployer: &signer) {
        contract_setup::open(deployer, 1);
        let addrs = vector[@0x1, @0x2, @0x1];
        vip_score::update_score_script(deployer, 1, addrs, vector[5, 6, 7]);
        assert!(vip_score::get_score(@0x1, 1) == 7, 1);
        assert_stage(1, 13, 2, false);
        vip_score::update_scores_script(deployer, 1, addrs, vector[1, 2, 3]);
        assert!(vip_score::get_score(@0x1, 1) == 3, 2);
        assert_stage(1, 5, 2, false);
    }

    #[test(deployer = @0x7)]
    fun an_empty_batch_writes_nothing(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 1, vector[], vector[]);
        assert!(event::emitted_events<UpdateScoreEvent>().is_empty(), 1);
        vip_score::update_scores_script(deployer, 1, vector[], vector[]);
        assert_last_event<UpdateScoresEvent, Batch>(1, Batch { stage: 1, count: 0, total_score: 0 });
        assert_stage(1, 0, 0, false);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun an_empty_batch_needs_its_stage(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 2, vector[], vector[]);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun an_empty_batch_of_one_event_needs_its_stage(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_scores_script(deployer, 2, vector[], vector[]);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10006, location = vip_score::vip_score)]
    fun lengths_are_checked_before_the_stage(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 2, vector[@0x1], vector[]);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10006, location = vip_score::vip_score)]
    fun lengths_of_a_batch_of_one_event_are_checked(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_scores_script(deployer, 2, vector[@0x1], vector[1, 2]);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun the_caller_is_checked_before_the_lengths(deployer: &signer, stranger: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(stranger, 2, vector[@0x1], vector[]);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun a_batch_of_one_event_is_for_deployers(deployer: &signer, stranger: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_scores_script(stranger, 2, vector[@0x1], vector[]);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10008, location = vip_score::vip_score)]
    fun a_batch_after_finalize_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_script(deployer, 1);
        vip_score::update_score_script(deployer, 1, vector[@0x1], vector[5]);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10008, location = vip_score::vip_score)]
    fun a_batch_of_one_event_after_finalize_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_script(deployer, 1);
        vip_score::update_scores_script(deployer, 1, vector[], vector[]);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x2000b, location = vip_score::vip_score)]
    fun a_batch_cannot_overflow_the_total(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 1, vector[@0x1, @0x2], vector[MAX, 1]);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x2000b, location = vip_score::vip_score)]
    fun a_row_overflows_even_if_a_later_row_would_compensate(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_scores_script(deployer, 1, vector[@0x1, @0x2, @0x1], vector[MAX, 1, 0]);
    }
}
