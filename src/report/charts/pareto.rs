//! [`ParetoChart`]: policies by what they reach and what that costs, with intervals.
//!
//! No line is drawn through the front: its points are measured, and lie where they lie in part by
//! chance.

use super::axis::{self, Plot};
use super::callouts::{Callout, Ground, Spot};
use super::heading::{self, MARGIN};
use super::quantity::{Quantity, Ruled};
use super::reference::{self, Reference, Upright};
use super::scale::Scale;
use super::scene::{Anchor, Scene, Text};
use super::style::{Colour, Form, INK, MUTED, Style, Styles};
use super::{Chart, font, legend, marker, number};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 460.0;
/// The size of names beside points.
const LABEL: f64 = 12.0;
const TITLE: f64 = 12.5;
/// The free space between the data and the edges of the plot.
const INNER: f64 = 14.0;
/// The radius of the largest marker, where they have sizes.
const LARGEST: f64 = 9.0;
/// What is rejected: 4.5:1 on white.
const REJECTED: Colour = Colour(0x76, 0x76, 0x76);
/// A bound is on the axis if that makes the axis at most so many times as long.
const REACH: f64 = 2.0;

/// Crosses of intervals in a plane of cost and objective.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// The cost.
    pub x: Quantity,
    /// The objective.
    pub y: Quantity,
    /// What points can be, in the order of the legend: policies, or parts they play.
    pub kinds: Vec<String>,
    /// What hollow grey points have in common, if their kinds don't say it.
    pub rejected: Option<String>,
    /// Whether all points must be on the axes; otherwise those with names.
    pub shows_all: bool,
    /// The points; later ones lie above earlier ones and are named first.
    pub points: Vec<ParetoPoint>,
    /// What is demanded of cost or objective.
    pub constraints: Vec<Constraint>,
}

/// A policy.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoPoint {
    /// Its name, if it is shown.
    pub name: Option<String>,
    /// The index of what it is.
    pub kind: usize,
    /// The cost: mean and interval.
    pub x: Span,
    /// The objective: mean and interval.
    pub y: Span,
    /// What the area of its marker is in proportion to.
    pub size: Option<f64>,
    /// Whether it is out of the question: hollow and grey.
    pub is_rejected: bool,
}

/// A mean and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A bound on one of the two quantities.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// On the cost.
    Cost(Reference),
    /// On the objective.
    Objective(Reference),
}

impl ParetoChart {
    /// An axis that shows the points, and the bounds near them.
    fn ruled(&self, quantity: &Quantity, of: fn(&ParetoPoint) -> Span, bounds: &[f64]) -> Ruled {
        let shown = self.points.iter().filter(|point| point.name.is_some() || self.shows_all);
        let ends = shown.flat_map(|point| [of(point).low, of(point).mean, of(point).high]);
        let ends: Vec<f64> = ends.filter(|end| end.is_finite()).collect();
        let data = quantity.around(ends.iter().copied());
        let near = bounds.iter().copied().filter(|bound| {
            let (low, high) = data.ends();
            !ends.is_empty() && bound.max(high) - bound.min(low) <= REACH * (high - low)
        });
        quantity.around(ends.iter().copied().chain(near))
    }

    fn bounds(&self, cost: bool) -> Vec<Reference> {
        let bounds = self.constraints.iter().filter_map(|constraint| match constraint {
            Constraint::Cost(bound) if cost => Some(bound.clone()),
            Constraint::Objective(bound) if !cost => Some(bound.clone()),
            _ => None,
        });
        bounds.collect()
    }

    fn description(&self) -> String {
        let mut text = format!("{} against {}.", self.y.title, self.x.title);
        for point in self.points.iter().filter(|point| point.name.is_some()) {
            let name = point.name.as_deref().unwrap_or_default();
            let (x, y) = (number::rounded(point.x.mean), number::rounded(point.y.mean));
            let rejected = if point.is_rejected { ", rejected" } else { "" };
            text += &format!(" {name}: {y} at {x}{rejected}.");
        }
        for bound in self.bounds(true).iter().chain(&self.bounds(false)) {
            text += &format!(" Demanded: {}.", bound.label);
        }
        text
    }

    /// The subtitle, with what is not on the axes.
    fn subtitle(&self, beyond: usize, unseen: &[&Reference]) -> String {
        let mut subtitle = self.subtitle.clone();
        match beyond {
            0 => {}
            1 => subtitle += " · 1 point lies beyond the axes",
            more => subtitle += &format!(" · {more} points lie beyond the axes"),
        }
        for bound in unseen {
            subtitle += &format!(" · the bound of {} lies beyond the axis", bound.label);
        }
        subtitle
    }

    fn style(&self, point: &ParetoPoint, styles: &Styles) -> Style {
        let style = styles.of(self.kinds.get(point.kind).map_or("", String::as_str));
        if point.is_rejected { Style { colour: REJECTED, hollow: true, ..style } } else { style }
    }

    fn radius(&self, point: &ParetoPoint) -> f64 {
        let most = self.points.iter().filter_map(|point| point.size).fold(0.0, f64::max);
        match point.size {
            Some(size) if most > 0.0 => (LARGEST * (size / most).sqrt()).max(marker::SMALL),
            _ => marker::RADIUS,
        }
    }
}

/// Where data is drawn.
struct Plane {
    x: Scale,
    y: Scale,
}

impl Plane {
    fn spot(&self, point: &ParetoPoint, radius: f64) -> Spot {
        Spot { at: (self.x.place(point.x.mean), self.y.place(point.y.mean)), radius }
    }

    /// The intervals of a point: left to right and top to bottom.
    fn cross(&self, point: &ParetoPoint) -> [[(f64, f64); 2]; 2] {
        let at = (self.x.place(point.x.mean), self.y.place(point.y.mean));
        [
            [point.x.low, point.x.high].map(|end| (self.x.place(end), at.1)),
            [point.y.high, point.y.low].map(|end| (at.0, self.y.place(end))),
        ]
    }
}

impl Chart for ParetoChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        scene.description = self.description();
        let (costs, objectives) = (self.bounds(true), self.bounds(false));
        let at = |bounds: &[Reference]| bounds.iter().map(|bound| bound.at).collect::<Vec<_>>();
        let x = self.ruled(&self.x, |point| point.x, &at(&costs));
        let y = self.ruled(&self.y, |point| point.y, &at(&objectives));
        let inside = |value: f64, (low, high): (f64, f64)| value >= low && value <= high;
        let shown = self.points.iter();
        let shown: Vec<_> =
            shown.filter(|p| inside(p.x.mean, x.ends()) && inside(p.y.mean, y.ends())).collect();
        let (costs, far_costs) = split(costs, &x);
        let (objectives, far_objectives) = split(objectives, &y);
        let unseen: Vec<_> = far_costs.iter().chain(&far_objectives).collect();
        let subtitle = self.subtitle(self.points.len() - shown.len(), &unseen);

        let top = heading::draw(&mut scene, &self.title, &subtitle);
        let baseline = top + TITLE + 4.0;
        let title = font::fit(&y.title, TITLE, true, WIDTH - 2.0 * MARGIN);
        scene.text(Text::new((MARGIN, baseline), TITLE, title).bold());
        let (left, right) = (MARGIN + axis::width(&y.ticks), WIDTH - MARGIN);
        let x_scale = x.scale((left + INNER, right - INNER));
        let upright = Upright::new(&costs, &x_scale, (left, right));
        let top = baseline + 16.0 + upright.height();
        let plot = Plot { left, right, top, bottom: top + HEIGHT };
        let y_scale = y.scale((plot.bottom - INNER, plot.top + INNER));
        let plane = Plane { x: x_scale, y: y_scale };

        axis::horizontal(&mut scene, &plot, &plane.x, &x.ticks);
        axis::vertical(&mut scene, &plot, &plane.y, &y.ticks);
        axis::base(&mut scene, &plot);
        upright.draw(&mut scene, &plot, &costs, &plane.x);
        let spots: Vec<_> =
            shown.iter().map(|point| plane.spot(point, self.radius(point))).collect();
        for point in &shown {
            for line in plane.cross(point) {
                let colour = self.style(point, styles).colour.tint(0.6);
                scene.line(line.to_vec(), 1.2, colour);
            }
        }
        for (point, spot) in shown.iter().zip(&spots) {
            marker::draw(&mut scene, spot.at, spot.radius, &self.style(point, styles));
        }
        // A label across hides neither points nor the bounds on the cost.
        let bounds = costs.iter().map(|bound| plane.x.place(bound.at));
        let bounds = bounds.flat_map(|x| {
            let steps = (plot.bottom - plot.top) as u32 / 4;
            (0..=steps).map(move |step| (x, plot.top + 4.0 * f64::from(step)))
        });
        let marks: Vec<_> = spots.iter().map(|spot| spot.at).chain(bounds).collect();
        let taken = reference::across(&mut scene, &plot, &objectives, &plane.y, &marks);
        let lines = shown.iter().flat_map(|point| plane.cross(point));
        let bounds = costs.iter().map(|bound| plane.x.place(bound.at));
        let bounds = bounds.map(|x| [(x, plot.top), (x, plot.bottom)]);
        let levels = objectives.iter().map(|bound| plane.y.place(bound.at));
        let levels = levels.map(|y| [(plot.left, y), (plot.right, y)]);
        let lines = lines.chain(bounds).chain(levels);
        let lines = lines.map(|[from, to]| (from.0, from.1, to.0, to.1)).collect();
        let bounds = (plot.left + 2.0, plot.top + 2.0, plot.right, plot.bottom - 2.0);
        let mut ground = Ground { bounds, spots, lines, taken, leaders: Vec::new() };
        let unnamed = self.name(&mut scene, &shown, &mut ground, styles);
        if shown.is_empty() {
            let middle = (f64::midpoint(left, right), f64::midpoint(plot.top, plot.bottom));
            let text = Text::new((middle.0, middle.1 - 8.0), LABEL, "no values");
            scene.text(text.anchored(Anchor::Middle).coloured(MUTED));
        }
        let frame = (MARGIN, WIDTH - MARGIN / 2.0);
        let mut below = axis::below(&mut scene, &plot, &plane.x, &x.ticks, &x.title, frame);
        let looks = self.looks(&shown, unnamed, styles);
        if !looks.is_empty() {
            let (top, frame) = (below + 12.0, (MARGIN, WIDTH - MARGIN));
            below = legend::markers(&mut scene, &looks, top, frame);
        }
        scene.finish(below + MARGIN / 2.0)
    }
}

/// Bounds on the axis and beyond it.
fn split(bounds: Vec<Reference>, axis: &Ruled) -> (Vec<Reference>, Vec<Reference>) {
    let (low, high) = axis.ends();
    bounds.into_iter().partition(|bound| (low..=high).contains(&bound.at))
}

impl ParetoChart {
    /// Draws the names, the last point's first; whether any point is not named by its kind.
    fn name(
        &self,
        scene: &mut Scene,
        shown: &[&ParetoPoint],
        ground: &mut Ground,
        styles: &Styles,
    ) -> bool {
        let mut unnamed = false;
        let room = 0.45 * (ground.bounds.2 - ground.bounds.0);
        for (index, point) in shown.iter().enumerate().rev() {
            let kind = self.kinds.get(point.kind);
            let name = point.name.as_deref().map(|name| font::fit(name, LABEL, false, room));
            let size = |name: &str| (font::space(name, LABEL, false), LABEL * 1.05);
            let placed = name.and_then(|name| {
                let callout = ground.place(index, size(&name))?;
                Some((name, callout))
            });
            let Some((name, Callout { area, leader })) = placed else {
                unnamed = true;
                continue;
            };
            unnamed |= kind.is_none_or(|kind| !name.starts_with(kind.as_str()));
            if let Some((from, to)) = leader {
                scene.line(vec![from, to], 0.9, self.style(point, styles).colour.tint(0.7));
            }
            let colour = if point.is_rejected { MUTED } else { INK };
            let text = Text::new((area.0, area.3 - LABEL * 0.28), LABEL, name).coloured(colour);
            let at_left = area.2 <= ground.spots[index].at.0;
            scene.text(match at_left {
                true => Text { at: (area.2, text.at.1), ..text }.anchored(Anchor::End),
                false => text,
            });
        }
        unnamed
    }

    /// The legend: kinds that are drawn, unless all points are named by them, and what is rejected.
    fn looks(&self, shown: &[&ParetoPoint], unnamed: bool, styles: &Styles) -> Vec<(&str, Style)> {
        let kinds = self.kinds.iter().enumerate().filter(|_| unnamed);
        let look = |(kind, name)| {
            let mut points = shown.iter().filter(|point| point.kind == kind);
            let first = points.next()?;
            let taken = points.find(|point| !point.is_rejected);
            let point = if first.is_rejected { taken.unwrap_or(first) } else { first };
            Some((String::as_str(name), self.style(point, styles)))
        };
        let mut looks: Vec<_> = kinds.filter_map(look).collect();
        let rejected = shown.iter().find(|point| point.is_rejected);
        if let (Some(name), Some(point)) = (&self.rejected, rejected) {
            looks.push((name, Style { form: Form::Circle, ..self.style(point, styles) }));
        }
        looks
    }
}
