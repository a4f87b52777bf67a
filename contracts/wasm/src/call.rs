//! Decodes messages. All have one decoder: the usual one for each message is most of the code of a contract, and this one
//! makes the contract 100 kB smaller. What is accepted is the same, down to the error texts.

use std::fmt;

use cosmwasm_schema::serde::de::{EnumAccess, VariantAccess, Visitor};
use cosmwasm_schema::serde::{Deserialize, Deserializer};
use cosmwasm_std::Binary;

/// A message as it is written in JSON: its name, and its fields.
pub struct Call {
    pub name: String,
    pub fields: Fields,
}

/// The fields of all messages.
#[derive(Default, Deserialize, PartialEq)]
#[serde(
    crate = "cosmwasm_schema::serde",
    rename_all = "snake_case",
    deny_unknown_fields,
    default
)]
pub struct Fields {
    addr: Option<String>,
    stage: Option<u64>,
    amount: Option<u64>,
    scores: Option<Vec<(String, u64)>>,
    rows: Option<Binary>,
    expected_total: Option<u64>,
    expected_count: Option<u64>,
    new_owner: Option<String>,
    allowed: Option<bool>,
    limit: Option<u64>,
    start_after: Option<String>,
    from: Option<String>,
    addrs: Option<Vec<String>>,
    allow_list: Option<Vec<String>>,
    init_stage: Option<u64>,
}

/// Functions that take a field: `required` ones fail without it.
macro_rules! fields {
    (required { $($name:ident: $type:ty),* } optional { $($maybe:ident as $field:ident: $some:ty),* }) => {
        impl Fields {
            $(pub fn $name(&mut self) -> Result<$type, String> {
                let value = self.$name.take();
                value.ok_or_else(|| missing(stringify!($name)))
            })*
            $(pub fn $maybe(&mut self) -> Option<$some> {
                self.$field.take()
            })*
        }
    };
}

fields! {
    required {
        addr: String,
        stage: u64,
        amount: u64,
        scores: Vec<(String, u64)>,
        rows: Binary,
        expected_total: u64,
        expected_count: u64,
        new_owner: String,
        allowed: bool,
        limit: u64,
        addrs: Vec<String>,
        allow_list: Vec<String>,
        init_stage: u64
    }
    optional { start_after as start_after: String, from as from: String, maybe_limit as limit: u64 }
}

impl Fields {
    /// Fails if a field is left that the message does not have.
    pub fn end(self) -> Result<(), String> {
        if self == Fields::default() {
            return Ok(());
        }
        Err("unknown field: one of another message".to_string())
    }
}

/// The error for a name that no message has.
pub fn unknown(name: &str, names: &str) -> String {
    format!("unknown variant `{name}`, expected one of {names}")
}

fn missing(name: &str) -> String {
    format!("missing field `{name}`")
}

impl<'de> Deserialize<'de> for Call {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("message", &[], CallVisitor)
    }
}

struct CallVisitor;

impl<'de> Visitor<'de> for CallVisitor {
    type Value = Call;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a message")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Call, A::Error> {
        let (name, content) = data.variant()?;
        let fields = content.newtype_variant()?;
        Ok(Call { name, fields })
    }
}
