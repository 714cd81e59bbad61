/** Bytes of an archive on their way to the row checker. */
import { ParseError } from "../../../errors.ts";
import { describeBytes } from "../../../io/bytes/describe_bytes.ts";
import { gunzip, isGzip } from "../../../io/gzip/gunzip.ts";
import { parseRow } from "./_row_checker.ts";
import { NOT_CSV } from "../../from/from_csv.ts";

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
  while (head.indexOf(10) === -1 && head.length < MAX_HEADER_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    const longer = new Uint8Array(head.length + value.length);
    longer.set(head);
    longer.set(value, head.length);
    head = longer;
  }
  const looks = describeBytes(head.subarray(0, 512));
  if (NOT_CSV.includes(looks)) {
    await chunks.return(undefined);
    throw new ParseError(`Cannot read ${name}: expected a CSV table, it looks like ${looks}; check which file it is`, {
      line: 1,
    });
  }
  const feed = head.indexOf(10);
  const line = new TextDecoder().decode(head.subarray(0, feed === -1 ? head.length : feed));
  const whole = (async function* () {
    if (head.length > 0) yield head;
    yield* chunks;
  })();
  // A quoted name that holds a line feed is cut here: only the names of a sequence archive matter, which do not.
  const isCut = (line.match(/"/g)?.length ?? 0) % 2 === 1;
  return { header: isCut ? [] : parseRow(line), chunks: whole };
}
