//! A tower layer that puts a policy around any HTTP service, here hyper's client, against a server
//! of its own on the loopback:
//!
//! ```text
//! cargo run -p retrial-policy --features replies --example tower_layer
//! ```
//!
//! Decision records go to stdout, one a line, and the story to stderr.

mod layer;
mod service;
#[path = "../support/mod.rs"]
mod support;

use std::error::Error;

use bytes::Bytes;
use http::Request;
use retrial_policy::Policy;
use support::loopback::{Answer, Loopback};
use support::ndjson::Ndjson;
use tower::ServiceExt;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Loopback::start([
        Answer::recorded("anthropic-529-overloaded"),
        Answer::recorded("anthropic-429-rate").with_header("retry-after", "1"),
        Answer::json(200, r#"{"type":"message","content":[],"stop_reason":"end_turn"}"#),
    ])
    .await?;
    let url = server.url.clone();
    let policy = Policy::from_toml(support::POLICY)?;
    let routes = policy.route_names().to_vec();
    let service = service::new(policy, Ndjson, move |route| {
        let name = routes.get(usize::from(route.0)).map_or("primary", String::as_str);
        format!("{url}/{name}").parse().expect("a loopback address is one")
    })?;
    let request = Request::post("/").body(Bytes::from_static(b"{}"))?;
    match service.oneshot(request).await {
        Ok(response) => eprintln!("  answered with status {}", response.status()),
        Err(failure) => eprintln!("  failed: {failure}"),
    }
    let paths: Vec<_> = server.seen().into_iter().map(|seen| seen.path).collect();
    eprintln!("  the server saw {}", paths.join(", "));
    Ok(())
}
