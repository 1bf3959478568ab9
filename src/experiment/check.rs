//! Refuses experiments that are well formed but impossible, and those that are not built yet.

use retrial_policy::Nanos;
use retrial_policy::config::{NOT_SUPPORTED, OrUnlimited};

use super::diagnostic::Diagnostic;
use super::key_path::place_of;
use super::node::Node;
use super::schema::{DistributionForm, ExperimentFile, Fault, Law, Limit, Route, Start, Workload};
use super::suggest;
use crate::measure::metric;

/// A client takes some 200 bytes: more than these need more memory than a machine has to spare.
const MAX_CLIENTS: u32 = 20_000_000;

/// A replication takes about a kilobyte.
const MAX_REPLICATIONS: u32 = 1_000_000;

/// A key and what is wrong with it.
struct Problem {
    key: String,
    message: String,
    help: Option<String>,
}

type Check = Result<(), Problem>;

fn problem(key: impl Into<String>, message: impl Into<String>) -> Check {
    Err(Problem { key: key.into(), message: message.into(), help: None })
}

fn problem_with_help(
    key: impl Into<String>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Check {
    Err(Problem { key: key.into(), message: message.into(), help: Some(help.into()) })
}

/// Checks `file`, which was read from `root`.
///
/// # Errors
///
/// The first key whose value is impossible; if there is none, the first that is not supported yet.
pub fn check(file: &ExperimentFile, root: &Node) -> Result<(), Diagnostic> {
    let checked = possible(file).and_then(|()| supported(file));
    checked.map_err(|problem| {
        let place = place_of(root, &problem.key).unwrap_or(root.place);
        let diagnostic = Diagnostic::new(problem.message).at(Some(place));
        match problem.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    })
}

fn possible(file: &ExperimentFile) -> Check {
    if file.replications == 0 {
        return problem("replications", "`replications` must be at least 1");
    }
    if file.replications > MAX_REPLICATIONS {
        return problem(
            "replications",
            format!("`replications` must be at most {MAX_REPLICATIONS}"),
        );
    }
    if file.bin == Nanos::ZERO {
        return problem("bin", "`bin` must be above zero");
    }
    if let Some(OrUnlimited::Bound(Nanos::ZERO)) = file.stop_after {
        return problem("stop_after", "`stop_after` must be above zero");
    }
    match (&file.workload, file.group.is_empty()) {
        (Some(workload), true) => possible_workload(file, workload)?,
        (None, true) => return problem("workload", "missing key `workload`: who calls?"),
        (Some(_), false) => {
            return problem("group", "`[workload]` and `[[group]]` exclude each other");
        }
        (None, false) => {}
    }
    for (key, share) in
        [("network.lost", file.network.lost), ("network.lost_replies", file.network.lost_replies)]
    {
        possible_share(key, share)?;
    }
    if let Some(delay) = &file.network.delay {
        possible_distribution("network.delay", delay)?;
    }
    if file.route.is_empty() {
        return problem("route", "missing `[[route]]`: whom do the clients call?");
    }
    for (index, route) in file.route.iter().enumerate() {
        if file.route[..index].iter().any(|other| other.name == route.name) {
            let message = format!("two routes are called `{}`", route.name);
            return problem(format!("route.{index}.name"), message);
        }
        possible_route(index, route)?;
    }
    if file.policies.is_empty() {
        return problem("policies", "missing `[policies.NAME]`: what is on trial?");
    }
    possible_thresholds(file)
}

fn possible_workload(file: &ExperimentFile, workload: &Workload) -> Check {
    if workload.clients == 0 {
        return problem("workload.clients", "`clients` must be at least 1");
    }
    if workload.clients > MAX_CLIENTS {
        return problem("workload.clients", format!("`clients` must be at most {MAX_CLIENTS}"));
    }
    let kinds = [
        ("open", workload.open.is_some()),
        ("closed", workload.closed.is_some()),
        ("trace", workload.trace.is_some()),
    ];
    let given: Vec<_> = kinds.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    match given[..] {
        [] => {
            return problem_with_help(
                "workload",
                "the workload says who calls, but not when",
                "give one of `open`, `closed` and `trace`, such as closed = { requests = 1 }",
            );
        }
        [_] => {}
        [_, second, ..] => {
            let message = "`open`, `closed` and `trace` exclude each other";
            return problem(format!("workload.{second}"), message);
        }
    }
    let endless = workload.open.as_ref().is_some_and(|open| open.until.is_none())
        || workload
            .closed
            .as_ref()
            .is_some_and(|closed| closed.requests == Some(OrUnlimited::Unlimited));
    if endless && !matches!(file.stop_after, Some(OrUnlimited::Bound(_))) {
        return problem_with_help(
            "workload",
            "this workload never ends by itself",
            "say when to stop, such as stop_after = \"120s\"",
        );
    }
    let think = workload.closed.as_ref().and_then(|closed| closed.think.as_ref());
    think.map_or(Ok(()), |think| possible_distribution("workload.closed.think", think))
}

fn possible_share(key: &str, share: f64) -> Check {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    problem(key, format!("a share lies between 0 and 1, not at {share}"))
}

fn possible_distribution(key: &str, form: &DistributionForm) -> Check {
    let DistributionForm::Law(law) = form else { return Ok(()) };
    match law {
        Law::Lognormal(law) if law.median == Nanos::ZERO => {
            problem(format!("{key}.lognormal.median"), "the median must be above zero")
        }
        Law::Lognormal(law) if law.p99 < law.median => problem(
            format!("{key}.lognormal.p99"),
            format!("the 99 % quantile ({}) is below the median ({})", law.p99, law.median),
        ),
        Law::Uniform(law) if law.max < law.min => problem(
            format!("{key}.uniform.max"),
            format!("the upper end ({}) is below the lower end ({})", law.max, law.min),
        ),
        Law::Gamma(law) | Law::Weibull(law) if law.cv.is_nan() || law.cv <= 0.0 => {
            problem(key, "the coefficient of variation must be above zero")
        }
        Law::Pareto(law) if law.shape.is_nan() || law.shape <= 0.0 => {
            problem(format!("{key}.pareto.shape"), "the shape must be above zero")
        }
        _ => Ok(()),
    }
}

fn possible_route(index: usize, route: &Route) -> Check {
    let key = |rest: &str| format!("route.{index}.{rest}");
    if let Some(service) = &route.service {
        possible_distribution(&key("service"), service)?;
    }
    for (number, limit) in route.limit.iter().enumerate() {
        possible_limit(&key(&format!("limit.{number}")), limit)?;
    }
    for (number, fault) in route.fault.iter().enumerate() {
        possible_fault(&key(&format!("fault.{number}")), fault)?;
    }
    Ok(())
}

fn possible_limit(key: &str, limit: &Limit) -> Check {
    let amounts = [
        ("requests", limit.requests),
        ("input_tokens", limit.input_tokens),
        ("output_tokens", limit.output_tokens),
        ("tokens", limit.tokens),
        ("spend", limit.spend),
    ];
    let given: Vec<_> = amounts.iter().filter_map(|(name, a)| a.map(|a| (name, a))).collect();
    let [(name, amount)] = given[..] else {
        return problem_with_help(
            key,
            "a limit bounds exactly one amount",
            "give one of requests, input_tokens, output_tokens, tokens, spend",
        );
    };
    if amount.is_nan() || amount <= 0.0 {
        return problem(format!("{key}.{name}"), "a limit must be above zero");
    }
    if limit.per == Nanos::ZERO {
        return problem(format!("{key}.per"), "`per` must be above zero");
    }
    Ok(())
}

fn possible_fault(key: &str, fault: &Fault) -> Check {
    possible_share(&format!("{key}.share"), fault.share.unwrap_or(1.0))?;
    let from = fault.from.unwrap_or_default();
    match fault.until {
        Some(until) if until <= from => problem(
            format!("{key}.until"),
            format!("the fault ends ({until}) before it starts ({from})"),
        ),
        _ => Ok(()),
    }
}

fn possible_thresholds(file: &ExperimentFile) -> Check {
    for (policy, conditions) in &file.thresholds {
        if !file.policies.contains_key(policy) {
            let names: Vec<_> = file.policies.keys().map(String::as_str).collect();
            return problem_with_help(
                format!("thresholds.\"{policy}\""),
                format!("there is no policy `{policy}`"),
                suggest::help(policy, &names),
            );
        }
        for (index, condition) in conditions.iter().enumerate() {
            let key = format!("thresholds.\"{policy}\".{index}");
            let parts: Vec<_> = condition.split_whitespace().collect();
            let [name, "<=" | ">=" | "<" | ">", bound] = parts[..] else {
                let help = "write a metric, <= or >=, and a number: \"amplification <= 1.5\"";
                return problem_with_help(key, "this is not a condition", help);
            };
            if metric::by_name(name).is_none() {
                let names: Vec<_> = metric::ALL.iter().map(|metric| metric.name).collect();
                let near = suggest::nearest(name, names);
                let help = near.map(|near| format!("did you mean `{near}`?"));
                return Err(Problem {
                    key,
                    message: format!("no metric is called `{name}`"),
                    help,
                });
            }
            if !bound.parse().is_ok_and(f64::is_finite) {
                return problem(key, format!("`{bound}` is not a number"));
            }
        }
    }
    Ok(())
}

fn supported(file: &ExperimentFile) -> Check {
    for (key, used) in [
        ("group", !file.group.is_empty()),
        ("warmup", file.warmup != Nanos::ZERO),
        ("network.lost", file.network.lost != 0.0),
        ("network.lost_replies", file.network.lost_replies != 0.0),
        ("route.1", file.route.len() > 1),
        ("thresholds", !file.thresholds.is_empty()),
        ("tune", file.tune.is_some()),
        ("gate", file.gate.is_some()),
    ] {
        if used {
            return not_supported(key);
        }
    }
    if let Some(workload) = &file.workload {
        supported_workload(workload)?;
    }
    if file.network.delay.as_ref().is_some_and(|delay| delay.sampler().is_none()) {
        return not_supported("network.delay");
    }
    file.route.iter().enumerate().try_for_each(|(index, route)| supported_route(index, route))
}

fn supported_workload(workload: &Workload) -> Check {
    let closed = workload.closed.as_ref();
    let requests = closed.and_then(|closed| closed.requests);
    for (key, used) in [
        ("workload.open", workload.open.is_some()),
        ("workload.trace", workload.trace.is_some()),
        ("workload.tokens", workload.tokens.is_some()),
        ("workload.concurrency", workload.concurrency.is_some()),
        (
            "workload.closed.requests",
            requests.is_some_and(|r| r.bound().is_none_or(|n| n.get() != 1)),
        ),
        ("workload.closed.start", closed.is_some_and(|c| !matches!(c.start, Start::Together))),
        ("workload.closed.think", closed.is_some_and(|c| c.think.is_some())),
    ] {
        if used {
            return not_supported(key);
        }
    }
    Ok(())
}

fn supported_route(index: usize, route: &Route) -> Check {
    let key = |rest: &str| format!("route.{index}.{rest}");
    for (name, used) in [
        ("provider", route.provider.is_some()),
        ("table", route.table.is_some()),
        ("workers", route.workers.is_some()),
        ("queue", route.queue.is_some()),
        ("abandoned", route.abandoned.is_some()),
        ("full", route.full.is_some()),
        ("service", route.service.is_some()),
        ("limit", !route.limit.is_empty()),
        ("fault", !route.fault.is_empty()),
    ] {
        if used {
            return not_supported(key(name));
        }
    }
    match route.kind {
        Some(_) => Ok(()),
        None => problem_with_help(
            format!("route.{index}.name"),
            format!("a route with workers and a queue is {NOT_SUPPORTED}"),
            "kind = \"occ\" is: one row under optimistic concurrency control",
        ),
    }
}

fn not_supported(key: impl Into<String>) -> Check {
    let key = key.into();
    let message = format!("`{key}` is {NOT_SUPPORTED}");
    problem(key, message)
}
