//! Writes `schema/awards.json`, which names the messages: a contract that reads an untagged message does not name them when it
//! refuses one.

use awards::AwardsMsg;
use cosmwasm_schema::generate_api;
use vip_score::msg::{InstantiateMsg, MigrateMsg};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/schema");
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/awards.json");

fn main() {
    std::fs::create_dir_all(FOLDER).expect("schema can be created");
    std::fs::write(FILE, schema()).expect("awards.json can be written");
}

fn schema() -> String {
    let api = generate_api! {
        instantiate: InstantiateMsg,
        execute: AwardsMsg,
        migrate: MigrateMsg,
    };
    api.render().to_string().expect("a schema is JSON")
}

#[cfg(test)]
mod tests {
    #[test]
    fn is_the_one_that_is_committed() {
        let written = std::fs::read_to_string(super::FILE).expect("awards.json can be read");
        assert!(written == super::schema(), "run `cargo run --bin awards_schema`");
    }
}
