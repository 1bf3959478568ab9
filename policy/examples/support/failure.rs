//! [`Failure`]: the ends of a request without an answer.

use std::fmt;

use retrial_policy::Stop;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No further attempt is worth it or allowed.
    Stopped(Stop),
    /// It may have taken effect: look it up under this key before anything is repeated.
    Reconcile { stop: Stop, idempotency_key: String },
    /// The operating system has no randomness to give.
    NoEntropy(getrandom::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped(stop) => write!(f, "{stop}: {}", stop.advice()),
            Failure::Reconcile { stop, idempotency_key } => {
                write!(f, "{stop}: find out what became of {idempotency_key}")
            }
            Failure::NoEntropy(error) => write!(f, "no key for the call: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<getrandom::Error> for Failure {
    fn from(error: getrandom::Error) -> Self {
        Failure::NoEntropy(error)
    }
}
