#[test_only]
module vip_score::score_tests {
    use std::option;

    use vip_score::contract_setup::{Self, assert_stage, assert_last_event};
    use vip_score::vip_score::{Self, UpdateScoreEvent};

    const MAX: u64 = 18446744073709551615;
    const ABOVE_DOUBLE: u64 = 9007199254740993; // 2^53 + 1

    struct Update has drop {
        account: address,
        stage: u64,
        score: u64,
        total_score: u64
    }

    #[test(deployer = @0x7)]
    fun update_increase_and_decrease(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 100);
        vip_score::increase_score(deployer, @0x2, 1, 50);
        vip_score::increase_score(deployer, @0x1, 1, 11);
        let update = Update { account: @0x1, stage: 1, score: 111, total_score: 161 };
        assert_last_event<UpdateScoreEvent, Update>(3, update);
        vip_score::decrease_score(deployer, @0x1, 1, 111);
        let update = Update { account: @0x1, stage: 1, score: 0, total_score: 50 };
        assert_last_event<UpdateScoreEvent, Update>(4, update);
        vip_score::update_score(deployer, @0x2, 1, 7);
        assert!(vip_score::get_score(@0x1, 1) == 0, 1);
        assert!(vip_score::get_score(@0x2, 1) == 7, 2);
        assert_stage(1, 7, 2, false);
    }

    #[test(deployer = @0x7)]
    fun writing_nothing_still_gives_a_score(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 0);
        vip_score::increase_score(deployer, @0x2, 1, 0);
        vip_score::decrease_score(deployer, @0x3, 1, 0);
        assert_stage(1, 0, 3, false);
        assert!(
            vip_score::get_scores_of(1, vector[@0x3, @0x4, @0x1])
                == vector[option::some(0), option::none(), option::some(0)],
            1
        );
    }

    #[test(deployer = @0x7)]
    fun large_scores_are_exact(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, ABOVE_DOUBLE);
        assert!(vip_score::get_score(@0x1, 1) == ABOVE_DOUBLE, 1);
        vip_score::update_score(deployer, @0x1, 1, MAX);
        vip_score::update_score(deployer, @0x2, 1, 0);
        assert_stage(1, MAX, 2, false);
        vip_score::update_score(deployer, @0x1, 1, MAX);
        assert_stage(1, MAX, 2, false);
    }

    #[test(deployer = @0x7)]
    fun the_zero_address_is_an_account(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x0, 1, 5);
        assert!(vip_score::get_score(@0x0, 1) == 5, 1);
        assert_stage(1, 5, 1, false);
    }

    #[test(deployer = @0x7)]
    fun unknown_stages_and_accounts_have_no_score(deployer: &signer) {
        contract_setup::open(deployer, 1);
        assert!(vip_score::get_score(@0x1, 1) == 0, 1);
        assert!(vip_score::get_score(@0x1, 2) == 0, 2);
        assert!(vip_score::get_scores_of(2, vector[@0x1]) == vector[option::none()], 3);
        assert!(vip_score::get_scores_of(1, vector[]).is_empty(), 4);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x2000b, location = vip_score::vip_score)]
    fun a_total_cannot_overflow(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, MAX);
        vip_score::update_score(deployer, @0x2, 1, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x2000b, location = vip_score::vip_score)]
    fun an_increase_cannot_overflow_the_score(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, MAX);
        vip_score::increase_score(deployer, @0x1, 1, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x2000b, location = vip_score::vip_score)]
    fun an_increase_cannot_overflow_the_total(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, MAX);
        vip_score::increase_score(deployer, @0x2, 1, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10002, location = vip_score::vip_score)]
    fun a_score_cannot_fall_below_zero(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::decrease_score(deployer, @0x1, 1, 6);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10002, location = vip_score::vip_score)]
    fun an_account_without_a_score_cannot_lose_one(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::decrease_score(deployer, @0x1, 1, 1);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun update_is_for_deployers(deployer: &signer, stranger: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(stranger, @0x1, 9, 5);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun increase_is_for_deployers(deployer: &signer, stranger: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::increase_score(stranger, @0x1, 1, 5);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun decrease_is_for_deployers(deployer: &signer, stranger: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::decrease_score(stranger, @0x1, 1, 0);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun update_of_stage_zero_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 0, 5);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun increase_ahead_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::increase_score(deployer, @0x1, 2, 5);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun decrease_ahead_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::decrease_score(deployer, @0x1, 2, 0);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun update_before_the_first_stage_fails(deployer: &signer) {
        contract_setup::publish(deployer);
        vip_score::update_score(deployer, @0x1, 1, 5);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10008, location = vip_score::vip_score)]
    fun update_after_finalize_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_script(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10008, location = vip_score::vip_score)]
    fun increase_after_finalize_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_script(deployer, 1);
        vip_score::increase_score(deployer, @0x1, 1, 0);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10008, location = vip_score::vip_score)]
    fun decrease_after_finalize_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_script(deployer, 1);
        vip_score::decrease_score(deployer, @0x1, 1, 0);
    }
}
