/// The Move code that the tests of the Move module need: tables, events, failures and arguments of every kind.
module board::board {
    use std::error;
    use std::event;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::String;
    use std::vector;
    use minitia_std::account;
    use minitia_std::address as sdk_address;
    use minitia_std::cosmos;
    use minitia_std::object::{Self, Object, ObjectCore};
    use minitia_std::oracle;
    use minitia_std::table::{Self, Table};

    /// There is no such row.
    const ENO_ROW: u64 = 7;

    struct Board has key {
        total: u64,
        rows: Table<address, u64>
    }

    struct Row has copy, drop, store {
        member: address,
        points: u64
    }

    /// Another resource, so that an account holds two.
    struct Note<phantom T> has key {
        text: String
    }

    #[event]
    struct RowsPut has drop, store {
        zeta: u64,
        count: u32,
        done: bool,
        next: Option<u64>,
        last: Row,
        members: vector<address>
    }

    #[event]
    struct Taken has drop, store {
        small: u8,
        large: u256,
        text: String,
        maybe: Option<String>,
        bytes: vector<u8>,
        who: address
    }

    fun init_module(publisher: &signer) {
        move_to(publisher, Board { total: 0, rows: table::new() });
    }

    public entry fun put(
        _sender: &signer, members: vector<address>, points: vector<u64>
    ) acquires Board {
        let board = borrow_global_mut<Board>(@board);
        let last = Row { member: @0x0, points: 0 };
        vector::enumerate_ref(
            &members,
            |at, member| {
                let value = *vector::borrow(&points, at);
                table::upsert(&mut board.rows, *member, value);
                board.total = board.total + value;
                last = Row { member: *member, points: value };
            }
        );
        event::emit(
            RowsPut {
                zeta: board.total,
                count: (vector::length(&members) as u32),
                done: true,
                next: option::none(),
                last,
                members
            }
        );
    }

    public entry fun take(
        who: &signer,
        small: u8,
        large: u256,
        text: String,
        maybe: Option<String>,
        bytes: vector<u8>
    ) {
        event::emit(
            Taken {
                small,
                large,
                text,
                maybe,
                bytes,
                who: signer::address_of(who)
            }
        );
    }

    public entry fun note<T>(who: &signer, text: String) {
        move_to(who, Note<T> { text });
    }

    public entry fun fail(_who: &signer, code: u64) {
        abort error::not_found(code)
    }

    public entry fun spin(_who: &signer) {
        loop {}
    }

    public entry fun remove(_who: &signer, member: address) acquires Board {
        let rows = &mut borrow_global_mut<Board>(@board).rows;
        assert!(table::contains(rows, member), error::not_found(ENO_ROW));
        table::remove(rows, member);
    }

    /// Creates `count` objects, each with a table.
    public entry fun make_objects(who: &signer, count: u64) {
        for (i in 0..count) {
            let reference = object::create_object(signer::address_of(who), false);
            let holder = object::generate_signer(&reference);
            move_to(&holder, Board { total: i, rows: table::new() });
        }
    }

    public entry fun send_message(who: &signer) {
        cosmos::stargate(who, b"{}");
    }

    #[view]
    public fun get(member: address): u64 acquires Board {
        *table::borrow_with_default(&borrow_global<Board>(@board).rows, member, &0)
    }

    #[view]
    public fun page(limit: u64, from: Option<address>): vector<Row> acquires Board {
        let rows = &borrow_global<Board>(@board).rows;
        let iterator = table::iter(rows, from, option::none(), 1);
        let list = vector::empty();
        while (vector::length(&list) < limit && table::prepare(iterator)) {
            let (member, points) = table::next(iterator);
            vector::push_back(&mut list, Row { member, points: *points });
        };
        list
    }

    #[view]
    public fun two(): (u64, bool) {
        (1, true)
    }

    #[view]
    public fun spin_view(): u64 {
        loop {}
    }

    #[view]
    public fun type_name<T>(): String {
        minitia_std::type_info::type_name<T>()
    }

    #[view]
    public fun emit_and_tell(): u64 {
        event::emit(Row_seen { member: @board });
        1
    }

    #[event]
    struct Row_seen has drop, store {
        member: address
    }

    #[view]
    public fun is_object(who: address): bool {
        account::is_object_account(who)
    }

    #[view]
    public fun owner(object: Object<ObjectCore>): address {
        object::owner(object)
    }

    #[view]
    public fun to_sdk(who: address): String {
        sdk_address::to_sdk(who)
    }

    #[view]
    public fun from_sdk(text: String): address {
        sdk_address::from_sdk(text)
    }

    #[view]
    public fun price(): u256 {
        let (price, _, _) = oracle::get_price(std::string::utf8(b"BITCOIN/USD"));
        price
    }
    // more
}
