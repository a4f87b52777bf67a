//! Writes `schema/vip-score.json`, from which clients are generated.

use cosmwasm_schema::generate_api;
use vip_score::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};

fn main() {
    let api = generate_api! {
        instantiate: InstantiateMsg,
        execute: ExecuteMsg,
        query: QueryMsg,
        migrate: MigrateMsg,
    };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/vip-score.json");
    let text = api.render().to_string().expect("a schema is JSON");
    std::fs::write(path, text).expect("schema/vip-score.json can be written");
}
