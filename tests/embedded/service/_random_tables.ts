/** Random tables for the exports. */
import fc from "fast-check";
import type { SequenceRecord } from "../../../src/embedded/service/store/store.ts";
import { anyText } from "../../_any_text.ts";

export const RUNS = { numRuns: 300, seed: 1 };

/** Any text, often with the letters that formats are made of. */
export const text = fc.oneof(
  anyText(),
  fc.string({ unit: fc.constantFrom(..."|\"',;<>&]\n\r\t\\ =-é\u0000\u001b\u0085\u2028\ufffe\ud83e"), maxLength: 12 }),
);

export const names = fc.uniqueArray(text.filter((name) => name !== ""), { minLength: 1, maxLength: 5 });

/** A table: names of columns, and rows as wide. */
export const table = names.chain((names) =>
  fc.tuple(
    fc.constant(names),
    fc.array(fc.array(text, { minLength: names.length, maxLength: names.length }), { maxLength: 5 }),
  )
);

export async function* batchesOf(rows: readonly (readonly string[])[]): AsyncGenerator<SequenceRecord[]> {
  for (const [index, values] of rows.entries()) {
    yield [{ accession: `vj${String(index).padStart(12, "0")}`, values, sequence: "ACGT" }];
  }
}

export const columnsOf = (names: readonly string[]) => names.map((name, index) => ({ name, index }));

export const join = async (texts: AsyncIterable<string>) => (await Array.fromAsync(texts)).join("");
