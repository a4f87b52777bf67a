#[test_only]
module vip_score::revision_tests {
    use std::bcs;
    use std::option::{Self, Option};

    use vip_score::contract_setup::{Self, assert_stage};
    use vip_score::vip_score;

    const MAX: u64 = 18446744073709551615;

    struct StageInfo has drop {
        stage: u64,
        exists: bool,
        total_score: u64,
        is_finalized: bool,
        score_count: u64,
        revision: Option<u64>
    }

    fun assert_info(info: StageInfo) {
        assert!(bcs::to_bytes(&vip_score::get_stage_info(info.stage)) == bcs::to_bytes(&info), 9);
    }

    fun assert_revision(stage: u64, revision: u64) {
        assert!(vip_score::get_revision(stage) == option::some(revision), 8);
    }

    #[test(deployer = @0x7)]
    fun every_call_that_writes_raises_it_by_one(deployer: &signer) {
        contract_setup::open(deployer, 1);
        assert_revision(1, 0);
        vip_score::update_score(deployer, @0x1, 1, 5);
        assert_revision(1, 1);
        vip_score::increase_score(deployer, @0x1, 1, 5);
        assert_revision(1, 2);
        vip_score::decrease_score(deployer, @0x1, 1, 5);
        assert_revision(1, 3);
        vip_score::update_score_script(deployer, 1, vector[@0x1, @0x2, @0x1], vector[5, 6, 7]);
        assert_revision(1, 4);
        vip_score::update_scores_script(deployer, 1, vector[@0x1, @0x2], vector[5, 6]);
        assert_revision(1, 5);
    }

    #[test(deployer = @0x7)]
    fun a_write_that_changes_nothing_raises_it(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 0);
        vip_score::update_score(deployer, @0x1, 1, 0);
        vip_score::increase_score(deployer, @0x1, 1, 0);
        vip_score::decrease_score(deployer, @0x1, 1, 0);
        assert_revision(1, 4);
    }

    #[test(deployer = @0x7)]
    fun an_empty_batch_does_not_raise_it(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 1, vector[], vector[]);
        vip_score::update_scores_script(deployer, 1, vector[], vector[]);
        assert_revision(1, 0);
    }

    #[test(deployer = @0x7)]
    fun each_stage_has_its_own_and_finalizing_does_not_raise_it(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::finalize_script(deployer, 1);
        vip_score::update_score(deployer, @0x1, 2, 6);
        vip_score::update_score(deployer, @0x1, 2, 7);
        assert_info(
            StageInfo {
                stage: 1,
                exists: true,
                total_score: 5,
                is_finalized: true,
                score_count: 1,
                revision: option::some(1)
            }
        );
        assert_revision(2, 2);
    }

    #[test(deployer = @0x7)]
    fun a_stage_that_was_never_created_has_revision_0(deployer: &signer) {
        contract_setup::open(deployer, 1);
        assert_info(
            StageInfo {
                stage: 2,
                exists: false,
                total_score: 0,
                is_finalized: false,
                score_count: 0,
                revision: option::some(0)
            }
        );
    }

    #[test(deployer = @0x7)]
    fun finalize_agrees(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 1, vector[@0x1, @0x2], vector[5, 0]);
        vip_score::update_score(deployer, @0x2, 1, 7);
        vip_score::finalize_checked_revision_for_test(deployer, 1, 12, 2, 2);
        assert_stage(1, 12, 2, true);
        vip_score::finalize_checked_revision_for_test(deployer, 2, 0, 0, 0);
        assert_stage(2, 0, 0, true);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000c, location = vip_score::vip_score)]
    fun finalize_refuses_scores_that_were_exchanged(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(deployer, 1, vector[@0x1, @0x2], vector[5, 7]);
        vip_score::update_score_script(deployer, 1, vector[@0x1, @0x2], vector[7, 5]);
        vip_score::finalize_checked_revision_for_test(deployer, 1, 12, 2, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000c, location = vip_score::vip_score)]
    fun finalize_refuses_a_later_revision(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::finalize_checked_revision_for_test(deployer, 1, 5, 1, 2);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000c, location = vip_score::vip_score)]
    fun finalize_refuses_another_total(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::finalize_checked_revision_for_test(deployer, 1, 6, 1, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000c, location = vip_score::vip_score)]
    fun finalize_refuses_another_count(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::finalize_checked_revision_for_test(deployer, 1, 5, 0, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10008, location = vip_score::vip_score)]
    fun finalize_twice_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_checked_revision_for_test(deployer, 1, 0, 0, 0);
        vip_score::finalize_checked_revision_for_test(deployer, 1, 0, 0, 0);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x10003, location = vip_score::vip_score)]
    fun finalize_ahead_fails(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_checked_revision_for_test(deployer, 2, 0, 0, 0);
    }

    #[test(deployer = @0x7, stranger = @0x8)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun finalize_is_for_deployers(deployer: &signer, stranger: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::finalize_checked_revision_for_test(stranger, 1, 0, 0, 0);
    }

    #[test(deployer = @0x7)]
    fun without_settings_no_revision_is_kept(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_settings_for_test();
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::update_scores_script(deployer, 1, vector[@0x2], vector[6]);
        assert_info(
            StageInfo {
                stage: 1,
                exists: true,
                total_score: 11,
                is_finalized: false,
                score_count: 2,
                revision: option::none()
            }
        );
        vip_score::finalize_checked_script(deployer, 1, 11, 2);
        assert_stage(1, 11, 2, true);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000f, location = vip_score::vip_score)]
    fun finalize_needs_settings(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_settings_for_test();
        vip_score::finalize_checked_revision_for_test(deployer, 1, 0, 0, 0);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun revisions_count_from_settings_on(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, MAX);
        vip_score::remove_settings_for_test();
        vip_score::update_score(deployer, @0x1, MAX, 5);
        vip_score::create_settings_for_test(publisher);
        assert_revision(MAX, 0);
        vip_score::update_score(deployer, @0x1, MAX, 5);
        assert_revision(MAX, 1);
        // A second call changes nothing.
        vip_score::create_settings_for_test(publisher);
        assert_revision(MAX, 1);
        vip_score::finalize_checked_revision_for_test(deployer, MAX, 5, 1, 1);
        assert_stage(MAX, 5, 1, true);
    }
}
