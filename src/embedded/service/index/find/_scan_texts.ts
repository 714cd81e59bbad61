/**
 * Reads the texts of a field with many values, all or those of some rows.
 *
 * A part that every text must have is searched for in a whole block of texts at once, which is as fast as memory; only
 * the texts that have it are read.
 */
import { Buffer } from "node:buffer";
import { fold } from "@seqreg/core/query";
import type { Condition } from "./_condition.ts";
import type { FindContext } from "./find_context.ts";
import type { TextBlock } from "../format/text_reader.ts";
import { textOf } from "../format/tokens.ts";
import { withBuffer } from "./_positions.ts";

/** Texts that are read before the turn is checked. */
const AT_ONCE = 256;

export interface TextSearch {
  /** A part that every text that is found has, folded; `""` for none. */
  readonly literal: string;
  /** Called with each row whose text may be found, and the text: folded, or as it stands for a list. */
  readonly read: (row: number, text: string) => void;
  /** Rows that are looked at; all when absent. */
  readonly among?: Condition;
}

export async function scanTexts(context: FindContext, field: number, search: TextSearch): Promise<void> {
  const { files, turns } = context;
  const literal = files.fields[field].type === "list" || search.literal === ""
    ? undefined
    : Buffer.from(search.literal).toString("latin1");
  for (const block of files.texts(field).all()) {
    let wanted: Generator<number> = literal === undefined ? everyText(block) : textsWith(block, literal);
    if (search.among !== undefined) wanted = amongRows(context, block, wanted, search.among);
    let read = 0;
    for (const at of wanted) {
      search.read(block.firstRow + at, textOf(block.bytes, at === 0 ? 0 : block.ends[at - 1], block.ends[at]));
      if (++read % AT_ONCE === 0 && turns.over) await turns.next();
    }
    if (turns.over) await turns.next();
  }
}

/** Folds the text of a search's `read` where that is still to be done. */
export function foldedText(context: FindContext, field: number, text: string): string {
  return context.files.fields[field].type === "list" ? fold(text) : text;
}

function* everyText({ ends }: TextBlock): Generator<number> {
  for (let at = 0; at < ends.length; at++) yield at;
}

/** A text of one character a byte is searched many times faster than the bytes are. */
function* textsWith({ bytes, ends }: TextBlock, literal: string): Generator<number> {
  const characters = Buffer.from(bytes.buffer, bytes.byteOffset, ends.length === 0 ? 0 : ends[ends.length - 1])
    .toString("latin1");
  let text = 0;
  for (let at = characters.indexOf(literal); at !== -1; at = characters.indexOf(literal, at)) {
    text = textAt(ends, text, at);
    // What begins in one text and ends in the next is in neither.
    if (at + literal.length <= ends[text]) {
      yield text;
      at = ends[text++];
    } else at++;
  }
}

/** Finds the text that has the byte at an offset, at `from` or later. */
function textAt(ends: Uint32Array, from: number, offset: number): number {
  let low = from;
  let high = ends.length - 1;
  while (low < high) {
    const middle = low + high >>> 1;
    if (ends[middle] <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Keeps the texts of rows that hold a condition. */
function* amongRows(
  { files }: FindContext,
  { firstRow, ends }: TextBlock,
  wanted: Generator<number>,
  among: Condition,
): Generator<number> {
  const holds = new Uint8Array(ends.length);
  for (let row = firstRow; row < firstRow + ends.length;) {
    const block = Math.floor(row / files.blockRows);
    const first = block * files.blockRows;
    const end = Math.min(firstRow + ends.length, first + files.blockRows);
    withBuffer((positions) => {
      for (let at = row; at < end; at++) positions[at - row] = at - first;
      const count = among.select(block, positions, end - row, positions);
      for (let at = 0; at < count; at++) holds[first + positions[at] - firstRow] = 1;
    });
    row = end;
  }
  for (const at of wanted) if (holds[at] === 1) yield at;
}
