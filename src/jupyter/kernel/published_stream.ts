/**
 * What the kernel publishes, taken apart into messages, also where it tore one of them.
 *
 * The kernel writes to its published socket from two tasks: printed text from one, `busy` and `idle` from another. If
 * the socket is full, a message is written in parts, and between two parts the other task writes a message of its own.
 * So a message may be nested in another one, which continues after it. This happens with large output on a busy
 * machine. The beginning of a message is recognised by its bytes, which occur nowhere else: JSON has no control
 * characters.
 */
import { COMMAND, concat, LONG, MORE, type ZmtpMessage } from "./zmtp.ts";

/** How every message begins: a frame of nine bytes that has another behind it, and the flags of that one. */
const BEGIN = Uint8Array.of(1, 9, ...new TextEncoder().encode("<IDS|MSG>"), 1);

/** A message of which something is still to come. */
interface OpenMessage {
  readonly chunks: Uint8Array[];
  readonly parts: (readonly [start: number, end: number])[];
  /** Bytes so far. */
  bytes: number;
  /** What is read now, and how many of its bytes are still to come. */
  reading: "flags" | "size" | "body";
  left: number;
  flags: number;
  size: number;
}

/** Takes bytes as they come and gives messages as they end. */
export class PublishedStream {
  /** The last is read now; those before it were torn. */
  readonly #open: OpenMessage[] = [];
  /** What may be the first bytes of a message. */
  #held: Uint8Array = new Uint8Array(0);

  /**
   * Takes the next bytes.
   *
   * @returns The messages that end with them; one that stood in the middle of another comes before it.
   */
  push(bytes: Uint8Array): ZmtpMessage[] {
    const all = this.#held.length === 0 ? bytes : concat([this.#held, bytes]);
    this.#held = new Uint8Array(0);
    const ended: ZmtpMessage[] = [];
    for (let at = 0; at < all.length;) {
      const message = this.#open.at(-1) ?? this.#begin();
      const end = Math.min(at + message.left, all.length);
      const next = message.bytes === 0 ? end : findBegin(all, at, end);
      if (next > at) {
        if (take(message, all.subarray(at, next))) ended.push(close(message, this.#open));
        at = next;
      }
      if (next === end) continue;
      if (all.length - next < BEGIN.length) {
        this.#held = all.slice(next);
        break;
      }
      this.#begin();
    }
    return ended;
  }

  #begin(): OpenMessage {
    const message: OpenMessage = { chunks: [], parts: [], bytes: 0, reading: "flags", left: 1, flags: 0, size: 0 };
    this.#open.push(message);
    return message;
  }
}

/** Finds where another message begins, or may begin where too few bytes have come to tell; `end` when nowhere. */
function findBegin(bytes: Uint8Array, from: number, end: number): number {
  for (let at = bytes.indexOf(BEGIN[0], from); at >= 0 && at < end; at = bytes.indexOf(BEGIN[0], at + 1)) {
    const known = Math.min(BEGIN.length, bytes.length - at);
    if (BEGIN.subarray(0, known).every((byte, index) => byte === bytes[at + index])) return at;
  }
  return end;
}

/** Adds bytes to what is read now; says whether the message has ended. */
function take(message: OpenMessage, bytes: Uint8Array): boolean {
  message.chunks.push(bytes);
  message.bytes += bytes.length;
  message.left -= bytes.length;
  if (message.reading === "flags") message.flags = bytes[0];
  if (message.reading === "size") { for (const byte of bytes) message.size = message.size * 256 + byte; }
  while (message.left === 0) {
    if (message.reading === "flags") {
      [message.reading, message.left, message.size] = ["size", message.flags & LONG ? 8 : 1, 0];
    } else if (message.reading === "size") {
      [message.reading, message.left] = ["body", message.size];
    } else {
      if (!(message.flags & COMMAND)) message.parts.push([message.bytes - message.size, message.bytes]);
      if (!(message.flags & MORE)) return true;
      [message.reading, message.left] = ["flags", 1];
    }
  }
  return false;
}

function close({ chunks, parts }: OpenMessage, open: OpenMessage[]): ZmtpMessage {
  open.pop();
  const raw = concat(chunks);
  return { raw, parts: parts.map(([start, end]) => raw.subarray(start, end)) };
}
