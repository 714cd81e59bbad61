/**
 * The frame of a gzip member (RFC 1952): the header before its deflated data and the trailer after it.
 *
 * Bytes may come in pieces of any size, so a frame is read step by step; a step waits until all that it reads is there,
 * but for texts of any length, which are skipped as they come.
 */
import { crc32 } from "node:zlib";

/** Flags of a header. */
const HAS_DIGEST = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const UNKNOWN_FLAGS = 0xe0;

/** What a member begins with: two bytes that say gzip, and the one method there is. */
const BEGIN = [0x1f, 0x8b, 8];
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;

/** What the next byte belongs to. */
type GzipStep = "between" | "header" | "extraLength" | "extra" | "name" | "comment" | "digest" | "text" | "trailer";

/** Reads frames; another module decompresses the data between header and trailer, and reports its digest and length. */
export class GzipFrame {
  /** Digest and length of the text of this member so far, which its trailer must tell. */
  textDigest = 0;
  textBytes = 0;
  #step: GzipStep = "between";
  #isFirst = true;
  #flags = 0;
  #extraBytes = 0;
  #headerDigest = 0;

  /** Whether the next byte belongs to a deflated text. */
  get isText(): boolean {
    return this.#step === "text";
  }

  /** Whether the bytes may end here. */
  get mayEnd(): boolean {
    return this.#step === "between" && !this.#isFirst;
  }

  /** Ends the text: the trailer comes. */
  endText(): void {
    this.#step = "trailer";
  }

  /**
   * Reads one step of at least one byte.
   *
   * @returns How many bytes it used; 0 when it needs more than there are; or in words what is wrong.
   */
  read(bytes: Uint8Array): number | string {
    switch (this.#step) {
      case "between":
        if (bytes[0] === 0 && !this.#isFirst) return leadingZeros(bytes);
        this.#step = "header";
        return this.#readHeader(bytes);
      case "header":
        return this.#readHeader(bytes);
      case "extraLength":
        if (bytes.length < 2) return 0;
        this.#extraBytes = bytes[0] + bytes[1] * 256;
        return this.#use(bytes, 2, this.#extraBytes > 0 ? "extra" : "name");
      case "extra": {
        const used = Math.min(bytes.length, this.#extraBytes);
        this.#extraBytes -= used;
        return this.#use(bytes, used, this.#extraBytes === 0 ? "name" : "extra");
      }
      case "name":
      case "comment": {
        const end = bytes.indexOf(0);
        if (end < 0) return this.#use(bytes, bytes.length, this.#step);
        return this.#use(bytes, end + 1, this.#step === "name" ? "comment" : "digest");
      }
      case "digest":
        if (bytes.length < 2) return 0;
        if (bytes[0] + bytes[1] * 256 !== (this.#headerDigest & 0xffff)) return "header crc mismatch";
        return this.#use(bytes, 2, "text");
      case "trailer":
        return this.#readTrailer(bytes);
      case "text":
        return 0;
    }
  }

  #readHeader(bytes: Uint8Array): number | string {
    if (BEGIN.some((byte, at) => at < bytes.length && bytes[at] !== byte)) {
      return this.#isFirst ? "incorrect gzip header" : "the data after a gzip member is not gzip";
    }
    if (bytes.length > 3 && (bytes[3] & UNKNOWN_FLAGS) !== 0) return "unknown header flags set";
    if (bytes.length < HEADER_BYTES) return 0;
    this.#flags = bytes[3];
    this.#headerDigest = 0;
    this.textDigest = 0;
    this.textBytes = 0;
    return this.#use(bytes, HEADER_BYTES, "extraLength");
  }

  /** Consumes bytes of a header and moves to the given step, or to the first later one that the header has. */
  #use(bytes: Uint8Array, used: number, next: GzipStep): number {
    this.#headerDigest = crc32(bytes.subarray(0, used), this.#headerDigest);
    if (next === "extraLength" && (this.#flags & HAS_EXTRA) === 0) next = "name";
    if (next === "name" && (this.#flags & HAS_NAME) === 0) next = "comment";
    if (next === "comment" && (this.#flags & HAS_COMMENT) === 0) next = "digest";
    if (next === "digest" && (this.#flags & HAS_DIGEST) === 0) next = "text";
    this.#step = next;
    return used;
  }

  #readTrailer(bytes: Uint8Array): number | string {
    if (bytes.length < TRAILER_BYTES) return 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset, TRAILER_BYTES);
    if (view.getUint32(0, true) !== this.textDigest) return "incorrect data check";
    if (view.getUint32(4, true) !== this.textBytes % 0x1_0000_0000) return "incorrect length check";
    this.#isFirst = false;
    this.#step = "between";
    return TRAILER_BYTES;
  }
}

function leadingZeros(bytes: Uint8Array): number {
  const end = bytes.findIndex((byte) => byte !== 0);
  return end < 0 ? bytes.length : end;
}
