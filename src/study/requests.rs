//! `requests.csv`: what became of each logical request of replication 0.

use std::io;

use rayon::prelude::*;

use super::runner::{StudyError, pool};
use crate::experiment::cell::Cell;
use crate::experiment::plan::Plan;
use crate::measure::request_log::RequestRow;
use crate::model::run_id::RunId;

/// What a request that had not ended is called.
const UNFINISHED: &str = "unfinished";

/// Makes replication 0 of every cell again, and writes a row for each request.
///
/// # Errors
///
/// A run stands still.
pub fn requests_csv(plan: &Plan, threads: usize) -> Result<Vec<u8>, StudyError> {
    let logs: Vec<_> = pool(threads)?.install(|| {
        let logs = plan.cells.par_iter().map(|cell| log(plan, cell));
        logs.collect::<Result<_, StudyError>>()
    })?;
    write(plan, &logs).map_err(|error| StudyError::Write("requests.csv".into(), error))
}

fn log(plan: &Plan, cell: &Cell) -> Result<Vec<RequestRow>, StudyError> {
    let run = RunId { seed: plan.seed, replication: 0 };
    cell.log_requests(run).map_err(|instant| StudyError::Endless {
        policy: plan.policies[cell.policy_index].clone(),
        run,
        instant,
    })
}

fn write(plan: &Plan, logs: &[Vec<RequestRow>]) -> io::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut header = vec!["logical_request_id", "client", "policy"];
    header.extend(plan.axes.iter().map(String::as_str));
    header.extend(["attempts", "final_status", "final_code", "final_class", "outcome"]);
    header.extend(["request_id", "start_ms", "end_ms"]);
    csv.write_record(header)?;
    for (cell, rows) in plan.cells.iter().zip(logs) {
        for row in rows {
            let mut fields = vec![row.key.to_string(), row.client.to_string()];
            fields.push(plan.policies[cell.policy_index].clone());
            let values = &plan.points[cell.point_index].values;
            fields.extend(values.iter().map(|value| value.text.clone()));
            fields.push(row.attempts.to_string());
            fields.extend(end_fields(row));
            csv.write_record(fields)?;
        }
    }
    csv.into_inner().map_err(|error| error.into_error())
}

/// How a request ended, as the file says it.
pub(super) fn outcome_name(row: &RequestRow) -> &'static str {
    row.end.as_ref().map_or(UNFINISHED, |end| end.outcome.as_str())
}

fn end_fields(row: &RequestRow) -> [String; 7] {
    let ms = |at: retrial_policy::Instant| (at.as_nanos() as f64 / 1e6).to_string();
    let start = ms(row.start);
    let Some(end) = &row.end else {
        let nothing = String::new;
        let outcome = outcome_name(row).to_string();
        return [nothing(), nothing(), nothing(), outcome, nothing(), start, nothing()];
    };
    [
        end.status.map_or_else(String::new, |status| status.to_string()),
        end.code.clone().unwrap_or_default(),
        end.class.to_string(),
        outcome_name(row).to_string(),
        end.request_id.clone().unwrap_or_default(),
        start,
        ms(end.at),
    ]
}
