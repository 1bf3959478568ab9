//! One test for each row of each provider table: the row's own example lands on it. And each code
//! that a table says its sources list has a row.

use std::collections::BTreeSet;

use libtest_mimic::{Arguments, Failed, Trial};
use retrial_policy::Class;
use retrial_policy::providers::{Library, Provider, Row, Table};

fn main() -> std::process::ExitCode {
    let library = Library::embedded();
    let mut trials = Vec::new();
    for (table, provider) in library.tables().iter().map(|table| (table, of(table))) {
        trials.extend(table.rows().iter().map(|row| example_lands(table, row, &provider)));
        trials.push(listed_codes_have_rows(table, &provider));
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

fn listed_codes_have_rows(table: &Table, provider: &Provider) -> Trial {
    let (codes, reasons, provider) =
        (table.codes().to_vec(), table.stop_reasons().to_vec(), provider.clone());
    Trial::test(format!("{}::listed codes have rows", table.name()), move || {
        let mut missing: BTreeSet<String> = BTreeSet::new();
        missing.extend(codes.into_iter().filter(|code| !provider.knows_code(code)));
        missing.extend(reasons.into_iter().filter(|reason| !provider.knows_stop_reason(reason)));
        match missing.is_empty() {
            true => Ok(()),
            false => Err(Failed::from(format!("no row for {missing:?}"))),
        }
    })
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
