//! What several test files share: samples of delays, drivers of calls, budgets and observers that
//! keep an account.
#![allow(dead_code, reason = "each test file uses a part of it")]

use retrial_policy::*;

/// The seed of all statistical tests: fixed, so a test that passes once passes always.
pub const SEED: u64 = 20_150_304;

/// The key of the i-th simulated call.
pub fn key(i: u64) -> CallKey {
    CallKey::derive(SEED, 0, 0, i)
}

/// The instant `ms` milliseconds after the epoch.
pub fn at_ms(ms: u64) -> Instant {
    Instant::from_nanos(ms * 1_000_000)
}

/// Shorthand for milliseconds.
pub const fn ms(n: u64) -> Nanos {
    Nanos::from_millis(n)
}

/// Shorthand for seconds.
pub const fn secs(n: u64) -> Nanos {
    Nanos::from_secs(n)
}

/// The policy of a file.
#[cfg(feature = "toml")]
pub fn load(text: &str) -> Policy {
    Policy::from_toml(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Loads `text` without its one `§`, and expects to be refused there with `message`.
#[cfg(feature = "toml")]
#[track_caller]
pub fn refused(text: &str, message: &str) {
    let (before, after) = text.split_once('§').expect("a mark where the error is");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let error = Policy::from_toml(&format!("{before}{after}")).expect_err(text);
    assert_eq!((error.line, error.column, &*error.message), (line, column, message), "{text}");
    assert_eq!(error.to_string(), format!("line {line}, column {column}: {message}"));
}

/// A fraction.
pub fn ratio(value: f64) -> Ratio {
    Ratio::from_f64(value).expect("a test constant")
}

/// A classifier that reads every outcome as `class`.
pub fn always(class: Class) -> impl Fn(&Outcome<'_>) -> Classification {
    move |_: &Outcome<'_>| Classification::of(class)
}

/// Extremes, mean and standard deviation of a sample.
pub struct Sample {
    pub n: f64,
    pub min: Nanos,
    pub max: Nanos,
    /// In nanoseconds.
    pub mean: f64,
    /// In nanoseconds.
    pub sd: f64,
    /// The fourth central moment over the squared variance: 1.8 for a uniform distribution.
    pub kurtosis: f64,
}

impl Sample {
    pub fn of(delays: &[Nanos]) -> Sample {
        let n = delays.len() as f64;
        let mean = delays.iter().map(|d| d.get() as f64).sum::<f64>() / n;
        let moment =
            |k: i32| delays.iter().map(|d| (d.get() as f64 - mean).powi(k)).sum::<f64>() / n;
        let (second, fourth) = (moment(2), moment(4));
        Sample {
            n,
            min: *delays.iter().min().expect("a sample is not empty"),
            max: *delays.iter().max().expect("a sample is not empty"),
            mean,
            sd: (second * n / (n - 1.0)).sqrt(),
            kurtosis: if second == 0.0 { 0.0 } else { fourth / (second * second) },
        }
    }

    /// Delays before retry `n` of many calls; the previous delay is fed on.
    pub fn of_retry(backoff: &Backoff, n: u32, calls: u64) -> Sample {
        let delays: Vec<_> = (0..calls)
            .map(|i| {
                (0..=n).fold(Nanos::ZERO, |previous, n| {
                    backoff.delay(n, previous, Class::Transient, key(i))
                })
            })
            .collect();
        Sample::of(&delays)
    }

    /// The standard error of [`Sample::sd`].
    pub fn sd_error(&self) -> f64 {
        self.sd * ((self.kurtosis - 1.0) / (4.0 * self.n)).sqrt()
    }
}

/// A budget that counts what is asked of it and grants everything, or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpyBudget {
    pub refuses: bool,
    pub requests: u32,
    pub request_ends: u32,
    pub withdrawals: u32,
    pub restored: u32,
    /// How many attempts were settled, and how the last one was.
    pub settlements: u32,
    pub settled: Option<Settlement>,
    /// Whether the last one came with the permit of a further attempt.
    pub settled_permit: bool,
    /// Withdrawn and not restored.
    pub balance: i64,
}

impl SpyBudget {
    pub fn refusing() -> Self {
        SpyBudget { refuses: true, ..SpyBudget::default() }
    }
}

impl Budget for SpyBudget {
    fn on_request(&mut self, _now: Instant) {
        self.requests += 1;
    }

    fn on_request_end(&mut self, _now: Instant) {
        assert_eq!(self.request_ends, 0, "a call ends once");
        self.request_ends += 1;
    }

    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        self.withdrawals += 1;
        if self.refuses {
            return None;
        }
        self.balance -= 1;
        Some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {
        self.restored += 1;
        self.balance += 1;
    }

    fn settle(&mut self, passage: Passage, how: Settlement, _now: Instant) {
        self.settlements += 1;
        self.settled = Some(how);
        self.settled_permit = passage.permit.is_some();
    }
}
