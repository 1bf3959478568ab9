//! What `retrial check` found, for programs.

use serde_json::{Map, Value, json};

use super::Checked;
use crate::experiment::sweep::Point;
use crate::measure::metric;
use crate::study::baseline::CellExactness;
use crate::study::baseline::divergence::{Cause, Divergence, Found};
use crate::study::kept::CellName;
use crate::study::threshold::Judgement;

/// One experiment as a JSON object.
pub fn json(checked: &Checked) -> Value {
    let changed =
        checked.changed.iter().map(|key| json!({ "key": key.key, "old": key.old, "new": key.new }));
    let differing = checked.exactness.cells.iter().filter(|cell| !cell.holds());
    let judgements = checked.judgements.iter().map(|(judged, _)| threshold(checked, judged));
    json!({
        "experiment": checked.experiment,
        "baseline": checked.baseline.display().to_string(),
        "exact": checked.exactness.holds(),
        "accepted": checked.accepted,
        "runs": checked.exactness.runs(),
        "old_fingerprint": checked.old_fingerprint,
        "fingerprint": checked.results.fingerprint.to_string(),
        "differing": differing.map(|differing| cell(checked, differing)).collect::<Vec<_>>(),
        "changed_keys": changed.collect::<Vec<_>>(),
        "first_difference": checked.divergence.as_ref().map(|at| divergence(checked, at)),
        "redefined_metrics": checked.exactness.redefined,
        "metrics_not_in_baseline": checked.exactness.unknown,
        "thresholds": judgements.collect::<Vec<_>>(),
    })
}

/// A point with its values as they were written; of one that is not there any more, as they read.
fn point(checked: &Checked, cell: &CellName) -> Map<String, Value> {
    let results = &checked.results;
    let points = (0..results.points.len()).map(|point| planned(checked, point));
    let mut points = points.zip(&results.points);
    let is_it = |texts: &Point| {
        let texts = results.axes.iter().zip(texts.values.iter().map(|value| &value.text));
        texts.eq(cell.point.iter().map(|(axis, text)| (axis, text)))
    };
    points.find(|(_, at)| is_it(at)).map_or_else(|| cell.point_json(), |(point, _)| point)
}

fn planned(checked: &Checked, point: usize) -> Map<String, Value> {
    let values = &checked.results.points[point].values;
    let values = checked.results.axes.iter().zip(values);
    values.map(|(axis, value)| (axis.clone(), value.json.clone())).collect()
}

fn cell(checked: &Checked, cell: &CellExactness) -> Value {
    let runs = cell.differing.iter().map(|run| {
        let counts: Map<String, Value> = run
            .counts
            .iter()
            .map(|(index, old, new)| {
                (metric::ALL[*index].name.to_string(), json!({ "old": old, "new": new }))
            })
            .collect();
        json!({
            "replication": run.replication,
            "old_fingerprint": run.old,
            "fingerprint": run.new,
            "counts": counts,
        })
    });
    json!({
        "policy": cell.cell.policy,
        "point": point(checked, &cell.cell),
        "runs": runs.collect::<Vec<_>>(),
        "missing": cell.missing,
        "added": cell.added,
    })
}

fn divergence(checked: &Checked, divergence: &Divergence) -> Value {
    let cause = match &divergence.cause {
        Cause::Experiment => "experiment",
        Cause::Program => "program",
        Cause::Files(_) => "data files",
        Cause::Unrunnable(_) => "baseline can't be run",
    };
    let (found, same, old, new) = match &divergence.found {
        Found::Records { same, old, new } => ("records", Some(*same), old.as_ref(), new.as_ref()),
        Found::AllSame(same) => ("all decisions are the same", Some(*same), None, None),
        Found::Beyond(same) => ("beyond what the baseline keeps", Some(*same), None, None),
        Found::NotKept => ("the baseline keeps no decisions of it", None, None, None),
    };
    json!({
        "policy": divergence.cell.policy,
        "point": point(checked, &divergence.cell),
        "replication": divergence.replication,
        "cause": cause,
        "found": found,
        "same_before": same,
        "old": old,
        "new": new,
    })
}

fn threshold(checked: &Checked, judgement: &Judgement) -> Value {
    json!({
        "policy": checked.results.policies[judgement.policy],
        "point": planned(checked, judgement.point),
        "condition": judgement.condition.to_string(),
        "judged": judgement.judged,
        "n": judgement.n,
        "holds": judgement.holds,
        "only_warns": judgement.only_warns,
    })
}
