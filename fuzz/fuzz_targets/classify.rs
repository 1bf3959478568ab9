//! A response, read by any table.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use retrial_fuzz::{check, providers, response};
use retrial_policy::providers::Provider;

static PROVIDERS: LazyLock<Vec<Provider>> = LazyLock::new(providers);

// Loading the tables is no slow input.
fuzz_target!(init: LazyLock::force(&PROVIDERS), |input: &[u8]| {
    let Some((table, reply)) = response(input) else { return };
    check(&PROVIDERS[usize::from(table) % PROVIDERS.len()], &reply);
});
