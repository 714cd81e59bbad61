/** `show(value)`: the toolkit's values as a person wants to see them. */
import type { Ledger } from "@seqreg/core/contract";
import {
  cut,
  DATA_CLASS,
  DISPLAY,
  display,
  type Displayable,
  escapeHtml,
  type MediaBundle,
  type ResultSummary,
  setResultView,
  textView,
  visible,
} from "@seqreg/core/io/display";
import { countOf } from "@seqreg/core/contract/count_of";
import { membersOf } from "@seqreg/core/engine/frames";
import { checkArgument } from "@seqreg/core/options/check_options";
import * as rule from "@seqreg/core/options/rules";
import { errorView, isToolkitError } from "./error_view.ts";
import { frameView, isFrame, isLazyFrame, lazyFrameView } from "./frame_view.ts";
import { isLake, lakeView } from "./lake_view.ts";
import { ledgerView } from "./ledger_view.ts";
import { readableRows, type ShownValue, tableView } from "./table_view.ts";

/**
 * Shows a value under the running cell of a notebook, or as plain text on standard output elsewhere.
 *
 * Knows frames (of lazy ones only the first 1,000 rows are computed), ledgers, lists of objects (all columns of all
 * rows) and everything of the toolkit that displays itself; anything else is shown as `console.log` would print it.
 *
 * @param value What to show.
 * @param caption What it is, in a few words.
 *
 * @example
 * ```ts no-eval
 * import { Registry, show } from "seqreg";
 *
 * await using registry = await Registry.open();
 * await show(await registry.search("country:Kenya"));
 * ```
 */
export async function show(value: unknown, caption?: string): Promise<void> {
  checkArgument("show()", "caption", caption, rule.text);
  await display(await viewOf(value, caption));
}

/** Writes a value as {@linkcode show} shows it, without showing it. */
export async function viewOf(value: unknown, caption?: string): Promise<MediaBundle> {
  const known = await viewOfKnown(value, caption);
  if (known !== undefined) return known;
  const view = isListOfObjects(value) ? listView(value, caption ?? "list") : undefined;
  if (view !== undefined) return view;
  const text = visible(typeof value === "string" ? value : Deno.inspect(value, { depth: 4, strAbbreviateSize: 1000 }));
  return { "text/plain": text, "text/html": `<pre class="${DATA_CLASS}">${escapeHtml(cut(text, 100_000))}</pre>` };
}

/**
 * Writes a value that the toolkit made: results, frames, ledgers, problems, definitions, hits, errors.
 * Anything else gives `undefined`: a notebook shows it as it would without us.
 */
export async function viewOfKnown(value: unknown, caption?: string): Promise<MediaBundle | undefined> {
  if (isFrame(value)) {
    const { columns } = membersOf(value);
    const isProblems = PROBLEM_FIELDS.every((field) => columns.includes(field));
    return isProblems ? explainKept(await frameView(value, caption ?? "problems")) : await frameView(value, caption);
  }
  if (isLazyFrame(value)) return await lazyFrameView(value, caption);
  if (isDisplayable(value)) return await value[DISPLAY]();
  if (isLedger(value)) return ledgerView(value);
  if (isLake(value)) return lakeView(value);
  if (isGenerator(value)) return textView(GENERATOR);
  if (isTable(value)) return typedTableView(value, caption);
  if (isSchema(value)) return schemaView(value);
  if (isToolkitError(value)) return errorView(value);
  if (!isListOfObjects(value)) return undefined;
  const kind = LIST_KINDS.find(({ fields }) => value.every((row) => fields.every((field) => field in row)));
  if (kind === undefined) return undefined;
  const view = listView(kind.rowOf === undefined ? value : value.map(kind.rowOf), caption ?? kind.caption);
  if (view === undefined) return undefined;
  return kind.fields === PROBLEM_FIELDS ? explainKept(view) : view;
}

/** What a generator is shown as: it has begun nothing yet. */
const GENERATOR =
  "This yields its values one after another: for await (const value of …), or await Array.fromAsync(…).";

function isGenerator(value: unknown): boolean {
  return Object.prototype.toString.call(value) === "[object AsyncGenerator]";
}

/** A table that the toolkit read: of a lake, a file, an answer. */
interface TableLike {
  readonly columns: readonly RowObject[];
  readonly rows: number;
  readonly ledger: Ledger;
}

function isTable(value: unknown): value is TableLike {
  const { columns, rows, ledger, frame } = Object(value);
  return typeof frame === "function" && typeof rows === "number" && isListOfObjects(columns) && isLedger(ledger);
}

/** Writes a table's columns: its frame may be larger than memory, and is made when it is asked for. */
function typedTableView({ columns, rows, ledger }: TableLike, caption = "table"): MediaBundle {
  const about = `${caption} of ${
    countOf(rows, "row")
  }, await .frame() is its frame, await live(table) shows its rows; columns`;
  return stackViews(...[listView(columns, about) ?? []].flat(), ledgerView(ledger));
}

/** The result of `schemaOf()`, as far as it is shown. */
interface SchemaLike {
  readonly source: string;
  readonly tables: readonly { readonly table: string; readonly fields: readonly RowObject[] }[];
}

function isSchema(value: unknown): value is SchemaLike {
  const { source, tables } = objectOf(value);
  return typeof source === "string" && Array.isArray(tables) && tables.length > 0 &&
    tables.every((each) => "table" in Object(each) && isListOfObjects(Object(each).fields));
}

function schemaView({ tables }: SchemaLike): MediaBundle {
  const rowOf = ({ values, ...field }: RowObject): RowObject => ({ ...field, ...objectOf(values) });
  return stackViews(...tables.flatMap(({ table, fields }) => listView(fields.map(rowOf), table) ?? []));
}

/** Columns that tell problems from other tables. */
const PROBLEM_FIELDS = ["reason", "kept"];
const KEPT = "kept: whether the record or value is in the table all the same";

/** Adds a line on the column `kept` below a table of problems. */
function explainKept(view: MediaBundle): MediaBundle {
  const html = view["text/html"];
  return {
    ...view,
    ...html !== undefined && { "text/html": `${html}<div style="font-size:smaller">${KEPT}</div>` },
    "text/plain": `${view["text/plain"]}\n${KEPT}`,
  };
}

/** Lists that the toolkit gives, told by what each of their objects has. */
const LIST_KINDS: readonly {
  readonly caption: string;
  readonly fields: readonly string[];
  /** What of an object is shown; all of it by default. */
  readonly rowOf?: (row: RowObject) => RowObject;
}[] = [
  { caption: "problems", fields: PROBLEM_FIELDS },
  { caption: "definitions", fields: ["name", "alias", "type", "description", "unit", "example"] },
  {
    caption: "hits",
    fields: ["id", "score", "source"],
    rowOf: ({ id, score, source }) => ({ id, score, ...objectOf(source) }),
  },
];

type RowObject = Readonly<Record<string, unknown>>;

function objectOf(value: unknown): RowObject {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** Joins views one under the other: a result and its ledger. */
export function stackViews(...views: readonly MediaBundle[]): MediaBundle {
  return {
    "text/plain": views.map((view) => view["text/plain"]).join("\n\n"),
    "text/html": views.map((view) =>
      view["text/html"] ?? `<pre class="${DATA_CLASS}">${escapeHtml(view["text/plain"])}</pre>`
    ).join(""),
  };
}

setResultView(summaryView);

/** Rows that are examined to decide how many a notebook receives. */
const FIRST_SHOWN = 1000;

/** Writes a result: its table above, its ledger below. */
function summaryView({ text: _, read, ledger, provenance, ...table }: ResultSummary): MediaBundle {
  const first = read(FIRST_SHOWN);
  const worth = readableRows(table.columns, first, table.total);
  const rows = worth > first.length ? read(worth) : first;
  const view = tableView({ ...table, rows, live: "await live(result) shows all rows" });
  return stackViews(view, ledgerView(ledger, provenance));
}

/** Maximum columns of a list shown as a table: more are objects that are keyed by values, for example. */
const MOST_COLUMNS = 5000;

/** Writes a list with all columns of all its rows; `undefined` where these make no table. */
function listView(rows: readonly RowObject[], caption: string): MediaBundle | undefined {
  const columns = columnsOf(rows);
  if (columns === undefined) return undefined;
  // A column may have the name of what every object inherits.
  const valueOf = (row: RowObject, column: string) => Object.hasOwn(row, column) ? row[column] : null;
  const read = (most: number) =>
    rows.slice(0, most).map((row) => columns.map((column) => cellOf(valueOf(row, column))));
  const first = read(FIRST_SHOWN);
  const worth = readableRows(columns, first, rows.length);
  return tableView({ caption, columns, rows: worth > first.length ? read(worth) : first, total: rows.length });
}

/** Columns of all rows, in the order in which they first come; `undefined` without one, and where they are too many. */
function columnsOf(rows: readonly RowObject[]): readonly string[] | undefined {
  const columns = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) columns.add(name);
    if (columns.size > MOST_COLUMNS) return undefined;
  }
  return columns.size === 0 ? undefined : [...columns];
}

function cellOf(value: unknown): ShownValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "object") return Deno.inspect(value, { compact: true, breakLength: Infinity });
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" ? value : String(value);
}

function isDisplayable(value: unknown): value is Displayable {
  return typeof value === "object" && value !== null && DISPLAY in value &&
    typeof value[DISPLAY] === "function";
}

function isLedger(value: unknown): value is Ledger {
  return typeof value === "object" && value !== null && "complete" in value && "reasons" in value &&
    "received" in value && Array.isArray(value.reasons) && "missing" in value && Array.isArray(value.missing);
}

/**
 * Whether a value is a list of which own enumerable properties tell all: `Error`, `Map`, `Date`, `Temporal.PlainDate`
 * and objects with private properties alone have others, and would be rows without cells.
 */
function isListOfObjects(value: unknown): value is readonly RowObject[] {
  // A list may have holes, which `every` passes over.
  return Array.isArray(value) && value.length > 0 && Array.from(value).every(isRowObject);
}

/** Methods by which `console.log` has an object write itself. */
const PRINTS_ITSELF = [Symbol.for("Deno.customInspect"), Symbol.for("nodejs.util.inspect.custom")];

function isRowObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || isDisplayable(value)) return false;
  if (PRINTS_ITSELF.some((name) => name in value)) return false;
  if (Object.prototype.toString.call(value) !== "[object Object]") return false;
  const made: unknown = Object.getPrototypeOf(value);
  // An object literal without properties is a row of nulls; of another realm it has another prototype.
  return made === null || Object.getPrototypeOf(made) === null || Object.keys(value).length > 0;
}
