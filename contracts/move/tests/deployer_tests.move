#[test_only]
/// What differs from the roles of other VMs: the publisher, and the functions and abort codes of each role (M8, M9).
module vip_score::deployer_tests {
    use std::signer;

    use vip_score::contract_setup::{Self, assert_last_event, hand_over};
    use vip_score::vip_score::{Self, DeployerAddedEvent, DeployerRemovedEvent, DeployersClearedEvent};

    struct Deployer has drop {
        deployer: address
    }

    struct Cleared has drop {
        count: u64
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun publisher_adds_and_removes(publisher: &signer, deployer: &signer) {
        contract_setup::publish(deployer);
        assert!(!vip_score::is_deployer(@vip_score), 5);
        assert_last_event<DeployerAddedEvent, Deployer>(1, Deployer { deployer: @0x7 });
        vip_score::add_deployer_script(publisher, @0x8);
        assert!(vip_score::get_deployers(0, 1000) == vector[@0x7, @0x8], 1);
        assert!(vip_score::is_deployer(@0x8), 2);

        vip_score::remove_deployer_script(publisher, @0x7);
        assert_last_event<DeployerRemovedEvent, Deployer>(1, Deployer { deployer: @0x7 });
        assert!(vip_score::get_deployers(0, 1000) == vector[@0x8], 3);
        assert!(!vip_score::is_deployer(@0x7), 4);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    fun owner_manages_deployers_and_so_does_the_publisher(publisher: &signer, owner: &signer) {
        contract_setup::publish(publisher);
        vip_score::owner_add_deployer_script(publisher, @0x7);
        hand_over(publisher, owner);
        vip_score::owner_add_deployer_script(owner, @0x8);
        vip_score::owner_remove_deployer_script(owner, @vip_score);
        assert!(vip_score::is_deployer(@0x7) && vip_score::is_deployer(@0x8), 1);
        assert!(!vip_score::is_deployer(@vip_score), 2);
        vip_score::add_deployer_script(publisher, @vip_score);
        assert!(vip_score::is_deployer(@vip_score), 3);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun replacing_deployers_emits_that_and_each_new_one(publisher: &signer, deployer: &signer) {
        contract_setup::publish(deployer);
        vip_score::set_deployers_script(publisher, vector[@0x8, @0x7, @0x8]);
        assert_last_event<DeployersClearedEvent, Cleared>(1, Cleared { count: 1 });
        assert_last_event<DeployerAddedEvent, Deployer>(3, Deployer { deployer: @0x7 });
        assert!(vip_score::get_deployers(0, 1000) == vector[@0x8, @0x7], 1);
        vip_score::set_deployers_script(publisher, vector[]);
        assert_last_event<DeployersClearedEvent, Cleared>(2, Cleared { count: 2 });
        assert!(vip_score::get_deployer_count() == 0, 2);
        assert!(vip_score::get_deployers(0, 1000).is_empty(), 3);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun the_owner_before_cannot_replace_deployers(publisher: &signer, owner: &signer) {
        contract_setup::publish(publisher);
        hand_over(publisher, owner);
        vip_score::set_deployers_script(publisher, vector[@0x8]);
    }

    #[test(publisher = @vip_score, deployer = @0x7)]
    fun deployers_are_read_in_pages(publisher: &signer, deployer: &signer) {
        contract_setup::publish(deployer);
        vip_score::set_deployers_script(publisher, vector[@0x1, @0x2, @0x3]);
        assert!(vip_score::get_deployers(0, 2) == vector[@0x1, @0x2], 1);
        assert!(vip_score::get_deployers(2, 2) == vector[@0x3], 2);
        assert!(vip_score::get_deployers(1, 18446744073709551615) == vector[@0x2, @0x3], 3);
        assert!(vip_score::get_deployers(0, 0).is_empty(), 4);
        assert!(vip_score::get_deployers(3, 1).is_empty(), 5);
        assert!(vip_score::get_deployers(18446744073709551615, 1).is_empty(), 6);
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

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x50001, location = vip_score::vip_score)]
    fun owner_is_not_the_publisher(publisher: &signer, owner: &signer) {
        contract_setup::publish(publisher);
        hand_over(publisher, owner);
        vip_score::add_deployer_script(owner, @0x8);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun the_owner_before_cannot_add_as_owner(publisher: &signer, owner: &signer) {
        contract_setup::publish(publisher);
        hand_over(publisher, owner);
        vip_score::owner_add_deployer_script(publisher, @0x8);
    }

    #[test(publisher = @vip_score, owner = @0x9)]
    #[expected_failure(abort_code = 0x5000d, location = vip_score::vip_score)]
    fun the_owner_before_cannot_remove_as_owner(publisher: &signer, owner: &signer) {
        contract_setup::publish(publisher);
        hand_over(publisher, owner);
        vip_score::owner_remove_deployer_script(publisher, @vip_score);
    }

    #[test(publisher = @vip_score)]
    #[expected_failure(abort_code = 0x10004, location = vip_score::vip_score)]
    fun owner_cannot_add_twice(publisher: &signer) {
        contract_setup::publish(publisher);
        vip_score::owner_add_deployer_script(publisher, @vip_score);
    }

    #[test(publisher = @vip_score)]
    #[expected_failure(abort_code = 0x10005, location = vip_score::vip_score)]
    fun owner_cannot_remove_a_stranger(publisher: &signer) {
        contract_setup::publish(publisher);
        vip_score::owner_remove_deployer_script(publisher, @0x8);
    }
}
