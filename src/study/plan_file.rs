//! `plan.json`: a whole plan without the means to run it, beside the unit files of a shard.
//!
//! It holds what [`super::merge`] needs to write the results of a study: its outline, and for each
//! cell the names of its unit files. A hash over the plan tells at a glance whether two shards
//! belong together.

use std::io;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::planned_cell::{PROGRAM, PlannedCell};
use crate::experiment::outline::Outline;
use crate::experiment::plan::MAX_RUNS;

/// The name of the file.
pub const PLAN_FILE: &str = "plan.json";

/// The file as written.
#[derive(Serialize, Deserialize)]
struct Written<'a> {
    program: String,
    plan_sha256: String,
    /// Not part of the plan: shards of different numbers may be merged.
    shards: NonZeroU32,
    /// Not part of it either.
    #[serde(default)]
    flags: Vec<String>,
    #[serde(borrow)]
    plan: &'a RawValue,
}

/// The one thing that files of all versions have.
#[derive(Deserialize)]
struct Program {
    program: String,
}

/// A plan as its results need it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanFile {
    /// Names, numbers and texts.
    pub outline: Outline,
    /// Every policy at every point.
    pub cells: Vec<PlannedCell>,
}

/// Why a file is no plan of this program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is not what a shard has written.
    Broken(String),
    /// Another program has written it.
    OtherProgram(String),
}

/// A file that was read.
#[derive(Debug)]
pub struct ReadPlan<'a> {
    /// The hash of the plan, in hexadecimal digits.
    pub sha256: String,
    /// How many shards its shard was one of.
    pub shards: NonZeroU32,
    /// The flags that its shard was given.
    flags: Vec<String>,
    text: &'a str,
}

/// The content of the file for one of so many shards.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn to_bytes(
    outline: &Outline,
    cells: &[PlannedCell],
    shards: NonZeroU32,
) -> io::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct Borrowed<'a> {
        outline: &'a Outline,
        cells: &'a [PlannedCell],
    }
    let plan = serde_json::value::to_raw_value(&Borrowed { outline, cells })?;
    let (program, plan_sha256) = (PROGRAM.to_string(), sha256(plan.get()));
    let flags = outline.flags.clone();
    let written = Written { program, plan_sha256, shards, flags, plan: &plan };
    let mut bytes = serde_json::to_vec(&written)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the outside of a file: which plan it is.
///
/// # Errors
///
/// It is damaged, or another program has written it.
pub fn read(bytes: &[u8]) -> Result<ReadPlan<'_>, Unusable> {
    let broken = |error: serde_json::Error| Unusable::Broken(error.to_string());
    let Program { program } = serde_json::from_slice(bytes).map_err(broken)?;
    if program != PROGRAM {
        return Err(Unusable::OtherProgram(program));
    }
    let file: Written<'_> = serde_json::from_slice(bytes).map_err(broken)?;
    let text = file.plan.get();
    if sha256(text) != file.plan_sha256 {
        return Err(Unusable::Broken("it was changed after it was written".to_string()));
    }
    Ok(ReadPlan { sha256: file.plan_sha256, shards: file.shards, flags: file.flags, text })
}

impl ReadPlan<'_> {
    /// The plan itself.
    ///
    /// # Errors
    ///
    /// It contradicts itself.
    pub fn plan(&self) -> Result<PlanFile, Unusable> {
        let mut plan: PlanFile =
            serde_json::from_str(self.text).map_err(|error| Unusable::Broken(error.to_string()))?;
        plan.outline.flags.clone_from(&self.flags);
        match plan.agrees() {
            true => Ok(plan),
            false => Err(Unusable::Broken("it contradicts itself".to_string())),
        }
    }
}

impl PlanFile {
    /// Whether every index points at something, and there is no more than a study can have.
    fn agrees(&self) -> bool {
        let PlanFile { outline, cells } = self;
        let (policies, points) = (outline.policies.len(), outline.points.len());
        let runs = cells.len() as u128 * u128::from(outline.replications);
        let is_unit = |name: &str| name.len() == 24 && name.bytes().all(|b| b.is_ascii_hexdigit());
        points > 0
            && runs <= u128::from(MAX_RUNS)
            && outline.points.iter().all(|point| point.values.len() == outline.axes.len())
            && outline.thresholds.iter().all(|(policy, _)| *policy < policies)
            && outline.against.is_none_or(|policy| policy < policies)
            && cells
                .iter()
                .all(|cell| cell.policy < policies && cell.point < points && is_unit(&cell.units))
    }

    /// What first tells another plan from this one, for people: `seed 2 instead of 1`.
    pub fn difference(&self, other: &PlanFile) -> String {
        let facts = self.facts().into_iter().zip(other.facts());
        let differing = facts.map(|((what, mine), (_, theirs))| (what, mine, theirs));
        let first = differing.into_iter().find(|(_, mine, theirs)| mine != theirs);
        let Some((what, mine, theirs)) = first else { return "other unit files".to_string() };
        let (mine, theirs) = where_they_part(&mine, &theirs);
        format!("{what} {theirs} instead of {mine}")
    }

    /// What makes a plan, the telling first.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let outline = &self.outline;
        let files = outline.files.iter().map(|(path, hash)| format!("{path} {hash}"));
        let against = outline.against.and_then(|policy| outline.policies.get(policy)).cloned();
        vec![
            ("experiment", outline.name.clone()),
            ("seed", outline.seed.to_string()),
            ("replications", outline.replications.to_string()),
            ("policies", outline.policies.join(", ")),
            ("--against", against.unwrap_or_else(|| "nothing".to_string())),
            ("swept keys", outline.axes.join(", ")),
            ("points", outline.points.len().to_string()),
            ("data files", files.collect::<Vec<_>>().join(", ")),
            ("title", outline.title.clone()),
            ("experiment", outline.effective.clone()),
            ("experiment file", outline.text.clone()),
        ]
    }
}

/// Two texts, long ones cut down to where they differ.
fn where_they_part(mine: &str, theirs: &str) -> (String, String) {
    const LONG: usize = 60;
    let same = mine.chars().zip(theirs.chars()).take_while(|(a, b)| a == b).count();
    let start = same.saturating_sub(LONG / 2);
    let cut = |text: &str| match text.chars().count() {
        ..=LONG => format!("`{text}`"),
        _ => format!("`…{}…`", text.chars().skip(start).take(LONG).collect::<String>()),
    };
    (cut(mine), cut(theirs))
}
