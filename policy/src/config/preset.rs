//! Puts presets in the place of their names, before anything is read.

use alloc::string::String;
use core::mem;
use core::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::LoadError;
use crate::presets::{self, Preset};

/// Puts the tables of the preset that `policy` names, and of those that the policies inside it name,
/// under the keys given beside the name. `text` is what `policy` was read from.
pub(super) fn resolve(text: &str, policy: &mut DeTable<'_>) -> Result<(), LoadError> {
    let mut layer = Some(policy);
    while let Some(policy) = layer {
        let place = policy.get("preset").map(Spanned::span).unwrap_or_default();
        if let Some(DeValue::String(name)) = policy.get("preset").map(Spanned::get_ref) {
            let refuse = |message: String| LoadError::at(text, Some(place.clone()), message);
            let preset = Preset::find(name).ok_or_else(|| refuse(presets::unknown(name)))?;
            // A test reads every preset.
            let mut base = DeTable::parse(preset.text)
                .map_err(|error| refuse(error.message().into()))?
                .into_inner();
            base.remove("preset");
            let mut over = mem::take(policy);
            over.remove("preset");
            // Another policy inside takes the place of the preset's own: the two are not mixed.
            if over.get("inner").is_some_and(names_preset) {
                base.remove("inner");
            }
            for (key, value) in base {
                let key = Spanned::new(place.clone(), key.into_inner());
                policy.insert(key, placed(value.into_inner(), &place));
            }
            overlay(policy, over);
        }
        layer = match policy.get_mut("inner").map(Spanned::get_mut) {
            Some(DeValue::Table(inner)) => Some(inner),
            _ => None,
        };
    }
    Ok(())
}

fn names_preset(inner: &Spanned<DeValue<'_>>) -> bool {
    match inner.get_ref() {
        DeValue::Table(inner) => {
            inner.get("preset").is_some_and(|preset| preset.get_ref().is_str())
        }
        _ => false,
    }
}

/// A value of a preset, as if it had been written where the preset is named.
fn placed<'i>(value: DeValue<'i>, place: &Range<usize>) -> Spanned<DeValue<'i>> {
    let value = match value {
        DeValue::Table(table) => DeValue::Table(
            table
                .into_iter()
                .map(|(key, value)| {
                    let key = Spanned::new(place.clone(), key.into_inner());
                    (key, placed(value.into_inner(), place))
                })
                .collect(),
        ),
        DeValue::Array(items) => {
            DeValue::Array(items.into_iter().map(|item| placed(item.into_inner(), place)).collect())
        }
        other => other,
    };
    Spanned::new(place.clone(), value)
}

/// Lays `over` on top: tables merge, everything else is replaced.
fn overlay<'i>(base: &mut DeTable<'i>, over: DeTable<'i>) {
    for (key, value) in over {
        let span = value.span();
        match (base.get_mut(key.get_ref().as_ref()).map(Spanned::get_mut), value.into_inner()) {
            (Some(DeValue::Table(old)), DeValue::Table(new)) => overlay(old, new),
            (_, value) => {
                base.remove(key.get_ref().as_ref());
                base.insert(key, Spanned::new(span, value));
            }
        }
    }
}
