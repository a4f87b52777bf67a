#[test_only]
module vip_score::stage_tests {
    use std::bcs;

    use vip_score::contract_setup::{Self, assert_stage, assert_last_event};
    use vip_score::vip_score::{Self, FinalizedScoreEvent};

    const MAX: u64 = 18446744073709551615;

    struct Finalized has drop {
        stage: u64
    }

    struct Stage has drop {
        stage: u64,
        exists: bool,
        total_score: u64,
        is_finalized: bool,
        score_count: u64
    }

    fun assert_answer(stage: Stage) {
        assert!(bcs::to_bytes(&vip_score::get_stage(stage.stage)) == bcs::to_bytes(&stage), 9);
    }

    #[test(deployer = @0x7)]
    fun first_stage_is_set_and_open(deployer: &signer) {
        contract_setup::publish(deployer);
        assert!(vip_score::get_init_stage() == 0, 1);
        vip_score::set_init_stage(deployer, 3);
        assert!(vip_score::get_init_stage() == 3, 2);
        assert_answer(
            Stage { stage: 3, exists: true, total_score: 0, is_finalized: false, score_count: 0 }
        );
        assert_answer(
            Stage { stage: 4, exists: false, total_score: 0, is_finalized: false, score_count: 0 }
        );
        assert_stage(4, 0, 0, false);
    }

    #[test(deployer = @0x7)]
    fun finalize_freezes_and_opens_the_next(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::finalize_script(deployer, 1);
        assert_last_event<FinalizedScoreEvent, Finalized>(1, Finalized { stage: 1 });
        assert_stage(1, 5, 1, true);
        assert_answer(
            Stage { stage: 2, exists: true, total_score: 0, is_finalized: false, score_count: 0 }
        );
        vip_score::update_score(deployer, @0x1, 2, 6);
        assert_stage(1, 5, 1, true);
        assert!(vip_score::get_init_stage() == 1, 1);
    }

    #[test(deployer = @0x7)]
    fun the_last_stage_has_no_next(deployer: &signer) {
        contract_setup::open(deployer, MAX);
        vip_score::finalize_script(deployer, MAX);
        assert_stage(MAX, 0, 0, true);
        assert_stage(0, 0, 0, false);
    }

    #[test(deployer = @0x7)]
    fun checked_finalize_agrees(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 1, vector[@0x1, @0x2, @0x3], vector[5, 0, 7]);
        vip_score::finalize_checked_script(deployer, 1, 12, 3);
        assert_stage(1, 12, 3, true);
        vip_score::finalize_checked_script(deployer, 2, 0, 0);
        assert_stage(2, 0, 0, true);
        assert_last_event<FinalizedScoreEvent, Finalized>(2, Finalized { stage: 2 });
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000c, location = vip_score::vip_score)]
    fun checked_finalize_refuses_another_total(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::finalize_checked_script(deployer, 1, 4, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000c, location = vip_score::vip_score)]
    fun checked_finalize_refuses_another_count(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::finalize_checked_script(deployer, 1, 5, 2);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10008, location = vip_score::vip_score)]
    fun checked_finalize_twice_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_checked_script(deployer, 1, 0, 0);
        vip_score::finalize_checked_script(deployer, 1, 9, 9);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun checked_finalize_ahead_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_checked_script(deployer, 2, 0, 0);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun checked_finalize_is_for_deployers(deployer: &signer, stranger: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_checked_script(stranger, 1, 0, 0);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10008, location = vip_score::vip_score)]
    fun finalize_twice_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_script(deployer, 1);
        vip_score::finalize_script(deployer, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun finalize_ahead_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_script(deployer, 2);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun finalize_stage_zero_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_script(deployer, 0);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun finalize_is_for_deployers(deployer: &signer, stranger: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_script(stranger, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10009, location = vip_score::vip_score)]
    fun first_stage_is_not_zero(deployer: &signer) {
        contract_setup::publish(deployer);
        vip_score::set_init_stage(deployer, 0);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x8000a, location = vip_score::vip_score)]
    fun first_stage_is_set_once(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::set_init_stage(deployer, 2);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun first_stage_is_for_deployers(deployer: &signer, stranger: &signer) {
        contract_setup::publish(deployer);
        vip_score::set_init_stage(stranger, 1);
    }
}
