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

/// Both listen, the first one first.
#[derive(Debug)]
pub struct Both<'a, A, B>(
    /// Hears each record first.
    pub &'a mut A,
    /// Hears it next.
    pub &'a mut B,
);

impl<A: Observer, B: Observer> Observer for Both<'_, A, B> {
    #[inline]
    fn decided(&mut self, record: &DecisionRecord<'_>) {
        self.0.decided(record);
        self.1.decided(record);
    }

    #[inline]
    fn decided_in_layer(&mut self, depth: usize, record: &DecisionRecord<'_>) {
        self.0.decided_in_layer(depth, record);
        self.1.decided_in_layer(depth, record);
    }
}

/// Any closure listens.
impl<F: FnMut(&DecisionRecord<'_>)> Observer for F {
    fn decided(&mut self, record: &DecisionRecord<'_>) {
        self(record);
    }
}
