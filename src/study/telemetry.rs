//! `telemetry.csv`: what the alerts of production would have seen in replication 0, window by window.
//! It exists where they would have seen something.

use std::io;

use super::files::{cell_columns, finish, header};
use super::results::Results;

/// A row a window of every policy; `None` if no policy shows an alert or a signature.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn telemetry_csv(results: &Results) -> io::Result<Option<Vec<u8>>> {
    if results.cells.iter().all(|cell| cell.signals.is_quiet()) {
        return Ok(None);
    }
    let mut csv = csv::Writer::from_writer(Vec::new());
    let columns = ["bin_start_ms", "bin_ms", "requests_ended", "succeeded", "gave_up_at_cap"];
    let more = ["stopped", "fallbacks", "fallback_share", "top_stop", "top_stop_count", "signals"];
    csv.write_record(header(results, columns.into_iter().chain(more)))?;
    for cell in &results.cells {
        for bin in &cell.signals.bins {
            let mut row = cell_columns(results, cell);
            row.extend([bin.start_ms.to_string(), bin.width_ms.to_string()]);
            let counts = [bin.requests, bin.succeeded, bin.at_cap, bin.stopped, bin.fallbacks];
            row.extend(counts.map(|count| count.to_string()));
            row.push(match bin.requests {
                0 => String::new(),
                requests => (bin.fallbacks as f64 / requests as f64).to_string(),
            });
            let (top, count) = bin.top_stop.clone().unzip();
            row.push(top.unwrap_or_default());
            row.push(count.unwrap_or(0).to_string());
            row.push(bin.signals.join(" "));
            csv.write_record(row)?;
        }
    }
    finish(csv).map(Some)
}
