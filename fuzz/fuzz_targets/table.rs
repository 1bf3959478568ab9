//! A provider table of a user's own: refused, or loaded and able to read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrial_fuzz::check;
use retrial_policy::providers::Library;
use retrial_policy::replies::Reply;

// Loading the embedded tables is no slow input.
fuzz_target!(init: Library::embedded(), |text: &str| {
    let Ok(library) = Library::embedded().with("x", text, None) else { return };
    let own = library.own();
    for row in own.table().rows() {
        check(&own, row.example());
    }
    let body = r#"{"error":{"code":"x","type":"y","message":"try again in 2s"}}"#;
    for status in [200, 400, 429, 503] {
        check(&own, &Reply::response(status, [], body.into()));
        check(&own, &Reply::response(status, [], String::new()));
    }
});
