//! One experiment and one seed give the same bytes: with any number of threads, interrupted and
//! resumed or not, in debug and in release.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use retrial::engine::distribution::Distribution;
use retrial::experiment::plan::Plan;
use retrial::measure::metric::Id;
use retrial::measure::recorder::{Measurements, measure};
use retrial::model::network::Network;
use retrial::model::population::{Closed, Population, Workload};
use retrial::model::reply::Replies;
use retrial::model::route::Route;
use retrial::model::run_id::RunId;
use retrial::model::scenario::Scenario;
use retrial::model::subject::PolicyOnTrial;
use retrial::study::files::{File, data_files};
use retrial::study::results::Results;
use retrial::study::runner::{self, Options, Progress};
use retrial_policy::{Instant, Nanos, Policy};
use tempfile::TempDir;

/// Five policies at two points.
const CELLS: u64 = 10;

/// The packaged experiment, made small.
fn plan(replications: u64, changes: &[&str]) -> Plan {
    let replications = format!("replications={replications}");
    let small = ["sweep.\"workload.clients\"=[10, 20]", &replications];
    let plan = support::aws_occ(&[&small, changes].concat());
    assert_eq!(plan.cells.len() as u64, CELLS);
    plan
}

/// Counts runs as the progress bar does.
#[derive(Default)]
struct Counter {
    runs: AtomicU64,
    kept: AtomicU64,
    made: AtomicU64,
}

impl Progress for Counter {
    fn begin(&self, runs: u64, kept: u64) {
        self.runs.store(runs, Ordering::Relaxed);
        self.kept.store(kept, Ordering::Relaxed);
    }

    fn ran(&self) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }
}

/// What a study left behind.
struct Study {
    files: Vec<File>,
    fingerprint: String,
    /// Runs that were there, and runs that were made.
    kept: u64,
    made: u64,
}

fn study(plan: &Plan, threads: usize, units: &Path) -> Study {
    let counter = Counter::default();
    let options = Options { threads, units: units.to_path_buf() };
    let results = Results::new(plan, runner::run(plan, &options, &counter).unwrap());
    let (kept, made) = (counter.kept.into_inner(), counter.made.into_inner());
    assert_eq!(kept + made, counter.runs.into_inner(), "every run is kept or made");
    let fingerprint = results.fingerprint.to_string();
    Study { files: data_files(plan, &results).unwrap(), fingerprint, kept, made }
}

/// Where no study has been.
fn fresh(plan: &Plan) -> Study {
    let folder = TempDir::new().unwrap();
    let study = study(plan, 2, &folder.path().join("units"));
    assert_eq!(study.kept, 0);
    study
}

/// File by file, for a message that does not print them whole.
fn assert_same_files(got: &Study, expected: &Study) {
    assert_eq!(got.files.len(), expected.files.len());
    for (got, expected) in got.files.iter().zip(&expected.files) {
        assert_eq!(got.0, expected.0);
        assert!(got.1 == expected.1, "{} differs", got.0);
    }
}

fn unit_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.collect();
    paths.sort();
    paths
}

#[test]
fn the_number_of_threads_does_not_show() {
    let plan = plan(12, &[]);
    let folder = TempDir::new().unwrap();
    let [one, two, eight] =
        [1, 2, 8].map(|threads| study(&plan, threads, &folder.path().join(threads.to_string())));
    assert_eq!((one.made, two.made, eight.made), (120, 120, 120));
    assert_same_files(&two, &one);
    assert_same_files(&eight, &one);
    let names: Vec<_> = one.files.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["runs.csv", "summary.csv", "arrivals.csv", "manifest.json"]);
    assert!(one.files.iter().all(|(_, bytes)| !bytes.is_empty()));
}

#[test]
fn a_finished_study_is_not_run_again() {
    let plan = plan(12, &[]);
    let folder = TempDir::new().unwrap();
    let first = study(&plan, 2, folder.path());
    let second = study(&plan, 2, folder.path());
    assert_eq!((second.kept, second.made), (120, 0));
    assert_same_files(&second, &first);
}

/// A unit holds ten replications, so twelve make a whole and a short one for each cell. One unit
/// file is lost and one was cut off by a crash; what a stranger left is cleared away.
#[test]
fn an_interrupted_study_makes_only_the_missing_runs() {
    let plan = plan(12, &[]);
    let folder = TempDir::new().unwrap();
    let whole = study(&plan, 2, folder.path());
    let units = unit_files(folder.path());
    assert_eq!(units.len() as u64, 2 * CELLS);
    let starts_at =
        |ending: &str| units.iter().find(|path| path.to_string_lossy().ends_with(ending)).unwrap();
    fs::remove_file(starts_at("-000000.json")).unwrap();
    let short = starts_at("-000010.json");
    let bytes = fs::read(short).unwrap();
    fs::write(short, &bytes[..bytes.len() / 2]).unwrap();
    fs::write(
        folder.path().join("0123456789abcdef01234567-000000.json.4711.partial"),
        "{\"runs\": [",
    )
    .unwrap();

    let resumed = study(&plan, 2, folder.path());
    assert_eq!((resumed.kept, resumed.made), (108, 12));
    assert_same_files(&resumed, &whole);
    assert_eq!(unit_files(folder.path()), units);
}

#[test]
fn more_replications_reuse_those_that_exist() {
    let folder = TempDir::new().unwrap();
    study(&plan(12, &[]), 2, folder.path());
    let more = plan(25, &[]);
    let raised = study(&more, 2, folder.path());
    assert_eq!((raised.kept, raised.made), (12 * CELLS, 13 * CELLS));
    assert_same_files(&raised, &fresh(&more));
}

#[test]
fn fewer_replications_are_the_first_of_them() {
    let folder = TempDir::new().unwrap();
    study(&plan(25, &[]), 2, folder.path());
    let fewer = plan(12, &[]);
    let lowered = study(&fewer, 2, folder.path());
    assert_eq!((lowered.kept, lowered.made), (12 * CELLS, 0));
    assert_same_files(&lowered, &fresh(&fewer));
}

#[test]
fn a_changed_policy_runs_again_and_the_others_do_not() {
    let folder = TempDir::new().unwrap();
    study(&plan(12, &[]), 2, folder.path());
    let changed = plan(12, &["policies.full.backoff.base=\"20ms\""]);
    let after = study(&changed, 2, folder.path());
    assert_eq!((after.kept, after.made), (96, 24), "two of ten cells changed");
    assert_same_files(&after, &fresh(&changed));
}

#[test]
fn a_title_changes_no_run_and_a_seed_changes_all() {
    let folder = TempDir::new().unwrap();
    let before = study(&plan(12, &[]), 2, folder.path());
    let renamed = study(&plan(12, &["title=\"Another\""]), 2, folder.path());
    assert_eq!((renamed.kept, renamed.made), (120, 0));
    assert_eq!(renamed.fingerprint, before.fingerprint);
    let reseeded = study(&plan(12, &["seed=2"]), 2, folder.path());
    assert_eq!((reseeded.kept, reseeded.made), (0, 120));
    assert_ne!(reseeded.fingerprint, before.fingerprint);
}

/// Policies of the same content are the same runs under two names, and share their units.
#[test]
fn two_names_for_one_policy_do_not_get_into_each_others_way() {
    let same = "{ backoff = { kind = \"none\" }, limits = { max_attempts = \"unlimited\", \
                deadline = \"unlimited\" } }";
    let twins = |name: &str| format!("policies.{name}={same}");
    let twins = ["full", "equal", "decorrelated", "exponential"].map(twins);
    let changes: Vec<_> = twins.iter().map(String::as_str).collect();
    let plan = plan(12, &changes);
    // Whether two threads meet at one file is a matter of luck: here they have 20 chances.
    for _ in 0..20 {
        let folder = TempDir::new().unwrap();
        let study = study(&plan, 8, folder.path());
        let runs = String::from_utf8(study.files[0].1.clone()).unwrap();
        let of = |policy: &str| -> Vec<String> {
            let own = runs.lines().filter_map(|line| line.strip_prefix(policy));
            own.map(str::to_string).collect()
        };
        assert_eq!(of("none,").len(), 24);
        assert_eq!(of("full,"), of("none,"));
    }
}

// The committed values below belong to this version of the results. A change of any of them, on
// any platform, in debug or release, is a change of every committed result, and must be meant.

#[test]
fn the_whole_study_has_the_committed_fingerprint() {
    assert_eq!(fresh(&plan(12, &[])).fingerprint, "5835171baf352f75");
}

/// Clients that contend for one row, all at once.
fn scenario(clients: u32, delay: Distribution, stop_after: Instant) -> Scenario {
    Scenario {
        populations: vec![Population {
            clients,
            workload: Workload::Closed(Closed {
                requests: Some(1),
                start_over: Nanos::ZERO,
                think: Distribution::ZERO,
            }),
            concurrency: None,
            tokens: None,
        }],
        network: Network::reliable(delay),
        routes: vec![Route::occ()],
        replies: Replies::default(),
        stop_after,
        warmup: Instant::from_nanos(0),
        bin: Nanos::from_millis(100),
    }
}

/// A run of `scenario` under `policy`, in which a version mismatch is a transient failure.
fn measured(scenario: &Scenario, policy: &Policy) -> Measurements {
    let subject = PolicyOnTrial { policy, routes: &[0], qualification: None };
    measure(scenario, &[subject], RUN, false).unwrap()
}

fn policy(max_attempts: &str, rest: &str) -> Policy {
    let text = format!("[limits]\nmax_attempts = {max_attempts}\ndeadline = \"unlimited\"\n{rest}");
    Policy::from_toml(&text).unwrap()
}

const RUN: RunId = RunId { seed: 42, replication: 5 };

const NORMAL: Distribution = Distribution::Normal { mean: 10e6, sd: 2e6 };

const FULL: &str =
    "[backoff]\nkind = \"exponential\"\nbase = \"10ms\"\ncap = \"2s\"\njitter = \"full\"\n";

#[test]
fn scenarios_have_their_committed_fingerprints() {
    let shared = "[[budget]]\nkind = \"token_bucket\"\nscope = \"group\"\ncapacity = 30.0\n\
                  retry_cost = 1.0\nsuccess_refund = 0.5\n";
    let ten_ms = Distribution::Constant(Nanos::from_millis(10));
    let to_the_end = Instant::MAX;
    let forever = "\"unlimited\"";
    let mut changed = Vec::new();
    for (what, scenario, policy, expected) in [
        (
            "full jitter",
            scenario(100, NORMAL, to_the_end),
            policy(forever, FULL),
            0xaabd_a219_d9bf_0dd2,
        ),
        (
            "decorrelated jitter",
            scenario(100, NORMAL, to_the_end),
            policy(forever, "[backoff]\nkind = \"decorrelated\"\nbase = \"5ms\"\ncap = \"2s\""),
            0x9894_82f9_5c6b_377c,
        ),
        (
            "lockstep: every event ties",
            scenario(100, ten_ms, to_the_end),
            policy(forever, "[backoff]\nkind = \"none\""),
            0x0cc9_071d_13f7_4d5e,
        ),
        (
            "one instant",
            scenario(100, Distribution::ZERO, to_the_end),
            policy("5", "[backoff]\nkind = \"none\""),
            0x7b76_9b76_b0af_67df,
        ),
        (
            "stopped in the middle",
            scenario(100, NORMAL, Instant::from_nanos(1_000_000_000)),
            policy(forever, FULL),
            0x9dbd_9ef5_2aca_e56a,
        ),
        (
            "a shared budget and a slow tail",
            scenario(
                100,
                Distribution::lognormal(Nanos::from_millis(10), Nanos::from_millis(80)),
                to_the_end,
            ),
            policy(forever, &format!("{FULL}{shared}")),
            0x9b70_b6b8_8a0d_1857,
        ),
    ] {
        let got = measured(&scenario, &policy).fingerprint;
        if got != expected {
            changed.push(format!("{what}: {got:#018x}"));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

/// The fingerprint holds what happened, not what was computed from it: sums, quantiles, Poisson
/// draws and ratios must come out the same to the last bit as well.
#[test]
fn metrics_are_the_committed_ones_to_the_last_bit() {
    let policy = policy("\"unlimited\"", FULL);
    let metrics = measured(&scenario(100, NORMAL, Instant::MAX), &policy).metrics;
    let values = [
        (Id::LatencyMeanMs, 1478.87169703),
        (Id::LatencyP99Ms, 5238.685695),
        (Id::GoodputPerS, 17.973266210843043),
        (Id::OrbitMean, 20.77786325227381),
        (Id::ArrivalsPeakToMean, 16.67547308035044),
        (Id::ArrivalsFano100Ms, 109.37682168383922),
        (Id::ArrivalsClustering, 1.178_494_213_527_53),
    ];
    let got = values.map(|(id, _)| (id, metrics.get(id).unwrap()));
    assert_eq!(got, values);
}
