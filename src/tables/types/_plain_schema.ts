/**
 * Takes polars's own schema out of a Parquet file's footer.
 *
 * polars writes the schema of Arrow beside that of Parquet, and texts there are `string_view`, which other programs can
 * read but not compare. Without it they are plain strings to everyone, and polars reads the same types as before.
 */

const KEY = new TextEncoder().encode("ARROW:schema");
const MAGIC = "PAR1";
/** Footer length and magic bytes at the end of a file. */
const TAIL_BYTES = 8;

/** Bytes of Thrift's compact protocol around the key: the field of the metadata's list, of one struct of two texts. */
const LIST_OF_ONE = 0x1c;
const TEXT_FIELD = 0x18;
const STOP = 0;

/** Writes the footer anew without the schema; a footer of another form stays as it is. */
export async function forgetArrowSchema(path: string): Promise<void> {
  using file = await Deno.open(path, { read: true, write: true });
  const { size } = await file.stat();
  const tail = await readAt(file, size - TAIL_BYTES, TAIL_BYTES);
  if (new TextDecoder().decode(tail.subarray(4)) !== MAGIC) return;
  const length = new DataView(tail.buffer).getUint32(0, true);
  const start = size - TAIL_BYTES - length;
  const footer = await readAt(file, start, length);
  const found = withoutSchema(footer);
  if (found === undefined) return;
  new DataView(tail.buffer).setUint32(0, found.length, true);
  const end = new Uint8Array(found.length + TAIL_BYTES);
  end.set(found);
  end.set(tail, found.length);
  await file.seek(start, Deno.SeekMode.Start);
  for (let at = 0; at < end.length;) at += await file.write(end.subarray(at));
  await file.truncate(start + end.length);
}

/** The list of key and value stands after all statistics, so the last key of that name is the schema's. */
function withoutSchema(footer: Uint8Array): Uint8Array | undefined {
  const key = lastIndexOf(footer, KEY);
  // Before it: the field's head, the list's, that of the key and its length.
  const start = key - 4;
  if (start < 0 || (footer[start] & 0x0f) !== 9 || footer[start + 1] !== LIST_OF_ONE) return undefined;
  if (footer[start + 2] !== TEXT_FIELD || footer[start + 3] !== KEY.length) return undefined;
  const delta = footer[start] >> 4;
  let at = key + KEY.length;
  if (footer[at++] !== TEXT_FIELD) return undefined;
  let valueBytes = 0;
  for (let factor = 1;; factor *= 128) {
    valueBytes += (footer[at] & 127) * factor;
    if (footer[at++] < 128) break;
  }
  at += valueBytes;
  if (footer[at++] !== STOP) return undefined;
  // The field after the list now follows the one before it.
  const next = footer[at];
  if (next === STOP || next >> 4 === 0 || (next >> 4) + delta > 15) return undefined;
  const rest = new Uint8Array(footer.length - (at - start));
  rest.set(footer.subarray(0, start));
  rest.set(footer.subarray(at), start);
  rest[start] = next + (delta << 4);
  return rest;
}

function lastIndexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = bytes.length - wanted.length; at >= 0; at--) {
    let same = 0;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
    if (same === wanted.length) return at;
  }
  return -1;
}

async function readAt(file: Deno.FsFile, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  await file.seek(start, Deno.SeekMode.Start);
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length;) {
    const count = await file.read(bytes.subarray(filled));
    if (count === null) throw new RangeError("Cannot read the end of a Parquet file: it is too short");
    filled += count;
  }
  return bytes;
}
