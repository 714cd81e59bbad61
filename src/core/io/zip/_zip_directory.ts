/** Reads the directory of a ZIP archive: PKWARE APPNOTE 6.3, sections 4.3.12 to 4.3.16 and 4.5.3. */
import { ParseError } from "../../errors.ts";
import type { RandomBytes } from "../bytes/random_bytes.ts";

/** A file of an archive, as the directory describes it. */
export interface ZipEntry {
  /** Its path in the archive. */
  readonly name: string;
  readonly flags: number;
  /** Compression: 0 stored, 8 DEFLATE. */
  readonly method: number;
  /** CRC-32 of the uncompressed bytes. */
  readonly crc: number;
  /** Compressed bytes. */
  readonly compressedSize: number;
  /** Uncompressed bytes. */
  readonly size: number;
  /** Offset of its local header. */
  readonly offset: number;
}

const END_RECORD = 0x06054b50;
const END_RECORD_BYTES = 22;
const END64_LOCATOR = 0x07064b50;
const END64_LOCATOR_BYTES = 20;
const END64_RECORD = 0x06064b50;
const END64_RECORD_BYTES = 56;
const FILE_HEADER = 0x02014b50;
const FILE_HEADER_BYTES = 46;
const MAX_COMMENT_BYTES = 0xffff;
const MAX_DIRECTORY_BYTES = 64 << 20;
/** A field of four bytes with this value is in the extra field instead, with eight. */
const IN_EXTRA_FIELD = 0xffff_ffff;
const EXTRA_64 = 1;

/** Reads the directory. @throws {ParseError} If it is absent or invalid. */
export function readZipDirectory(bytes: RandomBytes, name: string): ZipEntry[] {
  const { offset, size, end } = findDirectory(bytes, name);
  if (size > MAX_DIRECTORY_BYTES) throw invalid(name, "its directory has more than 64 MiB");
  // Bytes before the archive move everything.
  const shift = end - size - offset;
  if (shift < 0) throw invalid(name, "its directory is not where its end record says");
  const directory = bytes.read(offset + shift, size);
  const view = viewOf(directory);
  const entries: ZipEntry[] = [];
  for (let at = 0; at < size;) {
    if (at + FILE_HEADER_BYTES > size || view.getUint32(at, true) !== FILE_HEADER) {
      throw invalid(name, "its directory is damaged");
    }
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const nameEnd = at + FILE_HEADER_BYTES + nameBytes;
    const next = nameEnd + extraBytes + commentBytes;
    if (next > size) throw invalid(name, "its directory is damaged");
    // Sizes and offset, in the order in which the extra field holds those that do not fit.
    const numbers = wideNumbers(
      [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)],
      viewOf(directory.subarray(nameEnd, nameEnd + extraBytes)),
    );
    if (numbers === undefined) throw invalid(name, "its directory is damaged");
    entries.push({
      name: new TextDecoder().decode(directory.subarray(at + FILE_HEADER_BYTES, nameEnd)),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      size: numbers[0],
      compressedSize: numbers[1],
      offset: numbers[2] + shift,
    });
    at = next;
  }
  return entries;
}

interface Directory {
  /** Stated offset of the directory. */
  readonly offset: number;
  readonly size: number;
  /** Offset at which the directory ends. */
  readonly end: number;
}

function findDirectory(bytes: RandomBytes, name: string): Directory {
  const from = Math.max(0, bytes.size - END_RECORD_BYTES - MAX_COMMENT_BYTES);
  const view = viewOf(bytes.read(from, bytes.size - from));
  for (let at = view.byteLength - END_RECORD_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_RECORD) continue;
    if (at + END_RECORD_BYTES + view.getUint16(at + 20, true) > view.byteLength) continue;
    const end = from + at;
    return findDirectory64(bytes, end) ??
      { offset: view.getUint32(at + 16, true), size: view.getUint32(at + 12, true), end };
  }
  throw invalid(name, "it has no directory, so its end may be missing");
}

/** Reads the end record of the extension, if a locator before the end record leads to one. */
function findDirectory64(bytes: RandomBytes, end: number): Directory | undefined {
  if (end < END64_LOCATOR_BYTES + END64_RECORD_BYTES) return undefined;
  const locator = viewOf(bytes.read(end - END64_LOCATOR_BYTES, END64_LOCATOR_BYTES));
  if (locator.getUint32(0, true) !== END64_LOCATOR) return undefined;
  const at = Number(locator.getBigUint64(8, true));
  if (at + END64_RECORD_BYTES > end) return undefined;
  const record = viewOf(bytes.read(at, END64_RECORD_BYTES));
  if (record.getUint32(0, true) !== END64_RECORD) return undefined;
  return { offset: Number(record.getBigUint64(48, true)), size: Number(record.getBigUint64(40, true)), end: at };
}

/** Replaces numbers that do not fit into four bytes by those of the extra field; `undefined` if it lacks them. */
function wideNumbers(numbers: readonly number[], extra: DataView): readonly number[] | undefined {
  if (!numbers.includes(IN_EXTRA_FIELD)) return numbers;
  for (let at = 0; at + 4 <= extra.byteLength;) {
    const end = at + 4 + extra.getUint16(at + 2, true);
    if (extra.getUint16(at, true) === EXTRA_64 && end <= extra.byteLength) {
      let value = at + 4;
      const wide = numbers.map((number) => {
        if (number !== IN_EXTRA_FIELD) return number;
        value += 8;
        return value <= end ? Number(extra.getBigUint64(value - 8, true)) : NaN;
      });
      return wide.some(Number.isNaN) ? undefined : wide;
    }
    at = end;
  }
  return undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function invalid(name: string, what: string): ParseError {
  return new ParseError(`Cannot read ${name}: it is not a whole ZIP archive, ${what}; get the file again`);
}
