//! The text for people.

use super::Folder;

#[test]
fn a_stop_says_whose_problem_it_is_and_what_to_change() {
    let body = r#"{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","code":"insufficient_quota"}}"#;
    let flags = ["--provider", "openai", "--status", "429", "--header", "x-request-id: req_7"];
    assert_eq!(
        Folder::new().classify(&flags, body),
        "\
class       exhausted
action      stop: surface the failure, no further call
reason      not_retryable: sending it again would end the same way
owner       account
change      top up the account or raise its limit
row         quota-spent in the table openai
note        credit, spend limit or usage limit is spent: top up or raise the limit
source      https://help.openai.com/en/articles/6614457-troubleshooting-api-usage-and-spend-limits
status      429
code        insufficient_quota
request id  req_7
ignored     status `429`: alone it would mean throttled, but insufficient_quota says more
"
    );
}

/// Which of several waits counts, where it stood, and what became of the others.
#[test]
fn a_wait_says_where_it_comes_from() {
    let flags = [
        "--provider",
        "openai",
        "--status",
        "429",
        "--header",
        "retry-after-ms: 494",
        "--header",
        "retry-after: 1",
    ];
    let text = Folder::new().classify(&flags, "");
    let wait = "\nwait        494ms by the header retry-after-ms, spread by up to 10 % on top\n";
    assert!(text.contains(wait), "{text}");
    assert!(text.contains("ignored     retry-after `1`: another hint goes before\n"), "{text}");
    let text = Folder::new().classify(&["--status", "503", "--header", "retry-after: -3"], "");
    assert!(text.contains("\nwait        up to 500ms, the policy's own backoff\n"), "{text}");
    assert!(text.contains("\nignored     retry-after `-3`: negative\n"), "{text}");
}

/// A server must not move the cursor of whoever reads.
#[test]
fn control_characters_are_spelt_out() {
    let body = "{\"error\":{\"code\":\"new\\u001b[2Jcode\"}}";
    let text = Folder::new().classify(&["--provider", "openai", "--status", "400"], body);
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn a_cut_answer_and_a_stream_say_so() {
    let cut = r#"{"type":"message","content":[],"stop_reason":"max_tokens"}"#;
    let text = Folder::new().classify(&["--provider", "anthropic", "--status", "200"], cut);
    assert!(text.contains("\ntruncated   the answer is cut"), "{text}");
    let text = Folder::new().classify(&["--provider", "anthropic", "--stream", "-"], "");
    assert!(text.contains("\nstream      truncated\n"), "{text}");
}
