//! `[workload]` and `[[group]]`, as the model wants them.

use retrial_policy::Nanos;
use retrial_policy::config::OrUnlimited;

use super::{Worlds, instant};
use crate::engine::distribution::Distribution;
use crate::experiment::check::problem::Problem;
use crate::experiment::schema::{self, Open, Rate, Start, Unit};
use crate::model::population::{
    Arrivals, Closed, OpenStream, Population, Replay, Tokens, Workload,
};

impl Worlds {
    pub(super) fn population(
        &self,
        key: &str,
        workload: &schema::Workload,
    ) -> Result<Population, Problem> {
        let tokens = match &workload.tokens {
            None => None,
            Some(tokens) => Some(Tokens {
                input: self.count(&format!("{key}.tokens.input"), &tokens.input)?,
                output: self.count(&format!("{key}.tokens.output"), &tokens.output)?,
            }),
        };
        Ok(Population {
            clients: workload.clients,
            workload: self.arrivals(key, workload)?,
            concurrency: workload.concurrency.and_then(OrUnlimited::bound).map(u32::from),
            tokens,
        })
    }

    fn arrivals(&self, key: &str, workload: &schema::Workload) -> Result<Workload, Problem> {
        if let Some(trace) = &workload.trace {
            let speed = trace.speed.unwrap_or(1.0);
            let trace = self.trace(&format!("{key}.trace"), &trace.file)?;
            let end = trace.rows.last().map_or(0.0, |row| row.at.get() as f64);
            if end / speed > Nanos::LARGEST.number() {
                let message = format!("at a speed of {speed} {}", Nanos::too_large());
                return Err(Problem { key: format!("{key}.trace.speed"), message, help: None });
            }
            return Ok(Workload::Trace(Replay { trace, speed }));
        }
        if let Some(open) = &workload.open {
            return Ok(Workload::Open(open.0.iter().map(stream).collect()));
        }
        // One of the three is there: it was checked.
        let closed = workload.closed.clone().unwrap_or_default();
        Ok(Workload::Closed(Closed {
            requests: closed.requests.map_or(Some(1), |n| n.bound().map(u32::from)),
            start_over: match closed.start {
                Start::Together => Nanos::ZERO,
                Start::Over(span) => span,
            },
            think: match &closed.think {
                None => Distribution::ZERO,
                Some(think) => self.duration(&format!("{key}.closed.think"), think)?,
            },
        }))
    }
}

fn stream(open: &Open) -> OpenStream {
    let gap = |rate: &Rate| rate.per.get() as f64 / rate.count;
    OpenStream {
        arrivals: match &open.arrivals {
            schema::Arrivals::Poisson(rate) => {
                Arrivals::Renewal(Distribution::Exponential { mean: gap(rate) })
            }
            schema::Arrivals::Gamma(renewal) => {
                Arrivals::Renewal(Distribution::gamma(gap(&renewal.rate), renewal.cv))
            }
            schema::Arrivals::Weibull(renewal) => {
                Arrivals::Renewal(Distribution::weibull(gap(&renewal.rate), renewal.cv))
            }
            schema::Arrivals::Every(gap) => Arrivals::Every(*gap),
            schema::Arrivals::Cron(cron) => {
                Arrivals::Cron { period: cron.period, spread: cron.spread }
            }
        },
        from: instant(open.from.unwrap_or_default()),
        until: open.until.map_or(retrial_policy::Instant::MAX, instant),
    }
}
