/** Bytes of an archive on their way to the row checker. */
import { ParseError } from "../../../errors.ts";
import { describeBytes } from "../../../io/bytes/describe_bytes.ts";
import { joinBytes } from "../../../io/bytes/join_bytes.ts";
import { type CsvRow, CsvSplitter } from "../../../io/csv/csv_splitter.ts";
import { NOT_A_TABLE } from "../../../io/csv/not_a_table.ts";
import { gunzip, isGzip } from "../../../io/gzip/gunzip.ts";

/** Inflates what is gzip. */
export async function* inflate(chunks: AsyncGenerator<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  const whole = (async function* () {
    if (!first.done) yield first.value;
    yield* chunks;
  })();
  if (!first.done && isGzip(first.value)) yield* gunzip(whole, name);
  else yield* whole;
}

/** Longest header that is looked for. */
const MAX_HEADER_BYTES = 1 << 20;

/** Reads the names of the columns and gives all chunks all the same. */
export async function peekHeader(
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
): Promise<{ header: readonly string[]; chunks: AsyncIterable<Uint8Array> }> {
  let head = new Uint8Array(0);
  const splitter = new CsvSplitter({ name });
  let rows: readonly CsvRow[] = [];
  let fault: unknown;
  while (rows.length === 0 && fault === undefined && head.length < MAX_HEADER_BYTES) {
    const { done, value } = await chunks.next();
    try {
      rows = (done ? splitter.finish() : splitter.push(value)).texts();
    } catch (error) {
      // Refused below where it looks like something else, and by who reads all rows otherwise.
      if (!(error instanceof ParseError)) throw error;
      fault = error;
    }
    if (done) break;
    head = joinBytes([head, value.slice()]);
  }
  const looks = describeBytes(head.subarray(0, 512));
  if (NOT_A_TABLE.includes(looks)) {
    await chunks.return(undefined);
    throw new ParseError(`Cannot read ${name}: expected a CSV table, it looks like ${looks}; check which file it is`, {
      line: 1,
    });
  }
  const whole = (async function* () {
    if (head.length > 0) yield head;
    yield* chunks;
  })();
  return { header: rows[0]?.cells ?? [], chunks: whole };
}
