/**
 * A server that speaks Spark Connect's protocol over real sockets, without Spark: gRPC by hand on `Deno.serve`, behind
 * a relay that a test cuts. It sends no trailers, which `Deno.serve` lacks and the client does not see.
 */
import { create, type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import { loadService } from "../../../src/spark/connect/_rpc.ts";
import { Relay } from "./_relay.ts";

/** Fields of a message, as protobuf-es takes and gives them. */
// deno-lint-ignore no-explicit-any
export type Fields = any;

export type Fault =
  /** The connection is cut. */
  | "drop"
  /** The stream ends as if all was well, without `ResultComplete`. */
  | "end"
  /** Half of the next answer is sent, then the connection is cut. */
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
  /** What befalls a stream before the answer of this index, in its attempt from 0. After an answer a status is lost. */
  readonly fault?: (index: number, attempt: number) => Fault | Status | undefined;
  /** Status of a call instead of an answer. */
  readonly refuse?: (method: string, request: Fields, headers: Headers) => Status | undefined;
  /** Changes an answer before it is sent. */
  readonly change?: (method: string, answer: Fields) => Fields;
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
  releasedUntil?: string;
  ready?: Promise<void>;
}

/** One call, as the server sees it. */
interface StubCall {
  readonly method: string;
  readonly request: Fields;
  readonly headers: Readonly<Record<string, string>>;
}

export class StubServer implements AsyncDisposable {
  /** Calls in their order. */
  readonly calls: StubCall[] = [];
  readonly operations = new Map<string, StubOperation>();
  readonly #serverSide = crypto.randomUUID();
  readonly #options: StubOptions;
  readonly #methods: readonly DescMethod[];
  readonly #relay: Relay;
  #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #killed = Promise.withResolvers<void>();
  #isOpen = true;

  private constructor(options: StubOptions, methods: readonly DescMethod[]) {
    this.#options = options;
    this.#methods = methods;
    this.#server = this.#serve();
    this.#relay = new Relay(options.port ?? 0, () => this.#server.addr.port);
  }

  static async start(options: StubOptions = {}): Promise<StubServer> {
    return new StubServer(options, (await loadService()).methods);
  }

  get port(): number {
    return this.#relay.port;
  }

  get url(): string {
    return `sc://127.0.0.1:${this.port}`;
  }

  /** Names of the methods that were called, in their order. */
  get methods(): string[] {
    return this.calls.map(({ method }) => method);
  }

  /** Ends every connection at once, as a kill does. */
  drop(): void {
    this.#relay.cut();
  }

  /** Ends the server as one that shuts down: HTTP/2's GOAWAY on each connection; another one takes its place. */
  async replace(): Promise<void> {
    const before = this.#server;
    this.#server = this.#serve();
    await before.shutdown();
  }

  /** Ends the server at once, as a kill does. */
  async kill(): Promise<void> {
    this.#isOpen = false;
    this.#killed.resolve();
    this.#relay.close();
    await this.#server.shutdown();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOpen) await this.kill();
  }

  #serve(): Deno.HttpServer<Deno.NetAddr> {
    const options = { port: 0, hostname: "127.0.0.1", onListen: () => {}, ...this.#options.tls };
    return Deno.serve(options, (request) => this.#answer(request));
  }

  async #answer(http: Request): Promise<Response> {
    const name = new URL(http.url).pathname.split("/").at(-1);
    const method = this.#methods.find((method) => method.name === name);
    if (method === undefined) return new Response(undefined, { status: 404 });
    const request: Fields = fromBinary(method.input, (await http.bytes()).subarray(5));
    this.calls.push({ method: method.localName, request, headers: Object.fromEntries(http.headers) });
    const status = this.#options.refuse?.(method.localName, request, http.headers);
    if (status !== undefined) return statusAnswer(status);
    if (method.methodKind === "server_streaming") return await this.#stream(method, request);
    return answer(this.#encode(method, this.#unary(method.localName, request)));
  }

  #unary(method: string, request: Fields): Fields {
    const operation = this.operations.get(request.operationId ?? request.interrupt?.value);
    const answer = this.#identity(request);
    switch (method) {
      case "analyzePlan":
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

  async #stream(method: DescMethod, request: Fields): Promise<Response> {
    const known = this.operations.get(request.operationId);
    if (method.localName === "reattachExecute" && known === undefined) {
      return statusAnswer(sparkStatus("INVALID_HANDLE.OPERATION_NOT_FOUND", "no such operation"));
    }
    if (known !== undefined && !known.request.requestOptions[0]?.requestOption.value.reattachable) {
      return statusAnswer(sparkStatus("INVALID_CURSOR.NOT_REATTACHABLE", "not reattachable"));
    }
    const operation = known ?? this.#begin(request);
    await Promise.race([operation.ready, this.#killed.promise]);
    return this.#send(method, request, operation);
  }

  #send(method: DescMethod, request: Fields, operation: StubOperation): Response {
    const attempt = operation.attempts++;
    const faultAt = (index: number) =>
      index < operation.answers.length ? this.#options.fault?.(index, attempt) : undefined;
    let index = operation.answers.findIndex(({ responseId }) => responseId === request.lastResponseId) + 1;
    let fault = faultAt(index);
    if (typeof fault === "object") return statusAnswer(fault);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let isOpen = true;
    const finish = () => {
      if (!isOpen) return;
      isOpen = false;
      end();
    };
    return answer({
      pull: async (controller) => {
        // With faults the next one waits until this answer is with the client.
        const send = async (bytes: Uint8Array) => {
          const passed = this.#options.fault && this.#relay.passed(bytes.length);
          controller.enqueue(bytes);
          if (passed !== undefined) await Promise.race([passed, ended]);
        };
        const bytes = index < operation.answers.length ? this.#encode(method, operation.answers[index]) : undefined;
        if (bytes !== undefined && fault === undefined) {
          operation.sent = Math.max(operation.sent, ++index);
          await send(bytes);
          fault = faultAt(index);
        } else {
          if (bytes !== undefined && typeof fault === "string") await this.#befall(fault, bytes, { send, ended });
          if (!isOpen) return;
          finish();
          controller.close();
        }
      },
      cancel: finish,
    });
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

  async #befall(
    fault: Fault,
    next: Uint8Array,
    { send, ended }: { readonly send: (bytes: Uint8Array) => Promise<void>; readonly ended: Promise<void> },
  ): Promise<void> {
    if (fault === "hang") await ended;
    if (fault === "garbage") await send(envelope(Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])));
    if (fault === "half" || fault === "half-ok") await send(next.subarray(0, Math.floor(next.length / 2)));
    if (fault === "half" || fault === "drop") this.drop();
  }

  #encode(method: DescMethod, answer: Fields): Uint8Array<ArrayBuffer> {
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

/** An answer whose messages come from a source or are at hand. */
function answer(body: Uint8Array<ArrayBuffer> | UnderlyingDefaultSource<Uint8Array>): Response {
  const stream = body instanceof Uint8Array ? body : new ReadableStream(body, { highWaterMark: 0 });
  return new Response(stream, { headers: { "content-type": "application/grpc+proto" } });
}

/** An answer that is a status alone, which gRPC sends in the header. */
function statusAnswer({ code, message = "", info }: Status): Response {
  const headers = new Headers({
    "content-type": "application/grpc+proto",
    "grpc-status": String(code),
    "grpc-message": encodeURIComponent(message),
  });
  if (info !== undefined) {
    const entries = Object.entries(info.metadata).map(([key, value]) =>
      field(3, [...field(1, key), ...field(2, value)])
    );
    const detail = [...field(1, info.reason), ...field(2, "org.apache.spark"), ...entries.flat()];
    const any = [...field(1, "type.googleapis.com/google.rpc.ErrorInfo"), ...field(2, detail)];
    const status = [0x08, code, ...field(2, message), ...field(3, any)];
    headers.set("grpc-status-details-bin", Uint8Array.from(status).toBase64({ omitPadding: true }));
  }
  return new Response(undefined, { headers });
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

function envelope(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(5 + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, 5);
  return bytes;
}
