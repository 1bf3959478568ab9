//! Names beside points of a plane, where they hide nothing.

use super::reference::{Area, meet};
use super::scene::Point;

/// From the marker to a name at its side.
const GAP: f64 = 4.0;
/// Between a name and a thin line at its side.
const AIR: f64 = 3.0;
/// How far from its marker a name may be moved, with a line that leads to it.
const RINGS: [f64; 7] = [16.0, 28.0, 42.0, 58.0, 78.0, 102.0, 130.0];
/// Directions to look in: right first, as names are read away from their points.
const DIRECTIONS: [Point; 12] = [
    (1.0, 0.0),
    (0.87, -0.5),
    (0.87, 0.5),
    (-1.0, 0.0),
    (0.5, -0.87),
    (0.5, 0.87),
    (-0.87, -0.5),
    (-0.87, 0.5),
    (0.0, -1.0),
    (0.0, 1.0),
    (-0.5, -0.87),
    (-0.5, 0.87),
];

/// A point of the plane as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The centre of its marker.
    pub at: Point,
    /// The radius of its marker.
    pub radius: f64,
}

/// Where a name stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Callout {
    /// Its rectangle.
    pub area: Area,
    /// Both ends of the line that leads to it, where it stands apart from its marker.
    pub leader: Option<(Point, Point)>,
}

/// What names must not hide.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Where names may stand.
    pub bounds: Area,
    /// All markers.
    pub spots: Vec<Spot>,
    /// Thin lines, which a name hides only where there is no other place.
    pub lines: Vec<Area>,
    /// Rectangles that are taken.
    pub taken: Vec<Area>,
    /// Lines that lead to names.
    pub leaders: Vec<(Point, Point)>,
}

impl Ground {
    /// A place for a name of this size that belongs to a spot, which is taken from then on; `None`
    /// if there is no room.
    pub fn place(&mut self, spot: usize, size: (f64, f64)) -> Option<Callout> {
        let candidates: Vec<_> = candidates(&self.spots[spot], size).collect();
        let free: Vec<_> =
            candidates.iter().filter(|callout| self.is_free(callout, spot)).collect();
        let clear = |callout: &&&Callout| {
            let (left, top, right, bottom) = callout.area;
            let area = (left - AIR, top, right + AIR, bottom);
            !self.lines.iter().any(|line| meet(&area, line))
        };
        let near = |callout: &&&Callout| callout.leader.is_none();
        let best = free.iter().find(|callout| near(callout) && clear(callout));
        let best = best.or_else(|| free.iter().find(clear)).or_else(|| free.first());
        let best = Callout::clone(best?);
        self.taken.push(best.area);
        self.leaders.extend(best.leader);
        Some(best)
    }

    fn is_free(&self, callout: &Callout, own: usize) -> bool {
        let (left, top, right, bottom) = callout.area;
        let bounds = self.bounds;
        let inside = left >= bounds.0 && top >= bounds.1 && right <= bounds.2 && bottom <= bounds.3;
        let hides = |spot: &Spot| meet(&callout.area, &around(spot));
        let crosses = |(from, to): (Point, Point)| {
            let others = self.spots.iter().enumerate().filter(|(index, _)| *index != own);
            let spots = others.map(|(_, spot)| around(spot));
            let mut obstacles = spots.chain(self.taken.iter().copied());
            obstacles.any(|area| along(from, to).any(|point| within(point, &area)))
        };
        let led_through = |(from, to): &(Point, Point)| {
            along(*from, *to).any(|point| within(point, &callout.area))
        };
        inside
            && !self.taken.iter().any(|area| meet(&callout.area, area))
            && !self.spots.iter().any(hides)
            && !callout.leader.is_some_and(crosses)
            && !self.leaders.iter().any(led_through)
    }
}

/// Places around a spot, the best first.
fn candidates(spot: &Spot, (width, height): (f64, f64)) -> impl Iterator<Item = Callout> {
    let Spot { at: (x, y), radius } = *spot;
    let beside = std::iter::once((radius + GAP, false));
    let apart = RINGS.iter().map(move |ring| (radius + ring, true));
    beside.chain(apart).flat_map(move |(distance, led)| {
        DIRECTIONS.iter().map(move |(dx, dy)| {
            // The nearest point of the rectangle is in that direction.
            let (px, py) = (x + dx * distance, y + dy * distance);
            let left = px - width * (1.0 - dx) / 2.0;
            let top = py - height * (1.0 - dy) / 2.0;
            let area = (left, top, left + width, top + height);
            // The line ends a little before the name.
            let end = (px - dx * AIR, py - dy * AIR);
            let from = (x + dx * (radius + 1.5), y + dy * (radius + 1.5));
            Callout { area, leader: led.then_some((from, end)) }
        })
    })
}

fn around(spot: &Spot) -> Area {
    let reach = spot.radius + 2.0;
    (spot.at.0 - reach, spot.at.1 - reach, spot.at.0 + reach, spot.at.1 + reach)
}

fn within((x, y): Point, area: &Area) -> bool {
    (area.0..=area.2).contains(&x) && (area.1..=area.3).contains(&y)
}

/// Points of a line, close to each other.
fn along(from: Point, to: Point) -> impl Iterator<Item = Point> {
    (0..=24).map(move |step| {
        let share = f64::from(step) / 24.0;
        (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(spots: &[Point]) -> Ground {
        let spots = spots.iter().map(|at| Spot { at: *at, radius: 4.0 });
        let bounds = (0.0, 0.0, 200.0, 200.0);
        Ground { bounds, spots: spots.collect(), lines: vec![], taken: vec![], leaders: vec![] }
    }

    #[test]
    fn a_name_stands_at_the_right_of_its_point_if_it_can() {
        let callout = ground(&[(50.0, 50.0)]).place(0, (40.0, 12.0)).unwrap();
        assert_eq!(callout, Callout { area: (58.0, 44.0, 98.0, 56.0), leader: None });
    }

    #[test]
    fn names_keep_clear_of_each_other_and_of_points() {
        let mut ground = ground(&[(100.0, 100.0), (112.0, 100.0), (100.0, 108.0), (196.0, 4.0)]);
        for spot in 0..4 {
            let callout = ground.place(spot, (60.0, 12.0)).unwrap();
            let others = &ground.taken[..spot];
            assert!(!others.iter().any(|other| meet(other, &callout.area)), "{callout:?}");
            assert!(!ground.spots.iter().any(|spot| meet(&around(spot), &callout.area)));
            assert!(callout.area.2 <= 200.0 && callout.area.1 >= 0.0);
        }
    }

    #[test]
    fn a_name_without_room_has_no_place() {
        assert_eq!(ground(&[(100.0, 100.0)]).place(0, (300.0, 12.0)), None);
    }
}
