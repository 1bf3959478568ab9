//! The one mixing function: keys, jitter draws and event ranks all come from it.
//!
//! A draw is a pure function of a key and a number, so nothing is stored, cloned or shared, and
//! the order in which draws are made cannot matter.

/// Stafford's variant 13 of the 64-bit finalizer, as used by SplitMix64 (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", OOPSLA 2014): a bijection in which every
/// input bit flips every output bit with probability close to one half.
const fn finalize(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The golden ratio in 64-bit fixed point: spreads small numbers over the whole word.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes `value` into `key`: 64 bits that look random and depend on every bit of both.
///
/// For one key, the results over `value = 0, 1, 2, …` are a random stream; the results of
/// successive calls, each on the last one's result, are a hash. `value` is whitened before it
/// meets the key, so streams of different keys share no run of values; for a constant `value` the
/// compiler folds that half away.
#[inline]
pub const fn mix(key: u64, value: u64) -> u64 {
    finalize(key ^ finalize(value.wrapping_add(1).wrapping_mul(GOLDEN)))
}

/// Maps 64 random bits to `0..=max` by multiplication and shift (Lemire, "Fast random integer
/// generation in an interval", 2019, without the rejection step: the bias is below max / 2⁶⁴).
#[inline]
pub const fn scale(bits: u64, max: u64) -> u64 {
    ((bits as u128 * (max as u128 + 1)) >> 64) as u64
}
