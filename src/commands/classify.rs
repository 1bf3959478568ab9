//! `retrial classify`: what a reply means and what a policy does about it, by the very code that
//! production links.

mod answer;
mod cases;
mod explanation;
mod policy;
mod printable;
mod reply;
mod score;
mod summary;
pub(super) mod table;
mod verdict;
mod wait;

use annotate_snippets::Level;
use clap::Args as ClapArgs;

use self::answer::Answer;
use self::policy::Assumed;
use self::verdict::Verdict;
use super::{Exit, output};
use crate::experiment::diagnostic::Report;
use crate::experiment::tables::GENERIC;

/// Flags of `retrial classify`.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Whose table reads the reply; `retrial providers` lists them [default: generic, or of each
    /// case its own]
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// A table of your own; it extends that of --provider unless it says otherwise
    #[arg(long, value_name = "FILE")]
    table: Option<String>,
    #[command(flatten, next_help_heading = "The reply")]
    reply: reply::ReplyFlags,
    #[command(flatten, next_help_heading = "The call and its policy")]
    call: policy::CallFlags,
    #[command(flatten, next_help_heading = "What to print")]
    print: Print,
}

/// How the answer is printed, and for how many replies.
#[derive(Debug, ClapArgs)]
struct Print {
    /// Print one JSON object instead of an explanation; with --cases, nothing but objects on stdout
    #[arg(long)]
    json: bool,
    /// Read many replies, one JSON object a line (`-` is stdin), and print a JSON object for each.
    /// Counts go to stderr; where the lines say what is right, a score ends the output
    #[arg(
        long,
        value_name = "FILE.jsonl",
        conflicts_with_all = ["status", "header", "body", "stream", "transport", "sent"]
    )]
    cases: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  retrial classify --provider openai --status 429 --header 'retry-after: 20' --body reply.json
  curl -sN … | retrial classify --provider anthropic --stream -
  retrial classify --transport read_timeout --idempotency-key
  retrial classify --cases errors.jsonl --policy mine.toml > decisions.jsonl

A line of a file of cases holds `provider`, `status` (null for a failed connection), `headers` and
`body` (JSON, or text in a string; of a failed connection {\"transport\": \"read_timeout\"}), or
`stream`: the events, each with `event` and `data`. `id`, `idempotency_key`, `replay_safe`,
`expect_class`, `expect_action` and `retry_after_s` may be there too. The first failure of a call is
decided; budgets, which count over many calls, play no part.";

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let done = match &args.print.cases {
        Some(path) => cases::run(args, path),
        None => one(args),
    };
    done.unwrap_or_else(|report| {
        anstream::eprintln!("{}", report.render(Level::ERROR, true));
        Exit::BadInput
    })
}

/// Explains one reply.
fn one(args: &Args) -> Result<Exit, Report> {
    let provider = table::chosen(args)?.map_or_else(|| table::named(GENERIC), Ok)?;
    let policy = Assumed::new(&args.call)?.policy(args.call.replay())?;
    let reply = args.reply.reply()?;
    let verdict = Verdict::of(&policy, &provider, &reply);
    Ok(output::print(match args.print.json {
        true => Answer::of(None, &verdict).line(),
        false => explanation::of(&policy, &verdict),
    }))
}
