//! Packaged experiments, changed as the command line would change them.

#![allow(dead_code, reason = "each test program uses its part")]

use retrial::experiment::load::{Change, Wanted, load};
use retrial::experiment::plan::Plan;

/// The plan of the packaged experiment called `name` with `changes`, `KEY=VALUE` texts as `--set`
/// takes them.
pub fn packaged(name: &str, changes: &[&str]) -> Plan {
    let changes = changes.iter().map(|text| Change { flag: "--set", text: text.to_string() });
    let wanted = Wanted {
        experiment: Some(name.to_string()),
        changes: changes.collect(),
        ..Wanted::default()
    };
    let plan = load(&wanted).and_then(|loaded| Plan::new(&loaded));
    plan.unwrap_or_else(|report| panic!("{report:?}"))
}

/// The reproduction of the AWS study.
pub fn aws_occ(changes: &[&str]) -> Plan {
    packaged("aws-occ", changes)
}
