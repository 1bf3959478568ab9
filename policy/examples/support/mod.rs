//! What both examples need: a policy file, a clock, a budget that calls share, and a server on the
//! loopback that answers as told.
#![allow(dead_code, reason = "each example uses a part of it")]

pub mod cancel_on_drop;
pub mod clock;
pub mod failure;
pub mod loopback;
pub mod ndjson;
pub mod shared_budget;

/// The policy of the examples, as it would lie beside a program.
pub const POLICY: &str = include_str!("policy.toml");
