//! Many clients that fail together and come back: as one, where nothing spreads them, and as
//! chance would have it with full jitter.

use retrial::measure::metric::Id;
use statrs::distribution::{Binomial, Discrete};

use crate::agreement::{NORMAL, Pass, STRICT, disagreement, replicate};
use crate::experiment::cell;

/// The worked example of the SRE book (chapter 22, Addressing Cascading Failures): a server with a
/// capacity of 10,000 a second is offered 10,100, and everything refused comes back a second
/// later. The load grows by 100 a second, each second. Exact, nothing is random.
#[test]
fn the_load_of_the_sre_book_grows() {
    let cell = cell(
        "bin = \"1s\"\nstop_after = \"9500ms\"\n\
         [workload]\nclients = 10100\nopen = { arrivals = { cron = { period = \"1s\" } } }\n\
         [policies.only]\n\
         limits = { max_attempts = \"unlimited\", deadline = \"unlimited\" }\n\
         backoff = { kind = \"constant\", base = \"1s\" }\n\
         [[route]]\nname = \"primary\"\n\
         [[route.limit]]\nrequests = 10000\nper = \"1s\"\nwindow = \"fixed\"\n\
         over = { reply = \"generic-503\" }\n",
    );
    let run = replicate(&cell, NORMAL.seed, 1, true).remove(0);
    let bins: Vec<_> = run.series.unwrap().iter().map(|b| (b.attempts, b.rejected)).collect();
    let book: Vec<_> = (0..10).map(|second| (10_100 + 100 * second, 100 + 100 * second)).collect();
    assert_eq!(bins, book);
    let attempts: u64 = book.iter().map(|(attempts, _)| attempts).sum();
    assert_eq!(run.metrics.get(Id::Attempts), Some(attempts as f64));
    assert_eq!(run.metrics.get(Id::Amplification), Some(attempts as f64 / 101_000.0));
}

const CLIENTS: u64 = 500;
/// A wait is at most a second, cut into so many windows.
const WINDOWS: usize = 100;

#[test]
fn full_jitter_spreads_clients_as_chance_does() {
    full_jitter(NORMAL, 800);
}

#[test]
#[ignore = "simulates ten times as long; run it in release with --include-ignored"]
fn full_jitter_spreads_clients_as_chance_does_strictly() {
    full_jitter(STRICT, 800);
}

/// One round of full jitter: the number of clients that come back in a window is binomial.
fn full_jitter(pass: Pass, replications: u64) {
    let cell = cell(&format!(
        "bin = \"10ms\"\n\
         [workload]\nclients = {CLIENTS}\nclosed = {{ requests = 1 }}\n\
         [policies.only]\n\
         limits = {{ max_attempts = 2, deadline = \"unlimited\" }}\n\
         backoff = {{ kind = \"constant\", base = \"1s\", jitter = \"full\" }}\n\
         [[route]]\nname = \"primary\"\n\
         [[route.fault]]\nuntil = \"1ns\"\nreply = \"generic-503\"\n"
    ));
    let runs = replicate(&cell, pass.seed, replications * u64::from(pass.effort), true);
    let counts: Vec<Vec<u64>> = runs
        .iter()
        .map(|run| {
            let bins = run.series.as_ref().unwrap();
            assert!(bins.iter().all(|bin| bin.width_ms == 10.0));
            let mut counts = vec![0; WINDOWS];
            for bin in bins {
                // A wait of a whole second is as good as one a nanosecond shorter.
                let window = ((bin.start_ms / 10.0) as usize).min(WINDOWS - 1);
                counts[window] += bin.attempts;
            }
            counts[0] -= CLIENTS;
            assert_eq!(counts.iter().sum::<u64>(), CLIENTS);
            counts
        })
        .collect();

    let p = 1.0 / WINDOWS as f64;
    let law = Binomial::new(p, CLIENTS).unwrap();
    let mean = CLIENTS as f64 * p;
    let over_windows = |of: &dyn Fn(u64) -> f64| -> Vec<f64> {
        let means =
            counts.iter().map(|counts| counts.iter().map(|count| of(*count)).sum::<f64>() * p);
        means.collect()
    };
    let is_5 = |count: u64| if count == 5 { 1.0 } else { 0.0 };
    let tenth: Vec<f64> =
        counts.iter().map(|counts| counts[30..40].iter().sum::<u64>() as f64).collect();
    let faults = [
        ("clients in a tenth of the second", tenth, 10.0 * mean),
        ("variance", over_windows(&|count| (count as f64 - mean).powi(2)), mean * (1.0 - p)),
        ("windows with 5", over_windows(&is_5), law.pmf(5)),
    ];
    let faults: Vec<_> = faults
        .iter()
        .filter_map(|(name, values, theory)| {
            disagreement(&format!("full jitter: {name}"), values, *theory, pass)
        })
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
