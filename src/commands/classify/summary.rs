//! What many replies come to: what would be sent again, what stops, and whose problem it is.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, Table, presets};
use retrial_policy::providers::UnknownCodes;

use super::printable::printable;
use super::verdict::Verdict;

/// Counts of verdicts.
#[derive(Default)]
pub(super) struct Summary {
    /// By class, action and owner; a call that goes on has no owner.
    counts: BTreeMap<(&'static str, &'static str, Option<&'static str>), u64>,
}

impl Summary {
    pub(super) fn add(&mut self, verdict: &Verdict) {
        let key = (verdict.class(), verdict.action(), verdict.owner());
        *self.counts.entry(key).or_default() += 1;
    }

    /// The counts, the most frequent first, and the codes that no table knows.
    pub(super) fn text(&self, name: &str, unknown: &UnknownCodes) -> String {
        let all: u64 = self.counts.values().sum();
        let replies = if all == 1 { "reply" } else { "replies" };
        let mut text = format!("{all} {replies} in {name}\n");
        if all > 0 {
            text.push_str(&format!("\n{}\n", self.table()));
        }
        let mut codes: Vec<_> = unknown.iter().collect();
        codes.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
        if !codes.is_empty() {
            text.push_str("\ncodes that no table knows:\n");
        }
        for (provider, code, count) in codes {
            let (provider, code) = (printable(provider), printable(code));
            text.push_str(&format!("  {count} × {code} ({provider})\n"));
        }
        match unknown.others() {
            0 => {}
            others => text.push_str(&format!("  {others} × others\n")),
        }
        text
    }

    fn table(&self) -> String {
        let mut rows: Vec<_> = self.counts.iter().collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(["replies", "class", "action", "owner"]);
        for ((class, action, owner), count) in rows {
            table.add_row([&count.to_string(), *class, *action, owner.unwrap_or("")]);
        }
        if let Some(counts) = table.column_mut(0) {
            counts.set_cell_alignment(CellAlignment::Right);
        }
        let lines = table.to_string();
        let lines: Vec<_> = lines.lines().map(str::trim_end).collect();
        lines.join("\n")
    }
}
