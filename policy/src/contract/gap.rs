//! What keeps a route from being qualified.

use core::fmt;

use super::capabilities::{InputKind, StructuredOutput, ToolForm};

/// One thing that a request needs and a route does not serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap<'a> {
    /// A kind of input.
    Input(InputKind),
    /// A form of output.
    StructuredOutput {
        /// What the request asks for.
        needed: StructuredOutput,
        /// What the route guarantees.
        there: StructuredOutput,
    },
    /// A form of tools.
    Tools(ToolForm),
    /// Answers as streams.
    Streaming,
    /// A length of input and output together.
    Context {
        /// Tokens the request may come to.
        needed: u64,
        /// Tokens the route takes.
        there: u64,
    },
    /// A length of output.
    MaxOutput {
        /// Tokens the request asks for.
        needed: u64,
        /// Tokens the route gives.
        there: u64,
    },
    /// Something that one provider alone has.
    Feature(&'a str),
}

/// What is needed, and what there is of it: "tools = parallel", "context = 200000 (it has 32000)".
impl fmt::Display for Gap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Input(kind) => write!(f, "inputs = {}", kind.as_str()),
            Gap::StructuredOutput { needed, there } => {
                let (needed, there) = (needed.as_str(), there.as_str());
                write!(f, "structured_output = {needed} (it has {there})")
            }
            Gap::Tools(form) => write!(f, "tools = {}", form.as_str()),
            Gap::Streaming => f.write_str("streaming"),
            Gap::Context { needed, there } => write!(f, "context = {needed} (it has {there})"),
            Gap::MaxOutput { needed, there } => write!(f, "max_output = {needed} (it has {there})"),
            Gap::Feature(name) => write!(f, "features = {name}"),
        }
    }
}
