//! A number that two runs share only if the same things happened in both.

use retrial_policy::Instant;
use retrial_policy::mix::mix;

use super::rank::Identity;

/// A sum of hashes over everything that happened; the order of adding does not matter, so it is
/// the same for every queue, and whether or not steps were fused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint(u64);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Happening {
    /// An attempt reached its route.
    Arrival = 1,
    /// Its reply reached the client.
    Reply = 2,
    /// The logical request ended.
    End = 3,
}

impl Fingerprint {
    /// Adds that `what` happened to an attempt at `now`. `result` is a small number whose meaning
    /// depends on `what`: the status of a reply, the kind of an end.
    #[inline]
    pub fn add(
        &mut self,
        now: Instant,
        (client, request, attempt): (u32, u32, u32),
        what: Happening,
        result: u16,
    ) {
        let place = Identity::attempt_word(attempt, what as u8) | (u64::from(result) << 40);
        let who = mix(now.as_nanos(), Identity::request_word(client, request));
        self.0 = self.0.wrapping_add(mix(who, place));
    }

    /// A fingerprint as written; `None` if the text is none.
    pub fn parse(text: &str) -> Option<Self> {
        u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16).map(Fingerprint)
    }

    /// The 64 bits.
    pub fn get(self) -> u64 {
        self.0
    }

    /// Adds the fingerprint of one run of a study to the study's own.
    pub fn add_run(&mut self, policy: u64, point: u64, replication: u64, run: u64) {
        let place = mix(mix(mix(policy, point), replication), run);
        self.0 = self.0.wrapping_add(place);
    }
}

impl std::fmt::Display for Fingerprint {
    /// Sixteen hexadecimal digits.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
