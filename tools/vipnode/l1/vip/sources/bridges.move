/// The rollups of VIP: those that are registered, and those that were. `vip::vip` decides who may change what.
module vip::bridges {
    use std::option;
    use std::string::String;
    use std::vector;
    use minitia_std::bigdecimal::{Self, BigDecimal};
    use minitia_std::table::Table;
    use minitia_std::table_key;
    use vip::bank;
    use vip::tvl_manager;

    friend vip::vip;

    const LARGEST_VERSION: u64 = 18446744073709551615;
    const ASCENDING: u8 = 1;
    const DESCENDING: u8 = 2;

    /// The key of a bridge. Numbers are 8 bytes in big-endian order.
    struct BridgeInfoKey has copy, drop {
        is_registered: bool,
        bridge_id: vector<u8>,
        version: vector<u8>
    }

    struct Bridge has store, drop {
        /// The first stage of which L1 expects a snapshot.
        init_stage: u64,
        /// The stage in which the bridge was deregistered; 0 while it is registered.
        end_stage: u64,
        bridge_addr: address,
        /// Who may hand the role over. Commission and rewards go by `operator::OperatorInfo`.
        operator_addr: address,
        vip_l2_score_contract: String,
        vip_weight: BigDecimal,
        /// 0 Move, 1 Wasm, 2 EVM.
        vm_type: u64
    }

    /// One bridge in the answer of `get_bridge_infos`.
    struct BridgeResponse has drop {
        init_stage: u64,
        bridge_id: u64,
        version: u64,
        bridge_addr: address,
        operator_addr: address,
        vip_l2_score_contract: String,
        vip_weight: BigDecimal,
        vm_type: u64
    }

    /// Returns whether a bridge is registered, and its newest version: 0 if it never was.
    public(friend) fun newest(
        bridges: &Table<BridgeInfoKey, Bridge>, bridge_id: u64
    ): (bool, u64) {
        let version = newest_of(bridges, true, bridge_id);
        if (version != 0) (true, version)
        else (false, newest_of(bridges, false, bridge_id))
    }

    fun newest_of(
        bridges: &Table<BridgeInfoKey, Bridge>, is_registered: bool, bridge_id: u64
    ): u64 {
        let iter =
            bridges.iter(
                option::some(key_of(is_registered, bridge_id, 0)),
                option::some(key_of(is_registered, bridge_id, LARGEST_VERSION)),
                DESCENDING
            );
        if (!iter.prepare()) return 0;
        let (key, _) = iter.next();
        table_key::decode_u64(key.version)
    }

    public(friend) fun add(
        bridges: &mut Table<BridgeInfoKey, Bridge>,
        bridge_id: u64,
        version: u64,
        init_stage: u64,
        bridge_addr: address,
        operator_addr: address,
        vip_l2_score_contract: String,
        vm_type: u64
    ) {
        bridges.add(
            key_of(true, bridge_id, version),
            Bridge {
                init_stage,
                end_stage: 0,
                bridge_addr,
                operator_addr,
                vip_l2_score_contract,
                vip_weight: bigdecimal::zero(),
                vm_type
            }
        );
    }

    /// Keeps a registered bridge as one that was registered until `end_stage`.
    public(friend) fun end(
        bridges: &mut Table<BridgeInfoKey, Bridge>,
        bridge_id: u64,
        version: u64,
        end_stage: u64
    ) {
        let bridge = bridges.remove(key_of(true, bridge_id, version));
        bridge.end_stage = end_stage;
        bridge.vip_weight = bigdecimal::zero();
        bridges.add(key_of(false, bridge_id, version), bridge);
    }

    /// Returns the stages of a version of a bridge: the first, and the last or 0 while it is registered. None if there is no such version.
    public(friend) fun stages(
        bridges: &Table<BridgeInfoKey, Bridge>, bridge_id: u64, version: u64
    ): option::Option<vector<u64>> {
        let key = key_of(true, bridge_id, version);
        if (!bridges.contains(key)) key.is_registered = false;
        if (!bridges.contains(key)) return option::none();
        let bridge = bridges.borrow(key);
        option::some(vector[bridge.init_stage, bridge.end_stage])
    }

    public(friend) fun operator(
        bridges: &Table<BridgeInfoKey, Bridge>, bridge_id: u64, version: u64
    ): address {
        bridges.borrow(key_of(true, bridge_id, version)).operator_addr
    }

    public(friend) fun set_operator(
        bridges: &mut Table<BridgeInfoKey, Bridge>,
        bridge_id: u64,
        version: u64,
        operator_addr: address
    ) {
        bridges.borrow_mut(key_of(true, bridge_id, version)).operator_addr = operator_addr;
    }

    public(friend) fun set_contract(
        bridges: &mut Table<BridgeInfoKey, Bridge>,
        bridge_id: u64,
        version: u64,
        contract: String
    ) {
        bridges.borrow_mut(key_of(true, bridge_id, version)).vip_l2_score_contract = contract;
    }

    public(friend) fun set_weight(
        bridges: &mut Table<BridgeInfoKey, Bridge>,
        bridge_id: u64,
        version: u64,
        weight: BigDecimal
    ) {
        bridges.borrow_mut(key_of(true, bridge_id, version)).vip_weight = weight;
    }

    public(friend) fun total_weight(bridges: &Table<BridgeInfoKey, Bridge>): BigDecimal {
        infos(bridges).fold(
            bigdecimal::zero(), |sum, bridge| bigdecimal::add(sum, bridge.vip_weight)
        )
    }

    /// Returns the registered bridges and what their accounts hold now.
    public(friend) fun balances(
        bridges: &Table<BridgeInfoKey, Bridge>
    ): (vector<u64>, vector<u64>) {
        let infos = infos(bridges);
        (
            infos.map_ref(|bridge| bridge.bridge_id),
            infos.map_ref(|bridge| bank::balance(bridge.bridge_addr))
        )
    }

    /// Returns the registered bridges with their versions, and which part of the rewards of the stage after `stage` each gets: by its
    /// share of all average balances, as far as `pool_split_ratio` says, and by its weight for the rest. Below the minimum balance it
    /// gets nothing.
    public(friend) fun shares(
        bridges: &Table<BridgeInfoKey, Bridge>,
        stage: u64,
        pool_split_ratio: BigDecimal,
        maximum_weight_ratio: BigDecimal,
        minimum_eligible_tvl: u64
    ): (vector<u64>, vector<u64>, vector<BigDecimal>) {
        let infos = infos(bridges);
        let balances = infos.map_ref(
            |bridge| tvl_manager::get_average_tvl(stage, bridge.bridge_id)
        );
        let total = balances.fold(0, |sum, balance| sum + balance);
        let weight_ratio = bigdecimal::sub(bigdecimal::one(), pool_split_ratio);
        let shares = infos.zip_map_ref(
            &balances,
            |bridge, balance| {
                let by_weight = bigdecimal::mul(bridge.vip_weight, weight_ratio);
                let by_balance =
                    if (total == 0) bigdecimal::zero()
                    else bigdecimal::mul(
                        bigdecimal::from_ratio_u64(*balance, total), pool_split_ratio
                    );
                let share = bigdecimal::add(by_weight, by_balance);
                if (*balance < minimum_eligible_tvl) bigdecimal::zero()
                else if (bigdecimal::gt(share, maximum_weight_ratio)) maximum_weight_ratio
                else share
            }
        );
        (
            infos.map_ref(|bridge| bridge.bridge_id),
            infos.map_ref(|bridge| bridge.version),
            shares
        )
    }

    /// Returns the registered bridges, ascending by their id.
    public(friend) fun infos(bridges: &Table<BridgeInfoKey, Bridge>): vector<BridgeResponse> {
        let infos = vector::empty();
        let iter = bridges.iter(
            option::some(key_of(true, 0, 0)), option::none(), ASCENDING
        );
        while (iter.prepare()) {
            let (key, bridge) = iter.next();
            infos.push_back(
                BridgeResponse {
                    init_stage: bridge.init_stage,
                    bridge_id: table_key::decode_u64(key.bridge_id),
                    version: table_key::decode_u64(key.version),
                    bridge_addr: bridge.bridge_addr,
                    operator_addr: bridge.operator_addr,
                    vip_l2_score_contract: bridge.vip_l2_score_contract,
                    vip_weight: bridge.vip_weight,
                    vm_type: bridge.vm_type
                }
            );
        };
        infos
    }

    fun key_of(is_registered: bool, bridge_id: u64, version: u64): BridgeInfoKey {
        BridgeInfoKey {
            is_registered,
            bridge_id: table_key::encode_u64(bridge_id),
            version: table_key::encode_u64(version)
        }
    }
}
