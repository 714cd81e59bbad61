/** Calls of Spark Connect over gRPC: connect with the descriptor of the protocol, loaded when a server is opened. */
import type { ConnectError } from "@connectrpc/connect";
import type { Answers, ExecuteAnswer, Request, StreamMethod } from "./_messages.ts";
import type { SparkEndpoint } from "./connection_string.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until the call fails. */
  readonly timeoutMs?: number;
}

/** What a call failed with: gRPC's code, text and details, as far as the server sent them. */
export interface CallFailure {
  /** Code of gRPC, 1 to 16. */
  readonly code: number;
  /** Text of the server or of the connection: hostile text, possibly. */
  readonly text: string;
  /** Names of errors of the platform, such as `ECONNREFUSED`, from the outermost to its cause. */
  readonly causes: readonly string[];
  /** Details by the name of their type. */
  readonly details: readonly { readonly type: string; readonly value: Uint8Array }[];
}

/** An open way to a server. */
export interface Rpc {
  call<Method extends keyof Answers>(method: Method, request: Request, options: CallOptions): Promise<Answers[Method]>;
  /** Makes a call whose answers come as a stream, as fast as they are read. */
  stream(method: StreamMethod, request: Request, options: CallOptions): AsyncIterable<ExecuteAnswer>;
  /** Returns what a call failed with; `undefined` for what is not a failure of a call. */
  failureOf(thrown: unknown): CallFailure | undefined;
  /** Closes the connection at once; a later call is a TypeError. */
  close(): void;
}

type Calls = Record<string, (request: Request, options: object) => unknown>;

/** Loads the packages of gRPC and the descriptor. */
export async function loadRpc() {
  const [{ createClient, ConnectError }, { createTransport }, { SparkConnection }, service] = await Promise.all([
    import("@connectrpc/connect"),
    import("@connectrpc/connect/protocol-grpc"),
    import("./_connection.ts"),
    loadService(),
  ]);
  return { createClient, ConnectError, createTransport, SparkConnection, service };
}

/** Opens a way to a server; connects with the first call. */
export async function openRpc(endpoint: SparkEndpoint, ca: string | undefined): Promise<Rpc> {
  const { createClient, ConnectError, createTransport, SparkConnection, service } = await loadRpc();
  const connection = new SparkConnection(endpoint.baseUrl, ca);
  const transport = createTransport({
    baseUrl: endpoint.baseUrl,
    httpClient: (request) => connection.send(request),
    useBinaryFormat: true,
    interceptors: [],
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: 0,
    readMaxBytes: endpoint.maxMessageBytes,
    writeMaxBytes: endpoint.maxMessageBytes,
  });
  // The methods are those of the descriptor, whose types are written by hand in `_messages.ts`.
  const calls = createClient(service, transport) as unknown as Calls;
  let isClosed = false;
  const call = (method: string, request: Request, options: CallOptions) => {
    if (isClosed) throw new TypeError(`Cannot ask ${endpoint.address}: this client was closed; open another one`);
    return calls[method](request, { ...options, headers: endpoint.headers() });
  };
  return {
    call: async (method, request, options) => await call(method, request, options) as Answers[typeof method],
    stream: (method, request, options) => call(method, request, options) as AsyncIterable<ExecuteAnswer>,
    failureOf: (thrown) => thrown instanceof ConnectError ? failureOf(thrown) : undefined,
    close: () => {
      isClosed = true;
      connection.close();
    },
  };
}

/** The service `spark.connect.SparkConnectService`, from the descriptor. */
export async function loadService() {
  const [{ createFileRegistry, fromBinary }, { FileDescriptorSetSchema }, { PROTOCOL_BASE64 }] = await Promise.all([
    import("@bufbuild/protobuf"),
    import("@bufbuild/protobuf/wkt"),
    import("./_protocol.ts"),
  ]);
  const files = createFileRegistry(fromBinary(FileDescriptorSetSchema, Uint8Array.fromBase64(PROTOCOL_BASE64)));
  const service = files.getService("spark.connect.SparkConnectService");
  if (service === undefined) throw new Error("the descriptor of Spark Connect has no service");
  return service;
}

function failureOf(error: ConnectError): CallFailure {
  const causes: string[] = [];
  for (let at: unknown = error.cause; at instanceof Error && causes.length < 5; at = at.cause) {
    causes.push(`${at.name} ${"code" in at ? String(at.code) : ""} ${at.message}`);
  }
  const details = error.details.flatMap((detail) =>
    "type" in detail ? [{ type: detail.type, value: detail.value }] : []
  );
  return { code: error.code, text: error.rawMessage, causes, details } as CallFailure;
}
