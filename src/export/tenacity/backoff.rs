//! The own backoff of a policy as a wait strategy.

use std::fmt::Write;

use retrial_policy::{Backoff, CapOrder, Growth, Jitter, Nanos, Ratio};

use crate::export::units::seconds;

/// A wait strategy in Python.
pub(super) struct Waits {
    /// What makes it.
    pub(super) expression: String,
    /// The class that the expression makes one of, if it is the module's own.
    pub(super) class: String,
    /// Names of tenacity that they use.
    pub(super) imports: Vec<&'static str>,
    /// Whether they use `math`.
    pub(super) needs_math: bool,
    /// Whether they use `random`.
    pub(super) is_random: bool,
}

impl Waits {
    /// The strategy with exactly the law of `backoff`.
    pub(super) fn of(backoff: &Backoff) -> Self {
        let plain = backoff.throttled_base.is_none()
            && backoff.floor == Nanos::ZERO
            && backoff.round == Nanos::ZERO;
        match of_library(backoff).filter(|_| plain) {
            Some((imports, expression)) => Waits {
                expression,
                class: String::new(),
                imports,
                needs_math: false,
                is_random: false,
            },
            None => of_module(backoff),
        }
    }
}

/// The strategy of tenacity that has the law, if there is one.
fn of_library(backoff: &Backoff) -> Option<(Vec<&'static str>, String)> {
    let most = match backoff.cap {
        Nanos::MAX => String::new(),
        cap => format!(", max={}", seconds(cap)),
    };
    let call =
        |name: &'static str, arguments: String| Some((vec![name], format!("{name}({arguments})")));
    match (&backoff.growth, backoff.jitter) {
        (Growth::None, Jitter::None) => call("wait_none", String::new()),
        (Growth::Constant { base }, Jitter::None) => call("wait_fixed", seconds(*base)),
        (Growth::Linear { base, step }, Jitter::None) => {
            let (start, increment) = (seconds(*base), seconds(*step));
            call("wait_incrementing", format!("start={start}, increment={increment}{most}"))
        }
        (Growth::Schedule(delays), Jitter::None) => {
            let capped = delays.iter().map(|delay| (*delay).min(backoff.cap));
            let waits: Vec<_> = capped.map(|d| format!("wait_fixed({})", seconds(d))).collect();
            let expression = format!("wait_chain({})", waits.join(", "));
            Some((vec!["wait_chain", "wait_fixed"], expression))
        }
        (Growth::Exponential { base, factor }, jitter) => {
            let grows = exponential(*base, *factor);
            match (jitter, backoff.cap_order) {
                (Jitter::None, _) => call("wait_exponential", grows + &most),
                (Jitter::Full, CapOrder::CapThenJitter) => {
                    call("wait_random_exponential", grows + &most)
                }
                (Jitter::Add(add), CapOrder::JitterThenCap) => {
                    let jitter = format!(", jitter={}", seconds(add));
                    call("wait_exponential_jitter", grows + &most + &jitter)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn exponential(base: Nanos, factor: Ratio) -> String {
    let multiplier = format!("multiplier={}", seconds(base));
    match factor == Ratio::from_percent(200) {
        true => multiplier,
        false => format!("{multiplier}, exp_base={}", factor.as_f64()),
    }
}

/// A class of its own.
fn of_module(backoff: &Backoff) -> Waits {
    let mut body = String::new();
    let line = |body: &mut String, text: &str| {
        let _ = writeln!(body, "        {text}");
    };
    if let Some(base) = backoff.growth.base() {
        match backoff.throttled_base {
            Some(throttled) => {
                line(
                    &mut body,
                    "throttled = status_of(retry_state.outcome.exception()) in THROTTLED",
                );
                let (throttled, base) = (seconds(throttled), seconds(base));
                line(&mut body, &format!("base = {throttled} if throttled else {base}"));
            }
            None => line(&mut body, &format!("base = {}", seconds(base))),
        }
    }
    if !matches!(
        backoff.growth,
        Growth::None | Growth::Constant { .. } | Growth::Decorrelated { .. }
    ) {
        // Far beyond any cap, and Python's floats and integers stay in range.
        line(&mut body, "n = min(retry_state.attempt_number - 1, 1000)");
    }
    grow(&mut body, &backoff.growth, line);
    let cap = (backoff.cap != Nanos::MAX)
        .then(|| format!("delay = min({}, delay)", seconds(backoff.cap)));
    let jitter = jitter(backoff.jitter);
    let steps = match backoff.cap_order {
        CapOrder::CapThenJitter => [cap, jitter],
        CapOrder::JitterThenCap => [jitter, cap],
    };
    for step in steps.into_iter().flatten() {
        line(&mut body, &step);
    }
    if backoff.round != Nanos::ZERO {
        line(&mut body, &format!("delay -= delay % {}", seconds(backoff.round)));
    }
    if backoff.floor != Nanos::ZERO {
        line(&mut body, &format!("delay = max({}, delay)", seconds(backoff.floor)));
    }
    if matches!(backoff.growth, Growth::Decorrelated { .. }) {
        line(&mut body, "retry_state.previous_backoff = delay");
    }
    line(&mut body, "return delay");
    let is_random = backoff.growth.is_random() || backoff.jitter != Jitter::None;
    Waits {
        expression: "Backoff()".to_string(),
        class: format!(
            "\n\nclass Backoff(wait_base):\n    \"\"\"The policy's own delays, in \
             seconds.\"\"\"\n\n    def __call__(self, retry_state):\n{body}"
        ),
        imports: vec!["wait_base"],
        needs_math: matches!(backoff.growth, Growth::SmoothDecorrelated { .. }),
        is_random,
    }
}

/// The delay before cap and jitter.
fn grow(body: &mut String, growth: &Growth, line: impl Fn(&mut String, &str)) {
    match growth {
        Growth::None => line(body, "delay = 0.0"),
        Growth::Constant { .. } => line(body, "delay = base"),
        Growth::Linear { step, .. } => {
            line(body, &format!("delay = base + {} * n", seconds(*step)));
        }
        Growth::Exponential { factor, .. } => {
            line(body, "try:");
            line(body, &format!("    delay = base * {:?} ** n", factor.as_f64()));
            line(body, "except OverflowError:");
            line(body, "    delay = float(\"inf\")");
        }
        Growth::Fibonacci { .. } => {
            line(body, "this, following = 1, 1");
            line(body, "for _ in range(n):");
            line(body, "    this, following = following, this + following");
            line(body, "delay = base * this");
        }
        Growth::Schedule(delays) => {
            let listed: Vec<_> = delays.iter().map(|delay| seconds(*delay)).collect();
            line(body, &format!("schedule = [{}]", listed.join(", ")));
            line(body, "delay = schedule[min(n, len(schedule) - 1)]");
        }
        Growth::Decorrelated { .. } => {
            line(body, "previous = max(base, getattr(retry_state, \"previous_backoff\", base))");
            line(body, "delay = random.uniform(base, 3 * previous)");
        }
        Growth::SmoothDecorrelated { .. } => {
            line(body, "x = n + random.random()");
            line(body, "curve = 2.0**x * math.tanh(math.sqrt(4 * x))");
            line(
                body,
                "delay = (curve - getattr(retry_state, \"previous_curve\", 0.0)) * base / 1.4",
            );
            line(body, "retry_state.previous_curve = curve");
        }
        // A kind that this file does not know yet waits not at all; the tests go through all.
        _ => line(body, "delay = 0.0"),
    }
}

/// The spread, if there is one.
fn jitter(jitter: Jitter) -> Option<String> {
    Some(match jitter {
        Jitter::None => return None,
        Jitter::Full => "delay = random.uniform(0.0, delay)".to_string(),
        Jitter::Equal => "delay = random.uniform(delay / 2, delay)".to_string(),
        Jitter::Proportional(r) => {
            let r = r.as_f64();
            format!("delay *= random.uniform(1.0 - {r}, 1.0 + {r})")
        }
        Jitter::Shrink(r) => format!("delay *= random.uniform(1.0 - {}, 1.0)", r.as_f64()),
        Jitter::Stretch(r) => format!("delay *= random.uniform(1.0, 1.0 + {})", r.as_f64()),
        Jitter::Add(add) => format!("delay += random.uniform(0.0, {})", seconds(add)),
        Jitter::Exponential => "delay *= random.expovariate(1.0)".to_string(),
        // As for growth: a new kind is seen by the tests.
        _ => return None,
    })
}
