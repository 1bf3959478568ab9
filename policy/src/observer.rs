//! Where decision records go.

use crate::record::DecisionRecord;

/// Receives exactly one record per decision.
pub trait Observer {
    /// A decision was made.
    fn decided(&mut self, record: &DecisionRecord<'_>);
}

/// Nobody listens: building the record is optimised away.
impl Observer for () {
    #[inline]
    fn decided(&mut self, _record: &DecisionRecord<'_>) {}
}

/// Any closure listens.
impl<F: FnMut(&DecisionRecord<'_>)> Observer for F {
    fn decided(&mut self, record: &DecisionRecord<'_>) {
        self(record);
    }
}
