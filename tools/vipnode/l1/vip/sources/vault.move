/// Pays the rewards. A development chain has coins in it from the start; on L1 somebody deposits them.
module vip::vault {
    use minitia_std::object::{Self, ExtendRef};
    use vip::bank;

    friend vip::vip;

    /// Units of the reward token that each stage distributes. On L1 a proposal sets it.
    const REWARD_PER_STAGE: u64 = 1_000_000_000;

    struct ModuleStore has key {
        extend_ref: ExtendRef,
        reward_per_stage: u64,
        vault_store_addr: address
    }

    public(friend) fun initialize(publisher: &signer) {
        let vault = object::create_named_object(publisher, b"vault");
        move_to(
            publisher,
            ModuleStore {
                extend_ref: object::generate_extend_ref(&vault),
                reward_per_stage: REWARD_PER_STAGE,
                vault_store_addr: object::address_from_constructor_ref(&vault)
            }
        );
    }

    public(friend) fun reward_per_stage(): u64 acquires ModuleStore {
        borrow_global<ModuleStore>(@vip).reward_per_stage
    }

    public(friend) fun pay(receiver: address, amount: u64) acquires ModuleStore {
        // The bank refuses to send nothing.
        if (amount == 0) return;
        let store = borrow_global<ModuleStore>(@vip);
        let vault = object::generate_signer_for_extending(&store.extend_ref);
        bank::send(&vault, receiver, amount);
    }

    #[view]
    /// The account that holds the rewards.
    public fun get_vault_store_address(): address acquires ModuleStore {
        borrow_global<ModuleStore>(@vip).vault_store_addr
    }
}
