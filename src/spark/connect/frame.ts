/** Frames on their way to a Spark engine and back: Arrow IPC streams. */
import { Buffer } from "node:buffer";
import type { DataFrame } from "nodejs-polars";
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { membersOf } from "@seqreg/core/engine/frames";

/** A frame that a statement reads under a name. */
export interface SparkFrame {
  /** Its name in the statement. */
  readonly name: string;
  /** Arrow IPC stream, such as polars' `writeIPCStream()` makes it. */
  readonly arrow: Uint8Array;
}

export interface SparkBatch {
  readonly rows: number;
  /** Arrow IPC stream, whole: schema and record batches. */
  readonly arrow: Uint8Array;
}

/**
 * Returns the batches of one result as a polars frame, in their order.
 *
 * @param batches At least one: Spark sends one for a result without rows, too.
 * @throws {RegistryError} With code `unexpected-response` if polars cannot read a batch, or reads other rows than it
 * states.
 */
export async function sparkFrame(batches: readonly SparkBatch[]): Promise<DataFrame> {
  if (batches.length === 0) {
    throw new TypeError("Cannot make a frame of a result without batches: expected at least one");
  }
  const { default: pl } = await import("nodejs-polars");
  const frames = batches.map(({ arrow, rows }, index) => {
    try {
      const frame = pl.readIPCStream(Buffer.from(arrow.buffer, arrow.byteOffset, arrow.byteLength));
      const { height } = membersOf(frame);
      if (height === rows) return frame;
      throw new RangeError(`it holds ${height} rows instead of ${rows}`);
    } catch (cause) {
      throw new RegistryError(
        "unexpected-response",
        `Cannot read batch ${index + 1} of the engine's result: ${messageOf(cause).slice(0, 300)}; run the query again`,
        { cause },
      );
    }
  });
  return frames.slice(1).reduce((whole, frame) => membersOf(whole).vstack(membersOf(frame)), frames[0]);
}
