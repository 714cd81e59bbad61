/** Writes the postings of an index: which records have which hash, sorted by hash. */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { yieldToEventLoop } from "@seqreg/core/io/tasks";
import { writeAll } from "@seqreg/core/io/files";
import { readFull } from "@seqreg/core/io/bytes";
import { GROUP_CODES, GROUPS } from "../sketch/search_sketch.ts";
import { BLOCK_POSTINGS } from "./index_files.ts";
import { PostingsRoutines } from "./_postings_routines.ts";

/** Postings of a group that are kept in memory; more are written to a temporary file. */
const HELD = 1 << 13;
/** Bytes of blocks that are written at a time. */
const WRITE_BYTES = 1 << 20;

/** Postings in memory: low and high words of `key << 24 | record << 1 | strand`. */
interface Group {
  readonly words: Uint32Array;
  held: number;
  spilled: number;
  file?: Deno.FsFile;
}

/** Gathers postings in any order. Memory is that of one group, a seventy-ninth of the codes, when they are sorted. */
export class PostingsWriter implements Disposable {
  readonly #folder: string;
  readonly #groups: (Group | undefined)[] = new Array(GROUPS);
  /** Postings so far. */
  count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds the values of a record's sketch, which ascend. Records are added in their order. */
  add(record: number, values: Float64Array): void {
    for (let at = 0; at < values.length;) {
      // A value is twice the sort key of a hash, plus the strand.
      const index = Math.floor(values[at] / 2 / GROUP_CODES);
      const group = this.#groups[index] ??= { words: new Uint32Array(2 * HELD), held: 0, spilled: 0 };
      const start = 2 * index * GROUP_CODES;
      const end = start + 2 * GROUP_CODES;
      const { words } = group;
      let { held } = group;
      for (; at < values.length && values[at] < end; at++) {
        if (held === HELD) {
          this.#spill(index, group, held);
          held = 0;
        }
        const value = values[at] - start;
        const high = Math.floor(value / 2 ** 32);
        const low = value - high * 2 ** 32 | 0;
        words[2 * held] = low << 23 & 0xff000000 | record << 1 | low & 1;
        words[2 * held + 1] = high << 23 | low >>> 9;
        held += 1;
      }
      group.held = held;
    }
    this.count += values.length;
  }

  #spill(index: number, group: Group, held: number): void {
    group.file ??= Deno.openSync(this.#spillPath(index), { read: true, write: true, createNew: true });
    writeAll(group.file, new Uint8Array(group.words.buffer, 0, held * 8));
    group.spilled += held;
  }

  #spillPath(index: number): string {
    return join(this.#folder, `group-${index}.tmp`);
  }

  /** Sorts the postings and writes them to a file; returns first code, offset and checksum of each block. */
  async write(path: string, signal: AbortSignal | undefined): Promise<Float64Array> {
    const blocks: number[] = [];
    const routines = new PostingsRoutines();
    const out = new Uint8Array(WRITE_BYTES);
    using file = Deno.openSync(path, { write: true, createNew: true });
    let [start, used] = [0, 0];
    for (const [index, group] of this.#groups.entries()) {
      if (group === undefined) continue;
      routines.begin(group.spilled + group.held);
      this.#moveTo(routines, index, group);
      routines.sort();
      for (let from = 0; from < routines.count; from += BLOCK_POSTINGS) {
        const bytes = routines.writeBlock(from, Math.min(from + BLOCK_POSTINGS, routines.count));
        if (used + bytes.length > out.length) {
          writeAll(file, out.subarray(0, used));
          [start, used] = [start + used, 0];
        }
        out.set(bytes, used);
        blocks.push(index * GROUP_CODES + routines.keyAt(from), start + used, crc32(bytes));
        used += bytes.length;
      }
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
    writeAll(file, out.subarray(0, used));
    return Float64Array.from([...blocks, Infinity, start + used, 0]);
  }

  /** Moves all postings of a group into a module; its temporary file is removed. */
  #moveTo(routines: PostingsRoutines, index: number, group: Group): void {
    const bytes = routines.bytes;
    if (group.file !== undefined) {
      group.file.seekSync(0, Deno.SeekMode.Start);
      readFull(group.file, bytes.subarray(0, group.spilled * 8));
      group.file.close();
      group.file = undefined;
      Deno.removeSync(this.#spillPath(index));
    }
    bytes.set(new Uint8Array(group.words.buffer, 0, group.held * 8), group.spilled * 8);
    this.#groups[index] = undefined;
  }

  [Symbol.dispose](): void {
    for (const group of this.#groups) group?.file?.close();
  }
}
