//! EXPERIMENT on a command line, and the flags that change it.

use annotate_snippets::Level;
use clap::Args;

use crate::experiment::diagnostic::Report;
use crate::experiment::load::{Change, Loaded, Wanted, load};
use crate::experiment::plan::Plan;
use crate::experiment::schema::Precision;
use crate::experiment::sweep::SweepFlag;

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
    /// Run each point until figures are so exact: 5%, or 5%:400 with a cap on replications
    #[arg(long, value_name = "PERCENT[:MAX]", value_parser = stop)]
    stop: Option<String>,
    /// Threads [default: all cores]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// Change any key of the experiment, such as workload.clients=50
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Vary a key, such as workload.clients=50,100,200, or over a range with
    /// 'policies.*.backoff.base=50ms:800ms:log5' (lin4 and 4: equal steps)
    #[arg(long = "param", short = 'P', value_name = "KEY=VALUES")]
    params: Vec<String>,
    /// Draw points from the swept ranges and lists instead of combining all steps: sobol:64,
    /// lhs:64 (Latin hypercube) or random:64
    #[arg(long, value_name = "DESIGN:POINTS")]
    sample: Option<String>,
    /// Refuse an experiment of more runs than this
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_runs: Option<u64>,
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
        load(&Wanted { against: against.map(str::to_string), ..self.wanted(experiment) })
    }

    /// Loads an experiment with these changes, of which two policies are of interest.
    ///
    /// # Errors
    ///
    /// As [`load`].
    pub fn load_two(&self, experiment: &str, policies: [&str; 2]) -> Result<Loaded, Report> {
        let chosen = policies.map(str::to_string).to_vec();
        load(&Wanted { chosen, ..self.wanted(Some(experiment)) })
    }

    fn wanted(&self, experiment: Option<&str>) -> Wanted {
        let sets = self.set.iter().map(|text| Change { flag: "--set", text: text.clone() });
        let seed = self.seed.map(|n| Change { flag: "--seed", text: format!("seed={n}") });
        let replications = self
            .replications
            .map(|n| Change { flag: "--replications", text: format!("replications={n}") });
        let stop =
            self.stop.as_ref().map(|stop| Change { flag: "--stop", text: format!("stop={stop}") });
        Wanted {
            experiment: experiment.map(str::to_string),
            changes: sets.chain(seed).chain(replications).chain(stop).collect(),
            sweep: self.sweep(),
            ..Wanted::default()
        }
    }

    /// What is to be swept.
    fn sweep(&self) -> Vec<SweepFlag> {
        let params = self.params.iter().cloned().map(SweepFlag::Param);
        let sample = self.sample.iter().cloned().map(SweepFlag::Sample);
        params.chain(sample).chain(self.max_runs.map(SweepFlag::MaxRuns)).collect()
    }

    /// The first flag that is given and changes an experiment.
    pub fn change(&self) -> Option<&'static str> {
        let flags = [
            ("--seed", self.seed.is_some()),
            ("--replications", self.replications.is_some()),
            ("--stop", self.stop.is_some()),
            ("--set", !self.set.is_empty()),
            ("--param", !self.params.is_empty()),
            ("--sample", self.sample.is_some()),
            ("--max-runs", self.max_runs.is_some()),
        ];
        flags.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }

    /// Threads; 0 for all cores.
    pub fn threads(&self) -> usize {
        self.threads.into()
    }
}

/// The value of `stop` that `--stop` stands for.
fn stop(text: &str) -> Result<String, String> {
    let (percent, max) = text.split_once(':').map_or((text, None), |(p, max)| (p, Some(max)));
    percent.parse::<Precision>()?;
    let max = match max.map(str::parse::<u32>) {
        None => String::new(),
        Some(Ok(max)) => format!(", max = {max}"),
        Some(Err(_)) => return Err("the cap on replications is no whole number".to_string()),
    };
    Ok(format!("{{ half_width = \"{percent}\"{max} }}"))
}

/// Tells the warnings and notes of a plan on stderr.
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
