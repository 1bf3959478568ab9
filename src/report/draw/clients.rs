//! Which client sends when, and who is in step?

use std::collections::BTreeMap;

use super::Shown;
use crate::measure::close_up::{CloseUp, SampledAttempt};
use crate::report::charts::{ClientsChart, ClientsPanel};

/// The attempts of clients over time, a panel a policy; `None` without attempts.
pub fn chart(shown: &Shown<'_>) -> Option<ClientsChart> {
    let panels: Vec<_> = shown
        .close_ups()
        .map(|(policy, _, close_up)| ClientsPanel {
            policy: policy.to_string(),
            about: close_up.about.clone(),
            attempts: close_up.attempts.clone(),
        })
        .collect();
    panels.iter().any(|panel| !panel.attempts.is_empty()).then(|| ClientsChart {
        title: title(shown),
        subtitle: shown.subtitle(),
        panels,
    })
}

/// The finding: how many clients retry at once where they are most and where they are least in step.
/// Policies are held against each other by the same clients and the same time.
fn title(shown: &Shown<'_>) -> String {
    let question = "Who sends when";
    let abouts = || shown.close_ups().map(|(.., run)| &run.about);
    let every = abouts().map(|about| about.every).max().unwrap_or(1).max(1);
    let untils = abouts().filter_map(|about| about.attempts_until_ms);
    let common = Common { every, until_ms: untils.fold(f64::INFINITY, f64::min) };
    let clients = abouts().map(|about| about.clients.div_ceil(every)).min().unwrap_or(0);
    let shares = shown.close_ups().filter_map(|(policy, _, run)| {
        Some((common.in_step(run)?, policy)).filter(|_| clients >= FEWEST)
    });
    let mut ranked: Vec<_> = shares.collect();
    ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let percent = |share: f64| libm::round(100.0 * share);
    match ranked[..] {
        [(share, policy)] => format!(
            "{question}: under {policy} up to {} % of the clients retry within {WINDOW_MS} ms",
            percent(share),
        ),
        [(least, calm), .., (most, herd)] if most >= NOTABLE * least => format!(
            "{question}: up to {} % of the clients retry within {WINDOW_MS} ms of each other under \
             {herd}, {} % under {calm}",
            percent(most),
            percent(least),
        ),
        _ => format!("{question}, and what becomes of it"),
    }
}

/// As wide as the bins by which clustering is measured.
const WINDOW_MS: f64 = 50.0;
/// Of fewer clients, some are always in step.
const FEWEST: u32 = 30;
/// Shares that differ by less make no headline.
const NOTABLE: f64 = 1.3;

/// What the samples of all policies have in common.
struct Common {
    /// Of clients 0, `every`, 2 · `every`, …
    every: u32,
    /// What was sent before.
    until_ms: f64,
}

impl Common {
    /// The largest share of the clients that retry within a window; `None` where none does.
    fn in_step(&self, run: &CloseUp) -> Option<f64> {
        let clients = run.about.clients.div_ceil(self.every);
        let is_common = |attempt: &&SampledAttempt| {
            attempt.attempt > 1
                && attempt.client.is_multiple_of(self.every)
                && attempt.sent_ms < self.until_ms
        };
        let mut retries: Vec<&SampledAttempt> = run.attempts.iter().filter(is_common).collect();
        retries.sort_by(|a, b| a.sent_ms.total_cmp(&b.sent_ms));
        // How often each client is in the window.
        let mut inside: BTreeMap<u32, u32> = BTreeMap::new();
        let (mut most, mut oldest) = (0, 0);
        for attempt in &retries {
            *inside.entry(attempt.client).or_default() += 1;
            while retries[oldest].sent_ms <= attempt.sent_ms - WINDOW_MS {
                let left = inside.entry(retries[oldest].client).or_default();
                *left -= 1;
                if *left == 0 {
                    inside.remove(&retries[oldest].client);
                }
                oldest += 1;
            }
            most = most.max(inside.len());
        }
        (most > 0).then(|| most as f64 / f64::from(clients))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::close_up::{About, AttemptOutcome};

    fn retry(client: u32, sent_ms: f64) -> SampledAttempt {
        SampledAttempt {
            client,
            request: 0,
            planned_ms: 0.0,
            attempt: 2,
            branch: "same_route_retry".into(),
            route: "primary".into(),
            sent_ms,
            ended_ms: Some(sent_ms + 1.0),
            outcome: AttemptOutcome::Refused,
            status: Some(503),
            class: "transient".into(),
            action: "stop".into(),
            wait_ms: None,
        }
    }

    fn in_step(run: &CloseUp) -> Option<f64> {
        Common { every: 2, until_ms: f64::INFINITY }.in_step(run)
    }

    #[test]
    fn clients_in_step_are_counted_once_each() {
        let run = |attempts: Vec<SampledAttempt>| CloseUp {
            about: About { clients: 8, every: 2, ..About::default() },
            attempts,
            ..CloseUp::default()
        };
        // Clients 0 (twice), 2 and 4 within 49 ms; client 6 comes 50 ms after client 2.
        let sent = [(0, 100.0), (0, 110.0), (2, 120.0), (4, 149.0), (6, 170.0)];
        let attempts = sent.map(|(client, sent_ms)| retry(client, sent_ms));
        assert_eq!(in_step(&run(attempts.into())), Some(0.75));
        let sent = [(0, 100.0), (2, 120.0), (4, 149.0), (6, 149.5)];
        let attempts = sent.map(|(client, sent_ms)| retry(client, sent_ms));
        assert_eq!(in_step(&run(attempts.into())), Some(1.0));
        let first = SampledAttempt { attempt: 1, ..retry(0, 5.0) };
        assert_eq!(in_step(&run(vec![first])), None);
    }
}
