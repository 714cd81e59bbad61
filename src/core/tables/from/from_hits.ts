/** Search hits to a table. */
import { messageOf } from "../../errors.ts";
import { writeJson } from "../../contract/json/lossless_json.ts";
import { type Problem, quoteValue } from "../../contract/ledger.ts";
import { SPECIFICATION_NAMING } from "../../contract/naming.ts";
import type { SearchHit } from "../../contract/search.ts";
import { RecordStore } from "../types/record_store.ts";
import { checkTableOptions, makeTable } from "../types/typed_table.ts";
import { TABLE_OPTIONS, type TableOptions, type TypedTable } from "../types/table.ts";

/**
 * Makes a table of search hits: one row each, one column for each field of their `source`.
 *
 * A JSON value becomes the text that stands for it in an archive, then the same rules hold as for every source: `null`,
 * an absent key and `""` are no value; an array is a list joined by `;`, and a field of texts with an array in any hit
 * is one of lists; an object stays JSON. The client reads JSON integers beyond 2^53 as `bigint`, with all digits; one
 * that comes as a number has lost some, and is named among the problems.
 *
 * @param hits Hits, or a stream of them.
 * @param options Definitions, naming, columns.
 * @returns rows = hits; columns typed by the definitions.
 * @throws {TypeError | RangeError} If the options cannot be followed.
 * @see Specification 2.2. How values of `source` are typed is not shown: chosen so that hits and exports agree.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromHits } from "./from_hits.ts";
 *
 * const table = await tableFromHits([
 *   { id: "1", score: null, source: { "Registry Accession": "vj000000000001", "Sequence Length": 10794 } },
 * ]);
 *
 * assertEquals((await table.frame()).columns, ["Registry Accession", "Sequence Length"]);
 * ```
 */
export async function tableFromHits(
  hits: Iterable<SearchHit> | AsyncIterable<SearchHit>,
  options: TableOptions = {},
): Promise<TypedTable> {
  checkTableOptions("tableFromHits()", options, TABLE_OPTIONS);
  const { naming = SPECIFICATION_NAMING, signal } = options;
  signal?.throwIfAborted();
  using store = new RecordStore({ spillCharacters: Infinity });
  const writer = new HitWriter(store, naming.accessionField);
  for await (const hit of hits) {
    signal?.throwIfAborted();
    writer.add(hit);
  }
  return makeTable({ columns: store.columns, hasHeader: false, ...writer.findings }, options);
}

/** Adds hits to a store, as texts. */
export class HitWriter {
  readonly #store: RecordStore;
  readonly #accessionField: string;
  readonly #problems: Problem[] = [];
  readonly #lists = new Set<string>();

  constructor(store: RecordStore, accessionField: string) {
    this.#store = store;
    this.#accessionField = accessionField;
  }

  /** What a table needs to know of the hits: values that lost digits, and fields that hold several values. */
  get findings(): { readonly problems: readonly Problem[]; readonly lists: ReadonlySet<string> } {
    return { problems: this.#problems, lists: this.#lists };
  }

  add({ source }: SearchHit): void {
    const id = source[this.#accessionField];
    const row = this.#store.rows + 1;
    this.#store.add(
      Object.entries(source).map(([field, value]) => {
        if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
          this.#problems.push({
            row,
            ...typeof id === "string" && { id },
            field,
            value: quoteValue(String(value)),
            reason: "is a JSON number beyond 2^53: digits may be lost; ask for the CSV export",
            kept: true,
          });
        }
        if (isList(value)) this.#lists.add(field);
        return [field, textAs(field, value, row)];
      }),
    );
  }
}

function textAs(field: string, value: unknown, row: number): string | null {
  try {
    return textOf(value);
  } catch (cause) {
    throw new RangeError(`Cannot read hit ${row}, field ${JSON.stringify(quoteValue(field))}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** The text that stands for a JSON value in an archive. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (isList(value)) {
    return value.map((item) => textOf(item) ?? "").join(";");
  }
  return typeof value === "object" ? writeJson(value) : String(value);
}

/** Whether a value is an array of texts, numbers and booleans. */
function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
}
