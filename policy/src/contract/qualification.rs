//! [`Qualification`]: which routes the requests of one caller may take.

use alloc::vec::Vec;

use super::Capabilities;
use crate::branch::RouteId;
use crate::policy::Policy;
use crate::routes::RouteSet;

/// A policy's routes against the needs of one caller's requests. Made once; asking it allocates
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Qualification {
    /// Routes that none of the requests may take.
    never: RouteSet,
    /// The others whose contract bounds the length of a request.
    bounded: Vec<Room>,
}

/// What fits in a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    route: RouteId,
    /// Tokens in and out together.
    context: u64,
    /// Tokens out.
    max_output: u64,
}

impl Qualification {
    /// Compares the `contract` of each fallback route of `policy`, by name, with what all requests
    /// need. A route without a contract serves whoever needs nothing.
    pub fn new<'c>(
        policy: &Policy,
        needs: &Capabilities,
        contract: impl Fn(&str) -> Option<&'c Capabilities>,
    ) -> Self {
        let mut qualification = Qualification::default();
        let nothing = Capabilities::default();
        for (number, name) in (0..).zip(policy.routing_layer().route_names()).skip(1) {
            let (route, served) = (RouteId(number), contract(name).unwrap_or(&nothing));
            let unbounded = |tokens: u64| if tokens == 0 { u64::MAX } else { tokens };
            if !served.gaps(needs).is_empty() {
                qualification.never = qualification.never.with(route);
            } else if served.context > 0 || served.max_output > 0 {
                let (context, max_output) = (served.context, served.max_output);
                let (context, max_output) = (unbounded(context), unbounded(max_output));
                qualification.bounded.push(Room { route, context, max_output });
            }
        }
        qualification
    }

    /// The routes that a request with so many tokens in and out must never take: those that lack
    /// something, and those that state a length which it exceeds.
    #[inline]
    pub fn unqualified(&self, input: u64, output: u64) -> RouteSet {
        let total = input.saturating_add(output);
        let too_small = |room: &&Room| total > room.context || output > room.max_output;
        let add = |set: RouteSet, room: &Room| set.with(room.route);
        self.bounded.iter().filter(too_small).fold(self.never, add)
    }
}
