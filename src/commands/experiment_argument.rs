//! EXPERIMENT on a command line, and the flags that change it.

use annotate_snippets::Level;
use clap::Args;

use crate::experiment::diagnostic::Report;
use crate::experiment::load::{Change, Loaded, Wanted, load};
use crate::experiment::plan::Plan;

/// The largest seed that an experiment file can hold: TOML's whole numbers are signed.
pub const MAX_SEED: u64 = i64::MAX as u64;

/// Which experiment, and what to change in it.
#[derive(Debug, Args)]
pub struct ExperimentArgument {
    /// A path, or the name of a packaged experiment [default: thundering-herd]
    experiment: Option<String>,
    #[command(flatten)]
    flags: ExperimentFlags,
}

/// What to change in an experiment, and how many threads it may take.
#[derive(Debug, Args)]
pub struct ExperimentFlags {
    /// Where all random numbers come from
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: Option<u64>,
    /// Runs of each policy at each point
    #[arg(long)]
    replications: Option<u32>,
    /// Threads [default: all cores]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// Change any key of the experiment, such as workload.clients=50
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl ExperimentArgument {
    /// The plan of the experiment, compared with the policy `against`; warnings and notes go to
    /// stderr unless `quiet`. `None` if there is a fault, which stderr then tells.
    pub fn plan(&self, against: Option<&str>, quiet: bool) -> Option<Plan> {
        let loaded = self.flags.load(self.experiment.as_deref(), against);
        let plan = loaded.and_then(|loaded| Plan::new(&loaded)).map_err(|fault| show(&fault));
        let plan = plan.ok()?;
        if !quiet {
            remark(&plan);
        }
        Some(plan)
    }

    /// Threads; 0 for all cores.
    pub fn threads(&self) -> usize {
        self.flags.threads()
    }
}

impl ExperimentFlags {
    /// Loads an experiment with these changes.
    ///
    /// # Errors
    ///
    /// As [`load`].
    pub fn load(&self, experiment: Option<&str>, against: Option<&str>) -> Result<Loaded, Report> {
        let sets = self.set.iter().map(|text| Change { flag: "--set", text: text.clone() });
        let seed = self.seed.map(|n| Change { flag: "--seed", text: format!("seed={n}") });
        let replications = self
            .replications
            .map(|n| Change { flag: "--replications", text: format!("replications={n}") });
        load(&Wanted {
            experiment: experiment.map(str::to_string),
            changes: sets.chain(seed).chain(replications).collect(),
            against: against.map(str::to_string),
        })
    }

    /// Threads; 0 for all cores.
    pub fn threads(&self) -> usize {
        self.threads.into()
    }
}

/// Tells on stderr what is probably not meant, and what was done to the input.
pub fn remark(plan: &Plan) {
    for warning in &plan.warnings {
        anstream::eprintln!("{}\n", warning.render(Level::WARNING, true));
    }
    for note in &plan.notes {
        eprintln!("note: {note}");
    }
}

/// Shows a fault on stderr.
pub fn show(fault: &Report) {
    anstream::eprintln!("{}", fault.render(Level::ERROR, true));
}
