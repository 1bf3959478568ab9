//! One reply read by a table, a stream followed to its end, and the tables loaded.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrial_policy::providers::{Library, Provider};
use retrial_policy::replies::Reply;
use retrial_policy::stream::StreamGuard;

const JSON: &str = "application/json";
const TYPED: &str = r#"{"error":{"message":"Rate limit reached for gpt-5 in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000, Requested 1800. Please try again in 1.6s.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#;

fn response(status: u16, content_type: &str, body: impl Into<String>) -> Reply {
    let headers = [
        ("date", "Thu, 13 Aug 2026 15:36:43 GMT"),
        ("content-type", content_type),
        ("server", "cloudflare"),
        ("x-request-id", "req_011CVQzBq1"),
        ("x-ratelimit-limit-tokens", "30000"),
        ("x-ratelimit-remaining-tokens", "0"),
        ("x-ratelimit-reset-tokens", "1.6s"),
    ];
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_string()));
    Reply::response(status, headers, body.into())
}

/// As litellm prints the error of the proxy behind it.
fn wrapped_twice() -> Reply {
    let inner = "Error code: 429 - {'error': {'message': 'You exceeded your current quota, please check your plan and billing details.', 'type': 'insufficient_quota', 'param': None, 'code': 'insufficient_quota'}}";
    let outer = format!("litellm.RateLimitError: RateLimitError: OpenAIException - {inner}");
    let outer = outer.replace('\\', "\\\\").replace('"', "\\\"");
    response(
        429,
        JSON,
        format!(
            r#"{{"error":{{"message":"{outer}","type":"throttling_error","param":null,"code":"429"}}}}"#
        ),
    )
}

fn page() -> Reply {
    let filler = "<div class=\"cf-section\"><p>There is an unknown connection issue.</p></div>\n";
    let page = format!(
        "<!DOCTYPE html>\n<html><head><title>api.example.com | 520: Web server is returning an unknown error</title></head>\n<body>{}</body></html>",
        filler.repeat(100)
    );
    response(520, "text/html; charset=UTF-8", page)
}

/// `piece`, to the length that is read of a body.
fn filled(piece: &str) -> String {
    piece.repeat((64 << 10) / piece.len())
}

fn long_error() -> Reply {
    let prose = filled("The quick brown fox was not served. ").replace('"', "");
    let prose = &prose[..63 << 10];
    response(400, JSON, format!(r#"{{"error":{{"message":"{prose}","code":"bad"}}}}"#))
}

fn success() -> Reply {
    let text = "All human beings are born free and equal in dignity and rights. ".repeat(30);
    response(
        200,
        JSON,
        format!(
            r#"{{"id":"chatcmpl-1","object":"chat.completion","model":"gpt-5","choices":[{{"index":0,"message":{{"role":"assistant","content":"{text}"}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":9,"completion_tokens":400,"total_tokens":409}}}}"#
        ),
    )
}

fn replies(c: &mut Criterion) {
    let table = Provider::find("generic_openai").expect("it is embedded");
    let mut group = c.benchmark_group("classify");
    for (name, reply) in [
        ("typed_429", response(429, JSON, TYPED)),
        ("wrapped_twice", wrapped_twice()),
        ("page_520", page()),
        ("body_of_64_kib", long_error()),
        ("success", success()),
    ] {
        group.bench_function(name, |b| b.iter(|| table.read(black_box(&reply))));
    }
    group.bench_function("find", |b| b.iter(|| Provider::find(black_box("generic_openai"))));
    group.finish();
}

/// Shapes that take longest to read. None may take more than a few milliseconds.
fn worst(c: &mut Criterion) {
    let table = Provider::find("generic_openai").expect("it is embedded");
    let mut nested = String::from("{}");
    while nested.len() < 30 << 10 {
        let text = nested.replace('\\', "\\\\").replace('"', "\\\"");
        nested = format!(r#"{{"error":{{"message":"{text}"}}}}"#);
    }
    let bodies = [
        ("braces", filled("{")),
        ("brackets", filled("[")),
        ("quotes", filled("\"")),
        ("apostrophes", filled("{'")),
        ("backslashes", filled("\\")),
        ("escaped_quotes", filled("{\\\"a\\\":")),
        ("phrases", filled("please try again in 1h1m1s wait 1 ")),
        ("phrase_beginnings", filled("rate limi quota exceede ")),
        ("digits", format!("try again in {}", filled("9"))),
        ("nested_text", nested),
        (
            "details",
            format!(r#"{{"error":{{"details":[{}{{}}]}}}}"#, filled(r#"{"retryDelay":"1s"},"#)),
        ),
        (
            "empty_details",
            format!(r#"{{"error":{{"details":[{}{{}}]}}}}"#, &filled("{},")[..60 << 10]),
        ),
        (
            "codes",
            format!(
                r#"{{"error":{{"details":[{}{{}}]}}}}"#,
                &filled(r#"{"reason":"aaa_bbb"},"#)[..(60 << 10) / 21 * 21]
            ),
        ),
    ];
    let headers = |count: usize, header: fn(usize) -> (String, String)| {
        Reply::response(429, (0..count).map(header), TYPED.into())
    };
    let replies = bodies.into_iter().map(|(name, body)| (name, response(429, JSON, body))).chain([
        ("resets", headers(10_000, |n| (format!("x-ratelimit-reset-{n}"), "1s".into()))),
        ("error_types", headers(10_000, |n| ("x-amzn-errortype".into(), format!("No{n}")))),
        ("retry_afters", headers(10_000, |_| ("retry-after".into(), "soon".into()))),
        ("long_header", headers(3, |_| ("server".into(), filled("cloudflar")))),
    ]);
    let mut group = c.benchmark_group("classify/worst");
    group.sample_size(10);
    for (name, reply) in replies {
        group.throughput(Throughput::Bytes(reply.body().len() as u64));
        group.bench_function(name, |b| b.iter(|| table.read(black_box(&reply))));
    }
    group.finish();
}

/// An answer of a thousand chunks, as `Chat Completions` streams it.
fn stream(c: &mut Criterion) {
    let chunk = |delta: &str, reason: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1787824800,\"model\":\"gpt-5\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{reason}}}]}}\n\n"
        )
    };
    let mut bytes = chunk(r#"{"content":" word"}"#, "null").repeat(999);
    bytes += &chunk("{}", "\"stop\"");
    bytes += "data: [DONE]\n\n";
    let mut group = c.benchmark_group("classify");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("stream_of_1000_chunks", |b| {
        b.iter(|| {
            let mut guard = StreamGuard::detect();
            for packet in black_box(&bytes).as_bytes().chunks(1400) {
                guard.feed(packet);
            }
            guard.finish()
        });
    });
    group.finish();
}

/// A table of a user's own beside the embedded ones, whose phrases are compiled once more.
fn load(c: &mut Criterion) {
    let text = include_str!("../policy/providers/openai.toml");
    let library = Library::embedded();
    let mut group = c.benchmark_group("classify");
    group.sample_size(20);
    group.bench_function("load_table", |b| {
        b.iter(|| library.with("own", black_box(text), None).expect("it is valid"));
    });
    group.finish();
}

criterion_group!(benches, replies, worst, stream, load);
criterion_main!(benches);
