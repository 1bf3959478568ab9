//! Attempts by layer, of policies with inner ones.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// How often each layer tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptsByLayer {
    /// Logical requests that made an attempt.
    pub requests: u64,
    /// Attempts of each layer, the outermost first; those of the last one went on the wire. Empty
    /// for policies without inner ones.
    pub attempts: Vec<u64>,
}

impl AttemptsByLayer {
    /// An attempt, the first of its request or not, that is a new one for these layers.
    pub fn count(&mut self, is_first: bool, layers: Range<usize>) {
        self.requests += u64::from(is_first);
        if self.attempts.len() < layers.end {
            self.attempts.resize(layers.end, 0);
        }
        for count in self.attempts.get_mut(layers).into_iter().flatten() {
            *count += 1;
        }
    }

    /// Attempts of the layer at `depth` per logical request; `None` if there were no requests.
    pub fn amplification(&self, depth: usize) -> Option<f64> {
        let attempts = *self.attempts.get(depth)?;
        (self.requests > 0).then(|| attempts as f64 / self.requests as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two requests: one of 2 × 2 attempts, and one that succeeds at once.
    #[test]
    fn an_attempt_counts_for_the_layer_that_decided_on_it_and_all_inside() {
        let mut counts = AttemptsByLayer::default();
        for (is_first, outermost) in [(true, 0), (false, 1), (false, 0), (false, 1), (true, 0)] {
            counts.count(is_first, outermost..2);
        }
        assert_eq!(counts, AttemptsByLayer { requests: 2, attempts: vec![3, 5] });
        assert_eq!(
            [0, 1, 2].map(|depth| counts.amplification(depth)),
            [Some(1.5), Some(2.5), None]
        );
        assert_eq!(AttemptsByLayer::default().amplification(0), None);
    }
}
