/**
 * A server that speaks Spark Connect's protocol over a real socket, without Spark: gRPC by hand on `node:http2`, so
 * that a test decides about every byte, and about when the connection ends.
 */
import { create, type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import http2, { type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { Buffer } from "node:buffer";
import { loadService } from "../../../src/engine/spark/_rpc.ts";

/** Fields of a message, as protobuf-es takes and gives them. */
// deno-lint-ignore no-explicit-any
export type Fields = any;

/** What befalls a connection. */
export type Fault =
  /** The socket is destroyed. */
  | "drop"
  /** The stream ends as if all was well, without `ResultComplete`. */
  | "end"
  /** Half of the next answer is sent, then the socket is destroyed. */
  | "half"
  /** Half of the next answer is sent, then the stream ends with status 0. */
  | "half-ok"
  /** Bytes that are no message. */
  | "garbage"
  /** Nothing more is sent, and the stream stays open. */
  | "hang";

/** A gRPC status, with what Spark adds to it. */
export interface Status {
  readonly code: number;
  readonly message?: string;
  /** `google.rpc.ErrorInfo`: class and metadata. */
  readonly info?: { readonly reason: string; readonly metadata: Readonly<Record<string, string>> };
}

/** What a stub server does. */
export interface StubOptions {
  /** Answers of a query, without their identities; `ResultComplete` is added. A command has this one alone. */
  readonly answers?: (request: Fields) => readonly Fields[];
  /** Writes the result of a write; the rows that are reported, 7 by default. */
  readonly write?: (write: Fields) => Promise<number | "not reported">;
  /** What befalls a stream before the answer of this index, in its attempt from 0. */
  readonly fault?: (index: number, attempt: number) => Fault | Status | undefined;
  /** Status of a call instead of an answer. */
  readonly refuse?: (method: string, request: Fields, headers: IncomingHttpHeaders) => Status | undefined;
  /** Changes an answer before it is sent. */
  readonly change?: (method: string, answer: Fields) => Fields;
  /** Milliseconds after which a stream ends without `ResultComplete`, however much is left to send. */
  readonly streamMs?: number;
  /** Milliseconds without a stream after which an operation is abandoned. */
  readonly detachedMs?: number;
  /** Port; a free one by default. */
  readonly port?: number;
  readonly version?: string;
  /** Certificate and key; without, no TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Errors by their identity. */
  readonly errors?: Readonly<Record<string, Fields>>;
}

/** One operation, as the server sees it. */
export interface StubOperation {
  readonly id: string;
  readonly request: Fields;
  readonly answers: readonly Fields[];
  attempts: number;
  sent: number;
  isInterrupted: boolean;
  isReleased: boolean;
  isAbandoned: boolean;
  releasedUntil?: string;
  streams: number;
  detached?: ReturnType<typeof setTimeout>;
  ready?: Promise<void>;
}

/** A running stub. */
export class StubServer implements AsyncDisposable {
  /** Calls in their order: `method`, and the request. */
  readonly calls: { readonly method: string; readonly request: Fields; readonly headers: IncomingHttpHeaders }[] = [];
  readonly operations = new Map<string, StubOperation>();
  readonly #server: http2.Http2Server | http2.Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #serverSide = crypto.randomUUID();
  readonly #options: StubOptions;
  #port = 0;

  private constructor(options: StubOptions) {
    this.#options = options;
    this.#server = options.tls === undefined ? http2.createServer() : http2.createSecureServer(options.tls);
  }

  static async start(options: StubOptions = {}): Promise<StubServer> {
    const stub = new StubServer(options);
    const service = await loadService();
    stub.#server.on("session", (session) => session.on("error", () => {}));
    stub.#server.on("connection", (socket: Socket) => {
      stub.#sockets.add(socket);
      socket.on("close", () => stub.#sockets.delete(socket));
      socket.on("error", () => {});
    });
    stub.#server.on("stream", (stream, headers) => {
      stream.on("error", () => {});
      const name = String(headers[":path"]).split("/").at(-1);
      const method = service.methods.find((method) => method.name === name);
      if (method === undefined) stream.close();
      else stub.#answer(stream, headers, method).catch(() => {});
    });
    await new Promise<void>((resolve) => stub.#server.listen(options.port ?? 0, "127.0.0.1", () => resolve()));
    stub.#port = (stub.#server.address() as AddressInfo).port;
    return stub;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `sc://127.0.0.1:${this.#port}`;
  }

  /** Names of the methods that were called, in their order. */
  get methods(): string[] {
    return this.calls.map(({ method }) => method);
  }

  /** Ends every connection at once, as a kill does. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends the server at once, as a kill does. */
  async kill(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.drop();
    await closed;
    for (const { detached } of this.operations.values()) clearTimeout(detached);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.kill();
  }

  async #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, method: DescMethod): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const request: Fields = fromBinary(method.input, Buffer.concat(chunks).subarray(5));
    this.calls.push({ method: method.localName, request, headers });
    const status = this.#options.refuse?.(method.localName, request, headers);
    if (status !== undefined) return sendStatus(stream, status);
    if (method.methodKind === "server_streaming") return await this.#stream(stream, method, request);
    open(stream);
    stream.write(this.#encode(method, this.#unary(method.localName, request)));
    stream.end();
  }

  #unary(method: string, request: Fields): Fields {
    const operation = this.operations.get(request.operationId ?? request.interrupt?.value);
    const answer = this.#identity(request);
    switch (method) {
      case "analyzePlan":
        if (request.analyze.case === "explain") {
          return { ...answer, result: { case: "explain", value: { explainString: "== Physical Plan ==" } } };
        }
        return { ...answer, result: { case: "sparkVersion", value: { version: this.#options.version ?? "4.3.0" } } };
      case "config":
        return { ...answer, pairs: request.operation.opType.value.keys?.map((key: string) => ({ key })) ?? [] };
      case "interrupt":
        // 3: by the operation's identity.
        if (operation !== undefined && request.interruptType === 3) operation.isInterrupted = true;
        return { ...answer, interruptedIds: operation === undefined ? [] : [operation.id] };
      case "releaseExecute":
        if (operation !== undefined && request.release.case === "releaseAll") operation.isReleased = true;
        else if (operation !== undefined) operation.releasedUntil = request.release.value.responseId;
        return answer;
      case "fetchErrorDetails":
        return { ...answer, ...this.#options.errors?.[request.errorId] };
      default:
        return answer;
    }
  }

  #identity(request: Fields): Fields {
    return { sessionId: request.sessionId, serverSideSessionId: this.#serverSide };
  }

  async #stream(stream: ServerHttp2Stream, method: DescMethod, request: Fields): Promise<void> {
    const known = this.operations.get(request.operationId);
    if (method.localName === "reattachExecute" && known === undefined) {
      return sendStatus(stream, sparkStatus("INVALID_HANDLE.OPERATION_NOT_FOUND", "no such operation"));
    }
    if (known !== undefined && !known.request.requestOptions[0]?.requestOption.value.reattachable) {
      return sendStatus(stream, sparkStatus("INVALID_CURSOR.NOT_REATTACHABLE", "not reattachable"));
    }
    const operation = known ?? this.#begin(request);
    clearTimeout(operation.detached);
    if (operation.isAbandoned) {
      return sendStatus(stream, sparkStatus("INVALID_HANDLE.OPERATION_ABANDONED", "abandoned"));
    }
    const { detachedMs } = this.#options;
    operation.streams++;
    try {
      await operation.ready;
      await this.#send(stream, method, { request, operation });
    } finally {
      if (--operation.streams === 0 && detachedMs !== undefined) {
        operation.detached = setTimeout(() => operation.isAbandoned = true, detachedMs);
      }
    }
  }

  async #send(
    stream: ServerHttp2Stream,
    method: DescMethod,
    { request, operation }: { readonly request: Fields; readonly operation: StubOperation },
  ): Promise<void> {
    const { streamMs } = this.#options;
    const attempt = operation.attempts++;
    const last = operation.answers.findIndex(({ responseId }) => responseId === request.lastResponseId);
    let isOpen = true;
    let resume = () => {};
    const stop = () => {
      isOpen = false;
      resume();
    };
    const deadline = streamMs === undefined ? undefined : setTimeout(() => {
      stop();
      stream.end();
    }, streamMs);
    stream.on("drain", () => resume());
    stream.on("close", () => {
      clearTimeout(deadline);
      stop();
    });
    for (let index = last + 1; index < operation.answers.length; index++) {
      const fault = this.#options.fault?.(index, attempt);
      if (typeof fault === "object") return sendStatus(stream, fault);
      if (fault !== undefined) return this.#befall(stream, fault, this.#encode(method, operation.answers[index]));
      open(stream);
      const isReady = stream.write(this.#encode(method, operation.answers[index]));
      operation.sent = Math.max(operation.sent, index + 1);
      if (!isReady && isOpen) await new Promise<void>((resolve) => resume = resolve);
      if (!isOpen) return;
    }
    open(stream);
    stream.end();
  }

  #begin(request: Fields): StubOperation {
    const { case: opType, value } = request.plan.opType;
    const given = opType === "root" ? this.#options.answers?.(request) ?? [] : [];
    const complete = { responseType: { case: "resultComplete", value: {} } };
    const whole = (answer: Fields) => ({
      ...this.#identity(request),
      operationId: request.operationId,
      responseId: crypto.randomUUID(),
      ...answer,
    });
    const answers = [...given, complete].map(whole);
    const operation: StubOperation = {
      id: request.operationId,
      request,
      answers,
      attempts: 0,
      sent: 0,
      isInterrupted: false,
      isReleased: false,
      isAbandoned: false,
      streams: 0,
    };
    this.operations.set(operation.id, operation);
    if (opType === "command" && value.commandType.case === "writeOperation") {
      operation.ready = this.#write(value.commandType.value).then((metrics) =>
        void answers.unshift(...metrics.map(whole))
      );
    }
    return operation;
  }

  async #write(value: Fields): Promise<readonly Fields[]> {
    const rows = await (this.#options.write?.(value) ?? 7);
    if (typeof rows !== "number") return [];
    const values = [{ literalType: { case: "long", value: BigInt(rows) } }];
    return [{ observedMetrics: [{ name: value.input.relType.value.name, values }] }];
  }

  #befall(stream: ServerHttp2Stream, fault: Fault, next: Uint8Array): void {
    const half = next.subarray(0, Math.floor(next.length / 2));
    open(stream);
    if (fault === "garbage") stream.end(envelope(Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])));
    else if (fault === "end") stream.end();
    else if (fault === "half-ok") stream.end(half);
    else if (fault === "half") stream.write(half, () => this.drop());
    else if (fault === "drop") this.drop();
  }

  #encode(method: DescMethod, answer: Fields): Uint8Array {
    const changed = this.#options.change?.(method.localName, answer) ?? answer;
    return envelope(toBinary(method.output, create(method.output, changed)));
  }
}

/** A status as Spark sends it: internal, with the class of the error. */
export function sparkStatus(
  errorClass: string,
  message: string,
  metadata: Readonly<Record<string, string>> = {},
): Status {
  const info = { reason: "org.apache.spark.SparkException", metadata: { errorClass, ...metadata } };
  return { code: 13, message: `[${errorClass}] ${message}`, info };
}

function open(stream: ServerHttp2Stream): void {
  if (stream.headersSent || stream.destroyed) return;
  stream.respond({ ":status": 200, "content-type": "application/grpc+proto" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
}

function sendStatus(stream: ServerHttp2Stream, { code, message = "", info }: Status): void {
  const trailers: Record<string, string> = { "grpc-status": String(code), "grpc-message": encodeURIComponent(message) };
  if (info !== undefined) {
    const entries = Object.entries(info.metadata).map(([key, value]) =>
      field(3, [...field(1, key), ...field(2, value)])
    );
    const detail = [...field(1, info.reason), ...field(2, "org.apache.spark"), ...entries.flat()];
    const any = [...field(1, "type.googleapis.com/google.rpc.ErrorInfo"), ...field(2, detail)];
    const status = [0x08, code, ...field(2, message), ...field(3, any)];
    trailers["grpc-status-details-bin"] = Uint8Array.from(status).toBase64({ omitPadding: true });
  }
  if (stream.headersSent) {
    stream.removeAllListeners("wantTrailers");
    stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    stream.end();
  } else {
    stream.respond({ ":status": 200, "content-type": "application/grpc+proto", ...trailers }, { endStream: true });
  }
}

/** A field of protobuf that has a length. */
function field(number: number, value: string | readonly number[]): number[] {
  const bytes = typeof value === "string" ? [...new TextEncoder().encode(value)] : [...value];
  const length: number[] = [];
  for (let left = bytes.length;; left >>>= 7) {
    length.push(left > 127 ? left & 127 | 128 : left);
    if (left <= 127) break;
  }
  return [number << 3 | 2, ...length, ...bytes];
}

function envelope(message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(5 + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, 5);
  return bytes;
}
