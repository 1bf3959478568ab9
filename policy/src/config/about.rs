//! `[preset]`: whose policy a file holds, or the name of the one that it builds on.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use crate::config_error::ConfigError;

/// Whose policy a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The package, as its registry spells it.
    pub library: String,
    /// The version whose policy it is.
    pub version: String,
    /// Where that is to be seen: addresses, or files and the names of constants.
    pub source: String,
    /// One line for people.
    pub about: String,
    /// What the form can't say, with its consequence.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Other names, such as those of packages with the same policy.
    #[serde(default)]
    pub also: Vec<String>,
}

/// What may stand under `preset`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged, inline))]
pub enum PresetKey {
    /// The preset to build on; keys given beside it replace its own.
    Name(String),
    /// What this policy is.
    About(About),
}

impl PresetKey {
    /// Refuses a name that nobody has put the preset in the place of.
    pub(super) fn check(self) -> Result<(), ConfigError> {
        match self {
            PresetKey::About(_) => Ok(()),
            PresetKey::Name(_) => Err(ConfigError::new("preset", "works in TOML files only")),
        }
    }
}

impl<'de> Deserialize<'de> for PresetKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = PresetKey;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a preset, or a table that says what this policy is")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<PresetKey, E> {
                Ok(PresetKey::Name(name.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PresetKey, A::Error> {
                About::deserialize(MapAccessDeserializer::new(map)).map(PresetKey::About)
            }
        }
        deserializer.deserialize_any(V)
    }
}
