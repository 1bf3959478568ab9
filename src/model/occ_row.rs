//! One row under optimistic concurrency control: the server of the AWS backoff study.
//!
//! A client reads the row's version and writes with it; a write with a version that is no longer
//! current is refused. The server takes no time and has no queue: all contention is for the row.

/// The row's version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OccRow {
    version: u32,
}

/// Status of an accepted write.
pub const COMMITTED: u16 = 200;
/// Status of a write with a stale version.
pub const CONFLICT: u16 = 409;

impl OccRow {
    /// The current version.
    pub fn read(&self) -> u32 {
        self.version
    }

    /// Writes with the version read before, and gives the status of the reply.
    pub fn write(&mut self, version: u32) -> u16 {
        if version == self.version {
            self.version += 1;
            COMMITTED
        } else {
            CONFLICT
        }
    }
}
