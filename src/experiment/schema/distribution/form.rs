//! Reads a distribution: a bare value, or a table with one law.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, Unexpected, Visitor,
};

use super::{Form, Law, Unit};

impl<'de, U: Unit> Deserialize<'de> for Form<U> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneForm(PhantomData))
    }
}

struct OneForm<U>(PhantomData<U>);

impl<U: Unit> OneForm<U> {
    fn constant<'de, T, E>(
        self,
        written: T,
        text: bool,
        found: Unexpected<'_>,
    ) -> Result<Form<U>, E>
    where
        T: IntoDeserializer<'de, E>,
        E: Error,
    {
        if text == U::IS_TEXT {
            return U::deserialize(written.into_deserializer()).map(Form::Constant);
        }
        Err(E::invalid_type(found, &self))
    }
}

impl<'de, U: Unit> Visitor<'de> for OneForm<U> {
    type Value = Form<U>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(U::EXAMPLES)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Form<U>, E> {
        self.constant(text, true, Unexpected::Str(text))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Form<U>, E> {
        self.constant(number, false, Unexpected::Signed(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Form<U>, E> {
        self.constant(number, false, Unexpected::Unsigned(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Form<U>, E> {
        self.constant(number, false, Unexpected::Float(number))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Form<U>, A::Error> {
        let Some(Name(name, ..)) = map.next_key::<Name<U>>()? else {
            return Err(Error::invalid_type(Unexpected::Map, &self));
        };
        let law = match name {
            "exponential" => Law::Exponential(map.next_value()?),
            "normal" => Law::Normal(map.next_value()?),
            "lognormal" => Law::Lognormal(map.next_value()?),
            "uniform" => Law::Uniform(map.next_value()?),
            "gamma" => Law::Gamma(map.next_value()?),
            "weibull" => Law::Weibull(map.next_value()?),
            "pareto" => Law::Pareto(map.next_value()?),
            "empirical" => Law::Empirical(map.next_value()?),
            "tokens" => Law::Tokens(map.next_value()?),
            other => return Err(Error::unknown_variant(other, U::LAWS)),
        };
        match map.next_key::<IgnoredAny>()? {
            None => Ok(Form::Law(law)),
            Some(_) => Err(Error::custom("a distribution has one law, not two")),
        }
    }
}

/// One of the unit's laws. An error names the key, not the table around it.
struct Name<U>(&'static str, PhantomData<U>);

impl<'de, U: Unit> Deserialize<'de> for Name<U> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V<U>(PhantomData<U>);
        impl<U: Unit> Visitor<'_> for V<U> {
            type Value = Name<U>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a law")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Name<U>, E> {
                match U::LAWS.iter().find(|law| **law == name) {
                    Some(law) => Ok(Name(law, PhantomData)),
                    None => Err(E::unknown_variant(name, U::LAWS)),
                }
            }
        }
        deserializer.deserialize_identifier(V(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use retrial_policy::Nanos;

    use crate::engine::distribution::Distribution;
    use crate::experiment::deserialize::from_node;
    use crate::experiment::parse::parse_value;
    use crate::experiment::schema::{CountForm, DistributionForm};
    use crate::experiment::source::Sources;

    fn count(text: &str) -> Result<CountForm, String> {
        let source = Sources::default().add("test", text);
        from_node(&parse_value(text, source, 0)).map_err(|diagnostic| diagnostic.message)
    }

    fn duration(text: &str) -> Result<DistributionForm, String> {
        let source = Sources::default().add("test", text);
        from_node(&parse_value(text, source, 0)).map_err(|diagnostic| diagnostic.message)
    }

    #[test]
    fn counts_have_the_laws_of_durations() {
        let read: Arc<[u64]> = [7, 9].into();
        let [two, nine] = [2, 9].map(Nanos::new);
        for (text, law) in [
            ("9", Distribution::Constant(nine)),
            ("8.6", Distribution::Constant(nine)),
            ("{ exponential = { mean = 300 } }", Distribution::Exponential { mean: 300.0 }),
            ("{ normal = { mean = 30.5, sd = 0 } }", Distribution::Normal { mean: 30.5, sd: 0.0 }),
            (
                "{ lognormal = { median = 1000, p99 = 4000 } }",
                Distribution::lognormal(Nanos::new(1000), Nanos::new(4000)),
            ),
            ("{ uniform = { min = 2, max = 9 } }", Distribution::Uniform { min: two, max: nine }),
            ("{ gamma = { mean = 3, cv = 2 } }", Distribution::Gamma { shape: 0.25, scale: 12.0 }),
            ("{ weibull = { mean = 3, cv = 2.0 } }", Distribution::weibull(3.0, 2.0)),
            (
                "{ pareto = { min = 2, shape = 1.5 } }",
                Distribution::Pareto { min: 2.0, shape: 1.5 },
            ),
            (
                "{ empirical = { file = 'a.csv', column = 'tokens' } }",
                Distribution::Empirical(read.clone()),
            ),
        ] {
            let form = count(text).unwrap();
            let sampler = form.sampler(&|column| {
                assert_eq!((&*column.file, &*column.column), ("a.csv", "tokens"));
                Some(read.clone())
            });
            assert_eq!(sampler, Some(law), "{text}");
        }
    }

    #[test]
    fn time_per_token_is_a_law_of_durations_only() {
        let text = "{ tokens = { first = '300ms', per_input = '10us', per_output = '20ms' } }";
        let form = duration(text).unwrap();
        assert_eq!(form.sampler(&|_| None), None);
        let per_token = form.per_token().unwrap();
        assert_eq!(per_token.first, Nanos::from_millis(300));
        assert_eq!(per_token.per_output, Nanos::from_millis(20));
        assert_eq!(count(text).unwrap_err(), "unknown value `tokens`");
        assert_eq!(duration("'1ms'").unwrap().per_token(), None);
    }

    #[test]
    fn what_is_no_distribution_is_told_what_is() {
        let a_count = "expected a number such as 1000, or a law such as \
                       { exponential = { mean = 300 } }, found";
        let a_duration = "expected a duration such as \"10ms\", or a law such as \
                          { exponential = { mean = \"10ms\" } }, found";
        for (text, message) in [
            ("'10ms'", format!("{a_count} the string \"10ms\"")),
            ("{}", format!("{a_count} a table")),
            ("true", format!("{a_count} true")),
            ("-5", "expected a number, not negative, found the number -5".to_string()),
            ("inf", "expected a number, not negative, found the number inf".to_string()),
            (
                "{ exponential = { mean = '3' } }",
                "expected a number, not negative, found the string \"3\"".to_string(),
            ),
            ("{ exponential = { men = 3 } }", "unknown key `men`".to_string()),
            ("{ exponential = 3 }", "expected a table, found the number 3".to_string()),
            ("{ nromal = {} }", "unknown value `nromal`".to_string()),
        ] {
            assert_eq!(count(text).unwrap_err(), message, "{text}");
        }
        for (text, message) in [
            ("10", format!("{a_duration} the number 10")),
            ("1.5", format!("{a_duration} the number 1.5")),
            ("{}", format!("{a_duration} a table")),
        ] {
            assert_eq!(duration(text).unwrap_err(), message, "{text}");
        }
    }
}
