//! From the file to the world of a run.

mod population;
mod provider;
mod reply;
mod route;

pub(super) use self::reply::broken_stream;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use retrial_policy::config::OrUnlimited;
use retrial_policy::providers::{Provider, UnknownCodes};
use retrial_policy::{Instant, Nanos};

use super::check::problem::Problem;
use super::empirical::{ColumnOf, read_column};
use super::files::{DataFiles, Folder};
use super::schema::{CountForm, DistributionForm, Empirical, ExperimentFile, Form, Unit};
use super::trace_file;
use crate::engine::distribution::Distribution;
use crate::model::network::Network;
use crate::model::reply::Replies;
use crate::model::scenario::Scenario;
use crate::model::trace::Trace;

/// What the worlds of all points of one experiment share.
#[derive(Debug)]
pub struct Worlds {
    traces: DataFiles<Trace>,
    columns: DataFiles<[u64]>,
    tables: DataFiles<Provider>,
    /// Codes of replies that no table knows.
    unknown: RefCell<UnknownCodes>,
}

impl Worlds {
    /// Those of an experiment in `folder`.
    pub fn of(folder: &Folder) -> Self {
        Worlds {
            traces: DataFiles::of(folder.clone()),
            columns: DataFiles::of(folder.clone()),
            tables: DataFiles::of(folder.clone()),
            unknown: RefCell::default(),
        }
    }

    /// The data files read so far, with the hash of their content.
    pub fn files(&self) -> BTreeMap<String, String> {
        let mut files = self.traces.hashes();
        files.extend(self.columns.hashes());
        files.extend(self.tables.hashes());
        files
    }

    /// What was done to data files before they were used, and codes that no table knows.
    pub fn notes(&self) -> Vec<String> {
        let coarse = self.traces.all().into_iter().filter(|(_, trace)| trace.tick != Nanos::ZERO);
        let note = |(path, trace): (String, Arc<Trace>)| {
            format!(
                "the times in {path} lie on a tick of about {}: its rows are spread over their \
                 tick at random",
                trace.tick
            )
        };
        let unknown = self.unknown.borrow();
        let unread = unknown.iter().map(|(provider, code, _)| {
            format!(
                "a reply says `{code}`, which the table of {provider} does not know: what else it \
                 says has decided"
            )
        });
        coarse.map(note).chain(unread).collect()
    }

    /// The world that `file` describes.
    ///
    /// # Errors
    ///
    /// A reply that is not in the catalogue, or a data file that can't be read.
    pub(super) fn build(&self, file: &ExperimentFile) -> Result<Scenario, Problem> {
        let mut replies = Replies::default();
        let delay = match &file.network.delay {
            None => Distribution::ZERO,
            Some(form) => self.duration("network.delay", form)?,
        };
        let routes = file.route.iter().enumerate();
        let routes = routes.map(|(index, route)| self.route(index, route, &mut replies));
        let routes = routes.collect::<Result<_, _>>()?;
        let populations = match &file.workload {
            Some(workload) => vec![self.population("workload", workload)?],
            None => {
                let groups = file.group.iter().enumerate();
                let built = groups.map(|(index, group)| {
                    self.population(&format!("group.{index}"), &group.into())
                });
                built.collect::<Result<_, _>>()?
            }
        };
        let stop_after = file.stop_after.and_then(OrUnlimited::bound);
        Ok(Scenario {
            populations,
            network: Network {
                delay,
                lost: file.network.lost,
                lost_replies: file.network.lost_replies,
            },
            routes,
            replies,
            stop_after: stop_after.map_or(Instant::MAX, instant),
            warmup: instant(file.warmup),
            bin: file.bin,
        })
    }

    fn trace(&self, key: &str, path: &str) -> Result<Arc<Trace>, Problem> {
        let parse = |text: &str| trace_file::parse(text).map(Arc::new);
        self.traces.get(path, "", parse).map_err(|fault| Problem {
            key: format!("{key}.file"),
            message: format!("can't replay the trace `{path}`: {fault}"),
            help: None,
        })
    }

    fn duration(&self, key: &str, form: &DistributionForm) -> Result<Distribution, Problem> {
        self.law(key, form, ColumnOf::Durations)
    }

    fn count(&self, key: &str, form: &CountForm) -> Result<Distribution, Problem> {
        self.law(key, form, ColumnOf::Counts)
    }

    fn law<U: Unit>(
        &self,
        key: &str,
        form: &Form<U>,
        of: ColumnOf,
    ) -> Result<Distribution, Problem> {
        let values = match form.empirical() {
            None => None,
            Some(Empirical { file, column }) => {
                let read = |text: &str| read_column(text, column, of);
                let values = self.columns.get(file, column, read).map_err(|fault| Problem {
                    key: format!("{key}.empirical"),
                    message: format!("can't draw from `{file}`: {fault}"),
                    help: None,
                })?;
                Some(Arc::clone(&values))
            }
        };
        form.sampler(&|_| values.clone()).ok_or_else(|| Problem {
            key: key.to_string(),
            message: "time per token is for the service of a route, which knows the request"
                .to_string(),
            help: None,
        })
    }
}

fn instant(since_start: Nanos) -> Instant {
    Instant::from_nanos(0).saturating_add(since_start)
}
