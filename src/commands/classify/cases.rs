//! Many replies: an object for each on stdout, what they come to on stderr.

use std::collections::BTreeMap;

use retrial_policy::providers::{Provider, UnknownCodes};
use retrial_policy::replies::Recorded;
use retrial_policy::{Policy, Replay};

use super::answer::Answer;
use super::policy::Assumed;
use super::printable::printable;
use super::score::Score;
use super::summary::Summary;
use super::verdict::Verdict;
use super::{Args, table};
use crate::commands::input::{self, shown};
use crate::commands::{Exit, output};
use crate::experiment::diagnostic::Report;
use crate::experiment::tables::{self, GENERIC};

/// What reads replies of providers without a table: most speak as OpenAI does.
const UNLISTED: &str = "generic_openai";

/// Decides on every case in the file at `path`.
///
/// # Errors
///
/// A line can't be read, or what the flags name can't be used. Nothing was printed then.
pub(super) fn run(args: &Args, path: &str) -> Result<Exit, Report> {
    let mut tables = Tables::new(table::chosen(args)?)?;
    let policies = Policies::new(&Assumed::new(&args.call)?, args.call.replay())?;
    let mut objects = String::new();
    let mut summary = Summary::default();
    let mut score = Score::default();
    let mut unknown = UnknownCodes::default();
    input::lines("the cases", path, |line| {
        let case = Recorded::from_json(line)?;
        let provider = tables.of(&case.provider);
        let verdict = Verdict::of(policies.of(&case), provider, &case.reply);
        objects.push_str(&Answer::of(Some(&case.id), &verdict).line());
        unknown.note(provider.table().name(), &verdict.reading);
        summary.add(&verdict);
        score.add(&case, &verdict);
        Ok(())
    })?;
    for name in tables.unlisted() {
        output::tell(format!(
            "warning: no provider is called `{}`: its replies are read by {UNLISTED}\n",
            printable(name)
        ));
    }
    let score_line = score.line();
    if let Some(line) = score_line.as_ref().filter(|_| !args.print.json) {
        objects.push_str(&format!("{line}\n"));
    }
    let exit = output::print(&objects);
    output::tell(format!("{}{}", summary.text(shown(path), &unknown), score.differences()));
    if let Some(line) = score_line.filter(|_| args.print.json) {
        output::tell(format!("{line}\n"));
    }
    Ok(exit)
}

/// The tables that read the cases.
struct Tables {
    /// One for all of them, if the flags name one.
    chosen: Option<Provider>,
    unlisted_by: Provider,
    /// By the names that cases use; `None` where there is no such table.
    known: BTreeMap<String, Option<Provider>>,
}

impl Tables {
    fn new(chosen: Option<Provider>) -> Result<Self, Report> {
        Ok(Tables { chosen, unlisted_by: table::named(UNLISTED)?, known: BTreeMap::new() })
    }

    fn of(&mut self, name: &str) -> &Provider {
        if let Some(chosen) = &self.chosen {
            return chosen;
        }
        let name = if name.is_empty() { GENERIC } else { name };
        let found =
            self.known.entry(name.to_string()).or_insert_with_key(|name| tables::find(name).ok());
        found.as_ref().unwrap_or(&self.unlisted_by)
    }

    /// Names without a table.
    fn unlisted(&self) -> impl Iterator<Item = &str> {
        let without = self.known.iter().filter(|(_, provider)| provider.is_none());
        without.map(|(name, _)| name.as_str())
    }
}

/// The policy for each kind of call.
struct Policies {
    plain: Policy,
    keyed: Policy,
    safe: Policy,
}

impl Policies {
    fn new(assumed: &Assumed, replay: Replay) -> Result<Self, Report> {
        Ok(Policies {
            plain: assumed.policy(replay)?,
            keyed: assumed.policy(Replay { idempotency_key: true, ..replay })?,
            safe: assumed.policy(Replay { safe: true, ..replay })?,
        })
    }

    /// A call that is safe and has a key is as repeatable as one that has either.
    fn of(&self, case: &Recorded) -> &Policy {
        match (case.replay_safe, case.idempotency_key) {
            (true, _) => &self.safe,
            (false, true) => &self.keyed,
            (false, false) => &self.plain,
        }
    }
}
