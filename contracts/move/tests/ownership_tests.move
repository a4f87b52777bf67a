#[test_only]
module vip_score::ownership_tests {
    use std::option;

    use vip_score::contract_setup::{Self, assert_last_event};
    use vip_score::vip_score::{Self, OwnershipTransferStartedEvent, OwnershipTransferredEvent};

    struct Transfer has drop {
        previous_owner: address,
        new_owner: address
    }

    /// Publishes the contract and transfers ownership from the publisher to `owner`.
    fun hand_over(publisher: &signer, owner: &signer, to: address) {
        contract_setup::publish(publisher);
        vip_score::transfer_ownership_script(publisher, to);
        vip_score::accept_ownership_script(owner);
    }

    #[test(publisher = @vip_score)]
    fun publisher_is_the_first_owner(publisher: &signer) {
        contract_setup::publish(publisher);
        assert!(vip_score::get_owner() == @vip_score, 1);
        assert!(vip_score::get_pending_owner() == option::none(), 2);
        vip_score::owner_add_deployer_script(publisher, @0x8);
        assert!(vip_score::is_deployer(@0x8), 3);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    fun transfer_takes_two_steps(publisher: &signer, owner: &signer) {
        contract_setup::publish(publisher);
        vip_score::transfer_ownership_script(publisher, @0x9);
        let transfer = Transfer { previous_owner: @vip_score, new_owner: @0x9 };
        assert_last_event<OwnershipTransferStartedEvent, Transfer>(1, transfer);
        assert!(vip_score::get_owner() == @vip_score, 1);
        assert!(vip_score::get_pending_owner() == option::some(@0x9), 2);

        vip_score::accept_ownership_script(owner);
        let transfer = Transfer { previous_owner: @vip_score, new_owner: @0x9 };
        assert_last_event<OwnershipTransferredEvent, Transfer>(1, transfer);
        assert!(vip_score::get_owner() == @0x9, 3);
        assert!(vip_score::get_pending_owner() == option::none(), 4);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    fun owner_manages_deployers_and_so_does_the_publisher(publisher: &signer, owner: &signer) {
        hand_over(publisher, owner, @0x9);
        vip_score::owner_add_deployer_script(owner, @0x8);
        vip_score::owner_remove_deployer_script(owner, @vip_score);
        assert!(vip_score::get_deployers() == vector[@0x8], 1);
        vip_score::add_deployer_script(publisher, @vip_score);
        assert!(vip_score::is_deployer(@vip_score), 2);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    fun a_new_owner_hands_over_again(publisher: &signer, owner: &signer) {
        hand_over(publisher, owner, @0x9);
        vip_score::transfer_ownership_script(owner, @vip_score);
        vip_score::accept_ownership_script(publisher);
        assert!(vip_score::get_owner() == @vip_score, 1);
    }

    #[test(publisher = @vip_score, first = @0x9)]
    #[expected_failure(abort_code = 0x5000e, location = vip_score::vip_score)]
    fun a_later_offer_replaces_an_earlier_one(publisher: &signer, first: &signer) {
        contract_setup::publish(publisher);
        vip_score::transfer_ownership_script(publisher, @0x9);
        vip_score::transfer_ownership_script(publisher, @0xa);
        vip_score::accept_ownership_script(first);
    }

    #[test(publisher = @vip_score, stranger = @0x9)]
    #[expected_failure(abort_code = 0x5000e, location = vip_score::vip_score)]
    fun accepting_without_an_offer_fails(publisher: &signer, stranger: &signer) {
        contract_setup::publish(publisher);
        vip_score::accept_ownership_script(stranger);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x5000e, location = vip_score::vip_score)]
    fun accepting_twice_fails(publisher: &signer, owner: &signer) {
        hand_over(publisher, owner, @0x9);
        vip_score::accept_ownership_script(owner);
    }

    #[test(publisher = @vip_score, stranger = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun a_stranger_cannot_offer(publisher: &signer, stranger: &signer) {
        contract_setup::publish(publisher);
        vip_score::transfer_ownership_script(stranger, @0x9);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun the_owner_before_cannot_add_as_owner(publisher: &signer, owner: &signer) {
        hand_over(publisher, owner, @0x9);
        vip_score::owner_add_deployer_script(publisher, @0x8);
    }

    #[test(publisher = @vip_score, stranger = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun a_stranger_cannot_remove(publisher: &signer, stranger: &signer) {
        contract_setup::publish(publisher);
        vip_score::owner_remove_deployer_script(stranger, @vip_score);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x50001, location = vip_score::vip_score)]
    fun owner_is_not_the_publisher(publisher: &signer, owner: &signer) {
        hand_over(publisher, owner, @0x9);
        vip_score::add_deployer_script(owner, @0x8);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun owner_is_not_a_deployer(publisher: &signer, owner: &signer) {
        hand_over(publisher, owner, @0x9);
        vip_score::set_init_stage(owner, 1);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x10004, location = vip_score::vip_score)]
    fun owner_cannot_add_twice(publisher: &signer, owner: &signer) {
        hand_over(publisher, owner, @0x9);
        vip_score::owner_add_deployer_script(owner, @vip_score);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x10005, location = vip_score::vip_score)]
    fun owner_cannot_remove_a_stranger(publisher: &signer, owner: &signer) {
        hand_over(publisher, owner, @0x9);
        vip_score::owner_remove_deployer_script(owner, @0x8);
    }
}
