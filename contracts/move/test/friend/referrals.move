/// A second module of the package, and a friend of that of scores: what tests publish with it.
module vip_score::referrals {
    use vip_score::vip_score;

    /// How many accounts each deployer has awarded.
    struct Referrals has key {
        awarded: u64
    }

    fun init_module(publisher: &signer) {
        move_to(publisher, Referrals { awarded: 0 });
    }

    /// Adds points for a friend that an account brought. For deployers.
    public entry fun refer(deployer: &signer, account: address, stage: u64, points: u64) acquires Referrals {
        vip_score::award(deployer, account, stage, points);
        Referrals[@vip_score].awarded += 1;
    }

    #[view]
    /// The number of awards.
    public fun get_awarded(): u64 acquires Referrals {
        Referrals[@vip_score].awarded
    }
}
