// Sorting and hovering. Without this script everything can be read; nothing is loaded or sent.
"use strict";

for (const table of document.querySelectorAll("table.sortable")) {
  const head = [...table.tHead.rows[0].cells];
  head.forEach((cell, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    button.addEventListener("click", () => sort(table, head, column));
    cell.append(button);
  });
}

// Rows by a column, up and down in turn; what has no value comes last either way.
function sort(table, head, column) {
  const falling = head[column].getAttribute("aria-sort") === "ascending";
  head.forEach((cell) => cell.removeAttribute("aria-sort"));
  head[column].setAttribute("aria-sort", falling ? "descending" : "ascending");
  const key = (row) => {
    const cell = row.cells[column];
    const isNumber = cell.classList.contains("number");
    const text = cell.dataset.value ?? (isNumber ? "" : cell.textContent.trim());
    return { none: text === "", number: Number(text), text };
  };
  const compare = (a, b) => {
    const numbers = a.number - b.number;
    const order = Number.isNaN(numbers) ? (a.text < b.text ? -1 : Number(a.text > b.text)) : numbers;
    return falling ? -order : order;
  };
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [key(row), row]);
  rows.sort(([a], [b]) => a.none - b.none || compare(a, b));
  body.append(...rows.map(([, row]) => row));
}

// The same policy in all tables.
const rows = document.querySelectorAll("tr[data-policy]");
const mark = (event) => {
  const policy = event.target.closest?.("tr[data-policy]")?.dataset.policy;
  rows.forEach((row) => row.classList.toggle("same", row.dataset.policy === policy));
};
document.addEventListener("mouseover", mark);
document.addEventListener("focusin", mark);

// What scrolls sideways can be scrolled with the keyboard, and nothing else takes the focus.
const scrollers = document.querySelectorAll(".scroll, .chart, pre");
const reach = () => {
  for (const box of scrollers) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("resize", reach);
addEventListener("toggle", reach, true);
reach();
