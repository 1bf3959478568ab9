//! The experiments that come with the program.

macro_rules! packaged {
    ($($name:literal,)*) => {
        [$(Packaged {
            name: $name,
            text: include_str!(concat!("../../experiments/", $name, ".toml")),
        }),*]
    };
}

/// An experiment inside the program.
#[derive(Clone, Copy, Debug)]
pub struct Packaged {
    /// What to call it on the command line.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All of them.
pub const ALL: &[Packaged] = &packaged!(
    "thundering-herd",
    "metastable",
    "metastable-scope",
    "open-overload",
    "llm-conversation",
    "exhausted-account",
    "aws-occ",
);

/// The one that runs when none is named.
pub const DEFAULT: &str = "thundering-herd";

/// The experiment called `name`.
pub fn find(name: &str) -> Option<Packaged> {
    ALL.iter().copied().find(|packaged| packaged.name == name)
}

macro_rules! files {
    ($($path:literal,)*) => {
        [$(($path, include_str!(concat!("../../experiments/", $path)))),*]
    };
}

/// Files that packaged experiments name, by path.
const FILES: &[(&str, &str)] = &files!(
    "policies/no-jitter.toml",
    "policies/full-jitter.toml",
    "policies/capped-budget.toml",
    "traces/azure_llm_2023_conv.csv",
);

/// The packaged file at `path`.
pub fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}
