/// For tests: emits the events of a game, for any account.
module activity::game {
    use std::event;
    use std::string::String;

    #[event]
    struct PlayedEvent has drop, store {
        player: address,
        action: String,
    }

    public entry fun play(player: address, action: String) {
        event::emit(PlayedEvent { player, action });
    }
}
