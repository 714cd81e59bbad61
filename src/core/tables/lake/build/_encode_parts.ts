/** Parts to Parquet, in a thread of its own, so that the next part is inflated and checked meanwhile. */
import { mapAhead } from "../../../io/tasks/map_ahead.ts";
import { type EncodeThread, startEncoding } from "./_encode_thread.ts";
import type { Part } from "./_gather_parts.ts";
import { type EncodedPart, PartEncoder, type PartSchema } from "./_part_encoder.ts";
import type { RawTexts } from "./_raw_texts.ts";

export interface EncodedRows extends EncodedPart {
  readonly rows: number;
  readonly raw: RawTexts;
}

/** Parts that are encoded, or wait for it, while the next is gathered. */
const AHEAD = 2;

/**
 * Encodes parts, in order. An archive of one part is encoded in this thread: another takes longer to begin.
 *
 * @param spare Takes the memory of parts that the thread has copied.
 */
export function encodeParts(
  parts: AsyncIterable<Part>,
  schema: PartSchema,
  spare: ArrayBuffer[],
): AsyncGenerator<EncodedRows> {
  let thread: EncodeThread | undefined;
  return mapAhead(parts, { ahead: AHEAD }, async ({ csv, bytes, rows, raw, isOnly }, signal) => {
    if (isOnly) return { ...new PartEncoder(schema).encode(csv.subarray(0, bytes), rows), rows, raw };
    thread ??= startThread(schema, spare, signal);
    return { ...await thread.run({ csv: csv.buffer, bytes, rows }, [csv.buffer]), rows, raw };
  });
}

/** Starts a thread that is terminated when its result is no longer needed. */
function startThread(schema: PartSchema, spare: ArrayBuffer[], signal: AbortSignal): EncodeThread {
  const thread = startEncoding(schema, spare);
  signal.addEventListener("abort", () => thread[Symbol.dispose](), { once: true });
  return thread;
}
