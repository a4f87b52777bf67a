#[test_only]
/// Events and abort codes of settings, and a contract that has none after an upgrade (M9, M17, M18).
module vip_score::settings_tests {
    use std::option::{Self, Option};

    use vip_score::contract_setup::{Self, assert_stage, assert_last_event, hand_over};
    use vip_score::vip_score::{Self, FinalizerSetEvent, PublisherManagesSetEvent};

    struct FinalizerSet has drop {
        finalizer: Option<address>
    }

    struct PublisherManagesSet has drop {
        allowed: bool
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun naming_a_finalizer_emits_an_event(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::set_finalizer_for_test(publisher, option::some(@0x9));
        assert_last_event<FinalizerSetEvent, FinalizerSet>(1, FinalizerSet { finalizer: option::some(@0x9) });
        vip_score::set_finalizer_for_test(publisher, option::none());
        assert_last_event<FinalizerSetEvent, FinalizerSet>(2, FinalizerSet { finalizer: option::none() });
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    #[expected_failure(abort_code = 0x50010, location = vip_score::vip_score)]
    fun finalizing_beside_a_finalizer_has_a_code(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::set_finalizer_for_test(publisher, option::some(@0x9));
        vip_score::finalize_script(deployer, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun naming_a_finalizer_as_a_deployer_has_a_code(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::set_finalizer_for_test(deployer, option::some(@0x7));
    }

    #[test(publisher = @vip_score, deployer = @0x7, owner = @0x9)]
    fun the_owner_turns_the_publisher_off_and_on(publisher: &signer, deployer: &signer, owner: &signer) {
        contract_setup::open(deployer, 1);
        hand_over(publisher, owner);
        vip_score::set_publisher_manages_for_test(owner, false);
        assert!(!vip_score::publisher_manages(), 1);
        assert_last_event<PublisherManagesSetEvent, PublisherManagesSet>(
            1, PublisherManagesSet { allowed: false }
        );
        vip_score::owner_add_deployer_script(owner, @0x8);
        vip_score::owner_remove_deployer_script(owner, @0x8);

        vip_score::set_publisher_manages_for_test(owner, true);
        assert!(vip_score::publisher_manages(), 2);
        vip_score::add_deployer_script(publisher, @0x8);
        vip_score::remove_deployer_script(publisher, @0x8);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun a_publisher_that_is_the_owner_keeps_the_published_functions(
        publisher: &signer, deployer: &signer
    ) {
        contract_setup::open(deployer, 1);
        vip_score::set_publisher_manages_for_test(publisher, false);
        vip_score::add_deployer_script(publisher, @0x8);
        vip_score::remove_deployer_script(publisher, @0x8);
    }

    #[test(publisher = @vip_score, deployer = @0x7, owner = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun a_publisher_that_is_turned_off_cannot_add(publisher: &signer, deployer: &signer, owner: &signer) {
        contract_setup::open(deployer, 1);
        hand_over(publisher, owner);
        vip_score::set_publisher_manages_for_test(owner, false);
        vip_score::add_deployer_script(publisher, @0x8);
    }

    #[test(publisher = @vip_score, deployer = @0x7, owner = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun a_publisher_that_is_turned_off_cannot_remove(publisher: &signer, deployer: &signer, owner: &signer) {
        contract_setup::open(deployer, 1);
        hand_over(publisher, owner);
        vip_score::set_publisher_manages_for_test(owner, false);
        vip_score::remove_deployer_script(publisher, @0x7);
    }

    #[test(publisher = @vip_score, deployer = @0x7, owner = @0x9)]
    fun creating_settings_again_changes_nothing(publisher: &signer, deployer: &signer, owner: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::set_finalizer_for_test(publisher, option::some(@0x9));
        hand_over(publisher, owner);
        vip_score::set_publisher_manages_for_test(owner, false);
        vip_score::create_settings_for_test(publisher);
        assert!(vip_score::get_finalizer() == option::some(@0x9), 1);
        assert!(!vip_score::publisher_manages(), 2);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun without_settings_the_defaults_hold(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_settings_for_test();
        assert!(vip_score::get_finalizer() == option::none(), 1);
        assert!(vip_score::publisher_manages(), 2);
        assert!(vip_score::get_revision(1) == option::none(), 3);
        vip_score::add_deployer_script(publisher, @0x8);
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::update_scores_script(deployer, 1, vector[@0x2], vector[6]);
        vip_score::finalize_checked_script(deployer, 1, 11, 2);
        assert_stage(1, 11, 2, true);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000f, location = vip_score::vip_score)]
    fun a_finalizer_needs_settings(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_settings_for_test();
        vip_score::set_finalizer_for_test(publisher, option::some(@0x9));
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000f, location = vip_score::vip_score)]
    fun turning_the_publisher_off_needs_settings(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_settings_for_test();
        vip_score::set_publisher_manages_for_test(publisher, false);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x50001, location = vip_score::vip_score)]
    fun settings_are_created_by_the_publisher(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_settings_for_test();
        vip_score::create_settings_for_test(deployer);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x3000f, location = vip_score::vip_score)]
    fun finalizing_a_revision_needs_settings(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_settings_for_test();
        vip_score::finalize_checked_revision_for_test(deployer, 1, 0, 0, 0);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun revisions_count_from_settings_on(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_settings_for_test();
        vip_score::update_score(deployer, @0x1, 1, 5);
        vip_score::create_settings_for_test(publisher);
        assert!(vip_score::get_revision(1) == option::some(0), 1);
        vip_score::update_score(deployer, @0x1, 1, 5);
        // A second call changes nothing.
        vip_score::create_settings_for_test(publisher);
        assert!(vip_score::get_revision(1) == option::some(1), 2);
        vip_score::finalize_checked_revision_for_test(deployer, 1, 5, 1, 1);
    }
}
