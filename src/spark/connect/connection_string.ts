/**
 * Reads the connection strings of Spark Connect: `sc://host:port/;token=…;use_ssl=true;user_id=…;x-header=…`.
 *
 * Messages name the parameter at fault and never repeat the text: it may contain a token.
 */

/** Default port of a Spark Connect server. */
const DEFAULT_PORT = 15002;

/** Default size of a message in bytes, as Spark's own clients have it. */
const DEFAULT_MESSAGE_BYTES = 128 * 1024 * 1024;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Header fields that belong to the protocol. */
const OWN_FIELDS = /^(authorization|connection|content-.*|grpc-.*|host|te|trailer|transfer-encoding|upgrade|:.*)$/;

/** What a connection string may be changed by. */
export interface EndpointOptions {
  /** Bearer token; replaces that of the text. */
  readonly token?: string;
  /** Header fields besides those of the text. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A Spark Connect server, and who calls it. Credentials are private: no view of the object shows them. */
export class SparkEndpoint {
  /** Host name, or address; IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether calls go over TLS. */
  readonly isSecure: boolean;
  /** User of the session, as reported to the server. */
  readonly userId: string;
  /** Program that calls, in the server's logs. */
  readonly userAgent: string;
  /** Session to share, if the text names one. */
  readonly sessionId?: string;
  readonly maxMessageBytes: number;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(host: string, port: number, parameters: Parameters) {
    this.host = host;
    this.port = port;
    this.isSecure = parameters.isSecure;
    this.userId = parameters.userId ?? "seqreg";
    this.userAgent = parameters.userAgent ?? "seqreg";
    this.sessionId = parameters.sessionId;
    this.maxMessageBytes = parameters.maxMessageBytes;
    this.#headers = parameters.headers;
  }

  /**
   * Reads a connection string.
   *
   * A token turns TLS on. Only a server on this machine's loopback may be given one without TLS, by `use_ssl=false`.
   *
   * @throws {TypeError} If the text is not a connection string; the message never repeats it.
   * @see https://github.com/apache/spark/blob/master/sql/connect/docs/client-connection-string.md
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { SparkEndpoint } from "./connection_string.ts";
   *
   * const endpoint = SparkEndpoint.parse("sc://head.example:443/;token=ABC;user_id=ada");
   *
   * assertEquals([endpoint.address, endpoint.isSecure, endpoint.userId], ["sc://head.example:443", true, "ada"]);
   * assertEquals(Deno.inspect(endpoint).includes("ABC"), false);
   * ```
   */
  static parse(text: string, options: EndpointOptions = {}): SparkEndpoint {
    if (typeof text !== "string" || !text.startsWith("sc://")) {
      throw fault("expected sc://HOST:PORT/;NAME=VALUE;…");
    }
    if (/[?#\s]/.test(text)) throw fault("write ?, # and spaces within a value as %3F, %23 and %20");
    const [, authority, path] = /^sc:\/\/([^/;]*)(.*)$/s.exec(text) ?? [];
    if (authority.includes("@")) throw fault("a user belongs into the parameter user_id, a password into token");
    const url = URL.parse(`http://${authority}`);
    if (url === null || url.hostname === "") throw fault("expected a host, and a port of 1 to 65535, after sc://");
    const port = url.port === "" ? (/:80$/.test(authority) ? 80 : DEFAULT_PORT) : Number(url.port);
    if (port === 0) throw fault("expected a port of 1 to 65535");
    if (!/^\/?$|^\/?;/.test(path)) throw fault("it has a path, and Spark Connect has none: parameters begin with /;");
    return new SparkEndpoint(url.hostname, port, readParameters(path, url.hostname, options));
  }

  /** `sc://host:port`, without parameters: what messages and provenance show. */
  get address(): string {
    return `sc://${this.host}:${this.port}`;
  }

  /** Address for HTTP/2. */
  get baseUrl(): string {
    return `${this.isSecure ? "https" : "http"}://${this.host}:${this.port}`;
  }

  get hasToken(): boolean {
    return "authorization" in this.#headers;
  }

  /** Whether the server is on this machine. */
  get isLoopback(): boolean {
    return isLoopback(this.host);
  }

  /** Header fields of every call, the token's among them. */
  headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** Removes the values of header fields, whole, from a text that may repeat them. */
  hideSecrets(text: string): string {
    const secrets = Object.values(this.#headers).flatMap((value) => [value, ...value.split(/\s+/)])
      .filter((value) => value.length >= 3 && value !== "Bearer").sort((a, b) => b.length - a.length);
    return secrets.reduce((shown, secret) => shown.replaceAll(secret, "[hidden]"), text);
  }

  /** The address: what a text with this object in it shows. */
  toString(): string {
    return this.address;
  }
}

interface Parameters {
  readonly isSecure: boolean;
  readonly userId?: string;
  readonly userAgent?: string;
  readonly sessionId?: string;
  readonly maxMessageBytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

function readParameters(path: string, host: string, options: EndpointOptions): Parameters {
  const { token, use_ssl, user_id, user_agent, session_id, grpc_max_message_size, ...others } = split(path);
  const bearer = options.token ?? token;
  if (use_ssl !== undefined && !/^(true|false)$/i.test(use_ssl)) throw fault("use_ssl must be true or false");
  const isSecure = use_ssl === undefined ? bearer !== undefined : use_ssl.toLowerCase() === "true";
  if (bearer !== undefined && !isSecure && !isLoopback(host)) {
    throw fault("it has a token and use_ssl=false: a token is sent in plain text to this machine's loopback only");
  }
  if (session_id !== undefined && !UUID.test(session_id)) throw fault("session_id must be a UUID");
  const bytes = grpc_max_message_size === undefined ? DEFAULT_MESSAGE_BYTES : Number(grpc_max_message_size);
  if (!Number.isSafeInteger(bytes) || bytes < 1024) throw fault("grpc_max_message_size must be a number of bytes");
  const headers = checkHeaders({ ...others, ...options.headers });
  if (bearer !== undefined) {
    if (bearer === "" || /[^\x21-\x7e]/.test(bearer)) throw fault("token must be printable ASCII without spaces");
    headers["authorization"] = `Bearer ${bearer}`;
  }
  return { isSecure, userId: user_id, userAgent: user_agent, sessionId: session_id, maxMessageBytes: bytes, headers };
}

function split(path: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const part of path.replace(/^\/?;?/, "").split(";").filter((part) => part !== "")) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(0, at));
    if (!/^[A-Za-z0-9_.-]+$/.test(name)) throw fault("each parameter must be NAME=VALUE");
    if (name in values) throw fault(`parameter ${name} is set twice`);
    try {
      values[name] = decodeURIComponent(part.slice(at + 1));
    } catch {
      throw fault(`the value of ${name} has a % that is not followed by the digits of a UTF-8 byte; write % as %25`);
    }
  }
  return values;
}

function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const field = name.toLowerCase();
    if (!/^[a-z0-9_.-]+$/.test(field)) throw fault(`a header field has no valid name: ${JSON.stringify(field)}`);
    if (OWN_FIELDS.test(field)) {
      throw fault(`the header field ${field} belongs to the protocol; credentials go into token`);
    }
    if (typeof value !== "string" || /[^\x20-\x7e]/.test(value)) {
      throw fault(`the value of the header field ${field} must be printable ASCII`);
    }
    checked[field] = value;
  }
  return checked;
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

function fault(why: string): TypeError {
  return new TypeError(`Cannot read the connection string of Spark Connect: ${why}`);
}
