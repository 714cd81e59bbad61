/** Columns of bytes as columns of UTF-8, which is all that a frame takes. */
import { type TextColumn, textsOf } from "../../fasta/text/text_column.ts";

const encoder = new TextEncoder();

/** The texts as readers give them: a byte that is not UTF-8 becomes U+FFFD. */
export function validTexts(column: TextColumn): TextColumn {
  return isAscii(column.data) ? column : columnOf(textsOf(column).map((text) => encoder.encode(text)));
}

/** Characters as readers give them: each byte is one, and one outside ASCII is read as Latin-1. */
export function validBases(column: TextColumn): TextColumn {
  if (isAscii(column.data)) return column;
  const { offsets, data } = column;
  const latin1 = new TextDecoder("latin1");
  return columnOf(Array.from({ length: offsets.length - 1 }, (_, row) => {
    const characters = data.subarray(offsets[row], offsets[row + 1]);
    return isAscii(characters) ? characters : encoder.encode(latin1.decode(characters));
  }));
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function columnOf(texts: readonly Uint8Array[]): TextColumn {
  const offsets = new Int32Array(texts.length + 1);
  for (const [row, text] of texts.entries()) offsets[row + 1] = offsets[row] + text.length;
  const data = new Uint8Array(offsets[texts.length]);
  for (const [row, text] of texts.entries()) data.set(text, offsets[row]);
  return { offsets, data };
}
