/** Conditions on a field with many values. */
import { Buffer } from "node:buffer";
import { isAccession } from "@seqreg/core/contract/accession";
import { evaluateQuery, fold, type Key, type KeyKind, keyKind } from "@seqreg/core/query";
import { compareBytes } from "../format/bytes.ts";
import { type Bits, BitsCondition, type Condition } from "./_condition.ts";
import { type FieldNode, longestLiteral, recordOf } from "./_dictionary.ts";
import { type FindContext, valuesOfRows } from "./find_context.ts";
import { joinAny, negate, noRow, rowsCondition } from "./_join_conditions.ts";
import { patternTest } from "./_pattern.ts";
import { exactly, type Range, within } from "./_range.ts";
import { RowBits } from "./_row_bits.ts";
import { rowsAt } from "./_row_order.ts";
import { rowBatches } from "./row_batches.ts";
import { scanTexts } from "./_scan_texts.ts";
import { findToken } from "./_token_reader.ts";
import { valueToken } from "../format/tokens.ts";
import { isMissingText } from "../format/missing_text.ts";
import { halvesOf, writeKey } from "../format/number_key.ts";

/** Rows of an order that are read at once. */
const SLICE = 1 << 14;

export async function manyCondition(context: FindContext, node: FieldNode): Promise<Condition> {
  const { files, records } = context;
  if (node.field === files.manifest.accessionField) {
    const named = accessionsOf(node);
    if (named !== undefined) return rowsCondition(files, Uint32Array.from(records.rowsOf(named)).sort());
  }
  switch (node.kind) {
    case "exists":
      return bitsCondition(context, `present-${node.field}`);
    case "equals": {
      const ways = [await textCondition(context, node, [node.text])];
      if (node.within !== undefined) ways.push(await rangeCondition(context, node.field, within(node.within)));
      return joinAny(files, ways);
    }
    case "exact": {
      const ways = [await textCondition(context, node, node.texts.map(fold))];
      for (const key of node.keys) {
        ways.push(await rangeCondition(context, node.field, exactly(key)));
        if (context.turns.over) await context.turns.next();
      }
      return joinAny(files, ways);
    }
    case "key-range":
      return await rangeCondition(context, node.field, node);
    default:
      return await readCondition(context, node);
  }
}

/** Returns the accessions that a condition asks for; `undefined` when it asks for something else. */
function accessionsOf(node: FieldNode): readonly string[] | undefined {
  if (node.kind === "equals" && !node.elements) return [node.text].filter(isAccession);
  if (node.kind !== "exact" || node.elements || node.keys.length > 0) return undefined;
  return [...new Set(node.texts)].filter(isAccession);
}

/** Rows whose bit is set in a section. */
function bitsCondition({ files }: FindContext, section: string): Condition {
  const words = files.blockRows / 32;
  const bits: Bits = {
    block: (number) => {
      const last = Math.ceil((number * files.blockRows + files.rowsOf(number)) / 32);
      return files.whole(section, number * words, Math.min((number + 1) * words, last));
    },
  };
  return new BitsCondition(bits, files.rows);
}

/** Rows whose value, or an element of it, is one of some folded texts, and holds the condition. */
async function textCondition(context: FindContext, node: FieldNode, texts: readonly string[]): Promise<Condition> {
  const { files, turns } = context;
  const ways: Condition[] = [];
  const unsure: Uint32Array[] = [];
  for (const text of new Set(texts)) {
    // Rows whose value is empty have no hash to themselves alone: a bit says it for sure.
    if (text === "") ways.push(negate(files, bitsCondition(context, `filled-${node.field}`)));
    const found = findToken(files, valueToken(node.field, text, files.manifest.hashKey));
    if (found.kind === "candidates") unsure.push(found.rows);
    else if (node.kind === "equals") ways.push(found.hits.condition);
    else if (text !== "") ways.push(await exactCondition(context, node, found.hits.condition));
    if (turns.over) await turns.next();
  }
  const rows: number[] = [];
  const candidates = new Uint32Array(unsure.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const some of unsure) {
    candidates.set(some, at);
    at += some.length;
  }
  const distinct = Uint32Array.from(new Set(candidates)).sort();
  for await (const [row, values] of valuesOfRows(context, distinct)) if (evaluateQuery(node, values)) rows.push(row);
  if (rows.length > 0) ways.push(rowsCondition(files, Uint32Array.from(rows)));
  return ways.length === 0 ? noRow(files) : joinAny(files, ways);
}

/** Rows of a condition that hold another, which is asked of their values. */
async function exactCondition(context: FindContext, node: FieldNode, among: Condition): Promise<Condition> {
  const { files } = context;
  const bits = new RowBits(files);
  for await (const rows of rowBatches(context, among)) {
    for await (const [row, values] of valuesOfRows(context, rows)) if (evaluateQuery(node, values)) bits.add(row);
  }
  return bits.condition();
}

/** Rows whose number or date is in a range: a slice of the field's order; of dates, the last days are looked at. */
async function rangeCondition(context: FindContext, field: number, { from, to }: Range): Promise<Condition> {
  const { files, turns } = context;
  const column = files.column(field);
  const kind = keyKind(files.fields[field].type);
  if (column.kind !== "many" || kind === undefined) return noRow(files);
  const keyed = column.keyed;
  const first = from === undefined ? 0 : firstRank(context, { field, kind }, from.value, !from.inclusive);
  const end = to === undefined ? keyed : firstRank(context, { field, kind }, to.value, to.inclusive);
  if (end <= first) return noRow(files);
  const bits = new RowBits(files);
  const list: number[] = [];
  const isShort = end - first <= files.manifest.bounds.listedRows;
  const lasts = files.has(`lasts-${field}`) && to !== undefined;
  for (let at = first; at < end; at += SLICE) {
    for (const row of rowsAt(files, field, at, Math.min(end, at + SLICE))) {
      if (lasts && to !== undefined) {
        const block = Math.floor(row / files.blockRows) * files.blockRows;
        const last = files.whole(`lasts-${field}`, block, Math.min(files.rows, block + files.blockRows))[row - block];
        if (last > to.value || (last === to.value && !to.inclusive)) continue;
      }
      if (isShort) list.push(row);
      else bits.add(row);
    }
    if (turns.over) await turns.next();
  }
  return isShort ? rowsCondition(files, Uint32Array.from(list).sort()) : bits.condition();
}

/** Finds the first rank in the order of a field that is not below a key, or above it. */
function firstRank(
  { files }: FindContext,
  { field, kind }: { readonly field: number; readonly kind: KeyKind },
  key: Key,
  above: boolean,
): number {
  const column = files.column(field);
  const wanted = new DataView(new ArrayBuffer(8));
  const [upper, lower] = kind === "integer" ? halvesOf(key) : [Number(key), 0];
  writeKey(wanted, kind, upper, lower);
  const [high, low] = [wanted.getUint32(0), wanted.getUint32(4)];
  let begin = 0;
  let end = column.kind === "many" ? column.keyed : 0;
  while (begin < end) {
    const middle = begin + end >>> 1;
    const key = files.bytes(`keys-${field}`, middle * 8, middle * 8 + 8);
    const view = new DataView(key.buffer, key.byteOffset);
    const [keyHigh, keyLow] = [view.getUint32(0), view.getUint32(4)];
    const below = keyHigh < high || (keyHigh === high && keyLow < low);
    if (below || (above && keyHigh === high && keyLow === low)) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

/** Rows whose text is read: patterns and ranges of texts. */
async function readCondition(context: FindContext, node: FieldNode): Promise<Condition> {
  const { files } = context;
  const bits = new RowBits(files);
  const isList = files.fields[node.field].type === "list";
  if (node.kind === "text-range" && !isList) await scanRange(context, node, bits);
  else if (node.kind === "matches" && !isList) {
    const test = patternTest(node.pattern);
    const read = (row: number, text: string) => void (test(text) && bits.add(row));
    await scanTexts(context, node.field, { literal: longestLiteral(node.pattern), read });
  } else {
    const read = (row: number, text: string) => void (evaluateQuery(node, recordOf(node.field, text)) && bits.add(row));
    await scanTexts(context, node.field, { literal: "", read });
  }
  return bits.condition();
}

/** Compares bytes: those of UTF-8 compare as code points do. */
async function scanRange(
  { files, turns }: FindContext,
  { field, from, to }: Extract<FieldNode, { kind: "text-range" }>,
  bits: RowBits,
): Promise<void> {
  const least = from === undefined ? undefined : Buffer.from(from.value);
  const most = to === undefined ? undefined : Buffer.from(to.value);
  for (const { firstRow, ends, bytes } of files.texts(field).all()) {
    for (let at = 0, begin = 0; at < ends.length; begin = ends[at++]) {
      const end = ends[at];
      if (end === begin) continue;
      const after = least === undefined ? 1 : compareBytes(bytes, begin, end, least, 0, least.length);
      const before = most === undefined ? -1 : compareBytes(bytes, begin, end, most, 0, most.length);
      const isWithin = (after > 0 || (after === 0 && from?.inclusive)) &&
        (before < 0 || (before === 0 && to?.inclusive));
      if (isWithin && !isMissingText(bytes, begin, end)) bits.add(firstRow + at);
    }
    if (turns.over) await turns.next();
  }
}
