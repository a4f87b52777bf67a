//! Random search for calls and addresses that break the contract: a separate package, so that the other tests of the contract
//! compile without the library that finds and shrinks cases.

#![cfg(test)]

mod histories;
mod model;
mod page_store;

// It also has what the other tests need.
#[allow(dead_code)]
#[path = "../../contract/suite/mod.rs"]
mod suite;
