use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use retrial_policy::telemetry::TracingObserver;
use retrial_policy::*;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::support::at_ms;
use super::{BUSY, OK, SPENT, policy, request};

/// An event as a subscriber gets it.
#[derive(Clone, Debug)]
struct Seen {
    target: &'static str,
    level: Level,
    declared: Vec<&'static str>,
    fields: Vec<(&'static str, String)>,
}

/// A subscriber that keeps what it gets.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Seen>>>);

impl Subscriber for Kept {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut seen = Seen {
            target: metadata.target(),
            level: *metadata.level(),
            declared: metadata.fields().iter().map(|field| field.name()).collect(),
            fields: Vec::new(),
        };
        event.record(&mut seen);
        self.0.lock().unwrap().push(seen);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.fields.push((field.name(), format!("{value:?}")));
    }
}

const NAMES: [&str; 18] = [
    "logical_request_id",
    "attempt",
    "branch",
    "route",
    "model",
    "class",
    "reason",
    "status",
    "code",
    "request_id",
    "rejected_param",
    "delay_ms",
    "delay_source",
    "fallback_reason",
    "remaining_attempts",
    "remaining_time_ms",
    "action",
    "terminal_outcome",
];

fn seen(work: impl FnOnce()) -> Vec<Seen> {
    let kept = Kept::default();
    tracing::subscriber::with_default(kept.clone(), work);
    kept.0.lock().unwrap().clone()
}

#[test]
fn an_event_has_the_fields_of_the_record_and_a_level_by_its_action() {
    let events = seen(|| {
        request(&policy(), &[BUSY, BUSY, OK], at_ms(0), &mut TracingObserver);
        request(&policy(), &[SPENT], at_ms(0), &mut TracingObserver);
    });
    let levels: Vec<_> = events.iter().map(|event| event.level).collect();
    assert_eq!(levels, [Level::INFO, Level::WARN, Level::DEBUG, Level::WARN]);
    for event in &events {
        assert_eq!(event.target, "retrial_policy");
        let declared: Vec<_> =
            event.declared.iter().copied().filter(|name| *name != "message").collect();
        assert_eq!(declared[..18], NAMES);
        assert_eq!(declared[18..], ["layer"]);
    }
    let retried: Vec<_> = events[0].fields.iter().filter(|(name, _)| *name != "message").collect();
    let key = format!("{}", super::key(1));
    let expected = [
        ("logical_request_id", key),
        ("attempt", "1".into()),
        ("branch", "\"first_try\"".into()),
        ("route", "\"primary\"".into()),
        ("class", "\"transient\"".into()),
        ("reason", "\"transient\"".into()),
        ("status", "529".into()),
        ("code", "\"overloaded_error\"".into()),
        ("delay_ms", "200.0".into()),
        ("delay_source", "\"backoff\"".into()),
        ("remaining_attempts", "2".into()),
        ("action", "\"retry_same_route\"".into()),
    ];
    assert_eq!(retried, expected.iter().collect::<Vec<_>>());
    let message = |event: &Seen| {
        event.fields.iter().find(|(name, _)| *name == "message").map(|(_, text)| text.clone())
    };
    assert_eq!(message(&events[0]).as_deref(), Some("retry_same_route"));
    assert_eq!(
        message(&events[3]).as_deref(),
        Some(
            "exhausted (not_retryable) on route primary, status 429, code insufficient_quota; \
             1 attempt in 0ns; account: top up the account or raise its limit"
        )
    );
}

#[test]
fn a_layer_is_named_from_one() {
    let events = seen(|| {
        let mut record = |record: &DecisionRecord<'_>| {
            TracingObserver.decided_in_layer(1, record);
        };
        request(&policy(), &[OK], at_ms(0), &mut record);
    });
    let layer = events[0].fields.iter().find(|(name, _)| *name == "layer");
    assert_eq!(layer, Some(&("layer", "2".into())));
}
