//! Retries against a server that fails each attempt with the same probability p, whatever the load.

/// What a request comes to.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Attempts per request.
    pub attempts: f64,
    /// The share of requests that succeed.
    pub success: f64,
}

/// At most `k` attempts.
pub fn attempts_cap(p: f64, k: i32) -> Outcome {
    let success = 1.0 - p.powi(k);
    Outcome { attempts: success / (1.0 - p), success }
}

/// Attempts without bound, each further one paid for with a token, each success worth `refund`
/// tokens. Above the knee p = r/(1 + r) the bucket runs dry, so the retries per request R are those
/// that successes pay for: R = r(1 − p)(1 + R). Below, every failure is retried.
pub fn token_bucket(p: f64, refund: f64) -> Outcome {
    let paid = refund * (1.0 - p);
    let retries = if p > knee(refund) { paid / (1.0 - paid) } else { p / (1.0 - p) };
    Outcome { attempts: 1.0 + retries, success: (1.0 - p) * (1.0 + retries) }
}

/// The share of failures from which on a token bucket runs dry.
pub fn knee(refund: f64) -> f64 {
    refund / (1.0 + refund)
}

#[test]
fn printed_values() {
    use super::assert_printed;
    for (p, success, attempts) in
        [(0.5, 0.9375, 1.875), (0.75, 0.683_593_75, 2.734_375), (0.9, 0.3439, 3.439)]
    {
        let outcome = attempts_cap(p, 4);
        assert_printed("success", outcome.success, success);
        assert_printed("attempts", outcome.attempts, attempts);
    }
    assert_printed("knee", knee(0.1), 1.0 / 11.0);
    assert_eq!(token_bucket(1.0, 0.1).attempts, 1.0);
}

/// At the knee both branches give the same, and everything still succeeds.
#[test]
fn the_branches_meet_at_the_knee() {
    use super::assert_printed;
    let p = knee(0.1);
    let (below, above) = (token_bucket(p - 1e-12, 0.1), token_bucket(p + 1e-12, 0.1));
    assert_printed("attempts", below.attempts, above.attempts);
    assert_printed("success", above.success, 1.0);
}
