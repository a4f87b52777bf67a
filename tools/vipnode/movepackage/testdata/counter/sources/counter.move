/// A number that only grows.
module counter::counter {
    struct Counter has key {
        value: u64
    }

    /// The step is 0.
    const ESTEP_ZERO: u64 = 0x10001;

    public entry fun create(owner: &signer) {
        move_to(owner, Counter { value: 0 });
    }

    public entry fun raise(owner: address, step: u64) acquires Counter {
        assert!(step > 0, ESTEP_ZERO);
        Counter[owner].value += step;
    }

    #[view]
    public fun value(owner: address): u64 acquires Counter {
        Counter[owner].value
    }
}
