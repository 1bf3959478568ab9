//! Contracts: one fixture for each capability, and calls that never take an unqualified route.
#![cfg(feature = "toml")]

mod calls;
mod capabilities;
#[path = "../support/mod.rs"]
mod support;
