//! Every output of one run says the same: the terminal, Markdown, JSON and JUnit are parsed and held
//! against summary.csv.

use std::collections::BTreeMap;
use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The columns of the comparison and their metrics.
const COLUMNS: [(&str, &str); 8] = [
    ("success", "success_ratio"),
    ("attempts", "attempts"),
    ("per request", "amplification"),
    ("last end (ms)", "makespan_ms"),
    ("p50 (ms)", "latency_p50_ms"),
    ("p99 (ms)", "latency_p99_ms"),
    ("peak (1/s)", "arrivals_peak_per_s"),
    ("clustering", "arrivals_clustering"),
];

/// A metric's mean and 95 % interval, as texts of the file that has them.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    mean: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    n: u64,
}

/// Figures by policy and metric.
type Figures = BTreeMap<(String, String), Figure>;

/// `retrial run thundering-herd`, small, printed in some format.
fn run(folder: &TempDir, format: &str) -> String {
    let mut command = Command::cargo_bin("retrial").unwrap();
    let small = ["run", "thundering-herd", "--out", "out", "--replications", "4", "--no-charts"];
    let output = command.current_dir(folder.path()).args(small).args(["--format", format]);
    // Whether thresholds hold with four replications is beside the point.
    String::from_utf8(output.output().unwrap().stdout).unwrap()
}

fn figures_of_csv(text: &[u8]) -> Figures {
    let mut csv = csv::Reader::from_reader(text);
    let rows = csv.deserialize().map(|row| {
        let row: BTreeMap<String, String> = row.unwrap();
        let number = |column: &str| row[column].parse().ok();
        let (mean, low, high) = (number("mean"), number("ci95_low"), number("ci95_high"));
        let figure = Figure { mean, low, high, n: row["n"].parse().unwrap() };
        ((row["policy"].clone(), row["metric"].clone()), figure)
    });
    rows.collect()
}

fn figures_of_json(text: &str) -> Figures {
    let json: Value = serde_json::from_str(text).unwrap();
    let mut figures = Figures::new();
    for row in json["rows"].as_array().unwrap() {
        for (metric, estimate) in row["metrics"].as_object().unwrap() {
            let number = |key: &str| estimate[key].as_f64();
            let (mean, low, high) = (number("mean"), number("ci95_low"), number("ci95_high"));
            let figure = Figure { mean, low, high, n: estimate["n"].as_u64().unwrap() };
            let policy = row["policy"].as_str().unwrap().to_string();
            figures.insert((policy, metric.clone()), figure);
        }
    }
    figures
}

/// Asserts that `text` is `value`, rounded to as many decimals as it shows.
fn assert_rounded(text: &str, value: f64, what: &str) {
    let plain = text.replace(',', "");
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    assert_eq!(plain, format!("{value:.decimals$}"), "{what}");
}

/// Asserts that a cell such as `4,774 ± 13` shows `figure`.
fn assert_shows(cell: &str, figure: &Figure, what: &str) {
    let Figure { mean, low, high, .. } = *figure;
    match (cell.split_once('±'), mean) {
        (None, None) => assert_eq!(cell.trim(), "–", "{what}"),
        (None, Some(mean)) if cell.contains(['≥', '≤']) => {
            let (shown, bound) = cell.split_once(" (").unwrap();
            assert_rounded(shown.trim(), mean, what);
            let (end, outwards) = if bound.starts_with('≥') { (low, -1.0) } else { (high, 1.0) };
            let bound = bound.trim_matches(['≥', '≤', ' ', ')']);
            let decimals = bound.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            // Rounded away from the mean, by less than one of its last digit.
            let beyond = outwards * (bound.parse::<f64>().unwrap() - end.unwrap());
            assert!((0.0..0.1_f64.powi(decimals as i32)).contains(&beyond), "{what}: {cell}");
        }
        (None, Some(mean)) => {
            assert_rounded(cell.trim(), mean, what);
            assert!(low == high, "{what} has an interval that is not shown");
        }
        (Some((shown, half)), Some(mean)) => {
            assert_rounded(shown.trim(), mean, what);
            let half_width = 0.5 * (high.unwrap() - low.unwrap());
            assert_rounded(half.trim(), half_width, what);
        }
        (Some(_), None) => panic!("{what} shows {cell} where there is no estimate"),
    }
}

/// Holds a comparison, as rows of cells with their heads, against the figures.
fn assert_table_agrees(head: &[String], rows: &[Vec<String>], figures: &Figures) {
    assert_eq!(head[0], "policy");
    assert_eq!(rows.len(), 4);
    let mut shown = 0;
    for row in rows {
        for (title, cell) in head.iter().zip(row).skip(1) {
            let metric = COLUMNS.iter().find(|(column, _)| column == title);
            let (_, metric) = metric.unwrap_or_else(|| panic!("column {title}"));
            let what = format!("{metric} of {}", row[0]);
            assert_shows(cell, &figures[&(row[0].clone(), metric.to_string())], &what);
            shown += 1;
        }
    }
    assert_eq!(shown, 4 * COLUMNS.len());
}

/// The table of the terminal: heads stand at the right end of their columns, and cells are at least
/// two spaces apart.
fn terminal_table(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let from_head = text.lines().skip_while(|line| !line.trim_start().starts_with("policy"));
    let lines: Vec<&str> = from_head.take_while(|line| !line.trim().is_empty()).collect();
    let cells = |line: &&str| -> Vec<String> {
        line.trim().split("  ").map(str::trim).filter(|c| !c.is_empty()).map(String::from).collect()
    };
    let mut rows: Vec<_> = lines.iter().map(cells).collect();
    let head = rows.remove(0);
    (head, rows)
}

fn markdown_table(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let lines = text.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
    };
    let mut rows: Vec<_> = lines.map(cells).collect();
    let head = rows.remove(0);
    let rule = rows.remove(0);
    assert!(rule.iter().all(|cell| cell.trim_matches([':', '-']).is_empty()), "{rule:?}");
    (head, rows)
}

#[test]
fn all_formats_show_the_numbers_of_the_summary() {
    let folder = tempfile::tempdir().unwrap();
    let terminal = run(&folder, "table");
    let summary = fs::read(folder.path().join("out/summary.csv")).unwrap();
    let figures = figures_of_csv(&summary);
    assert!(figures.values().any(|figure| figure.mean.is_none()), "some have no estimate");

    // The same bytes, and the same floats.
    assert_eq!(run(&folder, "csv").as_bytes(), summary);
    assert_eq!(figures_of_json(&run(&folder, "json")), figures);
    // The same floats, rounded.
    let (head, rows) = terminal_table(&terminal);
    assert_table_agrees(&head, &rows, &figures);
    let (head, rows) = markdown_table(&run(&folder, "markdown"));
    assert_table_agrees(&head, &rows, &figures);
}

/// Conditions that no run keeps, so that every one is a failure with its figure.
const IMPOSSIBLE: &str = r#"
[policies.full]
backoff = { kind = "exponential", base = "200ms", jitter = "full" }
limits = { deadline = "10s" }
[thresholds]
full = ["attempts <= 1", "success_ratio >= 0.9999", "latency_mean_ms <= 0", "goodput_per_s >= 1e9"]
"#;

/// A JUnit file has figures where a threshold fails: the ends of intervals that summary.csv has.
#[test]
fn junit_shows_the_numbers_of_the_summary() {
    let folder = tempfile::tempdir().unwrap();
    let (world, _) = include_str!("../experiments/thundering-herd.toml")
        .split_once("[policies.fixed-schedule]")
        .unwrap();
    let text = world.replace("replications = 30", "replications = 4") + IMPOSSIBLE;
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let check =
        ["check", "x.toml", "--baseline", "b", "--bless", "--note", "n", "--junit", "j.xml"];
    let mut command = Command::cargo_bin("retrial").unwrap();
    command.current_dir(folder.path()).args(check).assert().code(3);
    let figures = figures_of_csv(&fs::read(folder.path().join("b/summary.csv")).unwrap());
    let xml = fs::read_to_string(folder.path().join("j.xml")).unwrap();
    let report = quick_junit::Report::deserialize_from_str(&xml).unwrap();
    let mut compared = 0;
    for case in &report.test_suites[0].test_cases {
        let quick_junit::TestCaseStatus::NonSuccess { message, .. } = &case.status else {
            continue;
        };
        // full: attempts <= 1 (up to 4,588)
        let message = message.as_ref().unwrap().as_str();
        let (condition, found) = message.split_once(" (").unwrap();
        let metric = condition.split(' ').nth(1).unwrap();
        let figure = &figures[&("full".to_string(), metric.to_string())];
        let (end, shown) = match found.trim_end_matches(')').rsplit_once(' ').unwrap() {
            ("up to", shown) => (figure.high, shown),
            ("down to", shown) => (figure.low, shown),
            other => panic!("{other:?}"),
        };
        assert_rounded(shown, end.unwrap(), message);
        compared += 1;
    }
    assert_eq!(compared, 4, "{xml}");
}
