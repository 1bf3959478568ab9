//! POLICY on a command line: which policy is meant, and reading it.

use std::path::Path;

use retrial_policy::Policy;
use retrial_policy::presets::Preset;

use super::input::{self, STDIN, shown, unreadable};
use crate::experiment::diagnostic::{Diagnostic, Report};
use crate::experiment::files::{Folder, as_text};
use crate::experiment::load::{Wanted, load};
use crate::experiment::parse::parse;
use crate::experiment::policy::policy as from_tree;
use crate::experiment::policy_sources;
use crate::experiment::source::Sources;
use crate::experiment::suggest;

/// What POLICY may be, for the help of a command.
pub const HELP: &str = "A policy file, `-` for one on stdin, a preset, or EXPERIMENT:NAME for a policy of an experiment";

/// A policy and what to call it.
#[derive(Clone, Debug)]
pub struct Named {
    /// The file's name without its ending, or the policy's own in an experiment.
    pub name: String,
    /// The policy.
    pub policy: Policy,
}

/// Finds and reads the policy that `argument` means.
///
/// # Errors
///
/// There is none, it can't be read, or it is no policy: then with file, line and column.
pub fn resolve(argument: &str) -> Result<Named, Report> {
    if argument == STDIN || Path::new(argument).exists() {
        return of_file(argument);
    }
    match (Preset::find(argument), argument.rsplit_once(':')) {
        (Some(preset), _) => of_preset(preset),
        (None, Some((experiment, name))) => of_experiment(experiment, name),
        (None, None) => {
            let names = Preset::all().iter().map(|preset| preset.name);
            match suggest::nearest(argument, names) {
                None => of_file(argument),
                Some(near) => {
                    let message =
                        format!("can't read the policy `{argument}`: there is no such file");
                    let help = format!("did you mean the preset `{near}`?");
                    Err(Diagnostic::new(message).help(help).report(&Sources::default()))
                }
            }
        }
    }
}

/// The policy in the file `path`, or on stdin.
///
/// # Errors
///
/// As [`resolve`].
fn of_file(path: &str) -> Result<Named, Report> {
    let text = as_text(input::read("the policy", path)?)
        .map_err(|problem| unreadable("the policy", path, &problem))?;
    let file = shown(path);
    let mut sources = Sources::default();
    let source = sources.add(file, text.as_str());
    let parent = Path::new(path).parent().map(Path::to_path_buf).unwrap_or_default();
    let folder = (path != STDIN).then(|| Folder::on_disk(parent));
    let policy = parse(&text, source)
        .and_then(|mut root| {
            policy_sources::fill(&mut root, folder.as_ref(), &mut sources)?;
            from_tree(file, &root)
        })
        .map_err(|diagnostic| diagnostic.report(&sources))?;
    let stem = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    Ok(Named { name: stem.into_owned(), policy })
}

/// The policy of an SDK or a library.
fn of_preset(preset: &Preset) -> Result<Named, Report> {
    let mut sources = Sources::default();
    let policy = policy_sources::of_preset(preset, &mut sources)
        .and_then(|mut root| {
            policy_sources::fill(&mut root, None, &mut sources)?;
            from_tree(preset.name, &root)
        })
        .map_err(|diagnostic| diagnostic.report(&sources))?;
    Ok(Named { name: preset.name.to_string(), policy })
}

/// The policy called `name` of an experiment, a file or a packaged one.
fn of_experiment(experiment: &str, name: &str) -> Result<Named, Report> {
    let wanted = Wanted { experiment: Some(experiment.to_string()), ..Wanted::default() };
    let loaded = load(&wanted)?;
    let policies: Vec<_> = loaded.root.entries("policies").collect();
    let found = policies.iter().find(|(policy, _)| *policy == name);
    let policy = match found {
        Some((_, node)) => from_tree(name, node),
        None => {
            let names: Vec<_> = policies.iter().map(|(name, _)| *name).collect();
            let message = format!("`{experiment}` has no policy `{name}`");
            Err(Diagnostic::new(message).help(suggest::help(name, &names)))
        }
    };
    let policy = policy.map_err(|diagnostic| diagnostic.report(&loaded.sources))?;
    Ok(Named { name: name.to_string(), policy })
}
