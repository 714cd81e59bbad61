/**
 * ZMTP 3.0 framing: what Jupyter's channels speak over TCP, without security.
 *
 * Messages are kept as the bytes they came in, so that the proxy can pass them on unchanged and their signatures stay
 * valid.
 *
 * Own code instead of `zeromq`, which is native, needs `--allow-ffi` and returns parts without their framing: the stock
 * kernel writes messages into each other where a socket is full, which are put together again here.
 */

const GREETING_BYTES = 64;
/** Bytes that are read at once at most. */
const READ_BYTES = 1 << 18;
/** Flags of a frame: another one of the message follows; its size has eight bytes; it is of the protocol itself. */
export const MORE = 1;
export const LONG = 2;
export const COMMAND = 4;

const encoder = new TextEncoder();

/** One message of several parts, or one command of the protocol itself. */
export interface ZmtpMessage {
  /** The bytes as they came, framing included. */
  readonly raw: Uint8Array;
  /** The parts; empty for a command. */
  readonly parts: readonly Uint8Array[];
}

/** One TCP connection with buffered reads and writes in order. */
export class Link {
  readonly #connection: Deno.TcpConn;
  readonly #buffer = new Uint8Array(READ_BYTES);
  #held: Uint8Array = new Uint8Array(0);
  #writing: Promise<void> = Promise.resolve();
  #unwritten = 0;
  #closed = false;

  /** Wraps a connection; small messages must not wait for each other. */
  constructor(connection: Deno.TcpConn) {
    connection.setNoDelay(true);
    this.#connection = connection;
  }

  /** Opens the protocol from our side as a socket of some type, such as `DEALER`. */
  async handshake(type: "DEALER" | "SUB" | "PUB"): Promise<void> {
    const greeting = new Uint8Array(GREETING_BYTES);
    greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3]);
    greeting.set(encoder.encode("NULL"), 12);
    await this.write(greeting);
    await this.read(GREETING_BYTES);
    const ready = concat([
      Uint8Array.of(5),
      encoder.encode("READY"),
      Uint8Array.of(11),
      encoder.encode("Socket-Type"),
      Uint8Array.of(0, 0, 0, type.length),
      encoder.encode(type),
    ]);
    await this.write(concat([Uint8Array.of(COMMAND, ready.length), ready]));
    await this.#readFrame();
  }

  /** Reads the other side's greeting, to pass it on. */
  readGreeting(): Promise<Uint8Array> {
    return this.read(GREETING_BYTES);
  }

  /** Reads one message or one command; throws when the connection ends. */
  async readMessage(): Promise<ZmtpMessage> {
    const raw: Uint8Array[] = [];
    const parts: Uint8Array[] = [];
    for (;;) {
      const frame = await this.#readFrame();
      raw.push(frame.raw);
      if (frame.flags & COMMAND) return { raw: concat(raw), parts: [] };
      parts.push(frame.body);
      if (!(frame.flags & MORE)) return { raw: concat(raw), parts };
    }
  }

  /** Bytes that were given to be written and are still here. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Writes bytes after all that was written before. */
  write(bytes: Uint8Array): Promise<void> {
    this.#unwritten += bytes.length;
    const next = this.#writing.then(async () => {
      for (let start = 0; start < bytes.length;) start += await this.#connection.write(bytes.subarray(start));
      this.#unwritten -= bytes.length;
    });
    // A failed write fails its caller; those behind it fail by themselves.
    this.#writing = next.catch(() => {});
    return next;
  }

  /** Ends when everything that was given to be written is written, or was lost. */
  flush(): Promise<void> {
    return this.#writing;
  }

  /** Reads the bytes that are there, waiting for the first; throws when the connection ends. */
  async readSome(): Promise<Uint8Array> {
    const held = this.#held;
    if (held.length > 0) {
      this.#held = new Uint8Array(0);
      return held;
    }
    const read = await this.#connection.read(this.#buffer);
    if (read === null) throw new Error("the connection was closed");
    return this.#buffer.slice(0, read);
  }

  /** Reads exactly so many bytes. */
  async read(count: number): Promise<Uint8Array> {
    if (count === 0) return new Uint8Array(0);
    const parts: Uint8Array[] = [];
    for (let have = 0; have < count;) {
      const bytes = await this.readSome();
      parts.push(bytes);
      have += bytes.length;
    }
    const all = parts.length === 1 ? parts[0] : concat(parts);
    this.#held = all.subarray(count);
    return all.slice(0, count);
  }

  /** Whether this side has ended the connection. */
  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    try {
      this.#connection.close();
    } catch {
      // The other side closed it first.
    }
  }

  async #readFrame(): Promise<{ flags: number; raw: Uint8Array; body: Uint8Array }> {
    const flags = await this.read(1);
    const size = await this.read(flags[0] & LONG ? 8 : 1);
    const length = flags[0] & LONG ? Number(new DataView(size.buffer, size.byteOffset, 8).getBigUint64(0)) : size[0];
    const body = await this.read(length);
    return { flags: flags[0], raw: concat([flags, size, body]), body };
  }
}

export function frameParts(parts: readonly Uint8Array[]): Uint8Array {
  return concat(parts.flatMap((part, index) => {
    const more = index < parts.length - 1 ? MORE : 0;
    if (part.length <= 255) return [Uint8Array.of(more, part.length), part];
    const head = new Uint8Array(9);
    head[0] = more | LONG;
    new DataView(head.buffer).setBigUint64(1, BigInt(part.length));
    return [head, part];
  }));
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
