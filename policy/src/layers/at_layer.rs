//! What an observer is told of a layer's decision.

use crate::key::CallKey;
use crate::observer::Observer;
use crate::record::DecisionRecord;

/// Passes the records of one layer on, with its depth and what a layer does not know of itself.
pub(super) struct AtLayer<'a, O: ?Sized> {
    pub depth: usize,
    /// The logical request, whose key that of a call inside is not.
    pub logical_request_id: CallKey,
    /// Where the attempt on the wire went, whichever layer chose it.
    pub route: &'a str,
    /// Attempts on the wire, over all layers.
    pub attempts_on_wire: u32,
    pub observer: &'a mut O,
}

impl<O: Observer + ?Sized> Observer for AtLayer<'_, O> {
    #[inline]
    fn decided(&mut self, record: &DecisionRecord<'_>) {
        let AtLayer { depth, logical_request_id, route, attempts_on_wire, .. } = *self;
        let record = DecisionRecord { logical_request_id, route, attempts_on_wire, ..*record };
        self.observer.decided_in_layer(depth, &record);
    }
}
