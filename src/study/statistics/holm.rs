//! Several comparisons at once, without finding a difference by looking often.

/// A difference is claimed if its corrected p-value is below this: one study in twenty would claim
/// one where there is none.
pub const SIGNIFICANT: f64 = 0.05;

/// The p-values as they count when all of `p` are looked at together: each smallest but k is
/// multiplied by what is left, and none is below the one before (Holm, "A simple sequentially
/// rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979). In the order
/// of `p`, at most 1.
pub fn adjusted(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut floor = 0.0_f64;
    for (rank, index) in order.into_iter().enumerate() {
        floor = floor.max(p[index] * (p.len() - rank) as f64).min(1.0);
        adjusted[index] = floor;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 0.01 · 4, 0.03 · 2 = 0.06 (as 0.02 · 3 = 0.06 stands before it), 0.04 · 1 < 0.06.
    #[test]
    fn a_case_by_hand() {
        let p = adjusted(&[0.04, 0.01, 0.03, 0.02]);
        for (own, expected) in p.iter().zip([0.06, 0.04, 0.06, 0.06]) {
            assert!((own - expected).abs() < 1e-12, "{p:?}");
        }
    }

    #[test]
    fn one_comparison_is_left_alone_and_none_is_above_one() {
        assert_eq!(adjusted(&[0.03]), [0.03]);
        assert_eq!(adjusted(&[0.6, 0.9]), [1.0, 1.0]);
        assert_eq!(adjusted(&[]), [0.0; 0]);
    }
}
