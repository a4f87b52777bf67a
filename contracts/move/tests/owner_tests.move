#[test_only]
/// Events and abort codes of the owner's functions (M9, M19); their rules are in the scenarios of packages/conformance.
module vip_score::owner_tests {
    use std::option::{Self, Option};

    use vip_score::contract_setup::{Self, assert_last_event, hand_over};
    use vip_score::vip_score::{
        Self, FinalizerSetEvent, OwnershipTransferStartedEvent, OwnershipTransferredEvent, PublisherManagesSetEvent
    };

    struct FinalizerSet has drop {
        finalizer: Option<address>
    }

    struct PublisherManagesSet has drop {
        allowed: bool
    }

    struct Transfer has drop {
        previous_owner: address,
        new_owner: address
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun naming_a_finalizer_emits_an_event(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::set_finalizer_script(publisher, option::some(@0x9));
        assert_last_event<FinalizerSetEvent, FinalizerSet>(1, FinalizerSet { finalizer: option::some(@0x9) });
        vip_score::set_finalizer_script(publisher, option::none());
        assert_last_event<FinalizerSetEvent, FinalizerSet>(2, FinalizerSet { finalizer: option::none() });
    }

    #[test(publisher = @vip_score, deployer = @0x7, owner = @0x9)]
    fun completing_an_upgrade_again_changes_nothing(publisher: &signer, deployer: &signer, owner: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::set_finalizer_script(publisher, option::some(@0x9));
        hand_over(publisher, owner);
        vip_score::set_publisher_manages_script(owner, false);
        vip_score::complete_upgrade_script(publisher);
        assert!(vip_score::get_owner() == @0x9, 1);
        assert!(vip_score::get_finalizer() == option::some(@0x9), 2);
        assert!(!vip_score::publisher_manages(), 3);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x50001, location = vip_score::vip_score)]
    fun completing_an_upgrade_is_for_the_publisher(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::complete_upgrade_script(deployer);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    #[expected_failure(abort_code = 0x50010, location = vip_score::vip_score)]
    fun finalizing_beside_a_finalizer_has_a_code(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::set_finalizer_script(publisher, option::some(@0x9));
        vip_score::finalize_script(deployer, 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun naming_a_finalizer_as_a_deployer_has_a_code(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::set_finalizer_script(deployer, option::some(@0x7));
    }

    #[test(publisher = @vip_score, deployer = @0x7, owner = @0x9)]
    fun the_owner_turns_the_publisher_off_and_on(publisher: &signer, deployer: &signer, owner: &signer) {
        contract_setup::open(deployer, 1);
        hand_over(publisher, owner);
        vip_score::set_publisher_manages_script(owner, false);
        assert!(!vip_score::publisher_manages(), 1);
        assert_last_event<PublisherManagesSetEvent, PublisherManagesSet>(
            1, PublisherManagesSet { allowed: false }
        );
        vip_score::owner_add_deployer_script(owner, @0x8);
        vip_score::owner_remove_deployer_script(owner, @0x8);

        vip_score::set_publisher_manages_script(owner, true);
        assert!(vip_score::publisher_manages(), 2);
        vip_score::add_deployer_script(publisher, @0x8);
        vip_score::remove_deployer_script(publisher, @0x8);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun a_publisher_that_is_the_owner_keeps_the_published_functions(
        publisher: &signer, deployer: &signer
    ) {
        contract_setup::open(deployer, 1);
        vip_score::set_publisher_manages_script(publisher, false);
        vip_score::add_deployer_script(publisher, @0x8);
        vip_score::remove_deployer_script(publisher, @0x8);
    }

    #[test(publisher = @vip_score, deployer = @0x7, owner = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun a_publisher_that_is_turned_off_cannot_add(publisher: &signer, deployer: &signer, owner: &signer) {
        contract_setup::open(deployer, 1);
        hand_over(publisher, owner);
        vip_score::set_publisher_manages_script(owner, false);
        vip_score::add_deployer_script(publisher, @0x8);
    }

    #[test(publisher = @vip_score, deployer = @0x7, owner = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun a_publisher_that_is_turned_off_cannot_remove(publisher: &signer, deployer: &signer, owner: &signer) {
        contract_setup::open(deployer, 1);
        hand_over(publisher, owner);
        vip_score::set_publisher_manages_script(owner, false);
        vip_score::remove_deployer_script(publisher, @0x7);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    fun both_steps_emit_an_event(publisher: &signer, owner: &signer) {
        contract_setup::publish(publisher);
        vip_score::transfer_ownership_script(publisher, @0x9);
        let transfer = Transfer { previous_owner: @vip_score, new_owner: @0x9 };
        assert_last_event<OwnershipTransferStartedEvent, Transfer>(1, transfer);
        vip_score::accept_ownership_script(owner);
        let transfer = Transfer { previous_owner: @vip_score, new_owner: @0x9 };
        assert_last_event<OwnershipTransferredEvent, Transfer>(1, transfer);
    }

    #[test(publisher = @vip_score, stranger = @0x9)]
    #[expected_failure(abort_code = 0x5000e, location = vip_score::vip_score)]
    fun accepting_without_an_offer_has_a_code(publisher: &signer, stranger: &signer) {
        contract_setup::publish(publisher);
        vip_score::accept_ownership_script(stranger);
    }

    #[test(publisher = @vip_score, stranger = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun offering_as_a_stranger_has_a_code(publisher: &signer, stranger: &signer) {
        contract_setup::publish(publisher);
        vip_score::transfer_ownership_script(stranger, @0x9);
    }
}
