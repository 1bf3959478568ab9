//! What all sections of a report are written from.

use super::picture::Picture;
use crate::experiment::node::Node;
use crate::experiment::outline::Outline;
use crate::experiment::parse::{parse, parse_value};
use crate::experiment::source::SourceId;
use crate::report::charts::Styles;
use crate::report::verdict::recommendation::{Recommendation, recommendation};
use crate::study::results::{CellResults, Results};
use crate::study::threshold::{Judgement, judge};

/// A study, and what follows from it at the point that is shown.
pub struct Study<'a> {
    /// What was studied.
    pub outline: &'a Outline,
    /// What was found.
    pub results: &'a Results,
    /// Its charts, in the order of a report.
    pub pictures: &'a [Picture],
    /// What became of the thresholds.
    pub judgements: Vec<Judgement>,
    /// The point that is shown where one is: the last.
    pub point: usize,
    /// What to do.
    pub recommendation: Recommendation,
    /// How policies look in charts.
    pub styles: Styles,
}

impl<'a> Study<'a> {
    /// Judges a study.
    pub fn new(outline: &'a Outline, results: &'a Results, pictures: &'a [Picture]) -> Self {
        let judgements = judge(outline, results);
        let point = results.points.len().saturating_sub(1);
        let recommendation = recommendation(results, &judgements, point);
        let styles = Styles::new(&results.policies);
        Study { outline, results, pictures, judgements, point, recommendation, styles }
    }

    /// The policies at the point that is shown.
    pub fn cells(&self) -> impl Iterator<Item = &'a CellResults> {
        self.results.at_point(self.point)
    }

    /// The name of a cell's policy.
    pub fn name(&self, cell: &CellResults) -> &'a str {
        &self.results.policies[cell.policy]
    }

    /// Whether anything was swept.
    pub fn is_swept(&self) -> bool {
        self.results.points.len() > 1
    }

    /// The experiment as it was run; `None` if its line is not read as it was written, which texts
    /// of unprintable characters bring about.
    pub fn effective(&self) -> Option<Node> {
        let root = parse_value(&self.outline.effective, SourceId::default(), 0);
        root.as_table().is_some().then_some(root)
    }

    /// The experiment as it was written.
    pub fn written(&self) -> Option<Node> {
        parse(&self.outline.text, SourceId::default()).ok()
    }
}
