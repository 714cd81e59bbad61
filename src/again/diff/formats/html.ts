/** A page about what changed, which needs no network. */
import { countOf } from "@seqreg/core/contract/count_of";
import { listSome } from "@seqreg/core/contract/ledger";
import { cut, escapeHtml, visible } from "@seqreg/core/io/display";
import { tableView } from "@seqreg/jupyter/notebook/table_view";
import type { GroupCounts } from "../group_counts.ts";
import { isEqualTable } from "../equal_table.ts";
import type { Diff, TableDiff } from "../diff_result.ts";
import { HOW_CHANGED } from "../how_changed.ts";
import type { RenamedColumn } from "../propose_renames.ts";
import type { ChangedValue } from "../record_change.ts";
import { CHANGE_COLUMNS, changeRows } from "./csv.ts";

/** Changes that the page holds. */
const MOST_ROWS = 20_000;

/** Groups of a figure. */
const MOST_GROUPS = 20;

/** Kinds of changes with the colours of their bars, told apart by everyone and in lightness. */
const KINDS = [["added", "#0072b2"], ["changed", "#e69f00"], ["removed", "#555555"]] as const;

/**
 * Writes a page about a comparison: counts, figures by field, country and year, and the changes in a table that can be
 * filtered and sorted. Every value is escaped; the page loads nothing.
 *
 * @param diff The comparison.
 * @returns HTML.
 */
export async function diffToHtml(diff: Diff): Promise<string> {
  const title = `Changes from ${nameOf(diff.places[0])} to ${nameOf(diff.places[1])}`;
  const parts = [
    `<h1>${text(title)}</h1>`,
    countsOf(diff),
    ...leftOf(diff).map((line) => `<p>${text(line)}</p>`),
    ...diff.entries.length === 0 ? [] : [
      `<h2>Notes</h2><ul>${diff.entries.map((entry) => `<li>${text(entry.text)}</li>`).join("")}</ul>`,
    ],
    ...diff.tables.filter((table) => !isEqualTable(table)).map((table) => figuresOf(table, diff.tables.length > 1)),
    await changesOf(diff),
  ];
  return `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; ` +
    `script-src 'unsafe-inline'; img-src data:">` +
    `<title>${text(title)}</title><style>${STYLE}</style></head><body><main>${parts.join("\n")}</main></body></html>\n`;
}

/** The last part of a path: where the data lay is nobody's business. */
function nameOf(place: string): string {
  return place.split(/[\\/]/).filter((part) => part !== "").at(-1) ?? place;
}

function text(value: string): string {
  return escapeHtml(visible(cut(value, 500)));
}

function countsOf({ tables, counts }: Diff): string {
  const names = ["old", "new", "added", "removed", "changed", "unchanged"] as const;
  const row = (name: string, table: Diff["counts"]) =>
    `<tr><th scope="row">${text(name)}</th>${names.map((key) => `<td>${number(table[key])}</td>`).join("")}</tr>`;
  const sum = tables.length > 1 ? row("all tables", counts) : "";
  return `<table class="counts"><caption>Records</caption><thead><tr><th scope="col">table</th>` +
    names.map((name) => `<th scope="col">${name}</th>`).join("") +
    `</tr></thead><tbody>${tables.map((table) => row(table.table, table)).join("")}${sum}</tbody></table>`;
}

/** What the counts leave out: tables of one version, and records by their date. */
function leftOf({ tables, unpaired }: Diff): string[] {
  const alone = (["old", "new"] as const).filter((version) => unpaired[version].length > 0)
    .map((version) => `Tables only in the ${version} version: ${listSome(unpaired[version], 50)}`);
  const later = tables.filter(({ leftOutBy }) => leftOutBy !== undefined).map(({ table, leftOut, leftOutBy }) =>
    `${table}: left out by ${leftOutBy}: ${number(leftOut[0])} of the old version, ${number(leftOut[1])} of the new one`
  );
  return [...alone, ...later];
}

function figuresOf(table: TableDiff, isOneOfMany: boolean): string {
  const fields = Object.entries(table.fields).map(([name, counts]) => ({
    name,
    hows: HOW_CHANGED.filter((how) => counts[how] !== undefined).map((how) => `${how} ${number(counts[how]!)}`),
    sum: Object.values(counts).reduce((sum, count) => sum + count, 0),
  })).sort((a, b) => b.sum - a.sum);
  const most = Math.max(1, ...fields.map(({ sum }) => sum));
  const bars = fields.slice(0, 2 * MOST_GROUPS).map(({ name, hows, sum }) =>
    bar(name, [{ share: sum / most, colour: KINDS[1][1] }], `${number(sum)} (${hows.join(", ")})`)
  );
  const more = fields.length - bars.length;
  return [
    isOneOfMany ? `<h2>${text(table.table)}</h2>` : "",
    columnsOf(table),
    bars.length === 0
      ? ""
      : figure("Changed values by field", bars, { more: more > 0 ? `${countOf(more, "field")} more` : "", kinds: [] }),
    groupsOf("Differing records by country", byCount(table.countries)),
    groupsOf("Differing records by year of collection", table.years),
    table.taxa.length === 0
      ? ""
      : `<p>Renamed taxa, as the taxonomy archive has them: ${
        text(listSome(table.taxa.map(({ old, new: now, cells }) => `${old} → ${now} (${cells})`), 20))
      }</p>`,
  ].join("\n");
}

function columnsOf({ columns }: TableDiff): string {
  const accepted = columns.renamed.filter((pair) => !columns.proposed.includes(pair));
  const pairs = (list: readonly RenamedColumn[]) => list.map(([from, to]) => `${from} → ${to}`);
  const lists = [
    ["Fields added", columns.added],
    ["Fields removed", columns.removed],
    ["Fields renamed", pairs(accepted)],
    ["Fields probably renamed", pairs(columns.proposed)],
    ["Fields moved", columns.moved],
  ] as const;
  return lists.filter(([, names]) => names.length > 0)
    .map(([what, names]) => `<p>${what}: ${text(listSome(names, 50))}</p>`).join("");
}

function byCount(groups: readonly GroupCounts[]): GroupCounts[] {
  return [...groups].sort((a, b) => sumOf(b) - sumOf(a) || ((a.value ?? "") < (b.value ?? "") ? -1 : 1));
}

function sumOf({ added, removed, changed }: GroupCounts): number {
  return added + removed + changed;
}

function groupsOf(caption: string, groups: readonly GroupCounts[]): string {
  if (groups.length === 0) return "";
  const largest = byCount(groups);
  const most = sumOf(largest[0]);
  const kept = new Set(largest.slice(0, MOST_GROUPS));
  const shown = groups.filter((group) => kept.has(group));
  const bars = shown.map((group) => {
    const parts = KINDS.map(([kind, colour]) => ({ share: group[kind] / most, colour }));
    const counts = KINDS.filter(([kind]) => group[kind] > 0).map(([kind]) => `${kind} ${number(group[kind])}`);
    return bar(group.value ?? "missing", parts, counts.join(", "));
  });
  const rest = largest.slice(MOST_GROUPS);
  const others = rest.reduce((sum, group) => sum + sumOf(group), 0);
  const more = rest.length === 0 ? "" : `${countOf(others, "record")} in ${rest.length} other groups`;
  return figure(caption, bars, { more, kinds: KINDS });
}

function bar(
  name: string,
  parts: readonly { readonly share: number; readonly colour: string }[],
  counts: string,
): string {
  const drawn = parts.filter(({ share }) => share > 0).map(({ share, colour }) =>
    `<i style="width:${(100 * share).toFixed(2)}%;background:${colour}"></i>`
  ).join("");
  return `<tr><th scope="row">${text(name)}</th><td class="bar">${drawn}</td><td>${text(counts)}</td></tr>`;
}

function figure(
  caption: string,
  bars: readonly string[],
  { more, kinds }: { readonly more: string; readonly kinds: readonly (readonly [kind: string, colour: string])[] },
): string {
  const key = kinds.map(([kind, colour]) => `<span class="key"><i style="background:${colour}"></i>${kind}</span>`);
  return `<table class="figure"><caption>${text(caption)}${key.join("")}</caption><tbody>${
    bars.join("")
  }</tbody></table>` +
    (more === "" ? "" : `<p class="more">${text(more)}</p>`);
}

async function changesOf(diff: Diff): Promise<string> {
  const rows: ChangedValue[][] = [];
  for await (const change of diff.records()) {
    if (rows.length >= MOST_ROWS) break;
    rows.push(...changeRows(change).map((row) => row.map(exactly)));
  }
  if (rows.length === 0) return "";
  const isOne = diff.tables.length === 1;
  const view = tableView({
    columns: isOne ? CHANGE_COLUMNS.slice(1) : CHANGE_COLUMNS,
    rows: isOne ? rows.map((row) => row.slice(1)) : rows,
    total: diff.tables.reduce((sum, table) => sum + rowsOf(table), 0),
    caption: "changes",
    pinned: "key",
    complete: "seqreg diff --format csv",
  });
  return `<h2>Changes</h2>${view["text/html"]}`;
}

/** A fraction as text: as a number it is shown with seven digits, which may be those of both versions. */
function exactly(value: ChangedValue): ChangedValue {
  return typeof value === "number" && !Number.isInteger(value) ? String(value) : value;
}

/** Rows of a table's changes, in the page or not. */
function rowsOf({ added, removed, fields }: TableDiff): number {
  const cells = Object.values(fields).flatMap((counts) => Object.values(counts));
  return added + removed + cells.reduce((sum, count) => sum + count, 0);
}

function number(value: number): string {
  return value.toLocaleString("en");
}

const STYLE = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0}" +
  "main{max-width:75rem;margin:0 auto;padding:1rem}h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.2rem}" +
  "table.counts,table.figure{border-collapse:collapse;margin:1rem 0}table.figure{width:100%}" +
  "caption{text-align:left;font-weight:600;padding:.3rem 0}th{text-align:left;font-weight:400}" +
  "th,td{padding:.2rem .6rem}" +
  ".counts th,.counts td{padding:.2rem .8rem;border-bottom:1px solid #8884}.counts td{text-align:right}" +
  ".counts thead th{text-align:right;font-weight:600}.counts thead th:first-child{text-align:left}" +
  ".figure th{width:16rem;overflow-wrap:anywhere;padding-right:.6rem}.figure td:last-child{width:18rem;padding-left:.6rem}" +
  ".bar{white-space:nowrap;font-size:0}.bar i{display:inline-block;height:.9rem}" +
  ".key{font-weight:normal;margin-left:1rem}.key i{display:inline-block;width:.8rem;height:.8rem;margin-right:.3rem}" +
  ".more{opacity:.75}" +
  "@media(max-width:50rem){.figure th,.figure td:last-child{width:32%}table.counts{display:block;overflow-x:auto}}";
