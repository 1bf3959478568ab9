//! Where in the plane of two swept keys are conditions kept, and which point is the best?

use super::Shown;
use crate::experiment::condition::Condition;
use crate::measure::metric::{self, Id};
use crate::report::charts::{HeatmapCell, HeatmapChart, HeatmapPanel, HeatmapRow};
use crate::report::figures;
use crate::report::recommended::recommended;
use crate::study::results::{CellResults, Results};
use crate::study::threshold::{Judgement, judge};

/// Metrics of a policy at most.
const MOST: usize = 3;
const AT_NO_POINT: &str = "keeps its thresholds at no point";
const CONSTANT: &str = "these keys change nothing here";
/// What is shown beside the metrics of thresholds.
const METRICS: [Id; MOST] = [Id::Amplification, Id::LatencyAllP99Ms, Id::SuccessRatio];

/// Metrics over the first two swept keys that have two numbers or more; other keys stay at their
/// last value. `None` if there are no two such keys, or if their points are not a grid.
pub fn chart(shown: &Shown<'_>) -> Option<HeatmapChart> {
    let results = shown.results;
    let grid = Grid::of(results)?;
    let judgements = judge(shown.outline, results);
    let rows: Vec<_> = (0..results.policies.len())
        .map(|policy| (policy, row(shown, &grid, policy, &judgements)))
        .collect();
    // What is the same everywhere needs no plane, unless all policies are.
    let (changing, constant): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(_, row)| row.note != CONSTANT);
    let (rows, left_out) = match changing.is_empty() {
        true => (constant, Vec::new()),
        false => (changing, constant),
    };
    let mut subtitle = grid.subtitle(results);
    if !left_out.is_empty() {
        let names: Vec<_> = left_out.iter().map(|(_, row)| row.policy.as_str()).collect();
        subtitle += &format!(" · the same everywhere: {}", names.join(", "));
    }
    let title = title(results, &grid, &rows);
    let policies = rows.into_iter().map(|(_, row)| row).collect();
    Some(HeatmapChart {
        title,
        subtitle,
        x_title: results.axes[grid.x].clone(),
        columns: grid.columns.iter().map(|(_, text)| text.clone()).collect(),
        y_title: results.axes[grid.y].clone(),
        rows: grid.rows.iter().map(|(_, text)| text.clone()).collect(),
        policies,
    })
}

/// The plane that is shown.
struct Grid {
    /// The axes along columns and rows.
    x: usize,
    y: usize,
    /// Their values in order, as numbers and as they are written.
    columns: Vec<(f64, String)>,
    rows: Vec<(f64, String)>,
    /// Point, column and row of what lies in the plane.
    points: Vec<(usize, usize, usize)>,
}

impl Grid {
    fn of(results: &Results) -> Option<Grid> {
        let last = &results.points.last()?.values;
        let mut axes = (0..results.axes.len()).filter(|axis| values(results, *axis).len() > 1);
        let (x, y) = (axes.next()?, axes.next()?);
        let in_plane = |point: &usize| {
            let values = &results.points[*point].values;
            (0..values.len()).all(|axis| axis == x || axis == y || values[axis] == last[axis])
        };
        let (columns, rows) = (values(results, x), values(results, y));
        let place = |of: &[(f64, String)], number: Option<f64>| {
            of.iter().position(|(value, _)| Some(*value) == number)
        };
        let points = (0..results.points.len()).filter(in_plane).filter_map(|point| {
            let values = &results.points[point].values;
            Some((point, place(&columns, values[x].number)?, place(&rows, values[y].number)?))
        });
        let points: Vec<_> = points.collect();
        // Points that were drawn at random have a column and a row of their own each.
        let is_grid = 2 * points.len() > columns.len() * rows.len();
        is_grid.then_some(Grid { x, y, columns, rows, points })
    }

    /// The cells of a policy, each with its column and row.
    fn cells<'a>(
        &'a self,
        results: &'a Results,
        policy: usize,
    ) -> impl Iterator<Item = (&'a CellResults, usize, usize)> + Clone {
        let cells = results.cells.iter().filter(move |cell| cell.policy == policy);
        cells.filter_map(|cell| {
            let (_, column, row) = self.points.iter().find(|(point, ..)| *point == cell.point)?;
            Some((cell, *column, *row))
        })
    }

    /// Under which conditions: other axes stand still.
    fn subtitle(&self, results: &Results) -> String {
        let mut parts = vec![results.experiment.clone()];
        let last = results.points.last().map_or(&[][..], |point| &point.values);
        let others = results.axes.iter().zip(last).enumerate();
        let others = others.filter(|(axis, _)| ![self.x, self.y].contains(axis));
        parts.extend(others.map(|(_, (name, value))| format!("{name} = {}", value.text)));
        parts.push(format!("seed {}", results.seed));
        parts.push(super::scaling::replications(results));
        parts.push("means".to_string());
        parts.join(" · ")
    }
}

/// The numbers of an axis in order, as they are written.
fn values(results: &Results, axis: usize) -> Vec<(f64, String)> {
    let values = results.points.iter().map(|point| &point.values[axis]);
    let mut numbers: Vec<_> =
        values.filter_map(|value| Some((value.number?, value.text.clone()))).collect();
    numbers.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    numbers.dedup_by(|(a, _), (b, _)| a == b);
    numbers
}

fn row(shown: &Shown<'_>, grid: &Grid, policy: usize, judgements: &[Judgement]) -> HeatmapRow {
    let Shown { outline, results, .. } = *shown;
    let own = || judgements.iter().filter(move |judgement| judgement.policy == policy);
    let thresholds = outline.thresholds.iter().filter(|(of, _)| *of == policy);
    let conditions: Vec<Condition> = thresholds.map(|(_, threshold)| threshold.condition).collect();
    let panel = |metric: usize, condition: Option<&Condition>| HeatmapPanel {
        metric: metric::ALL[metric].name.to_string(),
        condition: condition.map(written),
        cells: grid
            .cells(results, policy)
            .filter_map(|(cell, column, row)| {
                let value = cell.estimates[metric].mean?;
                let judged = condition.and_then(|condition| {
                    own().find(|j| j.point == cell.point && j.condition == *condition)
                });
                Some(HeatmapCell { column, row, value, kept: judged.is_none_or(|j| j.holds) })
            })
            .collect(),
    };
    let conditioned = |id: &Id| conditions.iter().any(|c| c.metric == *id as usize);
    let others = METRICS.into_iter().filter(|id| !conditioned(id));
    let panels: Vec<_> = conditions
        .iter()
        .map(|c| panel(c.metric, Some(c)))
        .chain(others.map(|id| panel(id as usize, None)))
        .take(MOST)
        .collect();
    let keeps = |cell: &CellResults| !own().any(|j| j.point == cell.point && j.fails());
    let feasible = grid.cells(results, policy).filter(|(cell, ..)| keeps(cell));
    let best = recommended(feasible.clone().map(|(cell, ..)| cell));
    let place = |best: &CellResults| {
        let mut feasible = feasible.clone();
        feasible.find(|(cell, ..)| cell.point == best.point).map(|(_, column, row)| (column, row))
    };
    let is_constant =
        |panel: &HeatmapPanel| panel.cells.windows(2).all(|pair| pair[0].value == pair[1].value);
    if panels.iter().all(is_constant) {
        let note = CONSTANT.to_string();
        let policy = results.policies[policy].clone();
        return HeatmapRow { policy, note, chosen: None, panels };
    }
    let judged = own().any(|judgement| !judgement.only_warns);
    let points = grid.points.len();
    let note = match (judged, feasible.clone().count()) {
        (false, _) => "no thresholds".to_string(),
        (true, 0) => AT_NO_POINT.to_string(),
        (true, kept) if kept == points => format!("keeps its thresholds at all {points} points"),
        (true, kept) => format!("keeps its thresholds at {kept} of {points} points"),
    };
    HeatmapRow {
        policy: results.policies[policy].clone(),
        note,
        chosen: best.and_then(place),
        panels,
    }
}

/// A condition with the signs that people write.
fn written(condition: &Condition) -> String {
    condition.to_string().replace("<=", "≤").replace(">=", "≥")
}

/// The finding: the best point of the policy that is to be chosen, and what it costs.
fn title(results: &Results, grid: &Grid, policies: &[(usize, HeatmapRow)]) -> String {
    let best = policies.iter().filter_map(|(policy, row)| {
        let (column, line) = row.chosen?;
        grid.cells(results, *policy).find(|(_, x, y)| (*x, *y) == (column, line))
    });
    let best: Vec<_> = best.collect();
    let chosen = recommended(best.iter().map(|(cell, ..)| *cell));
    let Some((cell, column, line)) =
        best.iter().find(|(cell, ..)| chosen.is_some_and(|chosen| chosen.policy == cell.policy))
    else {
        let (x, y) = (&results.axes[grid.x], &results.axes[grid.y]);
        return match policies.iter().any(|(_, row)| row.note == AT_NO_POINT) {
            true => format!("No point of {x} and {y} keeps a policy's thresholds"),
            false => format!("What {x} and {y} do"),
        };
    };
    let name = |axis: usize| results.axes[axis].rsplit('.').next().unwrap_or_default().to_string();
    format!(
        "Best: {} with {} = {} and {} = {}, {} attempts a request, {} accepted",
        results.policies[cell.policy],
        name(grid.x),
        grid.columns[*column].1,
        name(grid.y),
        grid.rows[*line].1,
        figures::plain(cell.estimate(Id::Amplification).mean.unwrap_or(f64::NAN)),
        share(cell),
    )
}

/// The share of requests that succeed.
fn share(cell: &CellResults) -> String {
    let mean = cell.estimate(Id::SuccessRatio).mean.unwrap_or(0.0);
    format!("{} %", figures::plain(100.0 * mean))
}
