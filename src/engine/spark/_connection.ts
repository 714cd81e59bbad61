/**
 * One HTTP/2 connection to a server, made again when it is lost.
 *
 * connect-node's own manager leaves HTTP/2's window at its default of 64 KiB, which limits a result to 64 KiB a round
 * trip: 1.2 MB/s at 20 ms.
 */
import http2, { type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders } from "node:http2";

/** Bytes that one call's answers may be ahead of their reader. */
const STREAM_WINDOW = 2 * 1024 * 1024;

/** Bytes that all calls' answers may be ahead: slow readers of several results leave room for the short calls. */
const CONNECTION_WINDOW = 8 * STREAM_WINDOW;

/** A connection to a server: what connect-node calls a session manager. */
export class Connection {
  /** Origin of the server. */
  readonly authority: string;
  readonly #ca: string | undefined;
  #session: ClientHttp2Session | undefined;
  #opening: Promise<ClientHttp2Session> | undefined;

  /** Takes the server's origin and the certificates to trust; connects with the first request. */
  constructor(baseUrl: string, ca: string | undefined) {
    this.authority = new URL(baseUrl).origin;
    this.#ca = ca;
  }

  /** Begins a request. */
  async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: object,
  ): Promise<ClientHttp2Stream> {
    const session = await this.#open();
    return session.request({ ...headers, ":method": method, ":path": path }, options);
  }

  /** Nothing is kept of what was read. */
  notifyResponseByteRead(): void {}

  /** Closes the connection at once. */
  close(): void {
    this.#session?.destroy();
    this.#session = undefined;
  }

  async #open(): Promise<ClientHttp2Session> {
    if (this.#opening !== undefined) return await this.#opening;
    if (this.#session !== undefined && !this.#session.closed && !this.#session.destroyed) return this.#session;
    this.#opening = this.#connect().finally(() => this.#opening = undefined);
    return await this.#opening;
  }

  #connect(): Promise<ClientHttp2Session> {
    return new Promise((resolve, reject) => {
      const settings = { enablePush: false, initialWindowSize: STREAM_WINDOW };
      const session = http2.connect(this.authority, this.#ca === undefined ? { settings } : { settings, ca: this.#ca });
      this.#session = session;
      const forget = () => {
        if (this.#session === session) this.#session = undefined;
      };
      session.once("connect", () => {
        session.setLocalWindowSize(CONNECTION_WINDOW);
        resolve(session);
      });
      // After the connection is made, its requests report what befalls it.
      session.on("error", reject);
      session.on("goaway", forget);
      session.on("close", () => {
        forget();
        reject(new Error("the connection was closed before it was made"));
      });
    });
  }
}
