#[test_only]
/// The initial state of the tests: the contract published at its address, with one deployer.
module vip_score::contract_setup {
    use std::event;
    use std::bcs;
    use std::signer;
    use minitia_std::account;

    use vip_score::vip_score;

    /// The contract before its first stage.
    public fun publish(deployer: &signer) {
        let publisher = account::create_signer_for_test(@vip_score);
        vip_score::init_module_for_test(&publisher);
        vip_score::add_deployer_script(&publisher, signer::address_of(deployer));
    }

    /// The contract with an open stage.
    public fun open(deployer: &signer, stage: u64) {
        publish(deployer);
        vip_score::set_init_stage(deployer, stage);
    }

    /// Transfers ownership from the publisher to another account.
    public fun hand_over(publisher: &signer, owner: &signer) {
        vip_score::transfer_ownership_script(publisher, signer::address_of(owner));
        vip_score::accept_ownership_script(owner);
    }

    /// Asserts the fields of the last event of a type, with the types and order of the event.
    public fun assert_last_event<Event: drop, Fields: drop>(count: u64, fields: Fields) {
        let events = event::emitted_events<Event>();
        assert!(events.length() == count, 4);
        assert!(bcs::to_bytes(events.borrow(count - 1)) == bcs::to_bytes(&fields), 5);
    }
}
