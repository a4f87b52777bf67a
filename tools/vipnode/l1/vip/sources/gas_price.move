/// The base price of gas, below which the mempool refuses a transaction. On L1 it is a parameter that votes and the load of the blocks
/// change; here only `vip::set_base_gas_price`.
module vip::gas_price {
    friend vip::vip;

    /// 0.015, the least on L1.
    const BASE_GAS_PRICE: u64 = 15_000;

    struct BaseGasPrice has key {
        /// Millionths of the smallest unit of the token.
        millionths: u64
    }

    public(friend) fun initialize(publisher: &signer) {
        move_to(publisher, BaseGasPrice { millionths: BASE_GAS_PRICE });
    }

    public(friend) fun set(millionths: u64) acquires BaseGasPrice {
        borrow_global_mut<BaseGasPrice>(@vip).millionths = millionths;
    }
}
