//! The reasons for which a value does not count as a wait.

pub(super) const NEGATIVE: &str = "negative";
pub(super) const ZERO: &str = "zero";
pub(super) const NO_NUMBER: &str = "not a number";
pub(super) const NO_DURATION: &str = "not a duration";
pub(super) const NO_DATE: &str = "not a date";
pub(super) const NO_NUMBER_NOR_DATE: &str = "neither a number nor a date";
pub(super) const NO_UNIT: &str = "a number without a unit";
pub(super) const PAST: &str = "a date in the past";
pub(super) const NO_CLOCK: &str = "no Date header to compare with";
pub(super) const RETRY_AFTER: &str = "retry-after says more";
pub(super) const NOT_EMPTY: &str = "the bucket is not empty";
pub(super) const MAY_NOT_BE_EMPTY: &str = "nothing says that the bucket is empty";
