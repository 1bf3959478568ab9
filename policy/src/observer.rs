//! Where decision records go.

use crate::record::DecisionRecord;

/// Receives exactly one record per decision.
pub trait Observer {
    /// A decision was made.
    fn decided(&mut self, record: &DecisionRecord<'_>);

    /// A layer of a policy with inner ones decided; the outermost layer has depth 0. Who does not
    /// ask for the depth hears of all layers alike.
    #[inline]
    fn decided_in_layer(&mut self, _depth: usize, record: &DecisionRecord<'_>) {
        self.decided(record);
    }
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
