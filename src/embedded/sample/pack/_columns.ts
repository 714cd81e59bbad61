/** The columns of a packed table: how they are defined, how their dates are written, and which values do not fit. */
import { countOf } from "@seqreg/core/contract/count_of";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { listSome, quoteValue } from "@seqreg/core/contract/ledger";
import type { FieldDefinition, FieldType } from "@seqreg/core/contract";
import { DATE_ORDERS, type DateOrder, orderDate } from "@seqreg/core/contract/values/day_order";
import { isMissing, readValue } from "@seqreg/core/contract/values";
import { defineField, isFieldName } from "@seqreg/core/contract/fields/public_fields";
import { type KnownColumn, knownColumn } from "@seqreg/core/contract/fields/column_names";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/** A column's distinct values that are not missing, each with its number of rows. */
type CountsByValue = ReadonlyMap<string, number>;

/** A column of the table and its field. */
export interface DefinedColumn {
  readonly definition: FieldDefinition;
  /** What is unusual about its values. */
  readonly entries: readonly LedgerEntry[];
  /** Number of values that {@linkcode write} rewrites. */
  readonly rewritten: number;
  /** Returns a value as it is packed: dates in the given order become `YYYY-MM-DD`. */
  write(value: string): string;
}

/** How many distinct values a sentence shows. */
const NAMED = 10;
/** The types in a sentence: `are not dates`. */
const TYPE_NAMES: Readonly<Record<FieldType, readonly [one: string, many: string]>> = {
  string: ["text", "texts"],
  integer: ["an integer", "integers"],
  float: ["a number", "numbers"],
  boolean: ["a boolean", "booleans"],
  date: ["a date", "dates"],
  list: ["a list", "lists"],
};

export interface PackedColumn {
  /** Public name of its field. */
  readonly name: string;
  readonly column: string;
  readonly values: Iterable<string>;
  /** Type and unit that its name and its values have. */
  readonly found: KnownColumn;
}

/**
 * Defines a field that came from a column.
 *
 * @param options Aliases that are taken, to which the new one is added, and the order of ambiguous dates.
 */
export function defineColumn(
  { name, column, values, found: { type, unit: foundUnit } }: PackedColumn,
  { aliases, dates }: { readonly aliases: Set<string>; readonly dates?: DateOrder },
): DefinedColumn {
  const field = isFieldName(name) ? defineField(name) : undefined;
  const alias = field?.alias ?? fieldAlias(name);
  const counts = countValues(values);
  const expected = field?.type ?? knownColumn(column)?.type;
  const unit = type === "integer" || type === "float" ? field?.unit ?? foundUnit : "";
  const from = name === column ? "" : `, from the column ${JSON.stringify(column)}`;
  const write = (value: string) => type === "date" && dates !== undefined ? orderDate(value, dates) ?? value : value;
  return {
    definition: {
      name,
      alias: freeAlias(alias, aliases),
      type,
      description: field === undefined
        ? `Column ${JSON.stringify(column)} of the packed table`
        : field.description + from,
      unit,
      example: "",
    },
    ...describeValues(counts, { name, type, unit, expected, dates }),
    write,
  };
}

/** Counts values, without those that are missing. */
function countValues(values: Iterable<string>): CountsByValue {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const value of counts.keys()) if (isMissing(value)) counts.delete(value);
  return counts;
}

/** Finds an alias that no other field has, and takes it. */
export function freeAlias(wanted: string, taken: Set<string>): string {
  const stem = wanted === "" ? "field" : wanted;
  let alias = stem;
  for (let number = 2; taken.has(alias); number++) alias = `${stem}_${number}`;
  taken.add(alias);
  return alias;
}

interface Described {
  readonly name: string;
  readonly type: FieldType;
  readonly unit: string;
  /** Type of the known field of this name. */
  readonly expected: FieldType | undefined;
  readonly dates: DateOrder | undefined;
}

/** Words what is unusual about the values of a column, and counts those that are rewritten. */
function describeValues(
  counts: CountsByValue,
  { name, type, unit, expected, dates }: Described,
): Pick<DefinedColumn, "entries" | "rewritten"> {
  const [invalid, ambiguous, rewritten] = [new Values(), new Values(), new Values()];
  const total = new Values();
  // A field that is known by another type is reported as that one, since a search by it finds nothing.
  const isText = type === "string" && expected !== undefined && expected !== "list";
  const isNumber = expected === "date" && (type === "integer" || type === "float");
  const judged = isText || isNumber ? expected : type;
  for (const [value, count] of counts) {
    total.add(value, count);
    if (judged === "date" && !isText && !isNumber && dates !== undefined && orderDate(value, dates) !== undefined) {
      rewritten.add(value, count);
    } else if (readValue(value, { type: judged, unit }).kind === "invalid") {
      const isAmbiguous = judged === "date" && DATE_ORDERS.some((order) => orderDate(value, order) !== undefined);
      (isAmbiguous && dates === undefined ? ambiguous : invalid).add(value, count);
    }
  }
  const entries: LedgerEntry[] = [];
  const [one, many] = TYPE_NAMES[judged];
  const field = JSON.stringify(name);
  if (rewritten.count > 0) {
    const [first] = rewritten.names;
    const text = `${countOf(rewritten.count, "value")} of ${field} read ${dates} and written as YYYY-MM-DD: ` +
      `${quote(first)} became ${orderDate(first, dates!)}`;
    entries.push(noteEntry("dates-rewritten", text, { count: rewritten.count, field: name }));
  }
  if (ambiguous.count > 0) {
    const text =
      `${ambiguous.count} of ${countOf(total.count, "value")} of ${field} ${is(ambiguous.count)} of unknown order of ` +
      `day and month, kept as received and found by no search for a date: ${ambiguous.list()}; ` +
      `pack with --dates day-first or --dates month-first (option dates)${evidence(counts.keys())}`;
    entries.push(noteEntry("dates-ambiguous", text, { count: ambiguous.count, field: name }));
  }
  if (invalid.count > 0) {
    const what = invalid.count === 1 ? `is not ${one}` : `are not ${many}`;
    const so = isText
      ? ", so the field is text"
      : isNumber
      ? `, so the field is of ${TYPE_NAMES[type][1]}`
      : ", kept as received";
    const order = judged === "date" && dates !== undefined ? ` (read ${dates})` : "";
    const text = `${invalid.count} of ${countOf(total.count, "value")} of ${field} ${what}${order}${so}: ` +
      invalid.list() + (isNumber && invalid.names.some(isSerialDay) ? SERIAL_DAYS : "");
    entries.push(noteEntry("values-invalid", text, { count: invalid.count, field: name }));
  }
  return { entries, rewritten: rewritten.count };
}

/** Distinct values and the number of rows that have one. */
class Values {
  readonly names: string[] = [];
  count = 0;

  add(value: string, count: number): void {
    this.names.push(value);
    this.count += count;
  }

  list(): string {
    return listSome(this.names.map(quote), NAMED);
  }
}

function quote(value: string): string {
  return JSON.stringify(quoteValue(value));
}

/** Advice on numbers in a column of dates: a spreadsheet shows days as such numbers without a date format. */
const SERIAL_DAYS =
  "; spreadsheets store days as numbers like these: format the column as dates there, and save it again";

/** Whether a value is the number of a day from 1980 to 2079, as spreadsheets count them. */
function isSerialDay(value: string): boolean {
  return /^[0-9]{5}(\.[0-9]+)?$/.test(value) && Number(value) >= 29_221 && Number(value) < 65_746;
}

function is(count: number): string {
  return count === 1 ? "is" : "are";
}

/** A value that is a day in one order only shows which one its author meant; nothing where there are both. */
function evidence(counted: Iterable<string>): string {
  const values = [...counted];
  const shown = DATE_ORDERS.map((order, index) =>
    values.find((value) =>
      orderDate(value, order) !== undefined && orderDate(value, DATE_ORDERS[1 - index]) === undefined
    )
  );
  if ((shown[0] === undefined) === (shown[1] === undefined)) return "";
  return shown[0] === undefined
    ? `; ${quote(shown[1]!)} can only be month-first`
    : `; ${quote(shown[0])} can only be day-first`;
}
