//! Two ways to say what a bare status means must not differ: the table in code, for drivers that
//! read no bodies, and the generic table.
#![cfg(feature = "replies")]

use retrial_policy::providers::Provider;
use retrial_policy::replies::Reply;
use retrial_policy::*;

#[test]
fn the_status_table_and_the_generic_table_agree_on_every_status() {
    let generic = Provider::find("generic").unwrap();
    let differs: Vec<_> = (100..=599)
        .filter_map(|status| {
            let by_table = generic.read(&Reply::response(status, [], String::new())).classification;
            let by_status = StatusTable::generic().classify(&Outcome::response(status));
            (by_table != by_status).then_some((
                status,
                by_table.class,
                by_table.bound,
                by_status.class,
                by_status.bound,
            ))
        })
        .collect();
    assert!(differs.is_empty(), "{differs:#?}");
}
