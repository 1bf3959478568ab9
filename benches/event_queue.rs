//! The hold model: N events pending; take the earliest, put it back a random time later.
//!
//! The yardstick of event queues. Times include one exponential draw.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;
use retrial::engine::heap_queue::HeapQueue;
use retrial::engine::queue::{EventQueue, Identities, SlotId};
use retrial::engine::rank::Identity;
use retrial::engine::winner_tree::WinnerTree;
use retrial_policy::{Instant, Nanos};

const HOLDS: u64 = 10_000;

/// Each slot is a client of its own.
struct Clients;

impl Identities for Clients {
    fn identity(&self, slot: SlotId) -> Identity {
        Identity { client: slot.0, request: 0, attempt: 0, kind: 0, observable: true }
    }
}

struct Hold<Q> {
    queue: Q,
    random: Pcg64Mcg,
}

impl<Q: EventQueue> Hold<Q> {
    fn new(slots: u32) -> Self {
        let mut hold =
            Hold { queue: Q::with_slots(slots as usize), random: Pcg64Mcg::seed_from_u64(1) };
        for slot in (0..slots).map(SlotId) {
            let at = hold.after(Instant::from_nanos(0));
            hold.queue.schedule(slot, at, &Clients);
        }
        hold
    }

    fn after(&mut self, now: Instant) -> Instant {
        let gap: f64 = Exp1.sample(&mut self.random);
        now.saturating_add(Nanos::new((gap * 1e9) as u64))
    }

    fn run(&mut self) {
        for _ in 0..HOLDS {
            let Some((now, slot)) = self.queue.pop(&Clients) else { return };
            let at = self.after(now);
            self.queue.schedule(slot, at, &Clients);
        }
    }
}

fn hold(c: &mut Criterion) {
    let mut group = c.benchmark_group("hold");
    group.throughput(Throughput::Elements(HOLDS));
    for slots in [200, 10_000, 1_000_000] {
        let mut tree = Hold::<WinnerTree>::new(slots);
        group.bench_function(BenchmarkId::new("winner_tree", slots), |b| b.iter(|| tree.run()));
        let mut heap = Hold::<HeapQueue>::new(slots);
        group.bench_function(BenchmarkId::new("binary_heap", slots), |b| b.iter(|| heap.run()));
    }
    group.finish();
}

criterion_group!(benches, hold);
criterion_main!(benches);
