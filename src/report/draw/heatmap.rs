//! Where in the plane of two swept keys are conditions kept, and which point is the best?

use std::collections::BTreeMap;

use super::Shown;
use super::pareto::{are_same, is_of_policies};
use crate::experiment::condition::Condition;
use crate::measure::metric::{self, Id};
use crate::report::charts::{HeatmapCell, HeatmapChart, HeatmapPanel, HeatmapRow};
use crate::report::figures;
use crate::report::recommended::recommended;
use crate::study::results::{CellResults, Results};
use crate::study::threshold::{Judgement, judge};

/// Metrics of a policy at most.
const MOST: usize = 3;
/// What is shown beside the metrics of thresholds.
const METRICS: [Id; MOST] = [Id::Amplification, Id::LatencyAllP99Ms, Id::SuccessRatio];

/// Metrics over the first two swept keys that have two numbers or more; other keys stay at their
/// last value. `None` if there are no two such keys, or if their points are not a grid.
pub fn chart(shown: &Shown<'_>) -> Option<HeatmapChart> {
    let results = shown.results;
    let grid = Grid::of(results)?;
    let judgements = judge(shown.outline, results);
    let mut judged = Judged::new();
    for judgement in &judgements {
        judged.entry((judgement.policy, judgement.point)).or_default().push(judgement);
    }
    let policies = 0..results.policies.len();
    let found: Vec<_> = policies.map(|policy| Found::of(results, &grid, policy, &judged)).collect();
    let title = title(results, &grid, &found);
    // What is the same everywhere needs no plane, unless all policies are.
    let all_constant = found.iter().all(|found| found.is_constant);
    let (drawn, left_out): (Vec<_>, Vec<_>) =
        found.iter().partition(|found| all_constant || !found.is_constant);
    let mut subtitle = grid.subtitle(results);
    if !left_out.is_empty() {
        let names = left_out.iter().map(|found| results.policies[found.policy].as_str());
        subtitle += &format!(" · the same everywhere: {}", names.collect::<Vec<_>>().join(", "));
    }
    Some(HeatmapChart {
        title,
        subtitle,
        x_title: results.axes[grid.x].clone(),
        columns: grid.columns.iter().map(|(_, text)| text.clone()).collect(),
        y_title: results.axes[grid.y].clone(),
        rows: grid.rows.iter().map(|(_, text)| text.clone()).collect(),
        policies: drawn.iter().map(|found| row(shown, &grid, found, &judged)).collect(),
    })
}

/// What was judged of a policy at a point.
type Judged<'a> = BTreeMap<(usize, usize), Vec<&'a Judgement>>;

/// What was judged in a cell.
fn of_cell<'a>(judged: &'a Judged<'_>, cell: &CellResults) -> &'a [&'a Judgement] {
    judged.get(&(cell.policy, cell.point)).map_or(&[], Vec::as_slice)
}

/// The plane that is shown.
struct Grid {
    /// The axes along columns and rows.
    x: usize,
    y: usize,
    /// Their values in order, as numbers and as they are written.
    columns: Vec<(f64, String)>,
    rows: Vec<(f64, String)>,
    /// Column and row of each point; `None` of what does not lie in the plane.
    places: Vec<Option<(usize, usize)>>,
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
        let places = (0..results.points.len()).map(|point| {
            let values = Some(&results.points[point].values).filter(|_| in_plane(&point))?;
            Some((place(&columns, values[x].number)?, place(&rows, values[y].number)?))
        });
        let places: Vec<_> = places.collect();
        let grid = Grid { x, y, columns, rows, places };
        // Points that were drawn at random have a column and a row of their own each.
        (2 * grid.points() > grid.columns.len() * grid.rows.len()).then_some(grid)
    }

    /// How many points lie in the plane.
    fn points(&self) -> usize {
        self.places.iter().flatten().count()
    }

    /// The cells of a policy, each with its column and row.
    fn cells<'a>(
        &'a self,
        results: &'a Results,
        policy: usize,
    ) -> impl Iterator<Item = (&'a CellResults, usize, usize)> + Clone {
        let cells = results.cells.iter().filter(move |cell| cell.policy == policy);
        cells.filter_map(|cell| {
            let (column, row) = self.places[cell.point]?;
            Some((cell, column, row))
        })
    }

    /// Whether its points differ in keys of policies only, and can be compared.
    fn is_one_world(&self, results: &Results) -> bool {
        [self.x, self.y].into_iter().all(|axis| is_of_policies(&results.axes[axis]))
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

/// What the plane says of one policy.
struct Found<'a> {
    policy: usize,
    /// Whether the two keys change nothing at all.
    is_constant: bool,
    /// At how many points it keeps its thresholds; `None` if it has none.
    kept: Option<usize>,
    /// The point to choose, if points can be compared.
    best: Option<&'a CellResults>,
}

impl<'a> Found<'a> {
    fn of(results: &'a Results, grid: &'a Grid, policy: usize, judged: &Judged<'_>) -> Found<'a> {
        let cells = grid.cells(results, policy).map(|(cell, ..)| cell);
        let mut binding = cells.clone().flat_map(|cell| of_cell(judged, cell));
        let has_thresholds = binding.any(|judgement| !judgement.only_warns);
        let keeps = |cell: &&CellResults| !of_cell(judged, cell).iter().any(|j| j.fails());
        let feasible = cells.clone().filter(keeps);
        Found {
            policy,
            is_constant: cells.clone().zip(cells.skip(1)).all(|(a, b)| are_same(a, b)),
            kept: has_thresholds.then(|| feasible.clone().count()),
            best: recommended(feasible).filter(|_| grid.is_one_world(results)),
        }
    }

    fn note(&self, points: usize) -> String {
        match self.kept {
            _ if self.is_constant => "these keys change nothing here".to_string(),
            None => "no thresholds".to_string(),
            Some(0) => "keeps its thresholds at no point".to_string(),
            Some(kept) if kept == points => {
                format!("keeps its thresholds at all {points} points")
            }
            Some(kept) => format!("keeps its thresholds at {kept} of {points} points"),
        }
    }
}

fn row(shown: &Shown<'_>, grid: &Grid, found: &Found<'_>, judged: &Judged<'_>) -> HeatmapRow {
    let Shown { outline, results, .. } = *shown;
    let policy = found.policy;
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
                    of_cell(judged, cell).iter().find(|j| j.condition == *condition)
                });
                Some(HeatmapCell { column, row, value, kept: judged.is_none_or(|j| j.holds) })
            })
            .collect(),
    };
    let conditioned = |id: &Id| conditions.iter().any(|c| c.metric == *id as usize);
    let others = METRICS.into_iter().filter(|id| !conditioned(id));
    let panels = conditions
        .iter()
        .map(|c| panel(c.metric, Some(c)))
        .chain(others.map(|id| panel(id as usize, None)))
        .take(MOST);
    HeatmapRow {
        policy: results.policies[policy].clone(),
        note: found.note(grid.points()),
        chosen: found.best.filter(|_| !found.is_constant).and_then(|best| grid.places[best.point]),
        panels: panels.collect(),
    }
}

/// A condition with the signs that people write.
fn written(condition: &Condition) -> String {
    condition.to_string().replace("<=", "≤").replace(">=", "≥")
}

/// The finding: the best point of the policy that is to be chosen, and what it costs; or whose
/// thresholds are kept nowhere.
fn title(results: &Results, grid: &Grid, found: &[Found<'_>]) -> String {
    let (x, y) = (&results.axes[grid.x], &results.axes[grid.y]);
    let failing: Vec<_> = found.iter().filter(|found| found.kept == Some(0)).collect();
    let chosen = recommended(found.iter().filter_map(|found| found.best));
    let Some((cell, (column, row))) =
        chosen.and_then(|cell| Some((cell, grid.places[cell.point]?)))
    else {
        let names = failing.iter().map(|found| results.policies[found.policy].as_str());
        let whose = match failing.len() {
            0 => return format!("What {x} and {y} do"),
            all if all == found.iter().filter(|found| found.kept.is_some()).count() => {
                "a policy's thresholds".to_string()
            }
            _ => format!("the thresholds of {}", names.collect::<Vec<_>>().join(", ")),
        };
        return format!("No point of {x} and {y} keeps {whose}");
    };
    let name = |axis: &str| axis.rsplit('.').next().unwrap_or_default().to_string();
    let wherever = match found.iter().any(|found| found.policy == cell.policy && found.is_constant)
    {
        true => format!("whatever {} and {} are", name(x), name(y)),
        false => format!(
            "with {} = {} and {} = {}",
            name(x),
            grid.columns[column].1,
            name(y),
            grid.rows[row].1
        ),
    };
    format!(
        "Best: {} {wherever}, {} attempts a request, {} accepted",
        results.policies[cell.policy],
        figures::plain(cell.estimate(Id::Amplification).mean.unwrap_or(f64::NAN)),
        figures::share(cell.estimate(Id::SuccessRatio).mean.unwrap_or(0.0)),
    )
}
