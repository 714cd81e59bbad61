/** What still comes on a connection that has had its answer. */
import type { Readable } from "node:stream";

/** Bytes that are still read, so that the client sees the answer before the connection closes. */
const LINGER = { bytes: 64 * 2 ** 20, ms: 2000 } as const;

/**
 * Reads on until nothing more comes, within bounds. A socket that is closed with unread bytes is reset, and the client
 * may then never see its answer.
 */
export function linger(stream: Readable, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let left = LINGER.bytes;
    const end = () => {
      clearTimeout(timer);
      stream.off("end", end).off("close", end).off("data", count);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const count = (chunk: Uint8Array) => {
      left -= chunk.length;
      if (left < 0) end();
    };
    const timer = setTimeout(end, LINGER.ms);
    stream.once("end", end).once("close", end).on("data", count);
    signal?.addEventListener("abort", end, { once: true });
    stream.resume();
  });
}
