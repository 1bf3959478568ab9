//! A policy for stacks that don't link Rust: as the configuration of another library or proxy, with
//! a list of what that target can't express.
//!
//! A value that the target can't take is set to the nearest one that it can, and named. Where a
//! target can say only "always" or "never" of something that the policy does once, the output says
//! "never": an exported policy may be stricter than the simulated one, not looser. What the policy
//! repeats is asked of the policy core ([`repeats`]), not written down a second time.

mod botocore;
mod envoy;
mod grpc_service_config;
mod inexpressible;
mod json;
mod openai_python;
pub mod repeats;
mod tenacity;
mod typescript_json;
mod units;
mod waits;

use clap::ValueEnum;
use retrial_policy::Policy;

/// A stack that a policy can be written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// JSON: the service config of gRPC clients in every language
    GrpcServiceConfig,
    /// YAML: a route's retry policy and a cluster's limits for Envoy
    Envoy,
    /// Python: a `Config` for botocore and boto3
    Botocore,
    /// Python: the arguments of the `OpenAI` client
    OpenaiPython,
    /// Python: a module that defines a tenacity `Retrying`
    Tenacity,
    /// JSON: all parameters and the range of each delay, in milliseconds
    TypescriptJson,
}

/// Something that the policy says and the target can't.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The key of the policy file, dotted.
    pub key: String,
    /// What the policy says and what the target does instead.
    pub what: String,
    /// What that leads to.
    pub consequence: String,
}

/// A policy as a target takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The whole document.
    pub text: String,
    /// What it leaves out, in the order of the policy file.
    pub losses: Vec<Loss>,
}

impl Target {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::GrpcServiceConfig => "grpc-service-config",
            Target::Envoy => "envoy",
            Target::Botocore => "botocore",
            Target::OpenaiPython => "openai-python",
            Target::Tenacity => "tenacity",
            Target::TypescriptJson => "typescript-json",
        }
    }

    /// Writes the policy that is called `name`.
    pub fn export(self, name: &str, policy: &Policy) -> Export {
        match self {
            Target::GrpcServiceConfig => grpc_service_config::export(policy),
            Target::Envoy => envoy::export(name, policy),
            Target::Botocore => botocore::export(name, policy),
            Target::OpenaiPython => openai_python::export(name, policy),
            Target::Tenacity => tenacity::export(name, policy),
            Target::TypescriptJson => typescript_json::export(name, policy),
        }
    }
}

impl Loss {
    /// A loss at `key`.
    fn new(key: &str, what: impl Into<String>, consequence: impl Into<String>) -> Self {
        Loss { key: key.into(), what: what.into(), consequence: consequence.into() }
    }
}

impl Export {
    /// What is lost as text for people, each line after `indent`; nothing if nothing is.
    pub fn losses_in_words(&self, indent: &str) -> String {
        in_words(&self.losses, indent)
    }
}

/// The head of a document whose comments begin with `#`: what it is, how to use it, what it leaves
/// out.
fn head(name: &str, target: &str, use_it: &str, losses: &[Loss]) -> String {
    // A name is a file's or a key of an experiment: it may hold anything, a line break too.
    let name = name.escape_debug();
    let mut head =
        format!("# The retry policy `{name}` for {target}, by `retrial export`.\n# {use_it}\n");
    if !losses.is_empty() {
        head.push_str("#\n# What the policy says and this does not:\n");
        head.push_str(&in_words(losses, "# "));
    }
    head + "\n"
}

/// Puts losses in the order of a policy file's sections; what a target reads out of replies stands
/// where `[retry_on]` would.
fn in_file_order(losses: &mut [Loss]) {
    const SECTIONS: [&str; 7] =
        ["backoff", "limits", "retry_after", "budget", "classification", "retry_on", "fallback"];
    losses.sort_by_key(|loss| {
        let section = loss.key.split('.').next();
        SECTIONS.iter().position(|known| section == Some(known)).unwrap_or(SECTIONS.len())
    });
}

/// Columns of comments and of what goes to stderr.
const WIDTH: usize = 100;

/// Losses as a list, each line after `indent`.
fn in_words(losses: &[Loss], indent: &str) -> String {
    let mut text = String::new();
    for Loss { key, what, consequence } in losses {
        let mut line = format!("{indent}- {key}:");
        for word in what.split_whitespace().chain(["=>"]).chain(consequence.split_whitespace()) {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                text.push_str(&line);
                text.push('\n');
                line = format!("{indent} ");
            }
            line.push(' ');
            line.push_str(word);
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}
