//! A stream, whole and in chunks: the protocol, how many lengths of chunks, these, then the bytes.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use retrial_fuzz::{PROTOCOLS, check, providers};
use retrial_policy::providers::Provider;
use retrial_policy::replies::Reply;
use retrial_policy::stream::StreamGuard;

static PROVIDERS: LazyLock<Vec<Provider>> = LazyLock::new(providers);

// Loading the tables is no slow input.
fuzz_target!(init: LazyLock::force(&PROVIDERS), |input: &[u8]| {
    let [protocol, count, rest @ ..] = input else { return };
    let Some((lengths, bytes)) = rest.split_at_checked(usize::from(*count)) else { return };
    let guard = || match PROTOCOLS.get(usize::from(*protocol)) {
        Some(protocol) => StreamGuard::new(*protocol),
        None => StreamGuard::detect(),
    };

    let mut whole = guard();
    whole.feed(bytes);
    let mut chunked = guard();
    let mut rest = bytes;
    for length in lengths.iter().cycle().take(bytes.len()) {
        let (chunk, behind) = rest.split_at(usize::from(*length).min(rest.len()));
        chunked.feed(chunk);
        rest = behind;
    }
    chunked.feed(rest);
    assert_eq!(whole.content_started(), chunked.content_started());
    assert_eq!(whole.is_over(), chunked.is_over());
    let outcome = whole.finish();
    assert_eq!(outcome, chunked.finish());

    let provider = &PROVIDERS[usize::from(*protocol) % PROVIDERS.len()];
    let reading = check(provider, &Reply::stream(200, [], outcome));
    assert!(reading.stream.is_some());
});
