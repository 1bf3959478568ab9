//! What `retrial check` found, for programs.

use serde_json::{Map, Value, json};

use super::Checked;
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
        "differing": differing.map(cell).collect::<Vec<_>>(),
        "changed_keys": changed.collect::<Vec<_>>(),
        "first_difference": checked.divergence.as_ref().map(divergence),
        "redefined_metrics": checked.exactness.redefined,
        "metrics_not_in_baseline": checked.exactness.unknown,
        "thresholds": judgements.collect::<Vec<_>>(),
    })
}

fn point(cell: &CellName) -> Map<String, Value> {
    cell.point.iter().map(|(axis, value)| (axis.clone(), value.as_str().into())).collect()
}

fn cell(cell: &CellExactness) -> Value {
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
        "point": point(&cell.cell),
        "runs": runs.collect::<Vec<_>>(),
        "missing": cell.missing,
        "added": cell.added,
    })
}

fn divergence(divergence: &Divergence) -> Value {
    let cause = match divergence.cause {
        Cause::Experiment => "experiment",
        Cause::Program => "program",
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
        "point": point(&divergence.cell),
        "replication": divergence.replication,
        "cause": cause,
        "found": found,
        "same_before": same,
        "old": old,
        "new": new,
    })
}

fn threshold(checked: &Checked, judgement: &Judgement) -> Value {
    let values = &checked.results.points[judgement.point].values;
    let axes = checked.results.axes.iter().zip(values);
    let point: Map<String, Value> =
        axes.map(|(axis, value)| (axis.clone(), value.text.as_str().into())).collect();
    json!({
        "policy": checked.results.policies[judgement.policy],
        "point": point,
        "condition": judgement.condition.to_string(),
        "judged": judgement.judged,
        "n": judgement.n,
        "holds": judgement.holds,
        "only_warns": judgement.only_warns,
    })
}
