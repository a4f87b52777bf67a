// The module's functions for one score are public, not entry functions, so a transaction reaches them through a script.

script {
    use vip_score::vip_score;

    fun update_score(deployer: &signer, account: address, stage: u64, amount: u64) {
        vip_score::update_score(deployer, account, stage, amount);
    }
}

script {
    use vip_score::vip_score;

    fun increase_score(deployer: &signer, account: address, stage: u64, amount: u64) {
        vip_score::increase_score(deployer, account, stage, amount);
    }
}

script {
    use vip_score::vip_score;

    fun decrease_score(deployer: &signer, account: address, stage: u64, amount: u64) {
        vip_score::decrease_score(deployer, account, stage, amount);
    }
}
