/** Text columns, however they came, to a table typed by definitions. */
import { countOf } from "../../contract/count_of.ts";
import type { DataFrame } from "nodejs-polars";
import { closeLedger, type Ledger, listSome, type Problem } from "../../contract/ledger.ts";
import { describeUnread } from "../../io/csv/unread_rows.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { adviseName } from "../../options/nearest.ts";
import { SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { checkDateNames, type ColumnValues, type TextColumns, type Texts, typeColumn } from "./columns.ts";
import { buildFrame, buildProblemsFrame } from "./polars.ts";
import { MissingCounter, type MissingValues, noteMissing } from "./missing_values.ts";
import type { TableOptions, TypedTable } from "./table.ts";
import { noteAbsent, noteFewer, noteInvalid, noteUnlisted, noteWideIntegers } from "./table_entries.ts";
import { isWideInteger } from "./wide_integer.ts";
import { writeTable } from "./write_frame.ts";
import { checkOptions } from "../../options/check_options.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

export interface SourceTexts {
  readonly columns: TextColumns;
  /** Whether the source says which fields there are, even without a row: a header does, hits do not. */
  readonly hasHeader: boolean;
  /** Rows that could not be read. */
  readonly unparsed?: number;
  /** Faults of rows and values, found while reading. */
  readonly problems?: readonly Problem[];
  /** Number of these faults, those that are not listed included; that of the rows that could not be read by default. */
  readonly problemCount?: number;
  /** What is absent or unusual. */
  readonly entries?: readonly LedgerEntry[];
  /** Field that holds identifiers; the naming's accession field by default. */
  readonly idField?: string;
  /** Columns that are computed, after the others. */
  readonly computed?: readonly ColumnValues[];
  /** Fields that have several values in some record: lists, if they are declared as text or not at all. */
  readonly lists?: ReadonlySet<string>;
  /** Closes the ledger in another way, given the entries of the source and of typing. */
  readonly closeLedger?: (entries: readonly LedgerEntry[]) => Ledger;
}

/** Most problems that a table keeps in full. */
export const MAX_PROBLEMS = 100_000;

/** Refuses options that cannot be followed, before any I/O. */
export function checkTableOptions<Options extends TableOptions>(
  caller: string,
  options: Options,
  rules: OptionRules<NoInfer<Options>>,
): void {
  checkOptions(caller, options, rules);
  const { columns } = options;
  const twice = columns?.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new RangeError(`Cannot make a table: the column ${JSON.stringify(twice)} is named twice`);
  }
}

/** Types the columns and closes the ledger. Rows of accessions that were not asked for are left out. */
export function makeTable(given: SourceTexts, options: TableOptions): TypedTable {
  const { naming = SPECIFICATION_NAMING, dates = "text", maxProblems = MAX_PROBLEMS } = options;
  const idField = given.idField ?? naming.accessionField;
  const { source, unasked, leftOut } = leaveOutUnasked(given, idField, options.asked);
  const { columns } = source;
  const find = definitionFinder(options.definitions ?? []);
  const ids = columns.get(idField);
  const problems: Problem[] = [];
  let problemCount = 0;
  const onProblem = (problem: Problem) => {
    if (problemCount++ < maxProblems) problems.push(problem);
  };
  source.problems?.forEach(onProblem);
  problemCount = Math.max(problemCount, source.problemCount ?? source.unparsed ?? 0);

  const fields = orderFields(columns.fields, idField, options.columns);
  const missingFields = fields.filter((field) => columns.get(field) === undefined);
  const typed: ColumnValues[] = [];
  const entries = [...source.entries ?? []];
  const missing = new MissingCounter();
  const onMissing = (field: string, word: string) => missing.add(field, word);
  for (const field of fields) {
    const texts = columns.get(field) ?? new Array<null>(columns.rows).fill(null);
    const declared = field === idField ? undefined : definitionOfList(find(field), field, source.lists);
    const isWide = declared?.type === "integer" && texts.some((text) => text !== null && isWideInteger(text));
    const definition = isWide ? { ...declared, type: "string" as const } : declared;
    if (isWide) entries.push(noteWideIntegers(field));
    if (dates === "columns" && definition?.type === "date") checkDateNames(field, fields);
    const before = problemCount;
    typed.push(...typeColumn(field, texts, definition, { ids, dates, onProblem, onMissing }));
    const invalid = problemCount - before;
    if (invalid > 0) entries.push(noteInvalid(invalid, field, definition!.type));
  }
  const missingValues = missing.values;
  entries.push(...noteMissing(missingValues, (field) => find(field)?.type ?? "string"));
  typed.push(...source.computed ?? []);
  entries.push(...noteUnlisted(problems.length, problemCount));
  const absent = source.hasHeader || columns.rows > 0 ? missingFields : [];
  const ledger = source.closeLedger?.(entries) ??
    tableLedger(source, { ids, unasked, leftOut, absent, entries }, options);
  return finishTable({ columns, fields, typed, problems, problemCount, missingValues, ledger });
}

/** Takes out the rows whose identifier was not asked for, and names these identifiers. */
function leaveOutUnasked(
  source: SourceTexts,
  idField: string,
  asked: readonly string[] | undefined,
): { readonly source: SourceTexts; readonly unasked: readonly string[]; readonly leftOut: number } {
  const ids = source.columns.get(idField);
  if (asked === undefined || ids === undefined) return { source, unasked: [], leftOut: 0 };
  const wanted = new Set(asked);
  const isWanted = (id: string | null) => id === null || wanted.has(id);
  const rows = Array.from(ids.keys()).filter((row) => isWanted(ids[row]));
  if (rows.length === ids.length) return { source, unasked: [], leftOut: 0 };
  const others = new Set(ids.filter((id) => !isWanted(id)).map((id) => id ?? ""));
  const computed = source.computed?.map(({ column, values }) => ({ column, values: rows.map((row) => values[row]) }));
  return {
    source: { ...source, columns: source.columns.picked(rows), computed, ...pickProblems(source, rows) },
    unasked: [...others],
    leftOut: ids.length - rows.length,
  };
}

/** The faults of some rows, which are numbered anew; faults of rows that could not be read stay. */
function pickProblems(
  { problems = [], problemCount }: SourceTexts,
  rows: readonly number[],
): Pick<SourceTexts, "problems" | "problemCount"> {
  if (!problems.some(({ row }) => row !== undefined)) return {};
  const numbers = new Map(rows.map((row, index) => [row + 1, index + 1]));
  const picked = problems.flatMap((problem) => {
    if (problem.row === undefined) return [problem];
    const row = numbers.get(problem.row);
    return row === undefined ? [] : [{ ...problem, row }];
  });
  const left = problems.length - picked.length;
  return { problems: picked, ...problemCount !== undefined && { problemCount: problemCount - left } };
}

/** Finds definitions by public name, else by alias. */
export function definitionFinder(
  definitions: readonly FieldDefinition[],
): (field: string) => FieldDefinition | undefined {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const byAlias = new Map(definitions.map((definition) => [definition.alias, definition]));
  return (field) => byName.get(field) ?? byAlias.get(field);
}

/** A definition, or that of a list where a field of texts holds several values. */
export function definitionOfList(
  definition: FieldDefinition | undefined,
  field: string,
  lists: ReadonlySet<string> | undefined,
): FieldDefinition | undefined {
  if (lists?.has(field) !== true || (definition?.type ?? "string") !== "string") return definition;
  return { name: field, alias: "", description: "", unit: "", example: "", ...definition, type: "list" };
}

/** The accession first, the rest as they came; or those asked for, as asked. */
export function orderFields(
  came: readonly string[],
  accessionField: string,
  asked?: readonly string[],
): readonly string[] {
  if (asked !== undefined) return asked;
  return came.includes(accessionField) ? [accessionField, ...came.filter((field) => field !== accessionField)] : came;
}

/** What is known of a table when its ledger is closed. */
interface Findings {
  readonly ids: Texts | undefined;
  readonly unasked: readonly string[];
  /** Rows that were left out, since they were not asked for. */
  readonly leftOut: number;
  readonly absent: readonly string[];
  readonly entries: readonly LedgerEntry[];
}

function tableLedger(
  source: SourceTexts,
  { ids, unasked, leftOut, absent, entries: before }: Findings,
  { asked, promised, naming = SPECIFICATION_NAMING }: TableOptions,
): Ledger {
  const rows = source.columns.rows + leftOut;
  const unparsed = source.unparsed ?? 0;
  const entries = [...before];
  if (absent.length > 0) entries.push(noteAbsent(absent));
  entries.push(...noteFewer(promised, rows + unparsed));
  const seen = new Set<string>();
  const again = new Set<string>();
  let unnamed = ids === undefined ? rows : 0;
  for (const id of ids ?? []) {
    if (id === null) unnamed++;
    else if (seen.has(id)) again.add(id);
    else seen.add(id);
  }
  if (again.size > 0) {
    const text = `${countOf(again.size, "accession")} came more than once: ${listSome([...again], 20)}`;
    entries.push(noteEntry("duplicates", text, { ids: [...again] }));
  }
  if (ids !== undefined && unnamed > 0) {
    const text = `${countOf(unnamed, "record")} without a ${naming.accessionField}`;
    entries.push(noteEntry("accession-empty", text, { count: unnamed, field: naming.accessionField }));
  }
  const wanted = new Set(asked);
  if (asked !== undefined && wanted.size < asked.length) {
    const count = asked.length - wanted.size;
    entries.push(noteEntry("requested-twice", `${countOf(count, "accession")} requested more than once`, { count }));
  }
  return closeLedger({
    asked: asked?.length ?? null,
    promised: promised ?? null,
    received: rows,
    unique: seen.size + unasked.length + unnamed,
    missing: [...wanted].filter((id) => !seen.has(id)),
    unasked,
    unparsed,
    unparsedReason: describeUnread(unparsed, source.problems ?? []),
    entries,
  });
}

interface FinishedParts {
  readonly columns: TextColumns;
  readonly fields: readonly string[];
  readonly typed: readonly ColumnValues[];
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  readonly missingValues: MissingValues;
  readonly ledger: Ledger;
}

function finishTable(
  { columns, fields, typed, problems, problemCount, missingValues, ledger }: FinishedParts,
): TypedTable {
  let frame: Promise<DataFrame> | undefined;
  let rawFrame: Promise<DataFrame> | undefined;
  const allTexts = (field: string): Texts => {
    const found = columns.get(field);
    if (found !== undefined) return found;
    if (fields.includes(field)) return new Array<null>(columns.rows).fill(null);
    const hint = fields.length === 0 ? "" : `; ${adviseName(field, fields)}`;
    throw new RangeError(`Cannot read the field ${JSON.stringify(field)}: the table has no such field${hint}`);
  };
  const texts = (field: string, most = columns.rows, from = 0) => {
    const all = allTexts(field);
    return from === 0 && most >= all.length ? all : all.slice(from, from + most);
  };
  const table: TypedTable = {
    columns: typed.map(({ column }) => column),
    rows: columns.rows,
    problems,
    problemCount,
    missingValues,
    ledger,
    texts,
    textRows: (wanted, most = columns.rows, from = 0) => {
      const found = wanted.map(allTexts);
      const count = Math.max(0, Math.min(most, columns.rows - from));
      return Array.from({ length: count }, (_, row) => found.map((each) => each[from + row]));
    },
    frame: () => frame ??= buildFrame(typed),
    rawFrame: () =>
      rawFrame ??= buildFrame(fields.map((field) => ({
        column: { name: field, field, type: "string", dtype: "String" },
        values: allTexts(field),
      }))),
    problemsFrame: () => buildProblemsFrame(problems),
    toCSV: async (path, options) => void await writeTable(table.frame, path, "csv", options),
    toTSV: async (path, options) => void await writeTable(table.frame, path, "tsv", options),
    toParquet: async (path, options) => void await writeTable(table.frame, path, "parquet", options),
  };
  return table;
}
