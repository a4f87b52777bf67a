/// Functions that go wrong in every way that a Move function can.
module pitfalls::pitfalls {
    use std::vector;
    use minitia_std::type_info;

    struct Store has key {
        value: u64
    }

    struct Box<T> has copy, drop, store {
        value: T
    }

    fun init_module(publisher: &signer) {
        move_to(publisher, Store { value: 0 });
    }

    public entry fun set(_who: &signer, value: u64) acquires Store {
        borrow_global_mut<Store>(@pitfalls).value = value;
    }

    public entry fun set_and_abort(_who: &signer, value: u64) acquires Store {
        borrow_global_mut<Store>(@pitfalls).value = value;
        abort 42
    }

    public entry fun set_and_spin(_who: &signer, value: u64) acquires Store {
        borrow_global_mut<Store>(@pitfalls).value = value;
        loop {}
    }

    public entry fun divide(_who: &signer, by: u64) acquires Store {
        borrow_global_mut<Store>(@pitfalls).value = 1 / by;
    }

    public entry fun recurse(_who: &signer) {
        deeper(0);
    }

    fun deeper(level: u64): u64 {
        deeper(level + 1) + 1
    }

    /// Doubles a vector until memory or gas runs out.
    public entry fun swell(_who: &signer) {
        let all = vector[0u64];
        loop {
            let copied = all;
            vector::append(&mut all, copied);
        }
    }

    public entry fun out_of_bounds(_who: &signer) {
        vector::borrow(&vector[1u64], 1);
    }

    public entry fun take(_who: &signer, _flag: bool, _bytes: vector<vector<u8>>) {}

    public entry fun typed<T>(_who: &signer) {}

    #[view]
    public fun value(): u64 acquires Store {
        borrow_global<Store>(@pitfalls).value
    }

    #[view]
    public fun same(value: u64): u64 {
        value
    }

    #[view]
    public fun spin(): u64 {
        loop {}
    }

    #[view]
    public fun name<T>(): std::string::String {
        type_info::type_name<T>()
    }

    public fun not_exposed(): u64 {
        1
    }
}
