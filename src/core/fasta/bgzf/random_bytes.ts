/** Bytes of a text by their offset: of a plain file, or of one in blocks. */
import { readAt } from "../../io/bytes/read_full.ts";
import type { BlockSpan } from "./bgzf.ts";
import type { BgzfBlock } from "./bgzf_block.ts";

/** Random access reads. They are synchronous: concurrent ones would share the file position. */
export interface SyncReads {
  /**
   * Reads bytes from `from` up to `to`, or up to the end of the text where that comes first: into `target`, which has
   * room for them, or into memory of their own.
   */
  read(from: number, to: number, target?: Uint8Array): Uint8Array;
}

export class PlainBytes implements SyncReads {
  readonly #file: Deno.FsFile;

  constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  read(from: number, to: number, target?: Uint8Array): Uint8Array {
    const bytes = bytesFor(to - from, target);
    return bytes.subarray(0, readAt(this.#file, bytes, from));
  }
}

/** Decompresses the blocks of a byte range. The last one is cached: the next range often begins in it. */
export class BlockBytes implements SyncReads {
  readonly #blocks: readonly BgzfBlock[];
  readonly #fileBytes: number;
  readonly #textAt: (span: BlockSpan) => Uint8Array;
  #kept: { index: number; text: Uint8Array } | undefined;

  constructor(
    { blocks, fileBytes, textAt }: {
      readonly blocks: readonly BgzfBlock[];
      readonly fileBytes: number;
      readonly textAt: (span: BlockSpan) => Uint8Array;
    },
  ) {
    this.#blocks = blocks;
    this.#fileBytes = fileBytes;
    this.#textAt = textAt;
  }

  read(from: number, to: number, target?: Uint8Array): Uint8Array {
    const bytes = bytesFor(to - from, target);
    let length = 0;
    for (let index = this.#find(from); length < bytes.length && index < this.#blocks.length; index++) {
      const text = this.#text(index);
      const start = from + length - this.#blocks[index].uncompressed;
      const part = text.subarray(start, start + bytes.length - length);
      bytes.set(part, length);
      length += part.length;
    }
    return bytes.subarray(0, length);
  }

  /** The last block that begins at or before an offset. */
  #find(offset: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#blocks[middle].uncompressed <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #text(index: number): Uint8Array {
    if (this.#kept?.index === index) return this.#kept.text;
    const { compressed, uncompressed } = this.#blocks[index];
    const next = this.#blocks.at(index + 1);
    const to = next?.compressed ?? this.#fileBytes;
    const textBytes = next === undefined ? undefined : next.uncompressed - uncompressed;
    const text = this.#textAt({ from: compressed, to, textBytes });
    this.#kept = { index, text };
    return text;
  }
}

function bytesFor(count: number, target: Uint8Array | undefined): Uint8Array {
  const length = Math.max(0, count);
  return target === undefined ? new Uint8Array(length) : target.subarray(0, length);
}
