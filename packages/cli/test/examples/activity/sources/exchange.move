/// For tests: emits the events of an exchange, for any account.
module activity::exchange {
    use std::event;

    #[event]
    struct TradedEvent has drop, store {
        trader: address,
        volume: u64,
    }

    public entry fun trade(trader: address, volume: u64) {
        event::emit(TradedEvent { trader, volume });
    }
}
