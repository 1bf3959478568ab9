//! The model does what the policy decides and nothing else, keeps the row's rules and its books,
//! and gives the same run however it is carried out.

mod accounts;
mod agreement;
mod endless;
mod layers;
mod layouts;
mod ledger;
mod log;
mod recorded;
mod row;
mod scripted;
#[path = "../support/mod.rs"]
mod support;
mod worked_case;
#[path = "../support/written.rs"]
mod written;

use retrial::engine::distribution::Distribution;
use retrial::model::network::Network;
use retrial::model::population::{Closed, Population, Workload};
use retrial::model::reply::Replies;
use retrial::model::route::Route;
use retrial::model::run_id::RunId;
use retrial::model::scenario::Scenario;
use retrial::model::subject::PolicyOnTrial;
use retrial_policy::{Instant, Nanos, Policy};

const RUN: RunId = RunId { seed: 7, replication: 3 };

/// 10 ms each way: an attempt's write arrives 30 ms after it is sent, its reply after 40.
const TEN_MS: Distribution = Distribution::Constant(Nanos::from_millis(10));

/// The network of the study.
const NORMAL: Distribution = Distribution::Normal { mean: 10e6, sd: 2e6 };

/// Clients that contend for one row, all at once.
fn scenario(clients: u32, delay: Distribution) -> Scenario {
    Scenario {
        populations: vec![Population {
            clients,
            workload: Workload::Closed(Closed {
                requests: Some(1),
                start_over: Nanos::ZERO,
                think: Distribution::ZERO,
            }),
            concurrency: None,
            tokens: None,
        }],
        network: Network::reliable(delay),
        routes: vec![Route::occ()],
        replies: Replies::default(),
        stop_after: Instant::MAX,
        warmup: ms(0),
        bin: Nanos::from_millis(100),
    }
}

/// A policy file without an end in time.
fn policy(max_attempts: &str, rest: &str) -> Policy {
    let text = format!("[limits]\nmax_attempts = {max_attempts}\ndeadline = \"unlimited\"\n{rest}");
    Policy::from_toml(&text).unwrap()
}

/// The policy on the one row.
fn on_trial(policy: &Policy) -> PolicyOnTrial<'_> {
    PolicyOnTrial { policy, routes: &[0], qualification: None }
}

fn ms(ms: u64) -> Instant {
    Instant::from_nanos(ms * 1_000_000)
}
