//! [`Chain`]: the rows that count for one provider, in the order in which they are tried.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::pattern::Pattern;
use super::row::Row;
use super::table::{Accept, Table};

/// The table that every other ends with, unless it says otherwise.
const GENERIC: &str = "generic";

/// The table of what gateways and CDNs send in any provider's name.
const EDGES: &str = "edges";

/// A row of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowRef {
    pub(super) table: usize,
    pub(super) row: usize,
}

/// The rows of a provider, by what they look at.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// Rows with a code.
    pub(super) coded: Named,
    /// Rows with a reason why an answer ended.
    pub(super) stopped: Named,
    /// Rows with a message but no code.
    pub(super) told: Vec<RowRef>,
    /// Rows with a status, a header or a kind of body only.
    pub(super) plain: Vec<RowRef>,
    /// What a success must hold.
    pub(super) accept: Accept,
}

/// Rows that look at a name, in the order in which they are tried, and found by it.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    rows: Vec<RowRef>,
    by_name: BTreeMap<String, Vec<usize>>,
    /// With a `*`.
    open: Vec<(Pattern, usize)>,
    /// At a place of their own.
    placed: Vec<(Vec<Pattern>, usize)>,
    /// Names that a row has whatever the message says.
    known: Vec<Pattern>,
}

impl Named {
    /// The rows that any of `names` may meet, and those with a place of their own if `placed`, in
    /// the order in which they are tried.
    pub(super) fn candidates(&self, names: &[&str], placed: bool) -> Vec<RowRef> {
        if names.is_empty() && !placed {
            return Vec::new();
        }
        let exact = names.iter().filter_map(|name| self.by_name.get(*name)).flatten();
        let open = self.open.iter().filter(|(open, _)| names.iter().any(|name| open.matches(name)));
        let placed = self.placed.iter().filter(|_| placed).map(|(_, at)| at);
        let mut found: Vec<usize> =
            exact.chain(open.map(|(_, at)| at)).chain(placed).copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter_map(|at| self.rows.get(at).copied()).collect()
    }

    /// Whether any row knows `name`, whatever the message says.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.known.iter().any(|pattern| pattern.matches(name))
    }

    fn add(&mut self, at: RowRef, row: &Row, patterns: &[Pattern]) {
        let index = self.rows.len();
        self.rows.push(at);
        if !row.when.reads_messages() {
            self.known.extend(patterns.iter().cloned());
        }
        if row.when.at.is_some() {
            self.placed.push((patterns.to_vec(), index));
            return;
        }
        for pattern in patterns {
            match pattern.exact() {
                Some(name) => self.by_name.entry(name.into()).or_default().push(index),
                None => self.open.push((pattern.clone(), index)),
            }
        }
    }
}

impl Chain {
    /// The chain of the table at `own`. Tables that don't exist are left out: a library has
    /// checked the names.
    pub(super) fn of(tables: &[Table], own: usize) -> Chain {
        let order = Order::of(tables, own);
        let refs = |table: usize| {
            let rows = tables.get(table).map_or(0, |table| table.rows.len());
            (0..rows).map(move |row| RowRef { table, row })
        };
        let row = |at: RowRef| &tables[at.table].rows[at.row];
        let named = |patterns: fn(&Row) -> &[Pattern]| {
            let mut found = Named::default();
            // What also looks at the message is tried first.
            for refined in [true, false] {
                for at in order.evidence.iter().copied().flat_map(refs) {
                    // A bare number means what its own provider says, and nothing elsewhere.
                    let lends = !order.own.contains(&at.table);
                    let counts = |pattern: &&Pattern| !(lends && pattern.is_number());
                    let patterns: Vec<Pattern> =
                        patterns(row(at)).iter().filter(counts).cloned().collect();
                    if !patterns.is_empty() && row(at).when.reads_messages() == refined {
                        found.add(at, row(at), &patterns);
                    }
                }
            }
            found
        };
        let unnamed = |tables: &[usize], told: bool| {
            let all = tables.iter().copied().flat_map(refs);
            all.filter(|at| {
                let when = &row(*at).when;
                let names = !when.codes.is_empty() || !when.stop_reasons.is_empty();
                !names && when.reads_messages() == told
            })
            .collect()
        };
        let accepts = order.own.iter().filter_map(|table| tables.get(*table)?.accept);
        Chain {
            coded: named(|row| &row.when.codes),
            stopped: named(|row| &row.when.stop_reasons),
            told: unnamed(&order.evidence, true),
            plain: unnamed(&order.own, false),
            accept: accepts.into_iter().next().unwrap_or(Accept::Any),
        }
    }
}

/// The tables of a chain, by their numbers.
struct Order {
    /// The table, those it extends, the edges and the generic one.
    own: Vec<usize>,
    /// These and all others, whose codes and messages leak through proxies.
    evidence: Vec<usize>,
}

impl Order {
    fn of(tables: &[Table], own: usize) -> Order {
        let find = |name: &str| position(tables, name);
        let mut chain = Vec::new();
        let mut alone = false;
        let mut open = Vec::from([own]);
        while let Some(next) = open.pop() {
            if chain.contains(&next) {
                continue;
            }
            chain.push(next);
            let Some(table) = tables.get(next) else { continue };
            alone |= next == own && table.stands_alone();
            open.extend(table.extends().iter().rev().filter_map(|name| find(name)));
        }
        if alone {
            return Order { own: chain.clone(), evidence: chain };
        }
        let (edges, generic) = (find(EDGES), find(GENERIC));
        // The last two keep their places, whoever extends them, but the own table is always first.
        chain.retain(|table| *table == own || Some(*table) != edges && Some(*table) != generic);
        let last = |table: &Option<usize>| table.filter(|table| !chain.contains(table));
        let edges = last(&edges);
        let generic = last(&generic);
        let mut evidence = chain.clone();
        evidence.extend(edges);
        let lends = |table: &usize| Some(*table) != generic && !tables[*table].stands_alone();
        let others = (0..tables.len()).filter(lends);
        let others: Vec<usize> = others.filter(|table| !evidence.contains(table)).collect();
        evidence.extend(others);
        evidence.extend(generic);
        chain.extend(edges.into_iter().chain(generic));
        Order { own: chain, evidence }
    }
}

/// The number of the table with this name or alias; `-` and `_` are the same.
pub(super) fn position(tables: &[Table], name: &str) -> Option<usize> {
    let name = name.replace('-', "_");
    let named = tables.iter().position(|table| table.name == name);
    let aliased = || {
        tables.iter().position(|table| table.aliases.iter().any(|a| a.replace('-', "_") == name))
    };
    named.or_else(aliased)
}
