//! What the core makes of a reply.

use retrial_policy::providers::Provider;
use retrial_policy::replies::{Reading, Reply};
use retrial_policy::{
    Call, CallKey, Decision, DecisionRecord, FallbackReason, Instant, Policy, Request, Stop,
    Unlimited,
};

/// What a reply means, and what a policy does about it as the answer to the first attempt of a
/// call.
pub(super) struct Verdict {
    /// The HTTP status, if there was a response.
    pub(super) status: Option<u16>,
    /// What was read.
    pub(super) reading: Reading,
    /// What to do.
    pub(super) decision: Decision,
    /// Why, as records say it.
    pub(super) reason: &'static str,
    /// Why another route is taken.
    pub(super) fallback_reason: Option<FallbackReason>,
    /// The end of the call, if it ended without an answer.
    pub(super) stop: Option<Stop>,
}

impl Verdict {
    pub(super) fn of(policy: &Policy, provider: &Provider, reply: &Reply) -> Self {
        let reading = provider.read(reply);
        // Nothing that is printed depends on the draw.
        let key = CallKey::new(0);
        let now = Instant::from_nanos(0);
        let request = Request { reducible: true, ..Request::default() };
        let (mut call, _) = Call::start(policy, request, key, &mut Unlimited, now);
        let mut recorded = ("", None, None);
        let mut observer = |record: &DecisionRecord<'_>| {
            recorded = (record.reason, record.fallback_reason, record.stop);
        };
        let outcome = reading.outcome();
        let decision =
            call.on_outcome(policy, &reading, &outcome, now, &mut Unlimited, &mut observer);
        let (reason, fallback_reason, stop) = recorded;
        Verdict { status: reply.status(), reading, decision, reason, fallback_reason, stop }
    }

    /// The class by its name.
    pub(super) fn class(&self) -> &'static str {
        self.reading.classification.class.as_str()
    }

    /// The action by its name.
    pub(super) fn action(&self) -> &'static str {
        self.decision.action().as_str()
    }

    /// Whose problem it is, if the call ended without an answer.
    pub(super) fn owner(&self) -> Option<&'static str> {
        self.stop.map(|stop| stop.owner().as_str())
    }

    /// The wait that the server asked for or the row has, in seconds, before any spread.
    pub(super) fn retry_after_s(&self) -> Option<f64> {
        self.reading.hint.map(|hint| hint.0.get() as f64 / 1e9)
    }
}
