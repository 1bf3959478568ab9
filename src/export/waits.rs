//! The delays of a policy beside those of a target.

use retrial_policy::{Backoff, Class, Growth, Jitter, Limits, Nanos, Ratio};

use super::Loss;

/// Retries that are looked at where the policy has no bound on attempts.
const MOST: u32 = 20;

/// The number of delays worth looking at: retries under `limits`, or the first 20 of no bound.
pub fn retries(limits: &Limits) -> u32 {
    limits.max_attempts.map_or(MOST, |most| (most.get() - 1).min(MOST))
}

/// The smallest and largest delay before each of the first `retries`, whatever was drawn before.
pub fn ranges(backoff: &Backoff, retries: u32, class: Class) -> Vec<(Nanos, Nanos)> {
    let mut longest = Nanos::ZERO;
    let range = |n| {
        let (low, high) = backoff.range(n, longest, class);
        longest = high;
        (low, high)
    };
    (0..retries).map(range).collect()
}

/// The delay before retry `n`, from 0, as it would be without jitter.
pub fn unjittered(backoff: &Backoff, n: u32) -> Nanos {
    let plain = Backoff { jitter: Jitter::None, ..backoff.clone() };
    plain.range(n, Nanos::ZERO, Class::Transient).1
}

/// The longest un-jittered delay of the first `retries`, for targets that must have a cap.
pub fn longest(backoff: &Backoff, retries: u32) -> Nanos {
    (0..retries.max(1)).map(|n| unjittered(backoff, n)).max().unwrap_or_default()
}

/// An exponential backoff with the first and the last un-jittered delay of `backoff` over
/// `retries`, and a cap that is reached no later: what a target gets that knows no other kind.
pub fn as_exponential(backoff: &Backoff, retries: u32) -> Backoff {
    let (base, factor) = match backoff.growth {
        Growth::Exponential { base, factor } => (base, factor),
        Growth::Constant { base } => (base, Ratio::ONE),
        _ => {
            let (first, last) = (unjittered(backoff, 0), longest(backoff, retries));
            let steps = f64::from(retries.max(2) - 1);
            let growth = last.get() as f64 / first.get().max(1) as f64;
            // Two decimals say enough of an approximation.
            let factor = (libm::pow(growth, 1.0 / steps) * 100.0).round() / 100.0;
            (first, Ratio::from_f64(factor).unwrap_or(Ratio::ONE).max(Ratio::ONE))
        }
    };
    // Few clients take no cap at all; one that no retry gets past is none.
    let cap = if backoff.cap == Nanos::MAX { longest(backoff, retries) } else { backoff.cap };
    Backoff { cap: cap.max(base), ..Backoff::growing(Growth::Exponential { base, factor }) }
}

/// What is lost where `target` waits by `actual` instead of the policy's `wanted`, over `retries`.
pub fn losses(target: &str, wanted: &Backoff, actual: &Backoff, retries: u32) -> Vec<Loss> {
    let mut losses = Vec::new();
    losses.extend(loss_for(Class::Transient, target, wanted, actual, retries));
    if wanted.throttled_base != actual.throttled_base {
        losses.extend(loss_for(Class::Throttled, target, wanted, actual, retries));
    }
    losses
}

/// The loss after failures of one class.
fn loss_for(
    class: Class,
    target: &str,
    wanted: &Backoff,
    actual: &Backoff,
    retries: u32,
) -> Option<Loss> {
    let (ours, theirs) = (ranges(wanted, retries, class), ranges(actual, retries, class));
    // Equal edges are equal waits where both are uniform, or both are the same.
    let same_law = wanted.growth == actual.growth && wanted.jitter == actual.jitter;
    if ours == theirs && (same_law || (is_uniform(wanted) && is_uniform(actual))) {
        return None;
    }
    let plain = |backoff: &Backoff| {
        ranges(&Backoff { jitter: Jitter::None, ..backoff.clone() }, retries, class)
    };
    let (key, after) = match class {
        Class::Throttled => ("backoff.throttled_base", " after throttling"),
        _ if plain(wanted) == plain(actual) => ("backoff.jitter", ""),
        _ if wanted.growth == actual.growth => ("backoff.cap", ""),
        _ if wanted.growth.is_random() => ("backoff.kind", ""),
        _ => match (&wanted.growth, &actual.growth) {
            (Growth::Exponential { base, .. }, Growth::Exponential { base: other, .. })
                if base != other =>
            {
                ("backoff.base", "")
            }
            (Growth::Exponential { .. }, Growth::Exponential { .. }) => ("backoff.factor", ""),
            _ => ("backoff.kind", ""),
        },
    };
    let mut what = format!("the policy waits {}{after}", shown(&ours, wanted));
    what.push_str(&format!("; {target} waits {}", shown(&theirs, actual)));
    Some(Loss::new(key, what, consequence(&ours, &theirs)))
}

/// Whether a delay is drawn uniformly between its edges, or is one point.
fn is_uniform(backoff: &Backoff) -> bool {
    !backoff.growth.is_random() && backoff.jitter != Jitter::Exponential
}

/// The edges before the first and the last retry.
fn shown(ranges: &[(Nanos, Nanos)], backoff: &Backoff) -> String {
    let range = |(low, high): &(Nanos, Nanos)| match low == high {
        true => format!("{low}"),
        false if backoff.jitter == Jitter::Exponential => {
            // The draw has no upper edge worth printing; it is 53 ln 2 times its mean.
            let mean = high.as_millis_f64() / (53.0 * std::f64::consts::LN_2);
            format!("around {}, without an upper edge,", Nanos::new((mean * 1e6).round() as u64))
        }
        false if *low == Nanos::ZERO => format!("0 to {high}"),
        false => format!("{low} to {high}"),
    };
    match ranges {
        [] => "not at all".to_string(),
        [only] => format!("{} before the retry", range(only)),
        [first, .., last] => {
            format!("{} before the first retry and {} before the last", range(first), range(last))
        }
    }
}

/// What other waits lead to, told by the middle of all of them and the width of the last.
fn consequence(ours: &[(Nanos, Nanos)], theirs: &[(Nanos, Nanos)]) -> String {
    let total = |ranges: &[(Nanos, Nanos)]| -> f64 {
        ranges.iter().map(|(low, high)| (low.get() as f64 + high.get() as f64) / 2.0).sum()
    };
    let width = |ranges: &[(Nanos, Nanos)]| {
        ranges.last().map_or(0.0, |(low, high)| high.saturating_sub(*low).get() as f64)
    };
    let (asked, got) = (total(ours), total(theirs));
    let mut effects = Vec::new();
    if got < 0.95 * asked {
        effects.push("retries come back sooner: more load while the server is down".to_string());
    } else if got > 1.05 * asked {
        effects.push("retries come back later: fewer attempts fit the same time".to_string());
    }
    if width(theirs) < 0.95 * width(ours) {
        effects.push("clients that failed together spread less".to_string());
    } else if width(theirs) > 1.05 * width(ours) {
        effects.push("clients that failed together spread more".to_string());
    }
    match effects.is_empty() {
        true => "the shape differs, the load does not much".to_string(),
        false => effects.join(", and "),
    }
}
