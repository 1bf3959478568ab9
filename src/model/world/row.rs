//! What happens at a row under optimistic concurrency control: an attempt reads its version, and
//! writes with it. The attempt counts when the write arrives.

use retrial_policy::Instant;

use super::World;
use super::server::Serving;
use crate::engine::queue::EventQueue;
use crate::model::network::Way;
use crate::model::occ_row::{self, OccRow};
use crate::model::probe::Probe;
use crate::model::records::{Attempt, Step};
use crate::model::reply::ReplyId;
use crate::model::subject::Subject;

impl<Q: EventQueue, S: Subject, P: Probe> World<'_, Q, S, P> {
    fn row(&mut self, attempt: u32) -> Option<&mut OccRow> {
        let route = self.records.attempts[attempt].route;
        match &mut self.routes[usize::from(route)].serving {
            Serving::Row(row) => Some(row),
            Serving::Server(_) => None,
        }
    }

    #[inline]
    pub(super) fn read(&mut self, index: u32, now: Instant) {
        let Some(version) = self.row(index).map(|row| row.read()) else { return };
        let attempt = &mut self.records.attempts[index];
        attempt.version = version;
        let Attempt { network, request, abandoned, .. } = *attempt;
        let arrives = self.scenario.network.arrival(network, Way::Back, now);
        // A client that has lost patience meanwhile writes nothing.
        if abandoned || arrives >= self.records.requests[request].timeout_at {
            return self.vanish(index);
        }
        if !self.is_fused(request) {
            self.queue_attempt(index, Step::ReadReply, arrives);
        } else if arrives <= self.scenario.stop_after {
            self.write_back(index, arrives);
        }
    }

    #[inline]
    pub(super) fn write_back(&mut self, index: u32, now: Instant) {
        let Attempt { network, request, .. } = self.records.attempts[index];
        let arrives = self.scenario.network.arrival(network, Way::ToWrite, now);
        self.await_step(request, arrives);
        self.queue_attempt(index, Step::Write, arrives);
    }

    #[inline]
    pub(super) fn write(&mut self, index: u32, now: Instant) {
        let id = self.records.attempt_id(index);
        let Attempt { version, route, branch, .. } = self.records.attempts[index];
        self.probe.counted(now, id, branch);
        self.probe.arrived(now, id, route);
        let Some(status) = self.row(index).map(|row| row.write(version)) else { return };
        let reply = if status == occ_row::COMMITTED {
            self.execute(index, now);
            ReplyId::OK
        } else {
            self.probe.rejected(now, id);
            ReplyId::CONFLICT
        };
        self.records.attempts[index].reply = reply;
        self.reply(index, Way::FromWrite, now);
    }
}
