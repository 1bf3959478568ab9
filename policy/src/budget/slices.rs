//! [`Slices`]: a window of time as a ring of ten slices.

use crate::time::{Instant, Nanos};

/// Ten, as Finagle's and tower's windows have.
const COUNT: usize = 10;

/// What happened within a window, by tenths of it. The slices begin when something first happens,
/// not at multiples of their length: clients of one policy must not all forget at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slices<T> {
    parts: [T; COUNT],
    /// Where the slice under way is.
    newest: usize,
    length: u64,
    /// When the slice under way began, once one has.
    began: Option<Instant>,
}

impl<T: Copy + Default> Slices<T> {
    pub(super) fn over(window: Nanos) -> Self {
        let length = (window.get() / COUNT as u64).max(1);
        Slices { parts: [T::default(); COUNT], newest: 0, length, began: None }
    }

    /// The slice under way at `now`, once those that are too old are empty. However long nothing
    /// happened, this clears each slice once at most.
    pub(super) fn current(&mut self, now: Instant) -> &mut T {
        let began = *self.began.get_or_insert(now);
        let passed = now.saturating_since(began).get() / self.length;
        // Bounded by the count, which is small.
        for _ in 0..passed.min(COUNT as u64) {
            self.newest = (self.newest + 1) % COUNT;
            self.parts[self.newest] = T::default();
        }
        let passed = Nanos::new(passed.saturating_mul(self.length));
        self.began = Some(began.saturating_add(passed));
        &mut self.parts[self.newest]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.parts.iter()
    }

    /// The slice under way first, then back in time.
    pub(super) fn newest_first(&mut self) -> impl Iterator<Item = &mut T> {
        let (early, late) = self.parts.split_at_mut(self.newest + 1);
        early.iter_mut().rev().chain(late.iter_mut().rev())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    const fn at(tenths: u64) -> Instant {
        Instant::from_nanos(1_000 + tenths * 10)
    }

    fn total(slices: &mut Slices<u32>, now: Instant) -> u32 {
        slices.current(now);
        slices.iter().sum()
    }

    #[test]
    fn what_is_older_than_the_window_is_forgotten() {
        let mut slices = Slices::over(Nanos::new(100));
        for tenth in 0..10 {
            *slices.current(at(tenth)) += 1 << tenth;
        }
        assert_eq!(total(&mut slices, at(9)), 0b11_1111_1111);
        assert_eq!(total(&mut slices, at(10)), 0b11_1111_1110);
        assert_eq!(total(&mut slices, at(12)), 0b11_1111_1000);
        assert_eq!(total(&mut slices, at(19)), 0);
    }

    #[test]
    fn the_newest_comes_first() {
        let mut slices = Slices::over(Nanos::new(100));
        for tenth in 0..13_u32 {
            *slices.current(at(tenth.into())) = tenth;
        }
        let newest: Vec<u32> = slices.newest_first().map(|part| *part).collect();
        assert_eq!(newest, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    }

    #[test]
    fn slices_keep_their_beat_from_the_first_event() {
        let mut slices = Slices::over(Nanos::new(100));
        *slices.current(at(0)) = 1_u32;
        // Half a slice late each time: the beat stays.
        assert_eq!(*slices.current(Instant::from_nanos(1_009)), 1);
        assert_eq!(*slices.current(Instant::from_nanos(1_010)), 0);
        slices.current(Instant::from_nanos(1_025));
        assert_eq!(slices.began, Some(Instant::from_nanos(1_020)));
    }

    #[test]
    fn a_clock_that_goes_back_or_jumps_to_the_end_does_no_harm() {
        let mut slices = Slices::over(Nanos::ZERO);
        *slices.current(at(5)) = 1_u32;
        assert_eq!(*slices.current(at(0)), 1);
        assert_eq!(total(&mut slices, Instant::MAX), 0);
        assert_eq!(total(&mut slices, Instant::MAX), 0);
    }
}
