/** Distinct values of a lake's columns, from the dictionaries of its files: no row is read. */
import { ColumnFacts } from "@seqreg/core/engine/local/column_facts";
import type { SideTable } from "../open_side.ts";

/** Distinct values of a column, each once. */
export interface DictionaryValues {
  readonly distinct: number;
  /** The values of a column of texts. */
  readonly texts?: ReadonlySet<string>;
}

/** Types whose values are equal if and only if their bytes are. */
const KINDS: ReadonlyMap<string, "texts" | "numbers"> = new Map([
  ["String", "texts"],
  ["VARCHAR", "texts"],
  ["Int64", "numbers"],
  ["BIGINT", "numbers"],
  ["Date", "numbers"],
  ["DATE", "numbers"],
]);

/**
 * Reads the distinct values of each column of a lake's table that has at most `most` of them, as far as its files have
 * dictionaries. The toolkit writes no value into a dictionary that no row has; of other Parquet files nothing is known.
 */
export function readDictionaries(table: SideTable, most: number): ReadonlyMap<string, DictionaryValues> {
  const found = new Map<string, DictionaryValues>();
  // Only a lake's manifest counts rows.
  using facts = table.rows === undefined ? undefined : ColumnFacts.open(table.files);
  if (facts === undefined) return found;
  for (const { name, dtype = "" } of table.columns) {
    const kind = KINDS.get(dtype);
    const values = kind && readColumn(facts, name, { kind, most });
    if (values === undefined) continue;
    const texts = kind === "texts" && { texts: new Set([...values].map(String)) };
    found.set(name, { distinct: values.size, ...texts });
  }
  return found;
}

/** The values of a column; `undefined` if it has more, or a part of it has no dictionary. */
function readColumn(
  facts: ColumnFacts,
  column: string,
  { kind, most }: { readonly kind: "texts" | "numbers"; readonly most: number },
): Set<string | number> | undefined {
  const values = new Set<string | number>();
  const chunks = facts.chunks(column);
  if (chunks === undefined) return undefined;
  for (const chunk of chunks) {
    if (chunk.nulls() === chunk.rows) continue;
    const dictionary = chunk.dictionary();
    if (dictionary === undefined || dictionary.size > most) return undefined;
    if (kind === "numbers") dictionary.addTo(values);
    else for (const text of dictionary.texts()) values.add(text);
    if (values.size > most) return undefined;
  }
  return values;
}
