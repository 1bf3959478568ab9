//! Servers that say outright whether a retry can help.

use alloc::string::String;

use serde_json::Value;

use super::at::at;

/// Anthropic's and Stripe's headers; the SDKs of the OpenAI family obey the first.
const HEADERS: [&str; 2] = ["x-should-retry", "stripe-should-retry"];

/// Cloudflare's problem documents, and Sume's details of a job.
const PLACES: [&str; 3] = ["/retryable", "/error/retryable", "/error/details/retryable"];

/// `Some(false)` is a veto, `Some(true)` a grant; `None` if nobody says either. Of several the
/// veto counts: a gateway's yes does not take back an upstream's no.
pub(crate) fn retryable(headers: &[(String, String)], bodies: &[&Value]) -> Option<bool> {
    let is_one = |name: &str| HEADERS.iter().any(|known| name.eq_ignore_ascii_case(known));
    let in_headers = headers.iter().filter(|(name, _)| is_one(name));
    let in_headers = in_headers.filter_map(|(_, value)| word(value.trim()));
    let in_bodies = bodies.iter().flat_map(|body| PLACES.map(|place| at(body, place)));
    in_headers.chain(in_bodies.filter_map(|value| value?.as_bool())).min()
}

fn word(text: &str) -> Option<bool> {
    [("false", false), ("true", true)]
        .into_iter()
        .find_map(|(name, says)| text.eq_ignore_ascii_case(name).then_some(says))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_veto_anywhere_goes_before_a_grant() {
        let header = |name: &str, value: &str| (String::from(name), String::from(value));
        let (yes, no) = (json!({"retryable": true}), json!({"error": {"retryable": false}}));
        let (should, stripe) =
            (header("X-Should-Retry", " FALSE"), header("stripe-should-retry", "true"));
        assert_eq!(retryable(&[], &[&yes]), Some(true));
        assert_eq!(retryable(core::slice::from_ref(&should), &[&yes]), Some(false));
        assert_eq!(retryable(core::slice::from_ref(&stripe), &[]), Some(true));
        assert_eq!(retryable(core::slice::from_ref(&stripe), &[&no]), Some(false));
        assert_eq!(retryable(&[stripe, should], &[]), Some(false));
        assert_eq!(retryable(&[], &[&yes, &no]), Some(false));
        let maybe = header("x-should-retry", "maybe");
        assert_eq!(retryable(&[maybe], &[&json!({"retryable": "no"})]), None);
    }
}
