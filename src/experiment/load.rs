//! Finds an experiment, reads it, and applies what the command line changes.

use std::path::Path;

use retrial_policy::presets::Preset;

use super::diagnostic::{Diagnostic, Report};
use super::files::{Folder, read_text};
use super::key_path::KeyPath;
use super::node::{Key, Node, Table, Value};
use super::packaged;
use super::parse::{parse, parse_value};
use super::pattern;
use super::policy_sources;
use super::source::{Place, SourceId, Sources};
use super::suggest;
use super::sweep::{self, SweepFlag};

/// Which experiment to load, and what to change in it.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// A path, or the name of a packaged experiment; the default one if absent.
    pub experiment: Option<String>,
    /// `KEY=VALUE` texts, in order, each with the flag it came from.
    pub changes: Vec<Change>,
    /// Flags that change what is swept, in order; they come after all changes.
    pub sweep: Vec<SweepFlag>,
    /// A policy to compare the others with: the name of one in the experiment, a
    /// policy file, or a preset.
    pub against: Option<String>,
    /// Policies that alone are of interest, given in the same ways.
    pub chosen: Vec<String>,
}

/// One change from the command line.
#[derive(Clone, Debug)]
pub struct Change {
    /// What to call the place in messages, such as `--set`.
    pub flag: &'static str,
    /// `KEY=VALUE`.
    pub text: String,
}

/// An experiment as a tree, with everything needed to speak about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file's name without its ending, or the packaged name.
    pub name: String,
    /// The file as it was found.
    pub text: String,
    /// The tree with all changes, policy files included.
    pub root: Node,
    /// The texts its places point into.
    pub sources: Sources,
    /// Where its relative paths start.
    pub folder: Folder,
    /// The name of the policy to compare the others with.
    pub against: Option<String>,
    /// The names of the policies that alone are of interest; all if empty.
    pub chosen: Vec<String>,
    /// Named policies that are not the experiment's own, by name: no sweep changes them.
    pub added: Vec<(String, Node)>,
    /// The flags that changed it, as words of a command line.
    pub flags: Vec<String>,
}

/// Loads an experiment.
///
/// # Errors
///
/// It does not exist or can't be read; it, a policy file or a change is not TOML; a change leads
/// nowhere.
pub fn load(wanted: &Wanted) -> Result<Loaded, Report> {
    let mut sources = Sources::default();
    let load = load_into(wanted, &mut sources);
    let (found, root, named) = load.map_err(|diagnostic| diagnostic.report(&sources))?;
    let Found { name, text, folder, .. } = found;
    let Named { against, chosen } = named;
    let own = parse(&text, SourceId::default()).ok();
    let is_own = |name: &String| own.as_ref().is_some_and(|root| entry(root, name).is_some());
    let named = against.iter().chain(&chosen).filter(|name| !is_own(name));
    let added = named.filter_map(|name| Some((name.clone(), entry(&root, name)?.clone())));
    let added = added.collect();
    let flags = wanted.flags();
    Ok(Loaded { name, text, root, sources, folder, against, chosen, added, flags })
}

impl Wanted {
    /// The words of a command line that ask for the same, apart from seed and replications, which
    /// results give.
    fn flags(&self) -> Vec<String> {
        let given = |change: &&Change| !["--seed", "--replications"].contains(&change.flag);
        let sets = self.changes.iter().filter(given).map(|change| ("--set", change.text.clone()));
        let sweep = self.sweep.iter().map(|flag| match flag {
            SweepFlag::Param(text) => ("-P", text.clone()),
            SweepFlag::Sample(text) => ("--sample", text.clone()),
            SweepFlag::MaxRuns(runs) => ("--max-runs", runs.to_string()),
        });
        let against = self.against.iter().map(|policy| ("--against", policy.clone()));
        let flags = sets.chain(sweep).chain(against);
        flags.flat_map(|(flag, value)| [flag.to_string(), value]).collect()
    }
}

/// The policy called `name`.
fn entry<'a>(root: &'a Node, name: &str) -> Option<&'a Node> {
    root.entries("policies").find(|(policy, _)| *policy == name).map(|(_, node)| node)
}

/// An experiment's text and where it was.
struct Found {
    name: String,
    text: String,
    shown: String,
    folder: Folder,
}

/// The policies that the command line names, as the experiment calls them.
struct Named {
    against: Option<String>,
    chosen: Vec<String>,
}

fn load_into(wanted: &Wanted, sources: &mut Sources) -> Result<(Found, Node, Named), Diagnostic> {
    let found = find(wanted.experiment.as_deref().unwrap_or(packaged::DEFAULT))?;
    let source = sources.add(&found.shown, &found.text);
    let mut root = parse(&found.text, source)?;
    // A change that names a policy or its file says which file to read; all others replace values
    // that may have come from it.
    let (before, after): (Vec<_>, Vec<_>) = wanted.changes.iter().partition(|c| names_policy(c));
    for change in before {
        apply(change, &mut root, sources)?;
    }
    let policies = root.as_table_mut().and_then(|table| table.get_mut("policies"));
    if let Some(policies) = policies.and_then(Node::as_table_mut) {
        for (_, policy) in policies.iter_mut() {
            policy_sources::fill(policy, Some(&found.folder), sources)?;
        }
    }
    let mut add =
        |shown: String, policy| add_policy(&shown, policy, &mut root, &found.folder, sources);
    let against = match &wanted.against {
        None => None,
        Some(policy) => Some(add(format!("--against {policy}"), policy)?),
    };
    let chosen = wanted.chosen.iter().map(|policy| add(format!("`{policy}`"), policy));
    let chosen = chosen.collect::<Result<_, _>>()?;
    for change in after {
        apply(change, &mut root, sources)?;
    }
    // A change may have put a whole policy inside another.
    let policies = root.as_table_mut().and_then(|table| table.get_mut("policies"));
    for (_, policy) in policies.and_then(Node::as_table_mut).into_iter().flat_map(Table::iter_mut) {
        policy_sources::fill(policy, Some(&found.folder), sources)?;
    }
    for flag in &wanted.sweep {
        sweep::change(flag, &mut root, sources)?;
    }
    Ok((found, root, Named { against, chosen }))
}

/// Adds the policy file at `policy` under the name of the file, or else the preset of that name,
/// unless a policy of the experiment is called that way; gives the name. Messages begin with
/// `shown`.
fn add_policy(
    shown: &str,
    policy: &str,
    root: &mut Node,
    folder: &Folder,
    sources: &mut Sources,
) -> Result<String, Diagnostic> {
    let policies = root.as_table_mut().and_then(|table| table.get_mut("policies"));
    let Some(policies) = policies.and_then(Node::as_table_mut) else {
        return Ok(policy.to_string());
    };
    if policies.get(policy).is_some() {
        return Ok(policy.to_string());
    }
    let path = Path::new(policy);
    let text = match read_text(path) {
        Ok(text) => text,
        Err(problem) => {
            if let Some(preset) = Preset::find(policy) {
                let place = sources.add(shown, "");
                let place = Place { source: place, start: 0, end: 0 };
                let mut today = policy_sources::of_preset(preset, sources)?;
                policy_sources::fill(&mut today, Some(folder), sources)?;
                policies.insert(Key { name: policy.into(), place }, today);
                return Ok(policy.to_string());
            }
            let names: Vec<_> = policies.iter().map(|(key, _)| key.name.as_str()).collect();
            let presets = Preset::all().iter().map(|preset| preset.name);
            let near = suggest::nearest(policy, presets);
            let near = near.map_or(String::new(), |near| format!(" (the nearest is `{near}`)"));
            return Err(Diagnostic::new(format!("{shown}: {problem}")).help(format!(
                "give a policy file, a preset{near}, or a policy of the experiment; {}",
                suggest::help(policy, &names)
            )));
        }
    };
    let stem = path.file_stem().map_or("today".into(), |stem| stem.to_string_lossy());
    // A file may be called as a policy of the experiment and hold another one.
    let name = match policies.get(&stem) {
        None => stem.into_owned(),
        Some(_) => format!("{stem} ({policy})"),
    };
    let source = sources.add(policy, text.as_str());
    let place = Place { source, start: 0, end: 0 };
    let mut today = parse(&text, source)?;
    policy_sources::fill(&mut today, Some(folder), sources)?;
    policies.insert(Key { name: name.clone(), place }, today);
    Ok(name)
}

/// Whether a change sets `policies.NAME`, or the `file` or `preset` of that policy or of one inside it.
fn names_policy(change: &Change) -> bool {
    let path = split(&change.text).and_then(|(key, _)| key.parse::<KeyPath>().ok());
    let parts = path.as_ref().map_or(&[][..], KeyPath::parts);
    match parts {
        [first, _] => first == "policies",
        [first, _, inner @ .., last] => {
            first == "policies"
                && (last == "file" || last == "preset")
                && inner.iter().all(|part| part == "inner")
        }
        _ => false,
    }
}

fn find(experiment: &str) -> Result<Found, Diagnostic> {
    let path = Path::new(experiment);
    let is_path = path.extension().is_some() || path.components().count() > 1;
    if !is_path
        && !path.is_file()
        && let Some(packaged) = packaged::find(experiment)
    {
        return Ok(Found {
            name: packaged.name.to_string(),
            text: packaged.text.to_string(),
            shown: format!("{}.toml (packaged)", packaged.name),
            folder: Folder::packaged(),
        });
    }
    let text = read_text(path).map_err(|problem| {
        let names: Vec<_> = packaged::ALL.iter().map(|packaged| packaged.name).collect();
        let packaged = format!("give a path or a packaged experiment: {}", names.join(", "));
        Diagnostic::new(format!("can't read the experiment `{experiment}`: {problem}")).help(
            match suggest::nearest(experiment, names) {
                Some(near) => format!("did you mean `{near}`? {packaged}"),
                None => packaged,
            },
        )
    })?;
    let name = path.file_stem().map_or("experiment".into(), |stem| stem.to_string_lossy());
    Ok(Found {
        name: name.into_owned(),
        text,
        shown: experiment.to_string(),
        folder: Folder::on_disk(path.parent().map(Path::to_path_buf).unwrap_or_default()),
    })
}

/// Sets the value of one change. A swept key becomes an axis with this one value: whoever names a
/// value on the command line means this value.
fn apply(change: &Change, root: &mut Node, sources: &mut Sources) -> Result<(), Diagnostic> {
    let Change { flag, text } = change;
    let source = sources.add(*flag, text);
    let whole = Place { source, start: 0, end: text.len() };
    let (key, value) = split(text).ok_or_else(|| {
        Diagnostic::new(format!("`{flag} {text}` has no value"))
            .at(Some(whole))
            .help("write KEY=VALUE, such as --set workload.clients=50")
    })?;
    let path: KeyPath = key.parse().map_err(|d: Diagnostic| d.at(Some(whole)))?;
    let value = value.trim_start();
    let value = parse_value(value.trim_end(), source, text.len() - value.len());
    let key_place = Place { source, start: 0, end: key.len() };
    let sweep = root.as_table_mut().and_then(|table| table.get_mut("sweep"));
    for (name, axis) in sweep.and_then(Node::as_table_mut).into_iter().flat_map(Table::iter_mut) {
        match name.name.parse::<KeyPath>() {
            Ok(swept) if swept.parts() == path.parts() => {
                let place = value.place;
                *axis = Node { value: Value::Array(vec![value]), place };
                return Ok(());
            }
            Ok(swept) if swept.covers(&path) => {
                let message = format!("`{path}` is set by the axis `{swept}` at every point");
                let help = format!("set `{swept}` instead: its axis then has that one value");
                return Err(Diagnostic::new(message).at(Some(key_place)).help(help));
            }
            _ => {}
        }
    }
    known_policy(&path, root).map_err(|fault| fault.at(Some(key_place)))?;
    path.set(root, &value, key_place)
}

/// Refuses to change a policy that is not there: a whole one may be added, a key of one not.
pub(super) fn known_policy(path: &KeyPath, root: &Node) -> Result<(), Diagnostic> {
    let [first, name, _, ..] = path.parts() else { return Ok(()) };
    let names: Vec<_> = root.entries("policies").map(|(name, _)| name).collect();
    if first != "policies"
        || names.iter().any(|known| pattern::meet(name, known))
        || path.parts()[2] == "file"
        || path.parts()[2] == "preset"
    {
        return Ok(());
    }
    let message = format!("there is no policy `{name}`");
    Err(Diagnostic::new(message).help(suggest::help(name, &names)))
}

/// Splits at the first `=` outside quotes.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (index, character) in text.char_indices() {
        match (character, quote) {
            ('=', None) => return Some((&text[..index], &text[index + 1..])),
            ('"' | '\'', None) => quote = Some(character),
            (character, Some(open)) if character == open => quote = None,
            _ => {}
        }
    }
    None
}
