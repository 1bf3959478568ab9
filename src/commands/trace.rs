//! `retrial trace`: what the policy decided for chosen logical requests, record by record.

use std::io::{self, IsTerminal};

use annotate_snippets::Level;
use clap::{Args as ClapArgs, ValueEnum};

use super::experiment_argument::MAX_SEED;
use super::{Exit, output};
use crate::experiment::load::{Change, Wanted, load};
use crate::experiment::plan::Plan;
use crate::experiment::suggest;
use crate::report::waterfall::waterfall;
use crate::study::trace::{PolicyTrace, Selection, TraceError, ndjson, trace};

/// Flags of `retrial trace`.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A path, or the name of a packaged experiment [default: thundering-herd]
    experiment: Option<String>,
    /// Only requests of this client, as requests.csv numbers them
    #[arg(long)]
    client: Option<u32>,
    /// Only the request of this number at its client, from 0
    #[arg(long)]
    request: Option<u32>,
    /// Only under this policy
    #[arg(long)]
    policy: Option<String>,
    /// Only requests that ended so
    #[arg(long, value_parser = OUTCOMES)]
    outcome: Option<String>,
    /// Requests of each policy at most: the first by client and number
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Which replication
    #[arg(long, value_name = "N", default_value_t = 0)]
    replication: u64,
    /// Where all random numbers come from
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: Option<u64>,
    /// Threads [default: all cores]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// Change any key of the experiment, such as workload.clients=50
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// What to print [default: table on a terminal, else json]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print results only: no remarks
    #[arg(long, short)]
    quiet: bool,
}

/// How a request can have ended.
const OUTCOMES: [&str; 8] = [
    "succeeded",
    "stopped",
    "gave_up",
    "gave_up_attempts",
    "gave_up_deadline",
    "gave_up_budget",
    "reconciled",
    "unfinished",
];

const EXAMPLES: &str = "\
Examples:
  retrial trace thundering-herd --policy full-jitter --client 3 --request 0
  retrial trace mine.toml --outcome gave_up --limit 5 --format table
  retrial trace exhausted-account --limit 100000 > records.jsonl

A line of JSON is a decision: the fields of the record that production logs, in their order, then
`policy`, `client`, `request`, `layer` (1 is the outermost), `sent_ms` (when the attempt before it
was sent) and `at_ms` (when it was made). `logical_request_id` is that of requests.csv. Of a sweep
the first point is traced; --set picks another.";

/// What goes to stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A waterfall of each request, for people
    #[value(alias = "text")]
    Table,
    /// A decision record a line
    #[value(alias = "ndjson")]
    Json,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let plan = match load(&args.wanted()).and_then(|loaded| Plan::new(&loaded)) {
        Ok(plan) => plan,
        Err(report) => {
            anstream::eprintln!("{}", report.render(Level::ERROR, true));
            return Exit::BadInput;
        }
    };
    let traces = match args
        .selection(&plan)
        .and_then(|selection| trace(&plan, &selection, args.threads.into()))
    {
        Ok(traces) => traces,
        Err(error) => {
            eprintln!("error: {error}");
            return match error {
                TraceError::NoRequest(_) => Exit::BadInput,
                TraceError::Study(_) => Exit::Failed,
            };
        }
    };
    if !args.quiet {
        output::tell(args.remarks(&plan, &traces));
    }
    match args.format() {
        Format::Table => output::print(blocks(&plan, &traces)),
        Format::Json => match ndjson(&plan, &traces) {
            Ok(lines) => output::print(lines),
            Err(error) => {
                eprintln!("error: can't write the records: {error}");
                Exit::Failed
            }
        },
    }
}

impl Args {
    fn wanted(&self) -> Wanted {
        let sets = self.set.iter().map(|text| Change { flag: "--set", text: text.clone() });
        let seed = self.seed.map(|n| Change { flag: "--seed", text: format!("seed={n}") });
        Wanted {
            experiment: self.experiment.clone(),
            changes: sets.chain(seed).collect(),
            ..Wanted::default()
        }
    }

    fn selection(&self, plan: &Plan) -> Result<Selection, TraceError> {
        let index = |name: &String| {
            plan.policies.iter().position(|policy| policy == name).ok_or_else(|| {
                let names: Vec<_> = plan.policies.iter().map(String::as_str).collect();
                let help = suggest::help(name, &names);
                TraceError::NoRequest(format!("there is no policy `{name}`: {help}"))
            })
        };
        Ok(Selection {
            policy: self.policy.as_ref().map(index).transpose()?,
            replication: self.replication,
            client: self.client,
            request: self.request,
            outcome: self.outcome.clone(),
            limit: usize::try_from(self.limit).unwrap_or(usize::MAX),
        })
    }

    /// A person reads a terminal, a program anything else.
    fn format(&self) -> Format {
        let own = if io::stdout().is_terminal() { Format::Table } else { Format::Json };
        self.format.unwrap_or(own)
    }

    /// What is not among the results: the other points of a sweep, and the other requests.
    fn remarks(&self, plan: &Plan, traces: &[PolicyTrace]) -> String {
        let mut text = String::new();
        if let [first, _, ..] = &plan.points[..] {
            let values = plan.axes.iter().zip(&first.values);
            let place: Vec<_> =
                values.map(|(axis, value)| format!("{axis}={}", value.text)).collect();
            text.push_str(&format!(
                "note: traced at {}, the first of {} points; --set KEY=VALUE picks another\n",
                place.join(", "),
                plan.points.len()
            ));
        }
        for PolicyTrace { policy, requests, more } in traces {
            let name = &plan.policies[*policy];
            let shown = requests.len();
            if *more > 0 {
                text.push_str(&format!(
                    "note: {shown} of {} requests of `{name}` shown; --limit, --client, --request \
                     and --outcome choose\n",
                    shown + more
                ));
            } else if shown == 0 {
                text.push_str(&format!("note: no request of `{name}` matches\n"));
            }
        }
        text
    }
}

/// A waterfall for each request, with a line between.
fn blocks(plan: &Plan, traces: &[PolicyTrace]) -> String {
    let width = width();
    let blocks = traces.iter().flat_map(|PolicyTrace { policy, requests, .. }| {
        let name = &plan.policies[*policy];
        requests.iter().map(move |request| waterfall(name, request, width) + "\n")
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// The width that lines should have: what COLUMNS says, else the terminal's.
fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || console::Term::stdout().size_checked().map(|(_, columns)| columns.into());
    said.or_else(measured).unwrap_or(DEFAULT_WIDTH)
}

/// The width where there is no terminal.
const DEFAULT_WIDTH: usize = 100;
