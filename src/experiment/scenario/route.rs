//! `[[route]]`, as the model wants it: limits in whole numbers, replies as the core reads them.

use retrial_policy::Instant;
use retrial_policy::config::OrUnlimited;

use super::reply::{RouteReplies, broken_stream};
use super::{Worlds, instant};
use crate::engine::distribution::Distribution;
use crate::experiment::check::problem::Problem;
use crate::experiment::schema::{
    self, Abandoned, DistributionForm, LimitOver, Reply, RouteKind as Kind,
};
use crate::model::fault::Fault;
use crate::model::limit::{Amount, HintForm, Limit, Refill};
use crate::model::refusal::Refusal;
use crate::model::reply::Replies;
use crate::model::route::{Route, RouteKind, ServerSpec, Service};

/// What a full queue answers, a limit and an account, if the file does not say.
const FULL: &str = "generic-503";
const OVER: &str = "generic-429";
const OVERDRAWN: &str = "generic-402";

impl Worlds {
    pub(super) fn route(
        &self,
        index: usize,
        route: &schema::Route,
        replies: &mut Replies,
    ) -> Result<Route, Problem> {
        let key = format!("route.{index}");
        let provider = self.provider(&key, route)?;
        let replies = &mut RouteReplies { provider: &provider, unknown: &self.unknown, replies };
        let kind = match route.kind {
            Some(Kind::Occ) => RouteKind::Occ,
            None => RouteKind::Server(self.server(&key, route, replies)?),
        };
        let limits =
            route.limit.iter().enumerate().map(|(number, limit)| {
                self.limit(&format!("{key}.limit.{number}"), limit, replies)
            });
        let limits = limits.collect::<Result<_, _>>()?;
        let faults =
            route.fault.iter().enumerate().map(|(number, fault)| {
                self.fault(&format!("{key}.fault.{number}"), fault, replies)
            });
        Ok(Route { kind, limits, faults: faults.collect::<Result<_, _>>()? })
    }

    fn server(
        &self,
        key: &str,
        route: &schema::Route,
        replies: &mut RouteReplies<'_>,
    ) -> Result<ServerSpec, Problem> {
        let full = match &route.full {
            None => {
                self.refusal(key, &Reply::Named(FULL.into()), None, Hinted::AsItSays, replies)?
            }
            Some(full) => {
                let key = format!("{key}.full");
                self.refusal(&key, &full.reply, full.latency.as_ref(), Hinted::AsItSays, replies)?
            }
        };
        Ok(ServerSpec {
            workers: route.workers.and_then(OrUnlimited::bound).map(u32::from),
            queue: route.queue.and_then(OrUnlimited::bound),
            drops_abandoned: route.abandoned == Some(Abandoned::Dropped),
            full,
            service: self.service(&format!("{key}.service"), route.service.as_ref())?,
        })
    }

    fn service(&self, key: &str, form: Option<&DistributionForm>) -> Result<Service, Problem> {
        let Some(form) = form else { return Ok(Service::Law(Distribution::ZERO)) };
        Ok(match form.per_token() {
            Some(law) => Service::PerToken {
                first: law.first,
                per_input: law.per_input,
                per_output: law.per_output,
            },
            None => Service::Law(self.duration(key, form)?),
        })
    }

    fn limit(
        &self,
        key: &str,
        limit: &schema::Limit,
        replies: &mut RouteReplies<'_>,
    ) -> Result<Limit, Problem> {
        // Exactly one amount is there, and above zero: it was checked.
        let (amount, rate) = limit.amount().unwrap_or((schema::LimitAmount::Requests, 1.0));
        let refused = if amount == schema::LimitAmount::Spend { OVERDRAWN } else { OVER };
        let default =
            LimitOver { reply: Reply::Named(refused.into()), retry_after: None, latency: None };
        let over = limit.over.as_ref().unwrap_or(&default);
        let hinted = match &over.retry_after {
            None => Hinted::AsItSays,
            Some(_) => Hinted::ByLimit,
        };
        let refusal = {
            let key = format!("{key}.over");
            self.refusal(&key, &over.reply, over.latency.as_ref(), hinted, replies)?
        };
        Ok(Limit {
            amount: match amount {
                schema::LimitAmount::Requests => Amount::Requests,
                schema::LimitAmount::InputTokens => Amount::InputTokens,
                schema::LimitAmount::OutputTokens => Amount::OutputTokens,
                schema::LimitAmount::Tokens | schema::LimitAmount::Spend => Amount::Tokens,
            },
            rate: billionths(rate),
            per: limit.per,
            refill: if limit.window.is_some() {
                Refill::Window
            } else {
                Refill::Continuous { burst: billionths(limit.burst.unwrap_or(rate)) }
            },
            over: refusal,
            hint: match over.retry_after.as_ref() {
                None => HintForm::None,
                Some(form) => match form.0.as_str() {
                    "none" => HintForm::None,
                    "exact" => HintForm::Exact,
                    "window" => HintForm::Window,
                    _ => form.duration().map_or(HintForm::None, HintForm::Fixed),
                },
            },
        })
    }

    fn fault(
        &self,
        key: &str,
        fault: &schema::Fault,
        replies: &mut RouteReplies<'_>,
    ) -> Result<Fault, Problem> {
        let refuse = match &fault.reply {
            None => None,
            Some(reply) => {
                let latency = fault.latency.as_ref();
                Some(self.refusal(key, reply, latency, Hinted::AsItSays, replies)?)
            }
        };
        let stream = match fault.stream.as_deref().and_then(broken_stream) {
            None => None,
            Some(outcome) => Some(replies.stream(key, outcome)?),
        };
        Ok(Fault {
            from: instant(fault.from.unwrap_or_default()),
            until: fault.until.map_or(Instant::MAX, instant),
            share: fault.share.unwrap_or(1.0),
            refuse,
            silent: fault.silent.unwrap_or(false),
            slow: fault.slow.unwrap_or(1.0),
            workers: fault.workers,
            stream,
        })
    }

    fn refusal(
        &self,
        key: &str,
        reply: &Reply,
        latency: Option<&DistributionForm>,
        hinted: Hinted,
        replies: &mut RouteReplies<'_>,
    ) -> Result<Refusal, Problem> {
        let mut reading = replies.read(key, reply)?;
        if hinted == Hinted::ByLimit {
            reading.hint = None;
        }
        let latency = match latency {
            None => Distribution::ZERO,
            Some(latency) => self.duration(&format!("{key}.latency"), latency)?,
        };
        Ok(Refusal { reply: replies.add(key, reading)?, latency })
    }
}

/// Where the hint of a refusal comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hinted {
    /// From the reply itself, if it has one.
    AsItSays,
    /// From the limit, whatever the reply says.
    ByLimit,
}

/// Billionths of a positive number.
fn billionths(amount: f64) -> u64 {
    (libm::round(amount * 1e9) as u64).max(1)
}
