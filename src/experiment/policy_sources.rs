//! Where the keys of a policy come from: a file, a preset, or the tables written in place.

use retrial_policy::presets::Preset;

use super::diagnostic::Diagnostic;
use super::files::Folder;
use super::node::{Node, Table};
use super::parse::parse;
use super::source::{Place, Sources};
use super::suggest;

/// Policy files inside each other; one that contains itself would have layers without end.
const MAX_FILES: usize = 16;

/// Puts the content of the `file` of a policy, and of each policy inside it, under the keys given
/// beside it, and then that of the `preset`. Without a folder, files are left alone.
///
/// # Errors
///
/// There is no such file or preset, or it can't be read.
pub fn fill(
    policy: &mut Node,
    folder: Option<&Folder>,
    sources: &mut Sources,
) -> Result<(), Diagnostic> {
    let mut layer = Some(policy);
    let mut files = 0;
    while let Some(policy) = layer {
        if let Some(table) = policy.as_table_mut() {
            check_one_source(table)?;
            if let Some(file) =
                folder.map_or(Ok(None), |folder| read_file(table, folder, sources))?
            {
                files += 1;
                if files > MAX_FILES {
                    let message = format!("more than {MAX_FILES} policy files inside each other");
                    return Err(Diagnostic::new(message)
                        .at(Some(file))
                        .help("does one contain itself?"));
                }
            }
            read_preset(table, sources)?;
        }
        layer = policy.as_table_mut().and_then(|table| table.get_mut("inner"));
    }
    Ok(())
}

/// The name of the preset that `policy` builds on.
fn preset_name(policy: &Table) -> Option<&str> {
    policy.get("preset").and_then(Node::as_str)
}

/// Refuses a policy that builds on two: neither is the obvious base of the other.
fn check_one_source(policy: &Table) -> Result<(), Diagnostic> {
    match (policy.get("file"), preset_name(policy), policy.key("preset")) {
        (Some(_), Some(_), Some(key)) => {
            let message = "`preset` goes without `file`: a policy builds on one of them";
            Err(Diagnostic::new(message)
                .at(Some(key.place))
                .help("a policy file may name a preset itself"))
        }
        _ => Ok(()),
    }
}

/// Puts the content of the `file` under the keys given beside it, and gives the place where the
/// file was named, if it was.
fn read_file(
    policy: &mut Table,
    folder: &Folder,
    sources: &mut Sources,
) -> Result<Option<Place>, Diagnostic> {
    let Some(file) = policy.remove("file") else { return Ok(None) };
    let fault = |message: String| Diagnostic::new(message).at(Some(file.place));
    let Some(path) = file.as_str() else {
        return Err(fault("`file` is the path of a policy file, a string".to_string()));
    };
    let text = folder
        .read(path)
        .map_err(|problem| fault(format!("can't read the policy file `{path}`: {problem}")))?;
    let source = sources.add(folder.shown(path), text.clone());
    lay_over(policy, parse(&text, source)?);
    Ok(Some(file.place))
}

/// Puts the `preset` that is named under the keys given beside it.
fn read_preset(policy: &mut Table, sources: &mut Sources) -> Result<(), Diagnostic> {
    let Some(name) = preset_name(policy).map(str::to_string) else { return Ok(()) };
    let named = policy.remove("preset");
    let preset = Preset::find(&name).ok_or_else(|| {
        let names: Vec<_> = Preset::all().iter().map(|preset| preset.name).collect();
        Diagnostic::new(format!("there is no preset `{name}`"))
            .at(named.map(|node| node.place))
            .help(suggest::help(&name, &names))
    })?;
    lay_over(policy, of_preset(preset, sources)?);
    Ok(())
}

/// The tables of a preset, presets inside it by name.
///
/// # Errors
///
/// None: a test reads every preset.
pub fn of_preset(preset: &Preset, sources: &mut Sources) -> Result<Node, Diagnostic> {
    let source = sources.add(format!("{}.toml (preset)", preset.name), preset.text);
    Ok(parse(preset.text, source)?.without(&["preset"]))
}

/// Lays the keys of `policy` over `base`.
fn lay_over(policy: &mut Table, mut base: Node) {
    let over = std::mem::take(policy);
    if let Some(base) = base.as_table_mut() {
        let inner = over.get("inner").and_then(Node::as_table);
        // Another policy inside takes the place of the base's own: the two are not mixed.
        if inner.is_some_and(|inner| inner.get("file").is_some() || preset_name(inner).is_some()) {
            base.remove("inner");
        }
        base.overlay(over);
        *policy = std::mem::take(base);
    }
}
