//! The model does what the policy decides and nothing else, keeps the row's rules and its books,
//! and gives the same run however it is carried out.

mod accounts;
mod endless;
mod layouts;
mod log;
mod recorded;
mod row;
mod scripted;
#[path = "../support/mod.rs"]
mod support;
mod worked_case;

use retrial::engine::distribution::Distribution;
use retrial::model::occ_row::CONFLICT;
use retrial::model::scenario::{RunId, Scenario};
use retrial_policy::{Class, Instant, Nanos, Policy, StatusTable};

const RUN: RunId = RunId { seed: 7, replication: 3 };

/// 10 ms each way: an attempt's write arrives 30 ms after it is sent, its reply after 40.
const TEN_MS: Distribution = Distribution::Constant(Nanos::from_millis(10));

/// The network of the study.
const NORMAL: Distribution = Distribution::Normal { mean: 10e6, sd: 2e6 };

fn scenario(clients: u32, network: Distribution) -> Scenario {
    Scenario { clients, network, stop_after: Instant::MAX, bin: Nanos::from_millis(100) }
}

/// A policy file without an end in time.
fn policy(max_attempts: &str, rest: &str) -> Policy {
    let text = format!("[limits]\nmax_attempts = {max_attempts}\ndeadline = \"unlimited\"\n{rest}");
    Policy::from_toml(&text).unwrap()
}

/// A version mismatch is a transient failure, as in the experiment file.
fn classifier() -> StatusTable {
    StatusTable::generic().with(CONFLICT, Class::Transient)
}

fn ms(ms: u64) -> Instant {
    Instant::from_nanos(ms * 1_000_000)
}
