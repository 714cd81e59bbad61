/**
 * Removes Arrow's schema from a Parquet file's footer.
 *
 * polars stores the Arrow schema in addition to that of Parquet, with texts as `string_view`, which other programs can
 * read but not compare. Without it they are plain strings for every reader, and polars reads the same types as before.
 */
import { copyBytes } from "../../io/bytes/join_bytes.ts";
import { readAt } from "../../io/bytes/read_full.ts";
import { writeAll } from "../../io/files/write_all.ts";
import { FileMetaData, MAGIC } from "../metadata.ts";
import { ThriftReader, withoutField } from "../thrift.ts";

const KEY = "ARROW:schema";
const [KEY_VALUE_METADATA] = FileMetaData.struct.key_value_metadata;
/** Bytes of the footer's length and of the magic bytes, at the end of a file. */
const TAIL_BYTES = 8;

/** Rewrites the footer without the schema; a footer with other metadata, or none, stays as it is. */
export function dropArrowSchema(path: string): void {
  using file = Deno.openSync(path, { read: true, write: true });
  const { size } = file.statSync();
  const tail = new Uint8Array(TAIL_BYTES);
  if (size < TAIL_BYTES || readAt(file, tail, size - TAIL_BYTES) < TAIL_BYTES) return;
  const length = new DataView(tail.buffer).getUint32(0, true);
  const start = size - TAIL_BYTES - length;
  if (start < 0 || MAGIC.some((byte, index) => byte !== tail[4 + index])) return;
  const footer = new Uint8Array(length);
  readAt(file, footer, start);
  const { key_value_metadata = [] } = new ThriftReader(footer).read(FileMetaData);
  if (key_value_metadata.length !== 1 || key_value_metadata[0].key !== KEY) return;
  const rest = withoutField(footer, KEY_VALUE_METADATA);
  new DataView(tail.buffer).setUint32(0, rest.length, true);
  file.seekSync(start, Deno.SeekMode.Start);
  writeAll(file, copyBytes([rest, tail]));
  file.truncateSync(start + rest.length + TAIL_BYTES);
}
