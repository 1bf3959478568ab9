//! [`Provider`]: a table that reads replies.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::case::Case;
use super::chain::Chain;
use super::decided::{Decided, decided};
use super::ending::{ending, verdict_of_stream};
use super::judge::Judge;
use super::library::Library;
use super::particulars::{add_names, add_wait};
use super::table::Table;
use crate::evidence::{self, Body};
use crate::replies::{Ending, Reading, Reply};

/// A table of a [`Library`], with all that it extends, ready to read replies.
#[derive(Clone, Debug)]
pub struct Provider {
    all: Arc<Library>,
    table: usize,
    chain: Arc<Chain>,
}

/// Headers that are looked at; HTTP clients take no more than a hundred or so.
const MOST_HEADERS: usize = 256;

impl Provider {
    pub(super) fn new(all: Arc<Library>, table: usize, chain: Arc<Chain>) -> Self {
        Provider { all, table, chain }
    }

    /// The embedded table with this name or alias; `-` and `_` are the same.
    pub fn find(name: &str) -> Option<Provider> {
        Library::embedded().provider(name)
    }

    /// The table itself.
    pub fn table(&self) -> &Table {
        // The number is one of this library: `new` is given nothing else.
        &self.all.tables[self.table]
    }

    /// Whether any table of the chain has a row for this code.
    pub fn knows_code(&self, code: &str) -> bool {
        self.chain.coded.knows(code)
    }

    /// Whether any table of the chain has a row for an answer that ended for this reason.
    pub fn knows_stop_reason(&self, reason: &str) -> bool {
        self.chain.stopped.knows(reason)
    }

    /// What `reply` means, and everything a call and its record need of it.
    ///
    /// Looks at the first 64 KiB of the body, at an answer whole, and at the first 256 headers. No
    /// reply makes it panic.
    pub fn read(&self, reply: &Reply) -> Reading {
        let (status, stream) = match reply.ending() {
            Ending::Transport(signal, progress) => {
                return Reading::of_transport(*signal, *progress);
            }
            Ending::Response(status) => (*status, None),
            Ending::Stream { status, end, content_started, .. } => {
                (*status, Some((*end, *content_started)))
            }
        };
        let body = Body::read(reply.body(), (200..=299).contains(&status));
        let headers = &reply.headers()[..reply.headers().len().min(MOST_HEADERS)];
        let texts: Vec<&str> =
            body.layers.iter().flat_map(|layer| evidence::messages(&layer.value)).collect();
        let case = Case::of(self.chain.accept, reply, status, &body, stream);
        let judge = Judge {
            all: &self.all,
            chain: &self.chain,
            layers: &body.layers,
            status: case.status(&body.layers, status),
            http: status,
            failed: case.is_failure(),
            headers,
            occurring: self.all.phrases.occurring(&texts),
            over_limit: texts.iter().any(|text| evidence::asks_for_more_than_the_limit(text)),
            body: case.body(&body),
        };
        let Decided { mut reading, row } = decided(self.table().name(), &judge, &case);
        let (signal, progress) = ending(&reading, status, stream);
        reading.signal = signal;
        reading.progress = progress;
        reading.stream = stream.map(|(end, _)| verdict_of_stream(&reading, end));
        add_names(&mut reading, row, headers, &body);
        let received = reply.received();
        add_wait(&mut reading, row, headers, received, &texts, &body.layers);
        reading
    }
}
