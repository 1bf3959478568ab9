//! The experiments that come with the program.

/// An experiment inside the program.
#[derive(Clone, Copy, Debug)]
pub struct Packaged {
    /// What to call it on the command line.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All of them.
pub const ALL: &[Packaged] =
    &[Packaged { name: "aws-occ", text: include_str!("../../experiments/aws-occ.toml") }];

/// The one that runs when none is named.
pub const DEFAULT: &str = "aws-occ";

/// The experiment called `name`.
pub fn find(name: &str) -> Option<Packaged> {
    ALL.iter().copied().find(|packaged| packaged.name == name)
}

/// Files that packaged experiments name, by path.
const FILES: &[(&str, &str)] = &[];

/// The packaged file at `path`.
pub fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}
