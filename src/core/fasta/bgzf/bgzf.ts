/**
 * BGZF: gzip in blocks of at most 64 KiB, each of which can be inflated alone, so that an offset can be found.
 *
 * The list of blocks is kept as samtools keeps it, in a `.gzi` file: a count, then for each block but the first its
 * offsets in the compressed and the uncompressed text, all of them numbers of eight bytes, the lowest first.
 */
import { gunzipSync } from "node:zlib";
import { blockBytes, HEADER_BYTES, notIndexable } from "./bgzf_end.ts";
import type { BgzfBlock } from "./bgzf_block.ts";
import { FastaError } from "../text/fasta_error.ts";

export { blockBytes };

/** Bytes of the text of a block at most. */
export const MAX_BLOCK_TEXT = 1 << 16;

/** Inflates one block, and checks its digest and length. */
export function inflateBlock(block: Uint8Array, name: string, byte: number): Uint8Array {
  try {
    return gunzipSync(block, { maxOutputLength: MAX_BLOCK_TEXT });
  } catch (cause) {
    throw new FastaError(`Cannot decompress ${name}: a block of it is damaged; fetch it again`, { byte }, { cause });
  }
}

/** Bytes of a block at most. */
const MAX_BLOCK_BYTES = 1 << 16;

/** Where some blocks of a file are: one with text, before and behind which there may be empty ones. */
export interface BlockSpan {
  readonly from: number;
  readonly to: number;
  /** Bytes of the text, where they are known. */
  readonly textBytes: number | undefined;
}

/** Reads the text of blocks of which one holds any. */
export function readBlock(
  file: { read(from: number, to: number): Uint8Array },
  { from, to, textBytes }: BlockSpan,
  name: string,
): Uint8Array {
  for (let at = from;;) {
    const bytes = file.read(at, Math.min(to, at + MAX_BLOCK_BYTES));
    const size = blockBytes(bytes, 0);
    const text = inflateBlock(bytes.subarray(0, size || bytes.length), name, at);
    at += size || bytes.length;
    if (text.length === 0 && at < to) continue;
    if (textBytes === undefined || text.length === textBytes) return text;
    throw new FastaError(`Cannot read ${name}: ${name}.gzi does not fit it; remove ${name}.gzi and try again`, {
      byte: from,
    });
  }
}

/** Cuts a file into blocks as its bytes come, and inflates them. */
export class BgzfInflater {
  /** Where the blocks that hold text begin. */
  readonly blocks: BgzfBlock[] = [];
  readonly #name: string;
  #rest = new Uint8Array(0);
  #compressed = 0;
  #uncompressed = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Takes the next bytes of the file and gives the texts of the blocks that are complete. */
  *add(chunk: Uint8Array): Generator<Uint8Array> {
    const bytes = new Uint8Array(this.#rest.length + chunk.length);
    bytes.set(this.#rest);
    bytes.set(chunk, this.#rest.length);
    let at = 0;
    for (;;) {
      const size = blockBytes(bytes, at);
      if (size === undefined) throw this.#notABlock();
      if (size === 0 || at + size > bytes.length) break;
      const text = inflateBlock(bytes.subarray(at, at + size), this.#name, this.#compressed);
      if (text.length > 0) {
        this.blocks.push({ compressed: this.#compressed, uncompressed: this.#uncompressed });
        yield text;
      }
      at += size;
      this.#compressed += size;
      this.#uncompressed += text.length;
    }
    this.#rest = bytes.slice(at);
  }

  /** @throws {FastaError} If the file ends within a block. */
  finish(): void {
    if (this.#rest.length === 0) return;
    if (this.#compressed === 0 && this.#rest.length < HEADER_BYTES) throw this.#notABlock();
    const byte = this.#compressed + this.#rest.length;
    throw new FastaError(`Cannot decompress ${this.#name}: it ends in the middle of a block; fetch it again`, { byte });
  }

  #notABlock(): FastaError {
    const byte = this.#compressed;
    return byte > 0
      ? new FastaError(`Cannot decompress ${this.#name}: the data after a block is not BGZF; fetch it again`, { byte })
      : notIndexable(this.#name, "ordinary gzip");
  }
}

/** Writes a list of blocks as samtools does. */
export function formatGzi(blocks: readonly BgzfBlock[]): Uint8Array {
  const [, ...listed] = blocks;
  const view = new DataView(new ArrayBuffer(8 + 16 * listed.length));
  view.setBigUint64(0, BigInt(listed.length), true);
  for (const [index, { compressed, uncompressed }] of listed.entries()) {
    view.setBigUint64(8 + 16 * index, BigInt(compressed), true);
    view.setBigUint64(16 + 16 * index, BigInt(uncompressed), true);
  }
  return new Uint8Array(view.buffer);
}

/**
 * Reads a list of blocks. That of the first is not in it: it is taken to begin with the file, where there may be empty
 * ones before it.
 *
 * @returns The blocks; `undefined` if they cannot be those of a file of so many bytes.
 */
export function parseGzi(bytes: Uint8Array, fileBytes: number): BgzfBlock[] | undefined {
  if (bytes.length < 8 || bytes.length % 16 !== 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getBigUint64(0, true) !== BigInt((bytes.length - 8) / 16)) return undefined;
  const blocks: BgzfBlock[] = [{ compressed: 0, uncompressed: 0 }];
  for (let at = 8; at < bytes.length; at += 16) {
    const last = blocks[blocks.length - 1];
    const compressed = Number(view.getBigUint64(at, true));
    const uncompressed = Number(view.getBigUint64(at + 8, true));
    const grows = compressed > last.compressed && uncompressed > last.uncompressed;
    if (!grows || compressed >= fileBytes || uncompressed - last.uncompressed > MAX_BLOCK_TEXT) return undefined;
    blocks.push({ compressed, uncompressed });
  }
  return blocks;
}
