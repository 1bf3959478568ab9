//! Runs close up, made up, such as the pictures of a run have to cope with.

use retrial::measure::close_up::{About, AttemptOutcome, SampledAttempt};

/// What a number between 0 and 1 may look like: the same for the same numbers.
pub fn random(a: usize, b: usize, c: usize) -> f64 {
    let mixed = (a as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (b as u64 + 1).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ (c as u64 + 1).wrapping_mul(0x1656_67B1_9E37_79F9);
    let mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

/// A run of so many clients, each of which is sampled if its number is a multiple of `every`.
pub fn about(clients: u32, every: u32) -> About {
    About {
        clients,
        every,
        deadline_ms: Some(30_000.0),
        period_ms: Some(200.0),
        faults: vec![(100.0, Some(900.0))],
        end_ms: 20_000.0,
        ..About::default()
    }
}

/// A request whose attempts wait `base · 2^n`, with full jitter or without any, until one is
/// accepted: the first that is sent after `open_ms`, or the last.
pub fn request(
    (client, request): (u32, u32),
    attempts: u32,
    open_ms: f64,
    jitter: bool,
) -> Vec<SampledAttempt> {
    let planned_ms = f64::from(request) * 3000.0 + random(client as usize, 7, 0) * 20.0;
    let mut sent_ms = planned_ms;
    let mut made: Vec<SampledAttempt> = Vec::new();
    for attempt in 1..=attempts {
        let last = attempt == attempts || sent_ms >= open_ms;
        let outcome = match (last, (client + attempt) % 11) {
            (true, 3) => AttemptOutcome::InFlight,
            (true, _) => AttemptOutcome::Accepted,
            (_, 1 | 2) => AttemptOutcome::TimedOut,
            (_, 5) => AttemptOutcome::Failed,
            _ => AttemptOutcome::Refused,
        };
        let took = if outcome == AttemptOutcome::TimedOut { 150.0 } else { 12.0 };
        let share = if jitter { random(client as usize, attempt as usize, 1) } else { 1.0 };
        let wait_ms = 200.0 * f64::from(1 << (attempt - 1).min(8)) * share;
        made.push(SampledAttempt {
            client,
            request,
            planned_ms,
            attempt,
            branch: if attempt == 1 { "first_try" } else { "same_route_retry" }.into(),
            route: "primary".into(),
            sent_ms,
            ended_ms: (outcome != AttemptOutcome::InFlight).then_some(sent_ms + took),
            outcome,
            status: (outcome == AttemptOutcome::Refused).then_some(503),
            class: if outcome == AttemptOutcome::Accepted { "ok" } else { "transient" }.into(),
            action: if last { "accept" } else { "retry_same_route" }.into(),
            wait_ms: (!last).then_some(wait_ms),
        });
        if last {
            break;
        }
        sent_ms += took + wait_ms;
    }
    made
}
