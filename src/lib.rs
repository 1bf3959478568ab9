//! Retrial puts a retry policy on trial before production does.
//!
//! Simulated clients run the policy core that ships ([`retrial_policy`]) against a modelled API
//! under contention. The floors of the house, the top may use what is below it and never the
//! other way round:
//!
//! | floor | what lives there |
//! |---|---|
//! | `main` | the command line |
//! | [`commands`] | one file a subcommand |
//! | [`report`] | tables, the verdict, charts |
//! | [`export`] | a policy for stacks that don't link Rust |
//! | [`lint`] | traits of a policy that hurt a fleet |
//! | [`study`] | many runs: replications, sweeps, statistics, result files |
//! | [`experiment`] | the experiment file and the plan of runs it stands for |
//! | [`measure`] | what is recorded during a run, and its metrics |
//! | [`model`] | clients, network and servers |
//! | [`engine`] | time, event queue, random streams |
//!
//! One run is one thread, a pure function of (scenario, policy, seed, replication); only whole
//! runs are parallel.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod commands;
pub mod engine;
pub mod experiment;
pub mod export;
pub mod lint;
pub mod measure;
pub mod model;
pub mod report;
pub mod study;
