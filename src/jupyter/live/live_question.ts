/** What a page asks of a table, and what it receives: column numbers and typed filters, never SQL. */

/** A file of a table, as it was when the table was opened. */
export interface LiveFile {
  /** Absolute path. */
  readonly path: string;
  readonly bytes: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly modified: number;
}

/** Parquet files that are, in their order, one table. */
export interface LiveSource {
  readonly files: readonly LiveFile[];
  /** Columns to show; all of the files by default. */
  readonly columns?: readonly LiveColumnSource[];
  /** How code that finds the rows again names them. */
  readonly origin: LiveOrigin;
  /** Which rows are the table, in the registry's query grammar; all by default. */
  readonly query?: string;
}

/** A table of a lake, files, or a frame of the notebook. */
export type LiveOrigin =
  | {
    readonly kind: "lake";
    /** Folder of the lake, in which the table's files are found once more when it was built again. */
    readonly lake: string;
    readonly table: string;
  }
  | { readonly kind: "files" }
  | { readonly kind: "frame" };

/** A column to show. */
export interface LiveColumnSource {
  readonly name: string;
  /** Its other name in queries; made of the shown name by default. */
  readonly alias?: string;
  /** Name to show; that of the files by default. */
  readonly label?: string;
  /** Type to show; DuckDB's by default. */
  readonly type?: string;
  /** Whether its texts are dates, some of them perhaps partial, such as `2013-12-XX`. */
  readonly isDate?: boolean;
  /** What it means, shown with a record. */
  readonly description?: string;
  /** Unit of its values, shown with a record. */
  readonly unit?: string;
}

/** How the values of a column are filtered: as numbers, as dates, or as text. */
export type LiveKind = "number" | "date" | "text";

/** A column as a page knows it. */
export interface LiveColumn {
  /** Name to show. */
  readonly name: string;
  /** Type to show. */
  readonly type: string;
  readonly kind: LiveKind;
  /** What it means; empty if that is not known. */
  readonly description: string;
  /** Unit of its values; empty without one. */
  readonly unit: string;
}

/** The order of the rows: by one column, equal values in the order of the files, null last. */
export interface LiveSort {
  /** Number of the column, from 0. */
  readonly column: number;
  /** Whether the greatest values come first. */
  readonly descending: boolean;
}

/** Which rows of a column are shown. */
export type LiveFilter =
  & {
    /** Number of the column, from 0. */
    readonly column: number;
    /** Whether the other rows are shown, those without a value among them. */
    readonly not?: boolean;
  }
  & (
    | {
      /** Numbers, or dates as far as they are written: `2016` is a whole year. Texts, so that none is rounded. */
      readonly kind: "range";
      readonly min?: string;
      readonly max?: string;
      /** Whether `min` itself is left out. */
      readonly above?: boolean;
      /** Whether `max` itself is left out. */
      readonly below?: boolean;
    }
    | {
      /** Contains a text, whatever its case. */
      readonly kind: "holds";
      readonly text: string;
    }
    | {
      /** Is a text; a list has it as one of its elements. */
      readonly kind: "is";
      readonly text: string;
    }
    | { readonly kind: "missing" | "present" }
  );

export type LiveQuestion =
  | {
    readonly op: "rows";
    readonly offset: number;
    readonly limit: number;
    /** Columns whose values are wanted. */
    readonly columns: readonly number[];
    readonly sort: LiveSort | null;
    readonly filters: readonly LiveFilter[];
  }
  | {
    readonly op: "count";
    readonly filters: readonly LiveFilter[];
  }
  | {
    /** Makes any depth of an order quick to read. */
    readonly op: "settle";
    readonly sort: LiveSort | null;
    readonly filters: readonly LiveFilter[];
  }
  | {
    /** How the values of a column are distributed, over all rows and over those that match. */
    readonly op: "distribution";
    readonly column: number;
    readonly filters: readonly LiveFilter[];
  }
  | {
    /** Code that finds the rows that are shown again. */
    readonly op: "code";
    readonly columns: readonly number[];
    readonly sort: LiveSort | null;
    readonly filters: readonly LiveFilter[];
  }
  | {
    /** Every value of one row, which is named by its index in the files. */
    readonly op: "record";
    readonly id: number;
  };

/** A cell: as static tables send it, without sequences. */
export type LiveCell = null | number | string | readonly [text: string, length: number];

export interface LiveRows {
  /** Values, row by row, of the columns that were asked for. */
  readonly rows: readonly (readonly LiveCell[])[];
  /** The rows' indices in the files, from 0. */
  readonly ids: readonly number[];
}

/** How the values of a column are distributed. */
export type LiveDistribution =
  | {
    readonly kind: "bins";
    /** Where the first bin begins, and how wide each is. Dates are counted in years. */
    readonly from: number;
    readonly width: number;
    /** The greatest value of numbers with fractions; whole numbers and years end before the next bin. */
    readonly to?: number;
    readonly all: readonly number[];
    readonly matching: readonly number[];
  }
  | {
    readonly kind: "values";
    /** The commonest values; null is a missing value. */
    readonly values: readonly (string | null)[];
    readonly all: readonly number[];
    readonly matching: readonly number[];
  }
  | {
    /** There is nothing to count: almost every value is another, or it is malformed. */
    readonly kind: "none";
  };

export const MOST_LIVE_ROWS = 400;
/** Filters of one question, and characters of a text in them. */
const MOST_FILTERS = 200;
const MOST_TEXT = 10_000;
/** Columns whose values are read for one answer. */
const MOST_COLUMNS = 200;

/** A number as a filter holds it. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
/** A date as a filter holds it: a year, a month or a day. */
const DATE = /^\d{4}(-\d\d(-\d\d)?)?$/;

/**
 * Reads a question as it comes from a page.
 *
 * @throws {TypeError} If it is malformed, or asks for too much.
 */
export function readQuestion(value: unknown, columns: readonly Pick<LiveColumn, "kind">[]): LiveQuestion {
  const { op, offset, limit, sort = null, filters = [], column, columns: wanted = [], id } = Object(value);
  const columnOf = (number: unknown): number => {
    if (isWhole(number) && number < columns.length) return number;
    throw wrong(`a column is ${Deno.inspect(number)}, expected a number from 0 to ${columns.length - 1}`);
  };
  const columnsOf = (columns: unknown, most: number): number[] => {
    if (Array.isArray(columns) && columns.length <= most) return columns.map(columnOf);
    throw wrong(`expected at most ${most} columns`);
  };
  const sortOf = (sort: unknown): LiveSort | null => {
    if (sort === null) return null;
    const { column, descending } = Object(sort);
    return { column: columnOf(column), descending: descending === true };
  };
  const filtersOf = (filters: unknown): LiveFilter[] => {
    if (!Array.isArray(filters) || filters.length > MOST_FILTERS) {
      throw wrong(`expected at most ${MOST_FILTERS} filters`);
    }
    return filters.map((filter) => {
      const number = columnOf(Object(filter).column);
      const isNot = Object(filter).not === true;
      return { column: number, ...readFilterRule(filter, columns[number].kind), ...isNot && { not: true } };
    });
  };
  switch (op) {
    case "rows":
      if (!isWhole(offset) || !isWhole(limit) || limit > MOST_LIVE_ROWS) {
        throw wrong(`expected an offset and at most ${MOST_LIVE_ROWS} rows`);
      }
      return {
        op,
        offset,
        limit,
        columns: columnsOf(wanted, MOST_COLUMNS),
        sort: sortOf(sort),
        filters: filtersOf(filters),
      };
    case "count":
      return { op, filters: filtersOf(filters) };
    case "settle":
      return { op, sort: sortOf(sort), filters: filtersOf(filters) };
    case "code":
      return { op, columns: columnsOf(wanted, columns.length), sort: sortOf(sort), filters: filtersOf(filters) };
    case "distribution":
      return { op, column: columnOf(column), filters: filtersOf(filters) };
    case "record":
      if (!isWhole(id)) throw wrong("a row is named by its index in the files");
      return { op, id };
  }
  throw wrong(`it asks for ${Deno.inspect(op)}, expected rows, count, settle, distribution, code or record`);
}

type LiveFilterRule = LiveFilter extends infer Filter ? Filter extends unknown ? Omit<Filter, "column"> : never : never;

function readFilterRule(value: unknown, kind: LiveKind): LiveFilterRule {
  const { kind: rule, text, min, max, above, below } = Object(value);
  if (rule === "missing" || rule === "present") return { kind: rule };
  if (rule === "holds" || rule === "is") {
    if (typeof text === "string" && text.length <= MOST_TEXT) return { kind: rule, text };
    throw wrong(`a filter's text is ${Deno.inspect(text)}, expected at most ${MOST_TEXT} characters`);
  }
  if (rule !== "range" || kind === "text") throw wrong(`a column of ${kind}s has no filter ${Deno.inspect(rule)}`);
  for (const bound of [min, max]) {
    if (bound !== undefined && (typeof bound !== "string" || bound.length > 100 || !isBound(bound, kind))) {
      throw wrong(`a bound is ${Deno.inspect(bound)}, expected a ${kind}`);
    }
  }
  return {
    kind: rule,
    ...min !== undefined && { min, above: above === true },
    ...max !== undefined && { max, below: below === true },
  };
}

function isBound(text: string, kind: LiveKind): boolean {
  if (kind === "number") return NUMBER.test(text);
  if (!DATE.test(text)) return false;
  // The thirtieth of February is no day.
  const day = new Date(`${text}${"-01-01".slice(text.length - 4)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function wrong(why: string): TypeError {
  return new TypeError(`Cannot answer a question about a table: ${why}`);
}
