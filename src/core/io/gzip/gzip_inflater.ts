/**
 * Inflates gzip in WebAssembly, member after member: see `wasm/inflate.as.ts` for how texts are inflated. Own code
 * instead of `node:zlib`: `deno task bench own_code`, row "gzip to bytes".
 *
 * Accepts what `node:zlib` accepts: several members, empty ones, zeros after the last. Errors have an offset. One
 * difference: `node:zlib` silently ignores data after trailing zeros; here a member after them is read, and other data
 * is an error, so that nothing is lost silently.
 */
import { crc32 } from "node:zlib";
import { cutGzip, damagedGzip, type GzipError } from "./_gzip_error.ts";
import { GzipFrame } from "./_gzip_frame.ts";
import { WASM_BASE64 } from "./wasm/inflate_wasm.ts";
import { startWasm, type WasmNumber } from "../tasks/wasm.ts";

/** Compressed bytes that lie in memory at a time, and text that is given out at a time. */
const INPUT_BYTES = 1 << 17;
const OUTPUT_BYTES = 1 << 19;
/** How far back a text may point. */
const WINDOW_BYTES = 1 << 15;
/** Memory that the module may look at behind the input, and write behind the output. */
const SLACK_BYTES = 512;

interface InflateExports {
  readonly memory: WebAssembly.Memory;
  readonly inputPlace: WasmNumber;
  readonly outputPlace: WasmNumber;
  freeMemory(): number;
  begin(): void;
  giveInput(from: number, to: number): void;
  giveOutput(from: number, to: number, history: number): void;
  historyBytes(): number;
  inflate(): number;
}

/** Why the module returned; other values are errors. */
const NEEDS_INPUT = 0;
const NEEDS_ROOM = 1;
const ENDED = 2;
const FAULTS: Readonly<Record<number, string>> = {
  3: "invalid block type",
  4: "invalid stored block lengths",
  5: "invalid code lengths",
  6: "invalid code",
  7: "invalid distance, too far back",
};

/** Makes an inflater; `name` is that of the data in errors. */
export function makeInflater(name: string): GzipInflater {
  const names = ["memory", "inputPlace", "outputPlace", "giveInput", "giveOutput", "inflate"] as const;
  return new GzipInflater(startWasm<InflateExports>(WASM_BASE64, "inflater", names), name);
}

/** Takes compressed bytes and gives texts. */
export class GzipInflater {
  readonly #wasm: InflateExports;
  readonly #name: string;
  readonly #memory: Uint8Array;
  readonly #input: number;
  readonly #output: number;
  #frame = new GzipFrame();
  #inputEnd = 0;
  /** Offset of the compressed byte that lies first in memory. */
  #offset = 0;

  constructor(wasm: InflateExports, name: string) {
    this.#wasm = wasm;
    this.#name = name;
    this.#input = wasm.freeMemory();
    this.#output = this.#input + INPUT_BYTES + SLACK_BYTES + WINDOW_BYTES;
    const missing = this.#output + OUTPUT_BYTES + SLACK_BYTES - wasm.memory.buffer.byteLength;
    if (missing > 0) wasm.memory.grow(Math.ceil(missing / 65_536));
    this.#memory = new Uint8Array(wasm.memory.buffer);
    this.restart(0);
  }

  /** Offset of the next compressed byte to be used. */
  get position(): number {
    return this.#offset + this.#wasm.inputPlace.value - this.#input;
  }

  /** Begins anew, with the compressed byte at an offset: a member begins there. */
  restart(offset: number): void {
    this.#frame = new GzipFrame();
    this.#offset = offset;
    this.#inputEnd = this.#input;
    this.#wasm.giveInput(this.#input, this.#input);
    this.#wasm.giveOutput(this.#output, this.#output + OUTPUT_BYTES, 0);
  }

  /**
   * Memory to read compressed bytes into, for {@linkcode GzipInflater.inflate}; never empty, valid until the next call.
   */
  room(): Uint8Array {
    const place = this.#wasm.inputPlace.value;
    this.#memory.copyWithin(this.#input, place, this.#inputEnd);
    this.#offset += place - this.#input;
    this.#inputEnd -= place - this.#input;
    this.#wasm.giveInput(this.#input, this.#inputEnd);
    return this.#memory.subarray(this.#inputEnd, this.#input + INPUT_BYTES);
  }

  /** Takes compressed bytes; gives their text in pieces, each valid until the next is asked for. */
  *add(bytes: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length;) {
      const room = this.room();
      const piece = bytes.subarray(at, at + room.length);
      room.set(piece);
      yield* this.inflate(piece.length);
      at += piece.length;
    }
  }

  /**
   * Inflates so many bytes more, which have been put into the room: all that can be inflated of them.
   *
   * @throws {GzipError} If they are damaged.
   */
  *inflate(count: number): Generator<Uint8Array> {
    this.#inputEnd += count;
    this.#wasm.giveInput(this.#wasm.inputPlace.value, this.#inputEnd);
    let begin = this.#wasm.outputPlace.value;
    for (;;) {
      const needs = this.#frame.isText ? this.#readText() : this.#readFrame();
      const end = this.#wasm.outputPlace.value;
      if (needs === "nothing") continue;
      if (end > begin) yield this.#memory.subarray(begin, end);
      begin = this.#makeRoom();
      if (needs === "input") return;
    }
  }

  /**
   * Ends the bytes.
   *
   * @throws {GzipError} If they end too soon.
   */
  finish(): void {
    if (!this.#frame.mayEnd) throw cutGzip(this.#name, this.#offset + this.#inputEnd - this.#input);
  }

  #readText(): "nothing" | "input" | "room" {
    const frame = this.#frame;
    const begin = this.#wasm.outputPlace.value;
    const reason = this.#wasm.inflate();
    const text = this.#memory.subarray(begin, this.#wasm.outputPlace.value);
    frame.textDigest = crc32(text, frame.textDigest);
    frame.textBytes += text.length;
    if (reason === NEEDS_INPUT) return "input";
    if (reason === NEEDS_ROOM) return "room";
    if (reason !== ENDED) throw this.#damaged(FAULTS[reason] ?? "no text");
    frame.endText();
    return "nothing";
  }

  #readFrame(): "nothing" | "input" {
    const place = this.#wasm.inputPlace.value;
    if (place === this.#inputEnd) return "input";
    const used = this.#frame.read(this.#memory.subarray(place, this.#inputEnd));
    if (typeof used === "string") throw this.#damaged(used);
    if (used === 0) return "input";
    this.#wasm.giveInput(place + used, this.#inputEnd);
    if (this.#frame.isText) this.#wasm.begin();
    return "nothing";
  }

  /**
   * Moves the last bytes of text before the room for the next, once little is left; returns where the next begins.
   */
  #makeRoom(): number {
    const wasm = this.#wasm;
    const end = wasm.outputPlace.value;
    if (end < this.#output + OUTPUT_BYTES / 2) return end;
    const history = Math.min(wasm.historyBytes(), WINDOW_BYTES);
    this.#memory.copyWithin(this.#output - history, end - history, end);
    wasm.giveOutput(this.#output, this.#output + OUTPUT_BYTES, history);
    return this.#output;
  }

  #damaged(what: string): GzipError {
    return damagedGzip(this.#name, this.position, what);
  }
}
