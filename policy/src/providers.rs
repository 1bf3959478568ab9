//! What the replies of each provider mean: tables of rows, and how a reply finds its row.
//!
//! The tables are data, `policy/providers/*.toml`; their form is described beside them. A
//! [`Provider`] is one of them, ready to read replies:
//!
//! ```
//! use retrial_policy::providers::Provider;
//! use retrial_policy::replies::Reply;
//! use retrial_policy::*;
//!
//! let openai = Provider::find("openai").expect("it is embedded");
//! let body = r#"{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota"}}"#;
//! let reading = openai.read(&Reply::response(429, [], body.into()));
//! assert_eq!(reading.classification.class, Class::Exhausted, "no wait will help");
//! assert_eq!(reading.code.as_deref(), Some("insufficient_quota"));
//! ```

mod case;
mod chain;
mod check;
mod decided;
mod ending;
mod file;
mod in_words;
mod judge;
mod library;
mod list;
mod particulars;
mod pattern;
mod phrases;
mod provider;
mod row;
mod table;
mod unknown_codes;

pub use file::TableError;
pub use library::Library;
pub use provider::Provider;
pub use row::Row;
pub use table::{Accept, Table};
pub use unknown_codes::UnknownCodes;
