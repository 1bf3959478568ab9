//! Replies as servers send them: [`Reply`], what a table reads out of one ([`Reading`]), and a
//! catalogue of real ones by id.
//!
//! ```
//! use retrial_policy::providers::Provider;
//! use retrial_policy::*;
//!
//! let reply = replies::find("openai-429-quota").expect("it is in the catalogue");
//! let reading = Provider::find("openai").expect("it is embedded").read(&reply);
//! assert_eq!(reading.code.as_deref(), Some("insufficient_quota"));
//! let class = reading.classification.class;
//! assert_eq!(class, Class::Exhausted, "no wait will help, though the status says 429");
//! ```

mod catalogue;
mod reading;
mod recorded;
mod reply;

pub use catalogue::{find, ids};
pub use reading::{DecidedBy, Ignored, Reading, StreamVerdict, WaitSource};
pub use recorded::{Label, Recorded, transport};
pub use reply::Reply;
pub(crate) use reply::{Ending, header_in};
