//! A retry loop around reqwest, against a server of its own on the loopback:
//!
//! ```text
//! cargo run -p retrial-policy --features replies --example reqwest_loop
//! ```
//!
//! Decision records go to stdout, one a line, and the story to stderr.

mod client;
mod prompt;
#[path = "../support/mod.rs"]
mod support;

use std::error::Error;

use client::{Client, Route};
use prompt::Prompt;
use retrial_policy::Policy;
use retrial_policy::providers::Provider;
use serde_json::json;
use support::loopback::{Answer, Loopback};
use support::ndjson::Ndjson;

const MESSAGE: &str = r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"Hello"}],"stop_reason":"end_turn"}"#;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let overloaded = || Answer::recorded("anthropic-529-overloaded");
    let stories = [
        (
            "Overloaded, then over a rate limit that asks for a second, then well:",
            vec![
                overloaded(),
                Answer::recorded("anthropic-429-rate").with_header("retry-after", "1"),
                Answer::json(200, MESSAGE),
            ],
        ),
        (
            "Overloaded until the other route is due:",
            vec![overloaded(), overloaded(), overloaded(), Answer::json(200, MESSAGE)],
        ),
        ("An account that cannot pay:", vec![Answer::recorded("anthropic-402-billing")]),
    ];
    for (story, script) in stories {
        eprintln!("{story}");
        let server = Loopback::start(script).await?;
        let policy = Policy::from_toml(support::POLICY)?;
        let client = Client::new(policy, |name| Route {
            url: format!("{}/{name}", server.url),
            model: "some-model".into(),
            provider: Provider::find("anthropic").expect("it is embedded"),
        })?;
        let prompt = Prompt::new([json!({ "role": "user", "content": "Hi" })]);
        match client.send(prompt, &mut Ndjson).await {
            Ok(answer) => eprintln!("  answered: {answer}"),
            Err(failure) => eprintln!("  failed: {failure}"),
        }
        let paths: Vec<_> = server.seen().into_iter().map(|seen| seen.path).collect();
        eprintln!("  the server saw {}\n", paths.join(", "));
    }
    Ok(())
}
