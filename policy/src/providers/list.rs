//! A value that may stand alone or in a list.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::{I64Deserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// `"x"` or `["x", "y"]`.
#[derive(Clone, Debug)]
pub(super) struct List<T>(pub(super) Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        List(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = List<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value or a list of values")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<List<T>, E> {
                T::deserialize(StrDeserializer::new(text)).map(|one| List(Vec::from([one])))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<List<T>, E> {
                T::deserialize(I64Deserializer::new(number)).map(|one| List(Vec::from([one])))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<List<T>, A::Error> {
                let list = Vec::deserialize(SeqAccessDeserializer::new(list))?;
                match list.is_empty() {
                    true => {
                        Err(A::Error::custom("an empty list matches nothing: leave the key out"))
                    }
                    false => Ok(List(list)),
                }
            }
        }
        deserializer.deserialize_any(V(PhantomData))
    }
}
