//! Whose table reads the replies of a route.

use std::sync::Arc;

use retrial_policy::providers::Provider;

use super::Worlds;
use crate::experiment::check::problem::Problem;
use crate::experiment::schema::Route;
use crate::experiment::tables::{self, GENERIC};

impl Worlds {
    pub(super) fn provider(&self, key: &str, route: &Route) -> Result<Provider, Problem> {
        let name = route.provider.as_deref().unwrap_or(GENERIC);
        let Some(path) = &route.table else {
            return tables::find(name).map_err(|unknown| Problem {
                key: format!("{key}.provider"),
                message: unknown.message,
                help: unknown.help,
            });
        };
        let read = |text: &str| {
            let table = tables::own(path, text, route.provider.as_deref());
            table.map(Arc::new).map_err(|error| error.to_string())
        };
        let table = self.tables.get(path, name, read).map_err(|fault| Problem {
            key: format!("{key}.table"),
            message: format!("can't use the table `{path}`: {fault}"),
            help: None,
        })?;
        Ok(Provider::clone(&table))
    }
}
