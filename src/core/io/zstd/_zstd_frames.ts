/**
 * The frames of Zstandard data (RFC 8878): where each begins and ends.
 *
 * A decompressor of `node:zlib` stops at the end of the first frame and does not report a missing end. So the frames
 * are followed here: the sizes of their blocks are written before the blocks. Bytes may come in pieces of any size.
 *
 * Own code around a library, which decompresses: without it a second frame is lost, and what is cut short looks whole.
 */

export const FRAME_MAGIC = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
const FRAME_NUMBER = 0xfd2fb528;
/** What a skippable frame begins with, but for the lowest four bits. */
const SKIPPABLE_NUMBER = 0x184d2a50;

/** Uncompressed bytes of a block at most. */
const MAX_BLOCK_TEXT = 1 << 17;
/** Uncompressed bytes at which a piece ends: few compressed bytes can become very many. */
const PIECE_TEXT = 1 << 20;

const LAST_BLOCK = 1;
const RLE = 1;
const COMPRESSED = 2;
const RESERVED = 3;

/** What the next byte belongs to. */
type ZstdStep = "magic" | "skippedBytes" | "skipped" | "descriptor" | "header" | "blockHeader" | "block" | "digest";

/** Steps that are numbers, lowest byte first. */
const NUMBERS: ReadonlySet<ZstdStep> = new Set<ZstdStep>(["magic", "skippedBytes", "descriptor", "blockHeader"]);
/** Steps outside the bytes of a frame: its magic number is passed on when it is known to be one. */
const BETWEEN: ReadonlySet<ZstdStep> = new Set<ZstdStep>(["magic", "skippedBytes", "skipped"]);

/** Bytes of one frame, which become little more than 1 MiB of text. */
export interface FramePiece {
  readonly bytes: Uint8Array;
  /** Whether the frame ends with them. */
  readonly isLast: boolean;
}

/** Cuts Zstandard data into pieces of its frames. */
export class ZstdFrames {
  /** Offset of the next byte. */
  position = 0;
  #step: ZstdStep = "magic";
  /** Bytes of the step that have not come yet. */
  #missing = 4;
  #size = 4;
  #number = 0;
  #hasDigest = false;
  #isLastBlock = false;
  /** Text of the blocks in the piece so far, at most. */
  #pieceText = 0;
  #isFirst = true;

  /** Whether the data may end here. */
  get mayEnd(): boolean {
    return this.#step === "magic" && this.#missing === this.#size && !this.#isFirst;
  }

  /**
   * Takes the next bytes and cuts them into pieces.
   *
   * @throws {FrameFault} If they are not frames.
   */
  *pieces(chunk: Uint8Array): Generator<FramePiece> {
    let begin = 0;
    for (let at = 0; at < chunk.length;) {
      const count = Math.min(this.#missing, chunk.length - at);
      if (NUMBERS.has(this.#step)) {
        for (let byte = 0; byte < count; byte++) {
          this.#number += chunk[at + byte] * 2 ** (8 * (this.#size - this.#missing + byte));
        }
      }
      at += count;
      this.position += count;
      this.#missing -= count;
      if (this.#missing > 0) break;
      const step = this.#step;
      this.#next();
      if (BETWEEN.has(step)) begin = at;
      if (step === "magic" && this.#step === "descriptor") yield { bytes: FRAME_MAGIC, isLast: false };
      const isLast = this.#step === "magic" && !BETWEEN.has(step);
      if (!isLast && this.#pieceText < PIECE_TEXT) continue;
      yield { bytes: chunk.subarray(begin, at), isLast };
      begin = at;
      this.#pieceText = 0;
    }
    if (!BETWEEN.has(this.#step) && begin < chunk.length) yield { bytes: chunk.subarray(begin), isLast: false };
  }

  /** Begins a step of so many bytes; one without bytes is over at once. */
  #begin(step: ZstdStep, bytes: number): void {
    this.#step = step;
    this.#size = this.#missing = bytes;
    this.#number = 0;
    if (bytes === 0) this.#next();
  }

  #next(): void {
    switch (this.#step) {
      case "magic":
        if (this.#number === FRAME_NUMBER) return this.#begin("descriptor", 1);
        if (this.#number - this.#number % 16 === SKIPPABLE_NUMBER) return this.#begin("skippedBytes", 4);
        throw new FrameFault(this.#isFirst ? "incorrect magic number" : "the data after a frame is not Zstandard");
      case "skippedBytes":
        return this.#begin("skipped", this.#number);
      case "skipped":
        return this.#beginFrame();
      case "descriptor":
        this.#hasDigest = (this.#number & 4) !== 0;
        return this.#begin("header", headerBytes(this.#number));
      case "header":
        return this.#begin("blockHeader", 3);
      case "blockHeader": {
        const type = this.#number >> 1 & 3;
        const bytes = this.#number >> 3;
        if (type === RESERVED) throw new FrameFault("a block of a reserved type");
        this.#isLastBlock = (this.#number & LAST_BLOCK) !== 0;
        this.#pieceText += type === COMPRESSED ? MAX_BLOCK_TEXT : bytes;
        return this.#begin("block", type === RLE ? 1 : bytes);
      }
      case "block":
        if (!this.#isLastBlock) return this.#begin("blockHeader", 3);
        return this.#hasDigest ? this.#begin("digest", 4) : this.#beginFrame();
      case "digest":
        return this.#beginFrame();
    }
  }

  #beginFrame(): void {
    this.#isFirst = false;
    this.#begin("magic", 4);
  }
}

/** What is wrong with the frames, in words. */
export class FrameFault extends Error {}

/** Bytes of a frame's header behind its descriptor. */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3];
  return (isSingleSegment ? 0 : 1) + dictionaryBytes + (sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 2 ** sizeFlag);
}
