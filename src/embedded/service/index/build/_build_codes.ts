/**
 * Builds the column of a field with few values: its dictionary in the field's order, a code for each row, and the rows
 * in the order of their codes, which is both the field's order and, for each value, the list of its rows.
 */
import type { BuildState } from "./build_state.ts";
import { type CodeWidth, codeWidth, viewCodes } from "../format/codes.ts";
import { columnFiles, readCodeBlocks, type WrittenColumn } from "./column_writer.ts";
import type { SectionWriter } from "../format/container.ts";
import { orderValues } from "./_dictionary_order.ts";
import { FileReader } from "../../files/file_reader.ts";
import type { Turns } from "../../schedule/turns.ts";

/** What later steps need of a column. */
export interface BuiltCodes {
  /** Values by code. */
  readonly values: readonly string[];
  /** Records that have each. */
  readonly counts: Uint32Array;
  /** Codes of values that say that they are missing. */
  readonly missing: readonly number[];
  /** Bytes of a code. */
  readonly width: CodeWidth;
  /** Number of groups: values of one group are equal in the field's order. */
  readonly groups: number;
  /** Whether the last group has no rank in the order. */
  readonly hasNone: boolean;
}

/** Builds one column into sections named by the field. */
export async function buildCodes(
  folder: string,
  state: BuildState,
  index: number,
  { column, out, turns }: {
    readonly column: Extract<WrittenColumn, { kind: "few" }>;
    readonly out: SectionWriter;
    readonly turns: Turns;
  },
): Promise<BuiltCodes> {
  const { recordCount, bounds: { blockRows } } = state;
  const files = columnFiles(folder, index);
  const values = readValues(await Deno.readTextFile(files.values));
  const { order, groups, groupCount, hasNone, missing, keys } = orderValues(state.fields[index], values);
  const codeOf = new Uint32Array(values.length);
  for (const [code, value] of order.entries()) codeOf[value] = code;

  const width = codeWidth(values.length);
  const codes = viewCodes(new Uint8Array(recordCount * width), width);
  const counts = new Uint32Array(values.length);
  using reader = new FileReader(files.codes);
  let row = 0;
  for (const block of readCodeBlocks(reader, column.widths, blockRows, recordCount)) {
    for (const provisional of block) {
      const code = codeOf[provisional];
      counts[code]++;
      codes[row++] = code;
    }
    if (turns.over) await turns.next();
  }
  out.add(`codes-${index}`, codes);

  const starts = new Uint32Array(groupCount + 1);
  for (const [code, group] of groups.entries()) starts[group + 1] += counts[code];
  for (let group = 0; group < groupCount; group++) starts[group + 1] += starts[group];
  if (groupCount > 1) {
    const rows = new Uint32Array(recordCount);
    const next = starts.slice();
    const plain = groupCount === values.length;
    for (let from = 0; from < recordCount; from += blockRows) {
      const to = Math.min(recordCount, from + blockRows);
      if (plain) { for (let at = from; at < to; at++) rows[next[codes[at]]++] = at; }
      else for (let at = from; at < to; at++) rows[next[groups[codes[at]]]++] = at;
      if (turns.over) await turns.next();
    }
    out.add(`rows-${index}`, rows);
  }

  const ordered = [...order].map((value) => values[value]);
  const encoder = new TextEncoder();
  const texts = ordered.map((value) => encoder.encode(value));
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [code, { length }] of texts.entries()) ends[code] = end += length;
  out.add(`ends-${index}`, ends);
  out.begin(`values-${index}`);
  for (const text of texts) out.append(text);
  out.end(`values-${index}`);
  out.add(`counts-${index}`, counts);
  out.add(`groups-${index}`, groups);
  out.add(`starts-${index}`, starts);
  out.add(`missing-${index}`, missing);
  if (keys !== undefined) out.add(`keys-${index}`, keys);
  return { values: ordered, counts, missing: [...missing], width, groups: groupCount, hasNone };
}

function readValues(json: string): string[] {
  const values: unknown = JSON.parse(json);
  if (Array.isArray(values) && values.every((value): value is string => typeof value === "string")) return values;
  throw new TypeError("Cannot build the index: its values are not as they were written");
}
