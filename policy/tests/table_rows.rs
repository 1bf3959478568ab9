//! One test for each row of each provider table: the row's own example lands on it. And each code
//! that a table says its sources list has a row.

use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use retrial_policy::Class;
use retrial_policy::providers::{Library, Provider, Row, Table};

fn main() -> std::process::ExitCode {
    let library = Library::embedded();
    let mut trials = Vec::new();
    for (table, provider) in library.tables().iter().map(|table| (table, of(table))) {
        trials.extend(table.rows().iter().map(|row| example_lands(table, row, &provider)));
        trials.push(listed_codes_have_rows(table, &library));
        trials.push(has_what_a_reader_needs(table));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn of(table: &Table) -> Provider {
    Provider::find(table.name()).expect("a table is found by its name")
}

fn example_lands(table: &Table, row: &Row, provider: &Provider) -> Trial {
    let expected = (table.name().to_string(), row.id().to_string());
    let (provider, example, class) =
        (provider.clone(), row.example().clone(), row.classification().class);
    Trial::test(format!("{}::{}", table.name(), row.id()), move || {
        let reading = provider.read(&example);
        let decided = (reading.decided_by.table, reading.decided_by.row);
        match (decided == expected, reading.classification.class == class) {
            (true, true) => Ok(()),
            _ => Err(Failed::from(format!("its example lands on {}/{}", decided.0, decided.1))),
        }
    })
}

/// A row of the table or of one that it extends; wildcards and rows lent by others don't count.
fn listed_codes_have_rows(table: &Table, library: &Arc<Library>) -> Trial {
    let (name, library) = (table.name().to_string(), library.clone());
    Trial::test(format!("{name}::listed codes have rows"), move || {
        let tables = with_all_it_extends(&library, &name);
        let table = tables[0];
        let named =
            |holds: &dyn Fn(&Row) -> bool| tables.iter().flat_map(|table| table.rows()).any(holds);
        let codes = table.codes().iter().filter(|code| !named(&|row| row.names_code(code)));
        let reasons = table.stop_reasons().iter();
        let reasons = reasons.filter(|reason| !named(&|row| row.names_stop_reason(reason)));
        let missing: Vec<&String> = codes.chain(reasons).collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(Failed::from(format!("no row for {missing:?}"))),
        }
    })
}

/// The table called `name`, then those that it extends and those that they extend, then `generic`.
fn with_all_it_extends<'l>(library: &'l Library, name: &str) -> Vec<&'l Table> {
    let find = |name: &str| {
        let name = name.replace('-', "_");
        let table = library.tables().iter().find(|table| table.names().any(|own| own == name));
        table.expect("only tables that there are are extended")
    };
    let mut found = vec![find(name)];
    let mut next = 0;
    while let Some(table) = found.get(next) {
        let more: Vec<_> = table.extends().iter().map(|name| find(name)).collect();
        for table in more {
            if found.iter().all(|known| known.name() != table.name()) {
                found.push(table);
            }
        }
        next += 1;
    }
    if !found[0].stands_alone() && found.iter().all(|table| table.name() != "generic") {
        found.push(find("generic"));
    }
    found
}

fn has_what_a_reader_needs(table: &Table) -> Trial {
    let sources = table.rows().iter().map(|row| (row.id().to_string(), row.source().to_string()));
    let sources: Vec<_> = sources.collect();
    let notes = table.rows().iter().filter(|row| row.classification().class != Class::Ok);
    let silent: Vec<_> =
        notes.filter(|row| row.note().is_empty()).map(|row| row.id().to_string()).collect();
    let (title, reviewed) = (table.title().to_string(), table.reviewed().to_string());
    Trial::test(format!("{}::has sources and notes", table.name()), move || {
        let unsourced: Vec<_> =
            sources.iter().filter(|(_, source)| !source.starts_with("https://")).collect();
        let said = !title.is_empty() && reviewed.starts_with("20");
        match unsourced.is_empty() && silent.is_empty() && said {
            true => Ok(()),
            false => Err(Failed::from(format!("without source {unsourced:?}, note {silent:?}"))),
        }
    })
}
