//! The packaged experiment, changed as the command line would change it.

use retrial::experiment::load::{Change, Wanted, load};
use retrial::experiment::plan::Plan;

/// The plan of the packaged reproduction of the AWS study with `changes`, `KEY=VALUE` texts as
/// `--set` takes them.
pub fn aws_occ(changes: &[&str]) -> Plan {
    let changes = changes.iter().map(|text| Change { flag: "--set", text: text.to_string() });
    let wanted = Wanted { experiment: Some("aws-occ".to_string()), changes: changes.collect() };
    let plan = load(&wanted).and_then(|loaded| Plan::new(&loaded));
    plan.unwrap_or_else(|report| panic!("{report:?}"))
}
