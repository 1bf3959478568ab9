//! The typed codes in an envelope, and where providers put them.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use std::sync::LazyLock;

use serde_json::Value;

use super::Place;
use super::at::at;

/// How much a place says: codes in the details of an error say more than its `code`, that more
/// than its `type`, and that more than words beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// What the error goes into detail with.
    Detail,
    /// The error's code.
    Code,
    /// The error's type, or Google's canonical status.
    Type,
    /// Words beside an error object, or where there is none.
    Beside,
}

impl Group {
    /// All of them, those that say most first.
    pub(crate) const ALL: [Group; 4] = [Group::Detail, Group::Code, Group::Type, Group::Beside];
}

/// A code is a name, not a sentence; the longest known one has 76 characters, a quota id.
const LONGEST: usize = 128;

/// What envelopes say of themselves whatever went wrong, and how Python proxies print an absent code.
const ENVELOPES: [&str; 8] = [
    "error",
    "response.failed",
    "failure",
    "failed",
    "None",
    "comet_api_error",
    "one_api_error",
    "new_api_error",
];

/// Sources: Anthropic, Google, OpenRouter, Azure, OpenAI and its kin, AWS, Together, Cloudflare.
const PLACES: [(Group, &[&str]); 4] = [
    (
        Group::Detail,
        &[
            "error.details.error_code",
            "error.details[].reason",
            "error.details[].violations[].quotaId",
            "error.metadata.limit_source",
            "error.metadata.error_type",
            "error.innererror.code",
            "error.inner_error.code",
            "error.provider_specific_fields.innererror.code",
            "error.errors[].reason",
        ],
    ),
    (Group::Code, &["error.code", "Error.Code"]),
    (Group::Type, &["error.type", "error.status"]),
    (
        Group::Beside,
        &["code", "error_code", "error_type", "type", "status", "error_name", "__type", "error"],
    ),
];

static COMPILED: LazyLock<[(Group, Vec<Place>); 4]> = LazyLock::new(|| {
    // The places are constants, and the tests of this file read all of them.
    PLACES.map(|(group, places)| {
        (group, places.iter().filter_map(|text| text.parse().ok()).collect())
    })
});

/// The codes of `group` in an envelope, in order of its places.
pub(crate) fn codes(value: &Value, group: Group) -> Vec<&str> {
    let places = COMPILED.iter().filter(|(of, _)| *of == group).flat_map(|(_, places)| places);
    places
        .flat_map(|place| place.values(value))
        .filter_map(Value::as_str)
        .filter_map(typed)
        .collect()
}

/// `name`, if it can be a code: gateways put prose, addresses and the status there too.
pub(crate) fn typed(name: &str) -> Option<&str> {
    // AWS: a namespace before `#`, an address after `:`.
    let name = name.rsplit_once('#').map_or(name, |(_, name)| name);
    let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
    let is_status = name.len() == 3 && name.bytes().all(|byte| byte.is_ascii_digit());
    let is_envelope = ENVELOPES.contains(&name);
    let fits = is_word && name.len() <= LONGEST && !name.contains("://");
    (fits && !is_status && !is_envelope).then_some(name)
}

/// The code in AWS's header or frame: up to the first colon.
pub(crate) fn of_header(value: &str) -> Option<&str> {
    typed(value.split(':').next()?.trim())
}

/// A code that stands as a number, such as Mistral's 1300.
pub(crate) fn numeric(value: &Value) -> Option<Cow<'_, str>> {
    let number = at(value, "/error/code").or_else(|| value.get("code"))?.as_u64()?;
    (number > 999).then(|| Cow::Owned(alloc::format!("{number}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_place_is_one() {
        for (group, places) in PLACES {
            let compiled = COMPILED.iter().find(|(of, _)| *of == group).map(|(_, all)| all.len());
            assert_eq!(compiled, Some(places.len()), "{group:?}");
        }
    }

    /// Source: the envelopes on the providers' error pages.
    #[test]
    fn codes_are_read_from_every_envelope() {
        for (body, group, expected) in [
            (
                json!({"error": {"type": "t", "details": {"error_code": "ramp_limit_exceeded"}}}),
                Group::Detail,
                "ramp_limit_exceeded",
            ),
            (
                json!({"error": {"type": "tokens", "code": "rate_limit_exceeded"}}),
                Group::Code,
                "rate_limit_exceeded",
            ),
            (
                json!({"error": {"code": 402, "metadata": {"error_type": "payment_required"}}}),
                Group::Detail,
                "payment_required",
            ),
            (
                json!({"error": {"details": [{"x": 1}, {"reason": "QUOTA_EXHAUSTED"}]}}),
                Group::Detail,
                "QUOTA_EXHAUSTED",
            ),
            (json!({"error": {"code": 503, "status": "UNAVAILABLE"}}), Group::Type, "UNAVAILABLE"),
            (
                json!({"object": "error", "type": "rate_limited", "code": null}),
                Group::Beside,
                "rate_limited",
            ),
            (
                json!({"__type": "com.amazon.coral#ThrottlingException"}),
                Group::Beside,
                "ThrottlingException",
            ),
            (json!({"error": "invalid_grant"}), Group::Beside, "invalid_grant"),
        ] {
            assert_eq!(codes(&body, group), [expected], "{body}");
        }
        assert_eq!(
            of_header("ThrottlingException:http://internal.amazon.com/coral/"),
            Some("ThrottlingException")
        );
    }

    #[test]
    fn what_is_no_code_is_not_taken_for_one() {
        for name in ["", "429", "None", "error", "Too Many Requests", "https://a.b/c", "错误"] {
            assert_eq!(typed(name), None, "{name}");
        }
    }
}
