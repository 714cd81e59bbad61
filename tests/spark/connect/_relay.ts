/** A relay of TCP connections on loopback that a test cuts: what a lost network and a killed server are to a client. */

/** A relay to a server on loopback. */
export class Relay {
  readonly #listener: Deno.TcpListener;
  readonly #target: () => number;
  readonly #connections = new Set<Deno.TcpConn>();
  #waiting: { bytes: number; readonly resolve: () => void }[] = [];

  /** Listens on a port, 0 for a free one, and relays to the port that the server has when a connection comes. */
  constructor(port: number, target: () => number) {
    this.#listener = Deno.listen({ port, hostname: "127.0.0.1" });
    this.#target = target;
    this.#accept();
  }

  /** Port that clients connect to. */
  get port(): number {
    return this.#listener.addr.port;
  }

  /** Waits until so many more bytes have come to clients. */
  passed(bytes: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ bytes, resolve }));
  }

  /** Cuts every connection at once. */
  cut(): void {
    for (const connection of this.#connections) connection.close();
    this.#connections.clear();
  }

  /** Cuts every connection, and takes no more. */
  close(): void {
    this.#listener.close();
    this.cut();
  }

  async #accept(): Promise<void> {
    for await (const client of this.#listener) {
      const server = await Deno.connect({ port: this.#target(), hostname: "127.0.0.1" });
      this.#connections.add(client).add(server);
      this.#pass(client, server, () => {});
      this.#pass(server, client, (bytes) => this.#count(bytes));
    }
  }

  async #pass(from: Deno.TcpConn, to: Deno.TcpConn, count: (bytes: number) => void): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      for (let bytes = await from.read(buffer); bytes !== null; bytes = await from.read(buffer)) {
        for (let at = 0; at < bytes;) at += await to.write(buffer.subarray(at, bytes));
        count(bytes);
      }
    } catch {
      // One end was cut: so is the other one.
    }
    for (const connection of [from, to]) if (this.#connections.delete(connection)) connection.close();
  }

  #count(bytes: number): void {
    for (const waiting of this.#waiting) waiting.bytes -= bytes;
    for (const { bytes, resolve } of this.#waiting) if (bytes <= 0) resolve();
    this.#waiting = this.#waiting.filter(({ bytes }) => bytes > 0);
  }
}
