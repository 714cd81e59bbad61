/** Cuts a file of BGZF into ranges that can be scanned one without the other. */
import { readAt } from "../../io/bytes/read_full.ts";
import { blockBytes, HEADER_BYTES } from "../bgzf/bgzf_end.ts";
import type { RangeFile, TextRange } from "./range_scan.ts";
import type { BgzfBlock } from "../bgzf/bgzf_block.ts";

/**
 * Plans ranges of about so many bytes of text, each behind the one before. Goes from block to block, each of which
 * tells its size in the file before it and that of its text at its end: nothing is inflated. What is no block, as the
 * end of the file, is for the last range, which is read to the end; so a range is never cut where its reading would go
 * wrong unseen.
 */
export function* planRanges({ path, begin, size }: RangeFile, rangeBytes: number): Generator<TextRange> {
  using file = Deno.openSync(path.startsWith("file:") ? new URL(path) : path, { read: true });
  let from = begin;
  let first: BgzfBlock = { compressed: 0, uncompressed: 0 };
  let last = first;
  for (const block of walkBlocks(file)) {
    // The next range begins with this block: the byte before it is in the last block that holds any.
    if (block.uncompressed >= from + rangeBytes) {
      yield { from, to: block.uncompressed, fileBytes: block.compressed, block: first };
      from = block.uncompressed;
      first = last;
    } else if (block.uncompressed <= begin) first = block;
    if (block.textBytes > 0) last = block;
  }
  yield { from, to: Infinity, fileBytes: size, block: first };
}

/** Bytes of the length of a block's text, at its end. */
const LENGTH_BYTES = 4;

function* walkBlocks(file: Deno.FsFile): Generator<BgzfBlock & { readonly textBytes: number }> {
  // The end of one block and the header of the next are read at once.
  const bytes = new Uint8Array(LENGTH_BYTES + HEADER_BYTES);
  let compressed = 0;
  let uncompressed = 0;
  let blockSize = readAt(file, bytes.subarray(LENGTH_BYTES), 0) === HEADER_BYTES ? blockBytes(bytes, LENGTH_BYTES) : 0;
  while (blockSize) {
    const isWhole = readAt(file, bytes, compressed + blockSize - LENGTH_BYTES) === bytes.length;
    const textBytes = new DataView(bytes.buffer).getUint32(0, true);
    // Without a following header it is the last one, which is read to the end of the file.
    if (!isWhole || textBytes > 1 << 16) return;
    yield { compressed, uncompressed, textBytes };
    compressed += blockSize;
    uncompressed += textBytes;
    blockSize = blockBytes(bytes, LENGTH_BYTES);
  }
}
