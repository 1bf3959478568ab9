//! Random streams: draw k of a stream is a pure function of the stream's key and k.

use std::convert::Infallible;

use rand::TryRng;
use retrial_policy::CallKey;
use retrial_policy::mix::mix;

/// What a stream is for. Distinct purposes never share bits.
///
/// Numbers below 16 belong to the policy core, which draws jitter from the same call key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    /// The delay of one way through the network.
    Network = 16,
    /// The reference arrivals that clustering is measured against.
    Reference = 17,
    /// Time in service.
    Service = 18,
    /// Which faults hit an attempt.
    Fault = 19,
    /// Which messages are lost.
    Loss = 20,
    /// The gaps of an arrival stream, or how late a client is.
    Arrival = 21,
    /// Whose request the next one of a stream is.
    Deal = 22,
    /// From one request of a client to its next, and to its first.
    Think = 23,
    /// The size of a request.
    Tokens = 24,
    /// How long an error reply takes.
    Refusal = 25,
    /// The place of a recorded request within a tick of the recording clock.
    Tick = 26,
    /// Which runs of a cell a bootstrap takes again.
    Resample = 27,
}

/// The key of all draws of one purpose for one attempt, or for one whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamKey(u64);

impl StreamKey {
    /// The key of `purpose` for one attempt of the call with `key`.
    #[inline]
    pub fn of_attempt(key: CallKey, attempt: u32, purpose: Purpose) -> Self {
        StreamKey(mix(key.get(), (u64::from(purpose as u8) << 56) | u64::from(attempt)))
    }

    /// The key of `purpose` for one whole run; `number` tells streams of one purpose apart.
    pub fn of_run(seed: u64, replication: u64, purpose: Purpose, number: u32) -> Self {
        let place = (u64::from(purpose as u8) << 56) | u64::from(number);
        StreamKey(mix(mix(mix(seed, replication), u64::MAX), place))
    }

    /// The same for what is called `name`: what else there is does not change its draws.
    #[must_use]
    pub fn of_name(self, name: &str) -> Self {
        let bytes = name.bytes().fold(self.0, |key, byte| mix(key, u64::from(byte)));
        StreamKey(mix(bytes, name.len() as u64))
    }

    /// The same for one client.
    #[must_use]
    pub fn of_client(self, client: u32) -> Self {
        StreamKey(mix(self.0, u64::from(client)))
    }

    /// One of the key's streams, such as that of the way there or the way back. How many draws one
    /// takes does not shift the others.
    #[inline]
    pub fn part(self, part: u8) -> Stream {
        Stream { key: self.0, next: u64::from(part) << 56 }
    }
}

/// A stream of random words, and a `rand` generator.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    key: u64,
    next: u64,
}

impl Stream {
    /// The next 64 random bits.
    #[inline]
    pub fn next_bits(&mut self) -> u64 {
        let bits = mix(self.key, self.next);
        self.next += 1;
        bits
    }

    /// A uniform number strictly between 0 and 1, in steps of 2⁻⁵³.
    #[inline]
    pub fn next_open01(&mut self) -> f64 {
        ((self.next_bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next_bits() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_bits().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
