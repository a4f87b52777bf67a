//! The committed schema is what `cargo run --bin schema` writes.

use cosmwasm_schema::generate_api;
use vip_score::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};

#[test]
fn the_committed_schema_is_up_to_date() {
    let api = generate_api! {
        instantiate: InstantiateMsg,
        execute: ExecuteMsg,
        query: QueryMsg,
        migrate: MigrateMsg,
    };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/vip-score.json");
    let committed = std::fs::read_to_string(path).expect("schema/vip-score.json");
    let generated = api.render().to_string().unwrap();
    assert!(committed == generated, "run `cargo run --bin schema`");
}
