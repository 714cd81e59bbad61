/**
 * Writes zip archives (PKWARE APPNOTE 6.3), which wheels are. The same files give the same bytes: every entry has the
 * same time and the same system.
 *
 * @module
 */
import { crc32, deflateRawSync } from "node:zlib";
import type { PackedFile } from "../toolkit/packed_file.ts";

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
/** Version 2.0 of the format, as a Unix system writes it. */
const MADE_BY_UNIX = 3 << 8 | 20;
const VERSION_NEEDED = 20;
/** Names are UTF-8. */
const UTF8_FLAG = 1 << 11;
const STORED = 0;
const DEFLATED = 8;
/** 1 January 2000, as MS-DOS counts from 1980, at midnight. */
const DATE = 20 << 9 | 1 << 5 | 1;
/** Without the extension "zip64". */
const MAX_BYTES = 0xffff_ffff;
const MAX_ENTRIES = 0xffff;

/**
 * Writes a zip archive.
 *
 * @param files The files, in their order.
 * @throws {RangeError} If there are more files or bytes than the format holds without its extension.
 */
export async function* writeZip(files: Iterable<PackedFile>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const file of files) {
    const content = await file.read();
    const deflated = deflateRawSync(content, { level: 9 });
    const method = deflated.length < content.length ? DEFLATED : STORED;
    const stored = method === DEFLATED ? Uint8Array.from(deflated) : content;
    const name = new TextEncoder().encode(file.path);
    const common = [
      ...short(VERSION_NEEDED, UTF8_FLAG, method, 0, DATE),
      ...long(crc32(content), stored.length, content.length),
      ...short(name.length, 0),
    ];
    const local = Uint8Array.from([...long(LOCAL_HEADER), ...common, ...name]);
    const mode = 0o100000 | (file.executable ? 0o755 : 0o644);
    directory.push(
      Uint8Array.from([
        ...long(CENTRAL_HEADER),
        ...short(MADE_BY_UNIX),
        ...common,
        ...short(0, 0, 0),
        ...long(mode * 0x10000, offset),
        ...name,
      ]),
    );
    offset += local.length + stored.length;
    if (offset > MAX_BYTES || directory.length > MAX_ENTRIES) {
      throw new RangeError(`Cannot pack ${file.path}: a zip archive holds 4 GiB and 65,535 files`);
    }
    yield local;
    yield stored;
  }
  yield* directory;
  const bytes = directory.reduce((sum, { length }) => sum + length, 0);
  yield Uint8Array.from([
    ...long(END_OF_DIRECTORY),
    ...short(0, 0, directory.length, directory.length),
    ...long(bytes, offset),
    ...short(0),
  ]);
}

function short(...values: readonly number[]): number[] {
  return values.flatMap((value) => [value & 0xff, value >>> 8 & 0xff]);
}

function long(...values: readonly number[]): number[] {
  return values.flatMap((value) => [...short(value & 0xffff), ...short(Math.floor(value / 0x10000))]);
}
