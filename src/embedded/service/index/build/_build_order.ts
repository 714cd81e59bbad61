/** Builds the order of a field with many values: rows by text, number or date; those without one come last. */
import { join } from "node:path";
import { type Field, type KeyKind, keyKind } from "@seqreg/core/query";
import type { BuildState } from "./build_state.ts";
import { compareBytes } from "../format/bytes.ts";
import { columnFiles, type WrittenColumn } from "./column_writer.ts";
import type { SectionWriter } from "../format/container.ts";
import { FileReader } from "../../files/file_reader.ts";
import { FileWriter } from "../../files/file_writer.ts";
import { isMissingText } from "../format/missing_text.ts";
import { keyWidth, writeKey } from "../format/number_key.ts";
import { TextReader } from "../format/text_reader.ts";
import { TextSorter } from "./_text_sorter.ts";
import type { Turns } from "../../schedule/turns.ts";

const AT_ONCE = 8192;
const COPIED = 1 << 20;

export interface BuiltOrder {
  /** Whether the rows are in order as they stand: then nothing is written. */
  readonly sorted: boolean;
  /** Rows that have a rank in the order. */
  readonly keyed: number;
}

/** Builds the order of one field into sections named by it. */
export async function buildOrder(
  folder: string,
  state: BuildState,
  field: Field,
  { column, out, turns }: {
    readonly column: Extract<WrittenColumn, { kind: "many" }>;
    readonly out: SectionWriter;
    readonly turns: Turns;
  },
): Promise<BuiltOrder> {
  const { index } = field;
  const kind = keyKind(field.type);
  out.add(`present-${index}`, await Deno.readFile(columnFiles(folder, index).present));
  out.add(`filled-${index}`, await Deno.readFile(columnFiles(folder, index).filled));
  const nonePath = join(folder, "none.building");
  const keysPath = join(folder, "sorted-keys.building");
  const sorter = new TextSorter(join(folder, "runs.building"), state.bounds.sortBytes);
  const none = new FileWriter(nonePath);
  if (column.raw !== undefined) {
    using file = new FileReader(columnFiles(folder, index).raw);
    await sortByText(new TextReader(file, column.raw), sorter, none, turns);
  } else if (kind !== undefined) await sortByKey(folder, state, { index, kind }, { sorter, none, out, turns });
  const noneRows = none.position / 4;
  none.close();
  const keys = new FileWriter(keysPath);
  const byText = column.raw !== undefined;
  const firsts = new Uint32Array(Math.ceil(sorter.count / 32));
  let rank = 0;
  let last = new Uint8Array(0);
  /** Whether the rows are already in order is known when the first are returned: until then none was written. */
  let sorted: boolean | undefined;
  for await (const { rows, bytes, starts } of sorter.inOrder(turns)) {
    if (sorted === undefined) {
      sorted = sorter.sorted && noneRows === 0;
      if (!sorted) out.begin(`rows-${index}`);
    }
    if (!sorted) out.append(rows);
    if (!byText) keys.append(bytes.subarray(0, starts[rows.length]));
    for (let at = 0; at < rows.length; at++, rank++) {
      const same = at === 0
        ? rank > 0 && compareBytes(last, 0, last.length, bytes, 0, starts[1]) === 0
        : compareBytes(bytes, starts[at - 1], starts[at], bytes, starts[at], starts[at + 1]) === 0;
      if (!same) firsts[rank >>> 5] |= 1 << (rank & 31);
    }
    last = bytes.slice(starts[rows.length - 1], starts[rows.length]);
  }
  if (sorted === undefined) out.begin(`rows-${index}`);
  if (sorted !== true) {
    await copyInto(out, nonePath, turns);
    out.end(`rows-${index}`);
  }
  out.add(`firsts-${index}`, firsts);
  keys.close();
  if (!byText) {
    out.begin(`keys-${index}`);
    await copyInto(out, keysPath, turns);
    out.end(`keys-${index}`);
  }
  return { sorted: sorted === true, keyed: sorter.count };
}

async function sortByText(texts: TextReader, sorter: TextSorter, none: FileWriter, turns: Turns): Promise<void> {
  const row = new Uint32Array(1);
  for (const { firstRow, ends, bytes } of texts.all()) {
    for (let at = 0, from = 0; at < ends.length; from = ends[at++]) {
      if (!isMissingText(bytes, from, ends[at])) sorter.add(bytes, from, ends[at], firstRow + at);
      else {
        row[0] = firstRow + at;
        none.append(row);
      }
    }
    if (turns.over) await turns.next();
  }
}

/** Sorts by eight bytes that compare as the numbers do; of dates the first day counts, the last is kept by row. */
async function sortByKey(
  folder: string,
  { recordCount }: BuildState,
  { index, kind }: { readonly index: number; readonly kind: KeyKind },
  { sorter, none, out, turns }: {
    readonly sorter: TextSorter;
    readonly none: FileWriter;
    readonly out: SectionWriter;
    readonly turns: Turns;
  },
): Promise<void> {
  using file = new FileReader(columnFiles(folder, index).keys);
  const width = keyWidth(kind);
  const hasLasts = kind === "day";
  const key = new Uint8Array(8);
  const view = new DataView(key.buffer);
  const row = new Uint32Array(1);
  if (hasLasts) out.begin(`lasts-${index}`);
  for (let from = 0; from < recordCount; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, recordCount - from);
    const keys = new Float64Array(file.read(from * width * 8, count * width * 8).buffer);
    const lasts = new Uint32Array(count);
    for (let at = 0; at < count; at++) {
      const number = keys[at * width];
      if (hasLasts) lasts[at] = keys[at * 2 + 1];
      if (Number.isNaN(number)) {
        row[0] = from + at;
        none.append(row);
      } else {
        writeKey(view, kind, number, width === 2 ? keys[at * 2 + 1] : 0);
        sorter.add(key, 0, 8, from + at);
      }
    }
    if (hasLasts) out.append(lasts);
    if (turns.over) await turns.next();
  }
  if (hasLasts) out.end(`lasts-${index}`);
}

async function copyInto(out: SectionWriter, path: string, turns: Turns): Promise<void> {
  const { size } = await Deno.stat(path);
  using file = new FileReader(path);
  for (let at = 0; at < size; at += COPIED) {
    out.append(file.read(at, Math.min(COPIED, size - at)));
    if (turns.over) await turns.next();
  }
}
