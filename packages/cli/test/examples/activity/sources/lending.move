/// For tests: emits the events of a money market, for any account.
module activity::lending {
    use std::event;

    #[event]
    struct SuppliedEvent has drop, store {
        account: address,
        amount: u64,
    }

    #[event]
    struct WithdrawnEvent has drop, store {
        account: address,
        amount: u64,
    }

    #[event]
    struct BorrowedEvent has drop, store {
        account: address,
        amount: u64,
    }

    #[event]
    struct RepaidEvent has drop, store {
        account: address,
        amount: u64,
    }

    public entry fun supply(account: address, amount: u64) {
        event::emit(SuppliedEvent { account, amount });
    }

    public entry fun withdraw(account: address, amount: u64) {
        event::emit(WithdrawnEvent { account, amount });
    }

    public entry fun borrow(account: address, amount: u64) {
        event::emit(BorrowedEvent { account, amount });
    }

    public entry fun repay(account: address, amount: u64) {
        event::emit(RepaidEvent { account, amount });
    }
}
