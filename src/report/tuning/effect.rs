//! What the recommended policy brings, and what else there is on the Pareto front.

use comfy_table::{CellAlignment, Table, presets};

use crate::measure::metric::{self, Id};
use crate::report::figures;
use crate::study::statistics::estimate::{Estimate, Estimator};
use crate::study::statistics::paired::paired;
use crate::study::tune::files::shown;
use crate::study::tune::tuning::Tuning;
use crate::study::unit::Run;

/// What is shown of every experiment beside its own metrics.
const ALWAYS: [Id; 2] = [Id::SuccessRatio, Id::Amplification];

/// So many points of the front are printed; the file has them all.
const PRINTED: usize = 12;

/// The effect by experiment, and the front.
pub fn lines(tuning: &Tuning) -> Vec<String> {
    vec![effect(tuning), front(tuning)]
}

fn effect(tuning: &Tuning) -> String {
    let confirmed = &tuning.confirmed;
    let (winner, today) = (confirmed.winner(), &confirmed.today);
    let mut table = table(&["experiment", "metric", "today", "recommended", "difference"], 2);
    let mut estimator = Estimator::default();
    for (index, experiment) in tuning.experiments.iter().enumerate() {
        let mut metrics = vec![experiment.minimise];
        let others = experiment.conditions.iter().map(|condition| condition.metric);
        for metric in others.chain(ALWAYS.map(|id| id as usize)) {
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        }
        for metric in metrics {
            let value = |run: &Run| run.metrics.values()[metric];
            let pairs = winner.rows[index].iter().zip(&today.rows[index]);
            let pairs = pairs.filter_map(|(after, before)| Some((value(after)?, value(before)?)));
            let (after, before): (Vec<f64>, Vec<f64>) = pairs.unzip();
            let difference = paired(&after, &before, &mut estimator).difference;
            let [today, recommended] = [today, winner]
                .map(|contender| figures::estimate(&contender.estimates[index][metric]));
            let name = metric::ALL[metric].name;
            table.add_row([&experiment.name, name, &today, &recommended, &signed(&difference)]);
        }
    }
    let (n, today) = (winner.samples.len(), &tuning.against);
    let objective = match &winner.standing.objective {
        Some(objective) => format!(
            "; the objective is {} % of today's",
            figures::estimate(&scaled(objective, 100.0))
        ),
        None => String::new(),
    };
    format!(
        "Against today's `{today}`, on {n} fresh replications, pair by pair{objective}:\n{}",
        text(&table)
    )
}

/// A difference with its sign, and whether it is one.
pub fn signed(difference: &Estimate) -> String {
    let Some(mean) = difference.mean else { return "–".to_string() };
    let sign = if mean < 0.0 { "" } else { "+" };
    let shown = match difference.ci95 {
        Some((low, high)) if low <= 0.0 && high >= 0.0 => " (none shown)",
        _ => "",
    };
    let figure = figures::estimate(&scaled(difference, 1.0));
    format!("{sign}{figure}{shown}")
}

/// An estimate in another unit. An interval as narrow as rounding makes it has no width: all
/// replications gave the same.
pub fn scaled(estimate: &Estimate, factor: f64) -> Estimate {
    let mean = estimate.mean.map(|mean| mean * factor);
    let is_exact = |(low, high): (f64, f64)| high - low <= 1e-9 * mean.unwrap_or(0.0).abs();
    let ends = estimate.ci95.map(|(low, high)| (low * factor, high * factor));
    let ci95 = match mean {
        Some(mean) if ends.is_some_and(is_exact) => Some((mean, mean)),
        _ => ends,
    };
    Estimate { mean, ci95, n: estimate.n }
}

fn front(tuning: &Tuning) -> String {
    let mut front: Vec<_> = tuning.trades.iter().filter(|trade| trade.is_on_front).collect();
    front.sort_by(|a, b| {
        let mean = |estimate: &Estimate| estimate.mean.unwrap_or(f64::INFINITY);
        mean(&a.objective).total_cmp(&mean(&b.objective))
    });
    let mut header = vec!["".to_string(), "objective (%)".to_string(), tuning.cost.metric.into()];
    header.extend(tuning.keys());
    let header: Vec<_> = header.iter().map(String::as_str).collect();
    let mut table = table(&header, 1);
    for trade in front.iter().take(PRINTED) {
        let name = match trade.candidate {
            None => "today".to_string(),
            Some(index) if Some(index) == tuning.chosen() => format!("#{index} (recommended)"),
            Some(index) if trade.is_feasible => format!("#{index}"),
            Some(index) => format!("#{index} (breaks a constraint)"),
        };
        let mut row = vec![name, figures::estimate(&scaled(&trade.objective, 100.0))];
        row.push(figures::estimate(&trade.cost));
        if let Some(index) = trade.candidate {
            row.extend(tuning.values(index).iter().map(shown));
        }
        table.add_row(row);
    }
    let more = match front.len().saturating_sub(PRINTED) {
        0 => String::new(),
        more => format!("\n{more} more in pareto.csv"),
    };
    format!(
        "The Pareto front of objective (% of today's) and {}, as the search saw it:\n{}{more}",
        tuning.cost.metric,
        text(&table)
    )
}

/// A table whose columns from `right` on are set right.
pub fn table(header: &[&str], right: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header.to_vec());
    for column in table.column_iter_mut().skip(right) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The lines of a table, without spaces at their ends.
pub fn text(table: &Table) -> String {
    let table = table.to_string();
    let lines: Vec<_> = table.lines().map(str::trim_end).collect();
    lines.join("\n")
}
