//! The oracle: the standard library's binary heap, written to be obviously right.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use retrial_policy::Instant;

use super::queue::{EventQueue, Identities, SlotId};
use super::rank::Identity;

/// A heap of (time, rank) with a generation per slot: replaced events stay in the heap and are
/// skipped when they surface.
#[derive(Debug)]
pub struct HeapQueue {
    heap: BinaryHeap<Reverse<Entry>>,
    generations: Vec<u64>,
}

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    at: Instant,
    what: Identity,
    slot: SlotId,
    generation: u64,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.at.cmp(&other.at).then_with(|| {
            if self.what.precedes(other.what) {
                std::cmp::Ordering::Less
            } else if other.what.precedes(self.what) {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl EventQueue for HeapQueue {
    fn with_slots(slots: usize) -> Self {
        HeapQueue { heap: BinaryHeap::new(), generations: vec![0; slots] }
    }

    fn schedule(&mut self, slot: SlotId, at: Instant, events: &impl Identities) {
        if slot.index() >= self.generations.len() {
            self.generations.resize(slot.index() + 1, 0);
        }
        let generation = &mut self.generations[slot.index()];
        *generation += 1;
        if at != Instant::MAX {
            let what = events.identity(slot);
            self.heap.push(Reverse(Entry { at, what, slot, generation: *generation }));
        }
    }

    fn pop(&mut self, _events: &impl Identities) -> Option<(Instant, SlotId)> {
        loop {
            let Reverse(entry) = self.heap.pop()?;
            if entry.generation == self.generations[entry.slot.index()] {
                return Some((entry.at, entry.slot));
            }
        }
    }
}
