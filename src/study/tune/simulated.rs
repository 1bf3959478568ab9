//! The trial by simulation: candidates are policies, each put into every experiment.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::goal::Standing;
use super::trial::{Sample, Trial};
use crate::experiment::cell::Cell;
use crate::experiment::cells::Cells;
use crate::experiment::diagnostic::{Diagnostic, Report};
use crate::experiment::load::Loaded;
use crate::experiment::node::{Key, Node, Table, Value};
use crate::experiment::scenario::Worlds;
use crate::experiment::space::Space;
use crate::experiment::sweep::Sweep;
use crate::measure::metric::MetricRow;
use crate::model::run_id::RunId;
use crate::study::planned_cell::PlannedCell;
use crate::study::runner::{Progress, StudyError, pool};
use crate::study::unit::{REPLICATIONS, Run, Store, Unit};

/// Runs of one policy by experiment and replication.
pub type Rows = Vec<Vec<Run>>;

/// An experiment whose policy is to be chosen.
pub struct Stage {
    /// What is run, with no policy in the place of the one to choose.
    root: Node,
    /// The policy's place.
    slot: Key,
    worlds: Worlds,
    seed: u64,
}

/// The trial by simulation.
pub struct Simulated<'a> {
    /// One an experiment.
    pub stages: Vec<Stage>,
    /// The policy that points change.
    pub start: Node,
    /// The keys they change.
    pub space: Space,
    /// Of each column of a sample, its experiment and metric.
    pub columns: Vec<(usize, usize)>,
    /// Policies by point, ready to run.
    cells: BTreeMap<Vec<u64>, Option<Vec<Cell>>>,
    store: Store,
    pool: rayon::ThreadPool,
    progress: &'a dyn Progress,
    runs: u64,
}

impl Stage {
    /// The experiment, whose policy called `slot` is to be chosen.
    ///
    /// # Errors
    ///
    /// It sweeps something.
    pub fn of(loaded: &Loaded, slot: &str, seed: u64) -> Result<Stage, Report> {
        let of = |loaded: &Loaded| {
            let mut root = loaded.root.clone();
            let sweep = Sweep::of(&root, seed)?;
            let [values] = &sweep.points[..] else {
                let several = sweep.axes.first();
                let message = "the experiment is swept: tuning is for one point";
                let help = several.map_or(String::new(), |(path, _)| {
                    format!("give each axis one value: --set '{path}=…'")
                });
                return Err(Diagnostic::new(message)
                    .at(several.map(|(_, place)| *place))
                    .help(help));
            };
            for ((path, place), value) in sweep.axes.iter().zip(values) {
                path.set(&mut root, value, *place)?;
            }
            Ok(root)
        };
        let root = of(loaded).map_err(|diagnostic| diagnostic.report(&loaded.sources))?;
        let named = groups_policies(&root);
        let mut root = root.without(&["sweep", "thresholds", "tune", "gate"]);
        // Only what groups name themselves runs beside the policy to choose.
        let policies = root.as_table_mut().and_then(|table| table.get_mut("policies"));
        if let Some(policies) = policies.and_then(Node::as_table_mut) {
            let kept = policies.iter().filter(|(key, _)| named.contains(&key.name));
            let kept: Table = kept.map(|(key, node)| (key.clone(), node.clone())).collect();
            *policies = kept;
        }
        let slot = Key { name: slot.to_string(), place: root.place };
        Ok(Stage { root, slot, worlds: Worlds::of(&loaded.folder), seed })
    }

    /// The policy in this experiment, ready to run.
    ///
    /// # Errors
    ///
    /// It is no valid policy, or can't run here.
    pub fn cell(&self, policy: &Node) -> Result<Cell, Diagnostic> {
        self.cell_in(&self.root, policy)
    }

    /// The same with another world.
    ///
    /// # Errors
    ///
    /// As [`Stage::cell`], or the world is impossible.
    pub fn cell_in_world(
        &self,
        change: impl Fn(&Node) -> Node,
        policy: &Node,
    ) -> Result<Cell, Diagnostic> {
        self.cell_in(&change(&self.root), policy)
    }

    fn cell_in(&self, root: &Node, policy: &Node) -> Result<Cell, Diagnostic> {
        let mut root = root.clone();
        let policies = root.as_table_mut().and_then(|table| table.get_mut("policies"));
        if let Some(policies) = policies.and_then(Node::as_table_mut) {
            // The policy may come from a text that this experiment does not know.
            policies.insert(self.slot.clone(), policy.placed(self.slot.place));
        }
        let names: Vec<_> = root.entries("policies").map(|(name, _)| name).collect();
        let index = names.iter().position(|name| *name == self.slot.name).unwrap_or(0);
        let mut cells = Cells::of(&self.worlds).at_point(&root, 0)?;
        Ok(cells.swap_remove(index))
    }

    /// Runs of this experiment have this seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// The policies that groups name themselves.
fn groups_policies(root: &Node) -> Vec<String> {
    let groups = root.as_table().and_then(|table| table.get("group")).map(|node| &node.value);
    let Some(Value::Array(groups)) = groups else { return Vec::new() };
    let named = groups.iter().filter_map(|group| group.as_table()?.get("policy")?.as_str());
    named.map(str::to_string).collect()
}

impl<'a> Simulated<'a> {
    /// A trial on all cores, or so many `threads`; runs are kept in the folder `units`.
    ///
    /// # Errors
    ///
    /// The folder can't be made, or the threads not be started.
    pub fn new(
        stages: Vec<Stage>,
        (start, space): (Node, Space),
        columns: Vec<(usize, usize)>,
        (units, threads): (PathBuf, usize),
        progress: &'a dyn Progress,
    ) -> Result<Self, StudyError> {
        let store = Store::open(units.clone()).map_err(|error| StudyError::Write(units, error))?;
        let (cells, pool) = (BTreeMap::new(), pool(threads)?);
        Ok(Simulated { stages, start, space, columns, cells, store, pool, progress, runs: 0 })
    }

    /// A policy in every experiment, ready to run.
    ///
    /// # Errors
    ///
    /// It is no valid policy, or can't run in one of them.
    pub fn cells(&self, policy: &Node) -> Result<Vec<Cell>, Diagnostic> {
        self.stages.iter().map(|stage| stage.cell(policy)).collect()
    }

    /// The policy at a point; `None` if it is invalid.
    pub fn policy(&self, point: &[f64]) -> Option<Node> {
        self.space.apply(&self.start, point).ok()
    }

    /// Runs that results were taken from so far, kept ones included.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The columns of a policy's rows.
    pub fn samples(&self, rows: &Rows) -> Vec<Sample> {
        let replications = rows.iter().map(Vec::len).min().unwrap_or(0);
        let sample = |replication: usize| {
            let columns = self.columns.iter();
            columns
                .map(|(stage, metric)| rows[*stage][replication].metrics.values()[*metric])
                .collect()
        };
        (0..replications).map(sample).collect()
    }

    /// Runs each of `cells`, one with a seed, in its replications: rows in their order. A run that
    /// stands still, retrying without delay or bound, has no metrics.
    ///
    /// # Errors
    ///
    /// A unit can't be written.
    pub fn measure(
        &mut self,
        cells: &[(&Cell, u64, Range<u64>)],
    ) -> Result<Vec<Vec<Run>>, StudyError> {
        // Cells with the same content share a file: each is made once, as far as any needs it.
        let mut blocks: BTreeMap<PathBuf, Block<'_>> = BTreeMap::new();
        let planned: Vec<_> = cells.iter().map(|(cell, ..)| PlannedCell::of(cell)).collect();
        for ((cell, seed, replications), planned) in cells.iter().zip(&planned) {
            for unit in units(replications) {
                let path = self.store.path(planned, unit);
                let block = blocks.entry(path).or_insert(Block { cell, seed: *seed, unit });
                block.unit.count = block.unit.count.max(unit.count);
            }
            self.runs += replications.end - replications.start;
        }
        let Simulated { store, progress, .. } = &*self;
        let made: BTreeMap<PathBuf, Vec<Run>> = self.pool.install(|| {
            let blocks: Vec<_> = blocks.into_iter().collect();
            let blocks = blocks.into_par_iter().with_max_len(1);
            let made = blocks.map(|(path, block)| {
                let runs = block.complete(store, &path, *progress)?;
                Ok((path, runs))
            });
            made.collect::<Result<_, StudyError>>()
        })?;
        let rows = |((_, _, replications), planned): (&(&Cell, u64, Range<u64>), _)| {
            let of_unit = |unit: Unit| {
                let runs = &made[&self.store.path(planned, unit)];
                let from = replications.start.max(unit.first) - unit.first;
                runs[from as usize..unit.count as usize].iter().cloned()
            };
            units(replications).flat_map(of_unit).collect()
        };
        Ok(cells.iter().zip(&planned).map(rows).collect())
    }

    /// Runs policies, each in every experiment.
    ///
    /// # Errors
    ///
    /// As [`Simulated::measure`].
    pub fn rows(&mut self, policies: &[(&[Cell], Range<u64>)]) -> Result<Vec<Rows>, StudyError> {
        let seeds: Vec<u64> = self.stages.iter().map(Stage::seed).collect();
        let jobs: Vec<_> = policies
            .iter()
            .flat_map(|(cells, replications)| {
                let pairs = cells.iter().zip(&seeds);
                pairs.map(|(cell, seed)| (cell, *seed, replications.clone()))
            })
            .collect();
        let mut rows = self.measure(&jobs)?.into_iter();
        Ok(policies.iter().map(|(cells, _)| rows.by_ref().take(cells.len()).collect()).collect())
    }
}

/// The units that have these replications, each as far as they go.
fn units(replications: &Range<u64>) -> impl Iterator<Item = Unit> {
    let Range { start, end } = replications.clone();
    let first = start / REPLICATIONS * REPLICATIONS;
    let firsts = (first..end).step_by(REPLICATIONS as usize);
    firsts.map(move |first| Unit { cell: 0, first, count: REPLICATIONS.min(end - first) })
}

struct Block<'a> {
    cell: &'a Cell,
    seed: u64,
    unit: Unit,
}

impl Block<'_> {
    /// Its runs: those that are kept, and the missing ones made and kept, too.
    fn complete(
        &self,
        store: &Store,
        path: &Path,
        progress: &dyn Progress,
    ) -> Result<Vec<Run>, StudyError> {
        let mut kept = store.read(path);
        let Unit { first, count, .. } = self.unit;
        let (mut made, mut stood_still) = (false, false);
        for replication in first + kept.runs.len() as u64..first + count {
            let run = RunId { seed: self.seed, replication };
            // A unit is the same whoever makes it: `run` finds here what it would have made itself.
            match self.cell.measure(run, replication == 0) {
                Ok(measurements) => kept.push(measurements),
                Err(_) => {
                    stood_still = true;
                    let (metrics, layers) = (MetricRow::default(), Default::default());
                    kept.runs.push(Run { metrics, fingerprint: 0, layers });
                }
            }
            made = true;
            progress.ran();
        }
        if made && !stood_still {
            store.write(path, &kept).map_err(|e| StudyError::Write(path.to_path_buf(), e))?;
        }
        Ok(kept.runs)
    }
}

impl Trial for Simulated<'_> {
    type Error = StudyError;

    fn choices(&self) -> Vec<Option<usize>> {
        self.space.dimensions.iter().map(|dimension| dimension.choices()).collect()
    }

    fn snap(&self, point: &[f64]) -> Vec<f64> {
        self.space.snap(point)
    }

    fn is_valid(&self, point: &[f64]) -> bool {
        self.policy(point).is_some_and(|policy| self.cells(&policy).is_ok())
    }

    fn sample(&mut self, points: &[(&[f64], Range<u64>)]) -> Result<Vec<Vec<Sample>>, StudyError> {
        let bits = |point: &[f64]| point.iter().map(|share| share.to_bits()).collect::<Vec<_>>();
        for (point, _) in points {
            if !self.cells.contains_key(&bits(point)) {
                let cells = self.policy(point).and_then(|policy| self.cells(&policy).ok());
                self.cells.insert(bits(point), cells);
            }
        }
        let all = std::mem::take(&mut self.cells);
        let policies: Vec<_> = points
            .iter()
            .map(|(point, replications)| {
                let cells = all.get(&bits(point)).and_then(Option::as_deref).unwrap_or_default();
                (cells, replications.clone())
            })
            .collect();
        let rows = self.rows(&policies);
        self.cells = all;
        Ok(rows?.iter().map(|rows| self.samples(rows)).collect())
    }

    fn leads(&mut self, point: &[f64], standing: &Standing) {
        let values = self.space.dimensions.iter().zip(self.space.values(point));
        let values =
            values.map(|(dimension, value)| format!("{} = {}", dimension.path, value.to_inline()));
        let objective = standing.objective.and_then(|objective| objective.mean);
        let how = match objective {
            Some(ratio) if standing.is_feasible() => format!("{:.0} % of today's", 100.0 * ratio),
            _ => "no candidate keeps the constraints yet".to_string(),
        };
        let values: Vec<_> = values.collect();
        self.progress.leads(&format!("best: {how} ({})", values.join(", ")));
    }
}
