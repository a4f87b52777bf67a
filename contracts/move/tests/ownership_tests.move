#[test_only]
/// Events and abort codes of ownership; its rules are in the scenarios of tools/conformance.
module vip_score::ownership_tests {
    use vip_score::contract_setup::{Self, assert_last_event};
    use vip_score::vip_score::{Self, OwnershipTransferStartedEvent, OwnershipTransferredEvent};

    struct Transfer has drop {
        previous_owner: address,
        new_owner: address
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
