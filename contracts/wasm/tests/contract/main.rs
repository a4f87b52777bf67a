//! The contract's tests, in one crate: cargo compiles and links each crate under `tests/` separately. They call the entry
//! points; the scenarios of `packages/conformance` run on a chain, and assert the rules of `docs/spec.md`.

mod addresses;
mod bounded_reads;
mod capped;
mod creation;
mod errors;
mod events;
mod json;
mod json_answers;
mod long_texts;
mod members;
mod migrated_members;
mod migration;
mod packed;
mod page_layout;
mod pages;
mod schema;
mod suite;
mod theirs;
mod versions;
