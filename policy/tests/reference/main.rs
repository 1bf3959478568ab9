//! Delays compared with those of released libraries: where a library's configuration can be written
//! as a policy, the policy must wait as the library was measured to wait.
#![cfg(feature = "toml")]

mod preset;
mod presets;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;

use preset::{Fit, Preset};
use presets::PRESETS;
use retrial_policy::*;
use support::{Sample, key};

/// As many as were measured.
const CALLS: u64 = 100_000;
const RETRIES: u32 = 8;
/// botocore accepts at most 5 s above its own backoff.
const ABOVE: Nanos = Nanos::from_secs(5);

/// One line of the file.
struct Row {
    package: String,
    preset: String,
    attempt: u32,
    min_ns: u64,
    max_ns: u64,
    mean_ns: f64,
    sd_ns: f64,
    draws: u64,
}

impl Row {
    fn is_fixed(&self) -> bool {
        self.min_ns == self.max_ns
    }
}

/// Milliseconds with six decimals are whole nanoseconds; no float may come between.
fn exact_ns(ms: &str) -> u64 {
    let (whole, decimals) = ms.split_once('.').expect("six decimals");
    assert_eq!(decimals.len(), 6, "{ms}");
    format!("{whole}{decimals}").parse().expect("a number")
}

fn rows() -> Vec<Row> {
    let text = include_str!("../data/policy_reference.csv");
    let mut file = csv::Reader::from_reader(text.as_bytes());
    let header: Vec<String> = file.headers().unwrap().iter().map(String::from).collect();
    assert_eq!(
        header.join(","),
        "library,version,preset,attempt,min_ms,max_ms,mean_ms,sd_ms,draws"
    );
    file.records()
        .map(|record| {
            let record = record.unwrap();
            let float = |column: usize| record[column].parse::<f64>().unwrap() * 1e6;
            Row {
                package: format!("{} {}", &record[0], &record[1]),
                preset: record[2].to_string(),
                attempt: record[3].parse().unwrap(),
                min_ns: exact_ns(&record[4]),
                max_ns: exact_ns(&record[5]),
                mean_ns: float(6),
                sd_ns: float(7),
                draws: record[8].parse().unwrap(),
            }
        })
        .collect()
}

impl Preset {
    fn policy(&self) -> Policy {
        let limits = "limits = { max_attempts = 'unlimited', deadline = 'unlimited' }";
        // All but the waits is left out: every failure here is a 503.
        let file = self.file.map(|file| {
            format!("preset = '{file}'\nretry_on = {{ mode = 'statuses', statuses = [503] }}\n")
        });
        let text =
            format!("{}{limits}\nbackoff = {{ {} }}\n", file.unwrap_or_default(), self.backoff);
        Policy::from_toml(&text).unwrap_or_else(|error| panic!("{}: {error}", self.preset))
    }

    /// The rows that the policy must reproduce.
    fn rows<'r>(&self, rows: &'r [Row]) -> Vec<&'r Row> {
        let mine = rows.iter().filter(|r| r.package == self.package && r.preset == self.preset);
        match &self.fit {
            Fit::Whole => mine.collect(),
            Fit::Only(attempts, _) => mine.filter(|r| attempts.contains(&r.attempt)).collect(),
            Fit::Not(_) => Vec::new(),
        }
    }

    /// All delays of one call, decided as production decides them.
    fn delays(&self, policy: &Policy, key: CallKey) -> [Nanos; RETRIES as usize] {
        let mut budget = Unlimited;
        let now = Instant::default();
        let (mut call, _) = Call::start(policy, Request::default(), key, &mut budget, now);
        let mut outcome = Outcome::response(503);
        outcome.hint = self.hint_ms.map(|ms| Hint(Nanos::from_millis(ms)));
        std::array::from_fn(|_| {
            let classify = support::always(self.class);
            call.on_outcome(policy, &classify, &outcome, now, &mut budget, &mut ())
                .wait()
                .expect("nothing limits the call")
                .delay
        })
    }

    /// The closed-form range of each delay, whatever the delays before it were.
    fn ranges(&self, policy: &Policy) -> Vec<(Nanos, Nanos)> {
        let clamp = |own: Nanos| match self.hint_ms {
            Some(ms) => own.max(Nanos::from_millis(ms)).min(own.saturating_add(ABOVE)),
            None => own,
        };
        let mut longest = Nanos::ZERO;
        (0..RETRIES)
            .map(|n| {
                let (low, high) = policy.backoff().range(n, longest, self.class);
                longest = high;
                (clamp(low), clamp(high))
            })
            .collect()
    }
}

#[test]
fn every_preset_of_the_file_is_translated_or_says_why_not() {
    let rows = rows();
    let measured: BTreeSet<_> = rows.iter().map(|r| (&*r.package, &*r.preset)).collect();
    let listed: BTreeSet<_> = PRESETS.iter().map(|p| (p.package, p.preset)).collect();
    assert_eq!(listed.len(), PRESETS.len(), "a preset is listed twice");
    assert_eq!(listed, measured);
    assert_eq!(measured.len(), 89);
    for (package, preset) in &measured {
        let attempts: Vec<_> = rows
            .iter()
            .filter(|r| (&*r.package, &*r.preset) == (*package, *preset))
            .map(|r| r.attempt)
            .collect();
        assert_eq!(attempts, Vec::from_iter(1..=RETRIES), "{package} {preset}");
    }
    let reasons = |wanted: fn(&Fit) -> bool| PRESETS.iter().filter(|p| wanted(&p.fit)).count();
    assert_eq!(reasons(|fit| *fit == Fit::Whole), 83);
    assert_eq!(reasons(|fit| matches!(fit, Fit::Only(..))), 3);
    assert_eq!(reasons(|fit| matches!(fit, Fit::Not(_))), 3);
}

#[test]
fn delays_without_jitter_equal_the_measured_ones_to_the_nanosecond() {
    let rows = rows();
    let mut compared = 0;
    for preset in PRESETS {
        let fixed: Vec<_> = preset.rows(&rows).into_iter().filter(|row| row.draws == 1).collect();
        if fixed.is_empty() {
            continue;
        }
        let delays = preset.delays(&preset.policy(), key(0));
        for row in fixed {
            let ours = delays[row.attempt as usize - 1].get();
            let place = format!("{} {} retry {}", row.package, row.preset, row.attempt);
            assert!(
                ours.abs_diff(row.min_ns) <= preset.tolerance_ns,
                "{place}: {ours} ns, measured {} ns",
                row.min_ns
            );
            compared += 1;
        }
    }
    assert_eq!(compared, rows.iter().filter(|row| row.draws == 1).count(), "none was skipped");
}

// Both samples have n = 100,000. Means and standard deviations may differ by five standard errors of
// the difference, which under equal laws happens by chance in 5.7e-7 of comparisons; with 395 random
// rows and two comparisons a row, a change of seed gives a false alarm once in 2,200 times.

#[test]
fn jittered_delays_have_the_mean_spread_and_range_of_rust_libraries() {
    assert_eq!(compare_jittered("rs:"), 132);
}

#[test]
fn jittered_delays_have_the_mean_spread_and_range_of_python_libraries() {
    assert_eq!(compare_jittered("py:"), 156);
}

#[test]
fn jittered_delays_have_the_mean_spread_and_range_of_javascript_libraries() {
    assert_eq!(compare_jittered("js:"), 107);
}

/// Compares the jittered rows of one registry's libraries; gives the number of random ones.
fn compare_jittered(registry: &str) -> u32 {
    let rows = rows();
    let mut compared = 0;
    for preset in PRESETS.iter().filter(|preset| preset.package.starts_with(registry)) {
        let drawn: Vec<_> = preset.rows(&rows).into_iter().filter(|row| row.draws > 1).collect();
        if drawn.is_empty() {
            continue;
        }
        let policy = preset.policy();
        let ranges = preset.ranges(&policy);
        let mut columns = vec![Vec::new(); RETRIES as usize];
        for i in 0..CALLS {
            for (column, delay) in columns.iter_mut().zip(preset.delays(&policy, key(i))) {
                column.push(delay);
            }
        }
        for row in drawn {
            let index = row.attempt as usize - 1;
            let place = format!("{} {} retry {}", row.package, row.preset, row.attempt);
            let ours = Sample::of(&columns[index]);
            let (low, high) = ranges[index];
            // The file rounds to the nanosecond, and `backoff` adds up to one.
            assert!(
                low.get() <= row.min_ns + 1 && row.max_ns <= high.get() + 1,
                "{place}: measured {} to {} ns, allowed {low:?} to {high:?}",
                row.min_ns,
                row.max_ns
            );
            if row.is_fixed() {
                assert_eq!((ours.min.get(), ours.max.get()), (row.min_ns, row.max_ns), "{place}");
                continue;
            }
            let n = row.draws as f64;
            let mean_error = row.sd_ns * (1.0 / n + 1.0 / ours.n).sqrt();
            let off = (ours.mean - row.mean_ns) / mean_error;
            assert!(off.abs() < 5.0, "{place}: the mean is {off} standard errors off");
            let sd_error = ours.sd_error() * (1.0 + ours.n / n).sqrt();
            let off = (ours.sd - row.sd_ns) / sd_error;
            assert!(off.abs() < 5.0, "{place}: the spread is {off} standard errors off");
            compared += 1;
        }
    }
    compared
}
