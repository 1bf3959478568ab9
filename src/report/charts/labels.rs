//! Labels that stand beside each other's places without touching.

/// Moves `wanted` places as little as possible so that they are `apart` from each other and
/// between `low` and `high`. The order stays; equal ones keep the order they are given in.
///
/// If there is not enough room, they are spread over it evenly.
pub fn spread(wanted: &[f64], apart: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let count = wanted.len();
    let apart = apart.min((high - low) / count.saturating_sub(1).max(1) as f64);
    let mut order: Vec<_> = (0..count).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    // Without the distances that must lie between them, places only have to be in order: pool
    // neighbours that are not, and give each pool the mean of what its members want.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (rank, index) in order.iter().enumerate() {
        let mut pool = (wanted[*index] - rank as f64 * apart, 1);
        while let Some((mean, members)) = pools.pop_if(|(mean, _)| *mean >= pool.0) {
            let both = members + pool.1;
            pool = ((mean * members as f64 + pool.0 * pool.1 as f64) / both as f64, both);
        }
        pools.push(pool);
    }
    let highest = high - count.saturating_sub(1) as f64 * apart;
    let means = pools.iter().flat_map(|(mean, members)| std::iter::repeat_n(*mean, *members));
    let mut places = vec![0.0; count];
    for ((rank, index), mean) in order.iter().enumerate().zip(means) {
        places[*index] = mean.clamp(low, highest.max(low)) + rank as f64 * apart;
    }
    places
}

/// The row of each span, from 0, such that spans of one row do not meet: the first free one.
pub fn rows(spans: &[(f64, f64)]) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::new();
    for (index, (left, right)) in spans.iter().enumerate() {
        let taken = |row: usize| {
            let before = spans[..index].iter().zip(&rows);
            before.filter(|(_, at)| **at == row).any(|((l, r), _)| l < right && left < r)
        };
        rows.push((0..=index).find(|row| !taken(*row)).unwrap_or(index));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_meet_stand_in_different_rows() {
        assert_eq!(rows(&[(0.0, 10.0), (5.0, 15.0), (12.0, 20.0), (0.0, 20.0)]), [0, 1, 0, 2]);
    }

    #[test]
    fn labels_with_room_stay_where_they_are() {
        assert_eq!(spread(&[10.0, 80.0, 40.0], 15.0, (0.0, 100.0)), [10.0, 80.0, 40.0]);
    }

    #[test]
    fn crowded_labels_move_apart_around_their_middle() {
        assert_eq!(spread(&[50.0, 50.0, 50.0], 10.0, (0.0, 100.0)), [40.0, 50.0, 60.0]);
        assert_eq!(spread(&[100.0, 100.0], 10.0, (0.0, 100.0)), [90.0, 100.0]);
        assert_eq!(spread(&[0.0, 4.0], 10.0, (0.0, 100.0)), [0.0, 10.0]);
        assert!(spread(&[], 10.0, (0.0, 100.0)).is_empty());
    }

    #[test]
    fn too_many_labels_share_the_room() {
        assert_eq!(spread(&[5.0, 5.0, 5.0], 10.0, (0.0, 10.0)), [0.0, 5.0, 10.0]);
    }
}
