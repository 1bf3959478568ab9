//! A winner tree: the fast queue for up to some 16,000 slots.
//!
//! A knockout tournament over the slots' times. When a slot changes, only the matches on the way
//! from its leaf to the root are played again, and which matches those are is known before any
//! time is read, so all loads issue at once. A binary heap's path depends on what it reads: each
//! level waits for the last. On the hold model it takes a
//! quarter to a third of the heap oracle's time (`benches/event_queue.rs`), and cancelling a
//! timer leaves no garbage behind.

use std::hint::select_unpredictable;

use retrial_policy::Instant;

use super::queue::{EventQueue, Identities, SlotId};

/// See the module's documentation.
#[derive(Clone, Debug)]
pub struct WinnerTree {
    /// Due time by slot, padded to a power of two; `NEVER` for none.
    times: Vec<u64>,
    /// The slot that wins each match; 1 is the final, n's players come from 2n and 2n + 1, and
    /// the second half are the slots themselves.
    winners: Vec<u32>,
    /// The slot popped last. Its matches are replayed when it is scheduled again, or at the next
    /// pop: the common "take the top, put it back" then costs one way to the root, not two.
    popped: Option<SlotId>,
}

const NEVER: u64 = Instant::MAX.as_nanos();

impl WinnerTree {
    /// A tree of so many leaves, a power of two, with all matches to be played.
    fn with_times(times: Vec<u64>) -> Self {
        let leaves = times.len();
        let mut winners = vec![0; 2 * leaves];
        for (leaf, winner) in winners[leaves..].iter_mut().enumerate() {
            *winner = leaf as u32;
        }
        WinnerTree { times, winners, popped: None }
    }

    /// Doubles the leaves until `slot` has one.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, slot: SlotId, events: &impl Identities) {
        let mut times = std::mem::take(&mut self.times);
        times.resize((slot.index() + 1).next_power_of_two(), NEVER);
        *self = WinnerTree::with_times(times);
        for node in (1..self.times.len()).rev() {
            let [left, right] = [self.winners[2 * node], self.winners[2 * node + 1]];
            let [sooner, later] = [left, right].map(|slot| self.times[slot as usize]);
            let equal = later == sooner && later != NEVER;
            let right_wins = later < sooner || (equal && tie(right, left, events));
            self.winners[node] = if right_wins { right } else { left };
        }
    }

    /// Plays the matches from `slot`'s leaf to the final.
    #[inline]
    fn replay(&mut self, slot: SlotId, events: &impl Identities) {
        let leaves = self.times.len();
        let mut winner = slot.0;
        let mut best = self.times[slot.index()];
        let mut node = leaves + slot.index();
        while node > 1 {
            let rival = self.winners[node ^ 1];
            let time = self.times[rival as usize];
            let mut rival_wins = time < best;
            // Between two empty slots nothing is at stake, and neither has an identity to ask for.
            if time == best && time != NEVER {
                rival_wins = tie(rival, winner, events);
            }
            // Who wins a match is a coin toss: a mispredicted branch would cost more than the
            // match itself.
            winner = select_unpredictable(rival_wins, rival, winner);
            best = select_unpredictable(rival_wins, time, best);
            node >>= 1;
            self.winners[node] = winner;
        }
    }
}

/// Whether `rival` goes before `winner` at one instant. Rare, so kept out of the hot loop.
#[cold]
#[inline(never)]
fn tie(rival: u32, winner: u32, events: &impl Identities) -> bool {
    events.identity(SlotId(rival)).precedes(events.identity(SlotId(winner)))
}

impl EventQueue for WinnerTree {
    fn with_slots(slots: usize) -> Self {
        let leaves = slots.next_power_of_two().max(2);
        let mut tree = WinnerTree::with_times(vec![NEVER; leaves]);
        for node in (1..leaves).rev() {
            tree.winners[node] = tree.winners[2 * node];
        }
        tree
    }

    #[inline]
    fn schedule(&mut self, slot: SlotId, at: Instant, events: &impl Identities) {
        if slot.index() >= self.times.len() {
            self.grow(slot, events);
        }
        self.times[slot.index()] = at.as_nanos();
        if self.popped == Some(slot) {
            self.popped = None;
        }
        self.replay(slot, events);
    }

    #[inline]
    fn pop(&mut self, events: &impl Identities) -> Option<(Instant, SlotId)> {
        // Matches replayed meanwhile may have met the popped slot's old wins, but only in nodes
        // on its own way to the root, and those are all played again here.
        if let Some(slot) = self.popped.take() {
            self.replay(slot, events);
        }
        let slot = SlotId(self.winners[1]);
        let time = self.times[slot.index()];
        if time == NEVER {
            return None;
        }
        self.times[slot.index()] = NEVER;
        self.popped = Some(slot);
        Some((Instant::from_nanos(time), slot))
    }
}
