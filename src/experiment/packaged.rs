//! The experiments that come with the program.
//!
//! What is said of them is in the files: the key `title`, and in the comment at the head a line
//! `# Source: …` for each work that the experiment is taken from. A source goes on in the comment
//! lines below it, until the next source, an empty comment line or the end of the comment.

use super::parse::parse;
use super::source::Sources;

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

impl Packaged {
    /// One line for people; the name if the file has no title.
    pub fn title(&self) -> String {
        let source = Sources::default().add(self.name, self.text);
        let root = parse(self.text, source).ok();
        let title = root.as_ref().and_then(|root| root.as_table()?.get("title")?.as_str());
        title.unwrap_or(self.name).to_string()
    }

    /// The works it is taken from.
    pub fn sources(&self) -> Vec<String> {
        sources(self.text)
    }
}

/// The sources in the comment at the head of a file.
fn sources(text: &str) -> Vec<String> {
    let mut sources: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim) {
        if let Some(source) = line.strip_prefix("Source:") {
            sources.push(source.trim().to_string());
            goes_on = true;
        } else if line.is_empty() {
            goes_on = false;
        } else if goes_on && let Some(source) = sources.last_mut() {
            source.push(' ');
            source.push_str(line);
        }
    }
    sources
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

#[cfg(test)]
mod tests {
    use super::{ALL, sources};

    #[test]
    fn every_packaged_experiment_says_what_it_is_and_where_it_comes_from() {
        for packaged in ALL {
            let name = packaged.name;
            assert_ne!(packaged.title(), name, "{name} has no title");
            assert!(!packaged.sources().is_empty(), "{name} has no `# Source: …` line");
            assert!(packaged.sources().iter().all(|source| !source.is_empty()), "{name}");
        }
    }

    #[test]
    fn sources_are_paragraphs_of_the_comment_at_the_head() {
        let text = "# A story.\n# Source: a book,\n#   page 3\n# Source: a talk\n#\n# More.\n\n\
                    # Source: not at the head\n";
        assert_eq!(sources(text), ["a book, page 3", "a talk"]);
        assert!(sources("title = \"x\"").is_empty());
    }
}
