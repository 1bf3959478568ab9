//! Spoilt experiments and random changes: a plan or a diagnostic, never a panic.

use proptest::prelude::*;
use retrial::experiment::load::{Change, Wanted, load};
use retrial::experiment::plan::Plan;

use super::*;

/// The experiment of the fuzz tests.
const SEED_TEXT: &str = include_str!("../../experiments/aws-occ.toml");

/// Values that stand where others should.
const STRANGE: [&str; 16] = [
    "0",
    "-1",
    "1.5",
    "nan",
    "-inf",
    "99999999999999999999",
    "true",
    "\"\"",
    "\"unlimited\"",
    "\"584y\"",
    "\"18446744073709551615s 1000000000ns\"",
    "2020-01-01",
    "[]",
    "[[]]",
    "{}",
    "{ normal = { mean = \"1ms\", sd = \"1ms\" } }",
];

/// One small accident to a file.
#[derive(Clone, Debug)]
enum Accident {
    Byte { at: usize, becomes: u8 },
    LineLost(usize),
    LineTwice(usize),
    LinesSwapped(usize, usize),
    Value { line: usize, becomes: &'static str },
}

impl Accident {
    fn befall(&self, bytes: &mut Vec<u8>) {
        if let Accident::Byte { at, becomes } = self {
            let at = at % bytes.len();
            bytes[at] = *becomes;
            return;
        }
        let mut lines: Vec<Vec<u8>> =
            bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let count = lines.len();
        match self {
            Accident::Byte { .. } => {}
            Accident::LineLost(line) => drop(lines.remove(line % count)),
            Accident::LineTwice(line) => lines.insert(line % count, lines[line % count].clone()),
            Accident::LinesSwapped(a, b) => lines.swap(a % count, b % count),
            Accident::Value { line, becomes } => {
                let line = &mut lines[line % count];
                if let Some(equals) = line.iter().position(|byte| *byte == b'=') {
                    line.truncate(equals + 1);
                    line.extend(becomes.bytes());
                }
            }
        }
        *bytes = lines.join(&b'\n');
        bytes.push(b'\n');
    }
}

fn accident() -> impl Strategy<Value = Accident> {
    let line = 0..60_usize;
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, becomes)| Accident::Byte { at, becomes }),
        line.clone().prop_map(Accident::LineLost),
        line.clone().prop_map(Accident::LineTwice),
        (line.clone(), line.clone()).prop_map(|(a, b)| Accident::LinesSwapped(a, b)),
        (line, prop::sample::select(&STRANGE[..]))
            .prop_map(|(line, becomes)| Accident::Value { line, becomes }),
    ]
}

/// A change that has the form of one, with keys that exist, nearly exist or don't.
fn change() -> impl Strategy<Value = String> {
    let part = prop::sample::select(
        &[
            "seed",
            "workload",
            "clients",
            "closed",
            "start",
            "network",
            "delay",
            "route",
            "0",
            "row",
            "kind",
            "policies",
            "*",
            "none",
            "full",
            "backoff",
            "base",
            "limits",
            "budget",
            "sweep",
            "\"workload.clients\"",
            "'",
            "\"",
            "",
            " ",
            "title",
            "file",
        ][..],
    );
    let key = prop::collection::vec(part, 1..6).prop_map(|parts| parts.join("."));
    let value =
        prop_oneof![prop::sample::select(&STRANGE[..]).prop_map(String::from), "\\PC{0,20}",];
    prop_oneof![3 => (key, value).prop_map(|(key, value)| format!("{key}={value}")), 1 => "\\PC*"]
}

fn plan(path: &Path, changes: Vec<String>) -> Result<Plan, String> {
    let changes = changes.into_iter().map(|text| Change { flag: "--set", text });
    let wanted = Wanted {
        experiment: Some(path.display().to_string()),
        changes: changes.collect(),
        ..Wanted::default()
    };
    load(&wanted).and_then(|loaded| Plan::new(&loaded)).map_err(|report| report.to_string())
}

/// Asserts that there is a whole plan, or a message with a place.
fn assert_plan_or_place(plan: Result<Plan, String>) {
    match plan {
        Ok(plan) => assert_eq!(plan.cells.len(), plan.policies.len() * plan.points.len()),
        Err(message) => {
            assert!(message.starts_with("error: "), "{message}");
            assert!(message.contains("--> "), "no place in: {message}");
        }
    }
}

proptest! {
    // Cases come from a fixed seed, so that what passes here passes everywhere.
    #![proptest_config(ProptestConfig {
        cases: 1_500,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_spoilt_file_gives_a_plan_or_a_place(accidents in prop::collection::vec(accident(), 1..4)) {
        let mut bytes = SEED_TEXT.as_bytes().to_vec();
        for accident in &accidents {
            accident.befall(&mut bytes);
        }
        let folder = Folder::new();
        folder.write("x.toml", &bytes);
        let plan = plan(&folder.path().join("x.toml"), Vec::new());
        if String::from_utf8(bytes).is_ok() {
            assert_plan_or_place(plan);
        } else {
            prop_assert!(plan.unwrap_err().contains("it is not text in UTF-8"));
        }
    }

    #[test]
    fn any_change_gives_a_plan_or_a_place(changes in prop::collection::vec(change(), 1..4)) {
        let folder = Folder::with(GOOD);
        assert_plan_or_place(plan(&folder.path().join("x.toml"), changes));
    }
}
