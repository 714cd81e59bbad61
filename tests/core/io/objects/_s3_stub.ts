/** A small object store on loopback that verifies every signature, and fails in the ways that a test asks for. */
import { createHash } from "node:crypto";
import { joinBytes } from "../../../../src/core/io/bytes/join_bytes.ts";
import { type KnownKey, signatureFault } from "./_signature.ts";

export interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly modified: Date;
}

export interface StoredUpload {
  readonly key: string;
  readonly started: Date;
  readonly parts: Map<number, StoredObject>;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** Key of the object; empty for the bucket. */
  readonly key: string;
  readonly headers: Headers;
  readonly bytes: number;
}

/** How a request is to fail: an answer instead, or a body that breaks off after so many bytes. */
export type Fault = Response | { readonly cutAfter: number } | undefined;

/** A running store with one bucket called `lakes`. */
export interface S3Stub extends AsyncDisposable {
  readonly endpoint: string;
  readonly key: KnownKey;
  readonly region: string;
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, StoredUpload>;
  /** Requests that have come, in order. */
  readonly seen: SeenRequest[];
  /** Whether requests without a signature may read. */
  isPublic: boolean;
  /** Whether conditions on writing are kept, refused with 501, or ignored. */
  conditions: "kept" | "refused" | "ignored";
  /** Added to the store's clock. */
  skewMs: number;
  /** Objects of a page of a list. */
  pageSize: number;
  /** Decides how a request fails; called before it is answered. */
  fault: (request: SeenRequest) => Fault;
  store(key: string, bytes: Uint8Array): void;
}

const BUCKET = "lakes";

export function startS3Stub(key: KnownKey = { accessKeyId: "AKIDSTUB", secretAccessKey: "stub/secret+key" }): S3Stub {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, StoredUpload>();
  const seen: SeenRequest[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  const stub: S3Stub = {
    endpoint: `http://127.0.0.1:${server.addr.port}`,
    key,
    region: "eu-test-1",
    objects,
    uploads,
    seen,
    isPublic: false,
    conditions: "kept",
    skewMs: 0,
    pageSize: 1000,
    fault: () => undefined,
    store: (key, bytes) => void objects.set(key, stored(bytes)),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return stub;

  async function answer(request: Request): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer());
    const url = new URL(request.url);
    const { method, headers } = request;
    const [, bucket, ...steps] = url.pathname.split("/");
    const asked = { method, path: url.pathname + url.search, key: steps.join("/"), headers, bytes: body.length };
    seen.push(asked);
    const fault = stub.fault(asked);
    if (fault instanceof Response) return fault;
    const nowMs = Date.now() + stub.skewMs;
    const isAnonymous = !headers.has("authorization");
    if (!(isAnonymous && stub.isPublic && ["GET", "HEAD"].includes(method))) {
      const code = signatureFault(request, body, { key, region: stub.region, nowMs });
      if (code !== undefined) return refusal(method, code, nowMs);
    }
    if (bucket !== BUCKET) return refusal(method, "NoSuchBucket", nowMs);
    const response = asked.key === "" ? ofBucket(url) : ofObject(request, asked.key, url, body);
    return fault === undefined ? response : cut(response, fault.cutAfter);
  }

  function ofBucket(url: URL): Response {
    const prefix = url.searchParams.get("prefix") ?? "";
    if (url.searchParams.has("uploads")) {
      const listed = [...uploads].filter(([, { key }]) => key.startsWith(prefix)).map(([id, { key, started }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${started.toISOString()}</Initiated></Upload>`
      );
      return xml(`<ListMultipartUploadsResult>${listed.join("")}</ListMultipartUploadsResult>`);
    }
    const after = url.searchParams.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, stub.pageSize);
    const contents = page.map((key) => {
      const { bytes, etag, modified } = objects.get(key)!;
      return `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified>` +
        `<ETag>${etag.replaceAll('"', "&quot;")}</ETag><Size>${bytes.length}</Size></Contents>`;
    });
    const more = page.length < keys.length;
    return xml(
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${more}</IsTruncated>` +
        `${more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ""}${
          contents.join("")
        }</ListBucketResult>`,
    );
  }

  function ofObject(request: Request, key: string, url: URL, body: Uint8Array<ArrayBuffer>): Response {
    const { method, headers } = request;
    const uploadId = url.searchParams.get("uploadId");
    const upload = uploadId === null ? undefined : uploads.get(uploadId);
    if (uploadId !== null && upload === undefined) return refusal(method, "NoSuchUpload");
    if (upload !== undefined && uploadId !== null) {
      const { parts } = upload;
      if (method === "PUT") {
        const part = stored(body);
        parts.set(Number(url.searchParams.get("partNumber")), part);
        return new Response(null, { headers: { etag: part.etag } });
      }
      uploads.delete(uploadId);
      if (method === "DELETE") return new Response(null, { status: 204 });
      const order = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
      objects.set(key, stored(joinBytes(order.map(({ bytes }) => bytes)), `-${order.length}`));
      return xml(
        `<CompleteMultipartUploadResult><ETag>${objects.get(key)!.etag}</ETag></CompleteMultipartUploadResult>`,
      );
    }
    if (method === "POST" && url.searchParams.has("uploads")) {
      const id = crypto.randomUUID();
      uploads.set(id, { key, started: new Date(), parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const there = objects.get(key);
    if (method === "DELETE") {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    const [match, noneMatch] = [headers.get("if-match"), headers.get("if-none-match")];
    if (method === "PUT") {
      if (stub.conditions === "refused" && (match !== null || noneMatch !== null)) {
        return refusal(method, "NotImplemented");
      }
      if (
        stub.conditions === "kept" &&
        (match !== null && match !== there?.etag || noneMatch === "*" && there !== undefined)
      ) {
        return refusal(method, "PreconditionFailed");
      }
      objects.set(key, stored(body));
      return new Response(null, { headers: { etag: objects.get(key)!.etag } });
    }
    if (there === undefined) return refusal(method, "NoSuchKey");
    if (match !== null && match !== there.etag) return refusal(method, "PreconditionFailed");
    return whole(method, there, headers.get("range"));
  }
}

function whole(method: string, { bytes, etag, modified }: StoredObject, range: string | null): Response {
  const headers = new Headers({ etag, "last-modified": modified.toUTCString(), "accept-ranges": "bytes" });
  const match = /^bytes=([0-9]*)-([0-9]*)$/.exec(range ?? "");
  const size = bytes.length;
  const from = match === null ? 0 : match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const to = match === null || match[1] === "" || match[2] === "" ? size : Math.min(size, Number(match[2]) + 1);
  if (match !== null && from >= size) return refusal(method, "InvalidRange");
  if (match !== null) headers.set("content-range", `bytes ${from}-${to - 1}/${size}`);
  headers.set("content-length", String(to - from));
  const status = match === null ? 200 : 206;
  return new Response(method === "HEAD" ? null : bytes.slice(from, to), { status, headers });
}

function stored(bytes: Uint8Array, suffix = ""): StoredObject {
  const etag = `"${createHash("md5").update(bytes).digest("hex")}${suffix}"`;
  return { bytes: bytes.slice(), etag, modified: new Date() };
}

/** Sends a part of a body under the header of the whole, then breaks the connection. */
function cut(response: Response, bytes: number): Response {
  const body = new ReadableStream({
    async start(controller) {
      const all = new Uint8Array(await response.arrayBuffer());
      controller.enqueue(all.subarray(0, bytes));
      controller.close();
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

const STATUSES: Readonly<Record<string, number>> = {
  NoSuchKey: 404,
  NoSuchBucket: 404,
  NoSuchUpload: 404,
  PreconditionFailed: 412,
  InvalidRange: 416,
  NotImplemented: 501,
  SlowDown: 503,
  InternalError: 500,
  XAmzContentSHA256Mismatch: 400,
  AuthorizationHeaderMalformed: 400,
};

/** The answer of a store that refuses. It says what real stores say, the sent key included. */
export function refusal(method: string, code: string, nowMs: number = Date.now()): Response {
  const text =
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Because of ${code}.</Message>` +
    "<AWSAccessKeyId>AKIDSTUB</AWSAccessKeyId><StringToSign>AWS4-HMAC-SHA256 …</StringToSign>" +
    `${code === "AuthorizationHeaderMalformed" ? "<Region>eu-test-1</Region>" : ""}</Error>`;
  const headers = { "content-type": "application/xml", date: new Date(nowMs).toUTCString() };
  return new Response(method === "HEAD" ? null : text, { status: STATUSES[code] ?? 403, headers });
}

function xml(text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`, {
    headers: { "content-type": "application/xml" },
  });
}
