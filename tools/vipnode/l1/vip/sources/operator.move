/// The operators of the bridges and their commission, with the layout and the rules of the module of this name on L1.
module vip::operator {
    use std::error;
    use std::option::Option;
    use std::signer;
    use minitia_std::bigdecimal::{Self, BigDecimal};
    use minitia_std::table::{Self, Table};
    use minitia_std::table_key;

    friend vip::vip;

    /// The rate changes by more than the maximum.
    const EINVALID_COMMISSION_CHANGE_RATE: u64 = 3;
    /// The rate is above the maximum.
    const EOVER_MAX_COMMISSION_RATE: u64 = 4;
    /// The rate has changed in this stage already, or the bridge was registered in it.
    const EINVALID_STAGE: u64 = 5;
    /// A rate is above 1.
    const EINVALID_COMMISSION_RATE: u64 = 6;
    /// The account is not the operator.
    const EUNAUTHORIZED: u64 = 7;

    struct ModuleStore has key {
        /// By bridge and version, each as 8 bytes in big-endian order.
        operator_infos: Table<vector<u8>, OperatorInfo>
    }

    struct OperatorInfo has store {
        operator_addr: address,
        /// The stage in which the rate was last set.
        last_changed_stage: u64,
        commission_max_rate: BigDecimal,
        /// The most that a rate may differ from the one before.
        commission_max_change_rate: BigDecimal,
        commission_rate: BigDecimal
    }

    public(friend) fun initialize(publisher: &signer) {
        move_to(publisher, ModuleStore { operator_infos: table::new() });
    }

    public(friend) fun register(
        operator_addr: address,
        bridge_id: u64,
        version: u64,
        stage: u64,
        commission_max_rate: BigDecimal,
        commission_max_change_rate: BigDecimal,
        commission_rate: BigDecimal
    ) acquires ModuleStore {
        check_rates(commission_max_rate, commission_max_change_rate, commission_rate);
        borrow_global_mut<ModuleStore>(@vip).operator_infos.add(
            key_of(bridge_id, version),
            OperatorInfo {
                operator_addr,
                last_changed_stage: stage,
                commission_max_rate,
                commission_max_change_rate,
                commission_rate
            }
        );
    }

    /// Changes what is given of the account and the bounds of the commission.
    public(friend) fun update_info(
        bridge_id: u64,
        version: u64,
        operator_addr: Option<address>,
        commission_max_rate: Option<BigDecimal>,
        commission_max_change_rate: Option<BigDecimal>
    ) acquires ModuleStore {
        let info =
            borrow_global_mut<ModuleStore>(@vip).operator_infos.borrow_mut(
                key_of(bridge_id, version)
            );
        info.operator_addr = operator_addr.get_with_default(info.operator_addr);
        info.commission_max_rate = commission_max_rate.get_with_default(
            info.commission_max_rate
        );
        info.commission_max_change_rate = commission_max_change_rate.get_with_default(
            info.commission_max_change_rate
        );
        check_rates(
            info.commission_max_rate,
            info.commission_max_change_rate,
            info.commission_rate
        );
    }

    public(friend) fun update_commission(
        operator: &signer,
        bridge_id: u64,
        version: u64,
        stage: u64,
        commission_rate: BigDecimal
    ) acquires ModuleStore {
        let info =
            borrow_global_mut<ModuleStore>(@vip).operator_infos.borrow_mut(
                key_of(bridge_id, version)
            );
        check_operator(operator, info);
        assert!(
            stage > info.last_changed_stage,
            error::invalid_argument(EINVALID_STAGE)
        );
        assert!(
            bigdecimal::le(commission_rate, info.commission_max_rate),
            error::invalid_argument(EOVER_MAX_COMMISSION_RATE)
        );
        let change =
            if (bigdecimal::gt(commission_rate, info.commission_rate)) {
                bigdecimal::sub(commission_rate, info.commission_rate)
            } else {
                bigdecimal::sub(info.commission_rate, commission_rate)
            };
        assert!(
            bigdecimal::le(change, info.commission_max_change_rate),
            error::invalid_argument(EINVALID_COMMISSION_CHANGE_RATE)
        );
        info.commission_rate = commission_rate;
        info.last_changed_stage = stage;
    }

    public(friend) fun update_address(
        operator: &signer,
        bridge_id: u64,
        version: u64,
        new_operator_addr: address
    ) acquires ModuleStore {
        let info =
            borrow_global_mut<ModuleStore>(@vip).operator_infos.borrow_mut(
                key_of(bridge_id, version)
            );
        check_operator(operator, info);
        info.operator_addr = new_operator_addr;
    }

    public(friend) fun commission(
        bridge_id: u64, version: u64
    ): BigDecimal acquires ModuleStore {
        borrow_global<ModuleStore>(@vip).operator_infos.borrow(key_of(bridge_id, version)).commission_rate
    }

    /// Checks that an account is the operator of a version of a bridge.
    public(friend) fun check(
        account: &signer, bridge_id: u64, version: u64
    ) acquires ModuleStore {
        check_operator(
            account,
            borrow_global<ModuleStore>(@vip).operator_infos.borrow(
                key_of(bridge_id, version)
            )
        );
    }

    fun check_operator(account: &signer, info: &OperatorInfo) {
        assert!(
            info.operator_addr == signer::address_of(account),
            error::permission_denied(EUNAUTHORIZED)
        );
    }

    fun check_rates(
        max_rate: BigDecimal, max_change_rate: BigDecimal, rate: BigDecimal
    ) {
        check_rate(max_rate);
        check_rate(max_change_rate);
        check_rate(rate);
        assert!(
            bigdecimal::le(rate, max_rate),
            error::invalid_argument(EOVER_MAX_COMMISSION_RATE)
        );
    }

    fun check_rate(rate: BigDecimal) {
        assert!(
            bigdecimal::le(rate, bigdecimal::one()),
            error::invalid_argument(EINVALID_COMMISSION_RATE)
        );
    }

    fun key_of(bridge_id: u64, version: u64): vector<u8> {
        let key = table_key::encode_u64(bridge_id);
        key.append(table_key::encode_u64(version));
        key
    }
}
