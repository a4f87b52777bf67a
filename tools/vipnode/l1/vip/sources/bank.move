/// The balances of the chain's bank. On the real L1 they are Move's own (`0x1::coin`); a development chain has none there,
/// and answers this query instead.
module vip::bank {
    use minitia_std::json;
    use minitia_std::query;

    friend vip::vip;

    struct BalanceRequest has drop {
        vm_addr: address
    }

    struct BalanceResponse has drop {
        amount: u64
    }

    /// Returns how much of the reward token an account holds: the denomination that fees are paid in.
    public(friend) fun balance(holder: address): u64 {
        let request = json::marshal(&BalanceRequest { vm_addr: holder });
        let response =
            json::unmarshal<BalanceResponse>(
                query::query_custom(b"balance", request)
            );
        response.amount
    }
}
