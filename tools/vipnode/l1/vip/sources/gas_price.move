/// The base price of gas, below which the mempool refuses a transaction. The chain moves it with the load of each block, as L1 does;
/// `vip::set_base_gas_price` sets it, as a vote does.
module vip::gas_price {
    friend vip::vip;

    /// 0.015, the least on L1.
    const BASE_GAS_PRICE: u64 = 15_000;

    struct BaseGasPrice has key {
        /// Millionths of the smallest unit of the token.
        millionths: u64,
        /// What votes have set: the price does not fall below it.
        least: u64,
        /// Gas limits of the transactions in the current block.
        load: u64
    }

    public(friend) fun initialize(publisher: &signer) {
        move_to(publisher, BaseGasPrice { millionths: BASE_GAS_PRICE, least: BASE_GAS_PRICE, load: 0 });
    }

    public(friend) fun set(millionths: u64) acquires BaseGasPrice {
        let price = borrow_global_mut<BaseGasPrice>(@vip);
        price.millionths = millionths;
        price.least = millionths;
    }
}
