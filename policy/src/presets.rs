//! The policies that SDKs and libraries come with, as policy files.
//!
//! They are data, `policy/presets/*.toml`: a table `[preset]` that says whose policy it is and what
//! the form can't say of it, then the tables of any policy file. A policy file names one with
//! `preset = "openai-python"`, at its top or under `inner`, and keys given beside it replace its own:
//!
//! ```
//! use retrial_policy::Policy;
//! use retrial_policy::presets::Preset;
//!
//! let sdk = Preset::find("openai-python").expect("it is embedded");
//! assert_eq!(sdk.policy()?.limits().max_attempts, 3.try_into().ok());
//! let patient = Policy::from_toml("preset = 'openai-python'\nlimits.max_attempts = 6")?;
//! assert_eq!(patient.backoff(), sdk.policy()?.backoff());
//! # Ok::<(), retrial_policy::config::LoadError>(())
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::config::{About, LoadError};
use crate::policy::Policy;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../presets/", $name, ".toml")))),*]
    };
}

const FILES: [(&str, &str); 46] = files![
    "anthropic-python",
    "anthropic-ts",
    "aws-2015-decorrelated",
    "aws-2015-equal",
    "aws-2015-full",
    "aws-rust-2.0",
    "axios-retry",
    "azure-core",
    "backon",
    "botocore-legacy",
    "botocore-standard",
    "cockatiel",
    "cohere",
    "cometapi-python",
    "envoy",
    "finagle",
    "gemini-cli",
    "google-api-core",
    "google-cloud-gax",
    "google-genai",
    "got",
    "groq",
    "grpc-a6",
    "langchain",
    "litellm-router",
    "llamaindex-openai",
    "mistral-python",
    "mistral-ts",
    "openai-node",
    "openai-python",
    "openrouter",
    "p-retry",
    "polly-v2",
    "recommended",
    "reqwest-retry",
    "resilience4j",
    "stamina",
    "stripe",
    "sume",
    "tenacity",
    "together",
    "together-ts",
    "tower",
    "undici",
    "urllib3",
    "vercel-ai",
];

/// A file without its policy.
#[derive(Deserialize)]
struct Head {
    preset: About,
    #[serde(flatten)]
    _policy: IgnoredAny,
}

static EMBEDDED: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    let read = |(name, text): (&'static str, &'static str)| {
        // A test reads all of them, so that none is left out.
        let about = toml::from_str::<Head>(text).ok()?.preset;
        Some(Preset { name, text, about })
    };
    FILES.into_iter().filter_map(read).collect()
});

/// A preset.
#[derive(Clone, Debug)]
pub struct Preset {
    /// What files and commands call it.
    pub name: &'static str,
    /// The policy file.
    pub text: &'static str,
    /// Whose policy it is, and what the file can't say.
    pub about: About,
}

impl Preset {
    /// All presets, by name.
    pub fn all() -> &'static [Preset] {
        &EMBEDDED
    }

    /// The preset with this name, or with it among its other names; `-` and `_` are the same.
    pub fn find(name: &str) -> Option<&'static Preset> {
        let name = name.replace('_', "-");
        let named = Preset::all().iter().find(|preset| preset.name == name);
        let also = |preset: &&Preset| preset.about.also.contains(&name);
        named.or_else(|| Preset::all().iter().find(also))
    }

    /// The policy.
    ///
    /// # Errors
    ///
    /// None: a test loads every preset.
    pub fn policy(&self) -> Result<Policy, LoadError> {
        Policy::from_toml(self.text)
    }
}

/// What to say of a name that no preset has: the nearest one, and all.
pub(crate) fn unknown(name: &str) -> String {
    let names: Vec<&str> = Preset::all().iter().map(|preset| preset.name).collect();
    let distance = |known: &str| strsim::damerau_levenshtein(&name.to_lowercase(), known);
    let near = names.iter().min_by_key(|known| distance(known));
    let near = near.filter(|known| distance(known) <= (known.len() / 3).max(2));
    let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    format!("there is no preset `{name}`; {near}there are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_embedded_and_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
        let files = std::fs::read_dir(folder).expect("the folder of presets");
        let mut names: Vec<String> = files
            .map(|file| file.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter_map(|file| file.strip_suffix(".toml").map(String::from))
            .collect();
        names.sort();
        let embedded: Vec<&str> = Preset::all().iter().map(|preset| preset.name).collect();
        assert_eq!(embedded, names);
        for preset in Preset::all() {
            if let Err(error) = preset.policy() {
                panic!("{}: {error}", preset.name);
            }
        }
    }
}
