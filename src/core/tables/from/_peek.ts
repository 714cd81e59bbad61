/** Looks at the first bytes of a source before it is read, so that a web page is not taken for a table. */
import { type ByteSource, type ReadBytesOptions } from "../../io/bytes/byte_source.ts";
import { transformed } from "../../io/bytes/closing.ts";
import { openBytes, sourceName } from "../../io/bytes/open_bytes.ts";
import { describeBytes, nextFor } from "../../io/bytes/describe_bytes.ts";
import { ParseError } from "../../errors.ts";

/** What of a source is read and how it is named. */
export interface PeekOptions extends ReadBytesOptions {
  /** Named in errors; the source's own name by default. */
  readonly name?: string;
  /** What was expected, such as `a CSV table`. */
  readonly expected: string;
  /** What {@linkcode describeBytes} says of bytes that are certainly something else. */
  readonly refuse: readonly string[];
}

/** Opens a source, plain, gzip or Zstandard, and refuses it when its first bytes are certainly something else. */
export function openExpected(source: ByteSource, options: PeekOptions): AsyncGenerator<Uint8Array> {
  const name = options.name ?? sourceName(source);
  return transformed(openBytes(source, { ...options, name }), async function* (chunks) {
    let first = true;
    for await (const chunk of chunks) {
      if (first) {
        const looks = describeBytes(chunk.subarray(0, 512));
        if (options.refuse.includes(looks)) throw refusal(name, looks, options.expected);
      }
      first = false;
      yield chunk;
    }
  });
}

function refusal(name: string, looks: string, expected: string): ParseError {
  return new ParseError(`Cannot read ${name}: expected ${expected}, it looks like ${looks}; ${nextFor(looks)}`, {
    line: 1,
    byte: 0,
  });
}
