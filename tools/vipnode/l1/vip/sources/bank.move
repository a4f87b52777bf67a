/// The reward token: the denomination that fees are paid in, in the chain's bank. On the real L1 coins are Move's own
/// (`0x1::coin`); a development chain has none there, and offers this query and this message instead.
module vip::bank {
    use std::signer;
    use std::string::{Self, String};
    use minitia_std::address;
    use minitia_std::cosmos;
    use minitia_std::json;
    use minitia_std::query;

    friend vip::bridges;
    friend vip::vault;
    friend vip::vip;

    const DENOM: vector<u8> = b"umin";

    struct BalanceRequest has drop {
        vm_addr: address
    }

    struct BalanceResponse has drop {
        amount: u64
    }

    struct MsgSend has drop {
        _type_: String,
        from_address: String,
        to_address: String,
        amount: vector<Coin>
    }

    struct Coin has drop {
        denom: String,
        amount: u64
    }

    public(friend) fun balance(holder: address): u64 {
        let request = json::marshal(&BalanceRequest { vm_addr: holder });
        let response =
            json::unmarshal<BalanceResponse>(
                query::query_custom(b"balance", request)
            );
        response.amount
    }

    /// Sends coins once the call of Move is over, which fails if the sender does not have them.
    public(friend) fun send(from: &signer, to: address, amount: u64) {
        let message = MsgSend {
            _type_: string::utf8(b"/cosmos.bank.v1beta1.MsgSend"),
            from_address: address::to_sdk(signer::address_of(from)),
            to_address: address::to_sdk(to),
            amount: vector[Coin { denom: string::utf8(DENOM), amount }]
        };
        cosmos::stargate(from, json::marshal(&message));
    }
}
