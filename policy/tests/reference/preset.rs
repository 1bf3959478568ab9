//! [`Preset`]: a measured configuration and the policy that stands for it, or the reason why none does.

use std::ops::RangeInclusive;

use retrial_policy::Class;

/// How much of a preset a policy reproduces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// All retries.
    Whole,
    /// These retries; the reason says what happens at the others.
    Only(RangeInclusive<u32>, &'static str),
    /// None, for this reason.
    Not(&'static str),
}

/// A preset of the file and its translation.
pub struct Preset {
    /// Library and version.
    pub package: &'static str,
    /// The configuration as the file names it.
    pub preset: &'static str,
    /// The preset that it is, if it is one.
    pub file: Option<&'static str>,
    /// The keys of `[backoff]`, or those that replace the preset's; empty if there is no
    /// translation.
    pub backoff: &'static str,
    /// The class of the failures.
    pub class: Class,
    /// The server's hint in milliseconds, clamped to 5 s above the own backoff.
    pub hint_ms: Option<u64>,
    /// How far measured jitter-free delays may lie from ours, in nanoseconds.
    pub tolerance_ns: u64,
    pub fit: Fit,
}

pub const fn whole(package: &'static str, preset: &'static str, backoff: &'static str) -> Preset {
    let (class, fit) = (Class::Transient, Fit::Whole);
    let (file, hint_ms) = (None, None);
    Preset { package, preset, file, backoff, class, hint_ms, tolerance_ns: 0, fit }
}

/// The preset `file` with these keys of `[backoff]` replaced.
pub const fn of(
    file: &'static str,
    package: &'static str,
    preset: &'static str,
    keys: &'static str,
) -> Preset {
    Preset { file: Some(file), ..whole(package, preset, keys) }
}

pub const fn throttled(preset: Preset) -> Preset {
    Preset { class: Class::Throttled, ..preset }
}

pub const fn hinted(hint_ms: u64, preset: Preset) -> Preset {
    Preset { hint_ms: Some(hint_ms), ..preset }
}

pub const fn only(
    package: &'static str,
    preset: &'static str,
    backoff: &'static str,
    attempts: RangeInclusive<u32>,
    reason: &'static str,
) -> Preset {
    let fit = Fit::Only(attempts, reason);
    Preset { fit, ..whole(package, preset, backoff) }
}

pub const fn inexpressible(
    package: &'static str,
    preset: &'static str,
    reason: &'static str,
) -> Preset {
    let fit = Fit::Not(reason);
    Preset { fit, ..whole(package, preset, "") }
}
