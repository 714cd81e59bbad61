/** A socket that speaks ZMTP 3.0 without security: what a Jupyter front end needs, and no more. */
import { copyBytes } from "../../src/core/io/bytes/join_bytes.ts";

const GREETING_BYTES = 64;
const MORE = 1;
const LONG = 2;
const COMMAND = 4;
/** Time between two tries to connect. */
const RETRY_MS = 25;

const encoder = new TextEncoder();

/** One connection to a kernel's port. */
export class ZmtpSocket implements Disposable {
  readonly #connection: Deno.TcpConn;
  #held = new Uint8Array(0);

  private constructor(connection: Deno.TcpConn) {
    // As libzmq does: cells that are asked for together must arrive together.
    connection.setNoDelay(true);
    this.#connection = connection;
  }

  /**
   * Connects as a `DEALER` (requests) or a `SUB` (everything that is published), until the deadline passes. As libzmq
   * does, it connects again where a connection ends before both sides have greeted: until the kernel listens, another
   * program may look there for a free port.
   */
  static async open(port: number, type: "DEALER" | "SUB", deadlineMs: number, identity = ""): Promise<ZmtpSocket> {
    for (;;) {
      try {
        return await ZmtpSocket.#greet(await Deno.connect({ hostname: "127.0.0.1", port }), type, identity);
      } catch (cause) {
        if (Date.now() > deadlineMs) throw cause;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  static async #greet(connection: Deno.TcpConn, type: string, identity: string): Promise<ZmtpSocket> {
    const socket = new ZmtpSocket(connection);
    try {
      const greeting = new Uint8Array(GREETING_BYTES);
      greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0]);
      greeting.set(encoder.encode("NULL"), 12);
      await socket.#write(greeting);
      await socket.#read(GREETING_BYTES);
      const ready = copyBytes([
        Uint8Array.of(5),
        encoder.encode("READY"),
        property("Socket-Type", type),
        property("Identity", identity),
      ]);
      await socket.#write(copyBytes([Uint8Array.of(COMMAND, ready.length), ready]));
      await socket.#readFrame();
      if (type === "SUB") await socket.send([Uint8Array.of(1)]);
      return socket;
    } catch (cause) {
      socket[Symbol.dispose]();
      throw cause;
    }
  }

  async send(frames: readonly Uint8Array[]): Promise<void> {
    const parts: Uint8Array[] = [];
    for (const [index, frame] of frames.entries()) {
      const more = index < frames.length - 1 ? MORE : 0;
      if (frame.length <= 255) parts.push(Uint8Array.of(more, frame.length));
      else {
        const head = new Uint8Array(9);
        head[0] = more | LONG;
        new DataView(head.buffer).setBigUint64(1, BigInt(frame.length));
        parts.push(head);
      }
      parts.push(frame);
    }
    await this.#write(copyBytes(parts));
  }

  /** Receives one message; throws when the kernel closes the connection, or the limit has passed. */
  async receive(timeoutMs?: number): Promise<Uint8Array[]> {
    if (timeoutMs !== undefined) return await within(this.receive(), timeoutMs, "a message of the kernel");
    const frames: Uint8Array[] = [];
    for (;;) {
      const { flags, bytes } = await this.#readFrame();
      if (flags & COMMAND) continue;
      frames.push(bytes);
      if (!(flags & MORE)) return frames;
    }
  }

  [Symbol.dispose](): void {
    try {
      this.#connection.close();
    } catch {
      // The kernel closed it first.
    }
  }

  async #readFrame(): Promise<{ flags: number; bytes: Uint8Array }> {
    const [flags] = await this.#read(1);
    const length = flags & LONG
      ? Number(new DataView((await this.#read(8)).buffer).getBigUint64(0))
      : (await this.#read(1))[0];
    return { flags, bytes: await this.#read(length) };
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length;) start += await this.#connection.write(bytes.subarray(start));
  }

  async #read(count: number): Promise<Uint8Array<ArrayBuffer>> {
    const parts = [this.#held];
    let have = this.#held.length;
    while (have < count) {
      const buffer = new Uint8Array(1 << 16);
      const read = await this.#connection.read(buffer);
      if (read === null) throw new Error("the kernel closed the connection");
      parts.push(buffer.subarray(0, read));
      have += read;
    }
    const all = copyBytes(parts);
    this.#held = all.slice(count);
    return all.slice(0, count);
  }
}

function property(name: string, value: string): Uint8Array {
  const bytes = encoder.encode(value);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return copyBytes([Uint8Array.of(name.length), encoder.encode(name), length, bytes]);
}

/** Waits for something no longer than a limit. */
export async function within<T>(promise: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
