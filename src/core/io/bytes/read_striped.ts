/**
 * Reads a large file into buffers of the caller's, several reads at a time.
 *
 * Reads run in another thread while the caller processes the previous chunk: on two cores reading is then almost free,
 * without the start-up cost of a worker.
 */
import { readFull } from "./read_full.ts";
import { RegistryError } from "../../errors.ts";
import { openFile, shrunk } from "./byte_source.ts";

export interface ReadStripedOptions {
  /** Where the bytes are put, in turn: at least two buffers of one length, which must not move meanwhile. */
  readonly buffers: readonly Uint8Array[];
  /** Named in errors; the path by default. */
  readonly name?: string;
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Reads a file as long as it is when it is opened.
 *
 * @param path A regular file: a pipe cannot be opened several times.
 * @returns One buffer after the other, full but for the last. Each is valid until the next is asked for.
 * @throws {RegistryError} With code `disk` if the file ends before the length it had at the beginning, or another one
 * takes its place while it is opened.
 */
export async function* readStriped(path: string | URL, options: ReadStripedOptions): AsyncGenerator<Uint8Array> {
  const { buffers, signal, name = String(path) } = options;
  signal?.throwIfAborted();
  const stride = buffers[0].length;
  const lanes: Lane[] = [];
  try {
    // Two reads on one handle would share its file position.
    for (const buffer of buffers) {
      lanes.push({ buffer, file: await openFile(path, { signal }), reading: undefined });
    }
    const [{ size, dev, ino }, ...others] = await Promise.all(lanes.map(({ file }) => file.stat()));
    // Handles of two files would give pieces of both.
    if (others.some((other) => other.dev !== dev || other.ino !== ino)) throw replaced(name);
    for (const [index, lane] of lanes.entries()) begin(lane, index * stride, size);
    for (let at = 0; at < size; at += stride) {
      const lane = lanes[at / stride % lanes.length];
      const count = await lane.reading ?? 0;
      lane.reading = undefined;
      signal?.throwIfAborted();
      const wanted = Math.min(stride, size - at);
      const there = fill(lane, count, wanted);
      if (there < wanted) throw shrunk(name, size, at + there);
      yield lane.buffer.subarray(0, wanted);
      signal?.throwIfAborted();
      begin(lane, at + stride * lanes.length, size);
    }
  } finally {
    for (const { file, reading } of lanes) {
      // Memory that a read still writes to may not be given back.
      await reading?.catch(() => {});
      file.close();
    }
  }
}

/** One buffer, the handle that fills it, and the read under way. */
interface Lane {
  readonly buffer: Uint8Array;
  readonly file: Deno.FsFile;
  reading: Promise<number | null> | undefined;
}

function replaced(name: string): RegistryError {
  return new RegistryError("disk", `Cannot read ${name}: another file took its place while it was opened; try again`);
}

function begin(lane: Lane, at: number, size: number): void {
  if (at >= size) return;
  lane.file.seekSync(at, Deno.SeekMode.Start);
  lane.reading = lane.file.read(lane.buffer);
  // The error is reported where the promise is awaited; this prevents an unhandled rejection until then.
  lane.reading.catch(() => {});
}

/** Reads on where a read gave less than it could; how many bytes there are. */
function fill({ file, buffer }: Lane, count: number, wanted: number): number {
  return count + readFull(file, buffer.subarray(count, wanted));
}
