#[test_only]
module vip_score::deployer_tests {
    use std::signer;
    use std::string;

    use vip_score::contract_setup::{Self, assert_last_event};
    use vip_score::vip_score::{Self, DeployerAddedEvent, DeployerRemovedEvent};

    struct Deployer has drop {
        deployer: address
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun publisher_adds_and_removes(publisher: &signer, deployer: &signer) {
        contract_setup::publish(deployer);
        assert_last_event<DeployerAddedEvent, Deployer>(1, Deployer { deployer: @0x7 });
        vip_score::add_deployer_script(publisher, @0x8);
        assert!(vip_score::get_deployers() == vector[@0x7, @0x8], 1);
        assert!(vip_score::is_deployer(@0x8), 2);

        vip_score::remove_deployer_script(publisher, @0x7);
        assert_last_event<DeployerRemovedEvent, Deployer>(1, Deployer { deployer: @0x7 });
        assert!(vip_score::get_deployers() == vector[@0x8], 3);
        assert!(!vip_score::is_deployer(@0x7), 4);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun publisher_removes_the_last_and_adds_again(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_deployer_script(publisher, @0x7);
        assert!(vip_score::get_deployers().is_empty(), 1);
        vip_score::add_deployer_script(publisher, @0x7);
        vip_score::update_score(deployer, @0x1, 1, 5);
    }

    #[test(deployer = @0x7)]
    fun publisher_is_not_a_deployer_by_default(deployer: &signer) {
        contract_setup::publish(deployer);
        assert!(!vip_score::is_deployer(@vip_score), 1);
    }

    #[test]
    fun contract_version_is_returned() {
        assert!(vip_score::contract_version() == string::utf8(b"2.0.0"), 1);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x50001, location = vip_score::vip_score)]
    fun deployer_cannot_add(deployer: &signer) {
        contract_setup::publish(deployer);
        vip_score::add_deployer_script(deployer, @0x8);
    }

    #[test(deployer = @0x7)]
    #[expected_failure(abort_code = 0x50001, location = vip_score::vip_score)]
    fun deployer_cannot_remove(deployer: &signer) {
        contract_setup::publish(deployer);
        vip_score::remove_deployer_script(deployer, signer::address_of(deployer));
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    #[expected_failure(abort_code = 0x10004, location = vip_score::vip_score)]
    fun adding_twice_fails(publisher: &signer, deployer: &signer) {
        contract_setup::publish(deployer);
        vip_score::add_deployer_script(publisher, @0x7);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    #[expected_failure(abort_code = 0x10005, location = vip_score::vip_score)]
    fun removing_a_stranger_fails(publisher: &signer, deployer: &signer) {
        contract_setup::publish(deployer);
        vip_score::remove_deployer_script(publisher, @0x8);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    #[expected_failure(abort_code = 0x10001, location = vip_score::vip_score)]
    fun a_removed_deployer_cannot_write(publisher: &signer, deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::remove_deployer_script(publisher, @0x7);
        vip_score::update_score(deployer, @0x1, 1, 5);
    }
}
