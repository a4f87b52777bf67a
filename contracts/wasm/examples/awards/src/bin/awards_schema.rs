//! Writes `schema/awards.json`, which names the messages: a contract that reads an untagged message does not name them when it
//! refuses one.

use awards::AwardsMsg;
use cosmwasm_schema::generate_api;
use vip_score::msg::{InstantiateMsg, MigrateMsg};

fn main() {
    let api = generate_api! {
        instantiate: InstantiateMsg,
        execute: AwardsMsg,
        migrate: MigrateMsg,
    };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/schema");
    let text = api.render().to_string().expect("a schema is JSON");
    std::fs::create_dir_all(folder).expect("schema can be created");
    std::fs::write(format!("{folder}/awards.json"), text).expect("awards.json can be written");
}
