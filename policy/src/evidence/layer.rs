//! [`Layer`]: one envelope of a reply.

use serde_json::Value;

/// The response itself, or an error that it carries inside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    /// A status that stands before the envelope in prose: the 429 of `Error code: 429 - {...}`.
    pub(crate) stated: Option<u16>,
    /// The envelope: an object, or a string where the body is nothing but text.
    pub(crate) value: Value,
}

impl Layer {
    /// A layer of which nothing is said outside.
    pub(crate) const fn of(value: Value) -> Self {
        Layer { stated: None, value }
    }
}
