//! What was once measured, drawn again.

use retrial_policy::mix::scale;

use crate::engine::stream::Stream;

/// One of `values`, each with the same probability; 0 if there are none.
pub fn one_of(values: &[u64], stream: &mut Stream) -> u64 {
    let last = values.len().saturating_sub(1) as u64;
    values.get(scale(stream.next_bits(), last) as usize).copied().unwrap_or(0)
}
