//! How the rate grows after throttling: the window curve of CUBIC, with rates for windows.
//!
//! t seconds after throttling at the rate w, the rate is C·(t − K)³ + w with K = ∛(w·(1 − β)/C),
//! so that it is β·w at t = 0 and w at t = K (Ha, Rhee and Xu, "CUBIC: a new TCP-friendly
//! high-speed TCP variant", 2008). All in integers: times in nanoseconds, rates in billionths a
//! second, and the cube root is the exact one, rounded down to a nanosecond.

use crate::ratio::Ratio;
use crate::time::Instant;

const ONE: u128 = Ratio::ONE.parts_per_billion() as u128;
/// 10²⁷, the cube of a second in nanoseconds, over a billion.
const CUBIC_SECOND: i128 = 1_000_000_000_000_000_000;
/// Beyond this time from K, 73 minutes in nanoseconds, the curve is 8·10¹⁰ times C away from w,
/// more than any client sends. Its cube still fits.
const FAR: i128 = 1 << 42;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cubic {
    /// C, in billionths.
    scale: u64,
    /// β, in billionths.
    beta: u64,
    /// w.
    throttled_rate: u64,
    /// K.
    plateau: u64,
    since: Instant,
}

impl Cubic {
    pub(super) fn new(scale: Ratio, beta: Ratio) -> Self {
        Cubic {
            scale: scale.parts_per_billion(),
            beta: beta.parts_per_billion(),
            throttled_rate: 0,
            plateau: 0,
            since: Instant::default(),
        }
    }

    /// Begins at `now`, as if throttled at a rate of zero.
    pub(super) fn start(&mut self, now: Instant) {
        self.since = now;
    }

    /// Throttled at the rate of `rate`; gives the lower one.
    pub(super) fn throttled(&mut self, rate: u64, now: Instant) -> u64 {
        self.throttled_rate = rate;
        self.since = now;
        let beta = u128::from(self.beta).min(ONE);
        // In cubic nanoseconds: w and C are both in billionths, and 10²⁷ is 10¹⁸ and the 10⁹ of
        // 1 − β.
        let over_scale = u128::from(rate) * ONE * ONE / u128::from(self.scale.max(1));
        self.plateau = cube_root(over_scale.saturating_mul(ONE - beta));
        u64::try_from(u128::from(rate) * beta / ONE).unwrap_or(u64::MAX)
    }

    /// The rate at `now`.
    pub(super) fn rate(&self, now: Instant) -> u64 {
        let passed = i128::from(now.saturating_since(self.since).get());
        let from_plateau = (passed - i128::from(self.plateau)).clamp(-FAR, FAR);
        let cube = from_plateau * from_plateau * from_plateau / ONE as i128;
        let change = cube * i128::from(self.scale) / CUBIC_SECOND;
        let rate = i128::from(self.throttled_rate) + change;
        u64::try_from(rate.max(0)).unwrap_or(u64::MAX)
    }

    #[cfg(test)]
    fn plateau(&self) -> u64 {
        self.plateau
    }
}

/// ∛n, rounded down; bit by bit, which takes 43 steps and no float.
fn cube_root(n: u128) -> u64 {
    let mut root = 0_u64;
    for bit in (0..43).rev() {
        let larger = root | 1 << bit;
        if u128::from(larger).checked_pow(3).is_some_and(|cube| cube <= n) {
            root = larger;
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_roots_are_exact() {
        for root in [0, 1, 2, 3, 10, 999, 1_000_000_007, (1 << 42) - 1, 5_000_000_000_000] {
            let cube = u128::from(root).pow(3);
            assert_eq!(cube_root(cube), root);
            assert_eq!(cube_root(cube + 1), root.max(1), "0 + 1 is the cube of 1");
            assert_eq!(cube_root(cube.saturating_sub(1)), root.saturating_sub(1));
        }
        assert_eq!(cube_root(u128::MAX), 6_981_463_658_331, "∛(2¹²⁸) is 2^42.67");
    }

    /// Values of the published recording: throttled at 9.9999744 sends a second, K is 1.95743215 s.
    #[test]
    fn the_curve_starts_at_beta_and_returns_at_the_plateau() {
        let mut cubic = Cubic::new(Ratio::from_percent(40), Ratio::from_percent(70));
        let then = Instant::from_nanos(7);
        let lower = cubic.throttled(9_999_974_400, then);
        assert_eq!(lower, 6_999_982_080);
        assert_eq!(cubic.plateau() / 10, 195_743_215);
        assert!(cubic.rate(then).abs_diff(lower) <= 10, "{}", cubic.rate(then));
        let plateau = Instant::from_nanos(7 + cubic.plateau());
        assert_eq!(cubic.rate(plateau), 9_999_974_400);
        let twice = Instant::from_nanos(7 + 2 * cubic.plateau());
        assert!(cubic.rate(twice).abs_diff(12_999_966_720) <= 10, "{}", cubic.rate(twice));
    }

    #[test]
    fn no_time_and_no_rate_overflows() {
        let mut cubic = Cubic::new(Ratio::ONE, Ratio::from_parts_per_billion(1));
        assert_eq!(cubic.rate(Instant::MAX), u64::MAX);
        cubic.throttled(u64::MAX, Instant::default());
        assert_eq!(cubic.rate(Instant::MAX), u64::MAX);
        let mut flat = Cubic::new(Ratio::from_parts_per_billion(1), Ratio::from_percent(50));
        flat.throttled(u64::MAX, Instant::MAX);
        flat.rate(Instant::default());
        flat.rate(Instant::MAX);
    }
}
