//! Servers that say outright whether a retry can help.

use serde_json::Value;

use super::at::at;

/// Anthropic's and Stripe's headers; the SDKs of the OpenAI family obey the first.
const HEADERS: [&str; 2] = ["x-should-retry", "stripe-should-retry"];

/// Cloudflare's problem documents, and Sume's details of a job.
const PLACES: [&str; 3] = ["/retryable", "/error/retryable", "/error/details/retryable"];

/// `false` is a veto, `true` a grant; `None` if nobody says either. A header goes before a body.
pub(crate) fn retryable<'r>(
    header: impl Fn(&str) -> Option<&'r str>,
    bodies: &[&Value],
) -> Option<bool> {
    let in_header = HEADERS.iter().find_map(|name| word(header(name)?));
    in_header.or_else(|| {
        let mut all = bodies.iter().flat_map(|body| PLACES.map(|place| at(body, place)));
        all.find_map(|value| value?.as_bool())
    })
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
    fn a_header_goes_before_a_body() {
        let body = json!({"cloudflare_error": true, "retryable": true});
        assert_eq!(retryable(|_| None, &[&body]), Some(true));
        assert_eq!(
            retryable(|name| (name == "x-should-retry").then_some("FALSE"), &[&body]),
            Some(false)
        );
        assert_eq!(
            retryable(|name| (name == "stripe-should-retry").then_some("true"), &[]),
            Some(true)
        );
        assert_eq!(retryable(|_| Some("maybe"), &[&json!({"retryable": "no"})]), None);
    }
}
