/// The functions of the scoring module that the scripts call, so that they compile without the module and its library.
module vip_score::vip_score {
    public fun update_score(_deployer: &signer, _account: address, _stage: u64, _amount: u64) {}

    public fun increase_score(_deployer: &signer, _account: address, _stage: u64, _amount: u64) {}

    public fun decrease_score(_deployer: &signer, _account: address, _stage: u64, _amount: u64) {}
}
