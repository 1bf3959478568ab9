//! Replies as servers send them: [`Reply`], what the core reads out of one ([`Reading`]), and a
//! catalogue of real ones by id.
//!
//! ```
//! use retrial_policy::*;
//!
//! let reply = replies::find("openai-429-quota").expect("it is in the catalogue");
//! let reading = reply.read();
//! assert_eq!(reading.code.as_deref(), Some("insufficient_quota"));
//! let class = StatusTable::generic().classify(&reading.outcome()).class;
//! assert_eq!(class, Class::Exhausted, "no wait will help, though the status says 429");
//! ```

mod catalogue;
mod code;
mod hint;
mod reading;
mod reply;

pub use catalogue::{find, ids};
pub use reading::Reading;
pub use reply::Reply;
