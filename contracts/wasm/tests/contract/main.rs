//! The contract's tests, in one crate: cargo compiles and links each crate under `tests/` separately, and compiling the chain
//! that they run on takes most of the time.

mod finalizer;
mod json;
mod json_answers;
mod long_texts;
mod members;
mod migration;
mod model;
mod ownership;
mod packed;
mod page_store;
mod pages;
mod schema;
mod scores;
mod stages;
mod suite;
mod version_1;
mod versions;
