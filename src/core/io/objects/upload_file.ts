/** A file to an object, in parts. */
import { readBytes } from "../bytes/byte_source.ts";
import { type Sha256, startSha256 } from "../digest/sha256.ts";
import { RegistryError } from "../../errors.ts";
import { formatObjectAddress, type ObjectAddress } from "./object_address.ts";
import type { ObjectStore } from "./object_store.ts";
import { ObjectStoreError } from "./object_store_error.ts";
import { escapeXml } from "./_xml_answers.ts";

export interface UploadFileOptions {
  /** SHA-256 that the file must have; anything else is an error and no object. */
  readonly sha256: string;
  /** Bytes of a part, 16 MiB by default; stores want at least 5 MiB. */
  readonly partBytes?: number;
  /** Takes the bytes that have arrived. */
  readonly onBytes?: (bytes: number) => void;
  /** Ends the upload with the signal's reason; no object and no part is left. */
  readonly signal?: AbortSignal;
}

const PART_BYTES = 16 * 1024 * 1024;
/** A store takes 10,000 parts. */
const MAX_PARTS = 9_000;

/** A file whose bytes the store has, and which is no object yet. */
export interface PendingUpload {
  /** Makes it an object. @returns The object's tag. */
  complete(signal?: AbortSignal): Promise<string>;
  /** Removes what was sent, unless it is an object. */
  abort(): Promise<void>;
}

/**
 * Uploads a file, which becomes an object when the caller completes the upload: so that several files appear at nearly
 * the same time, and none does if the process is killed before. The store compares every request with its SHA-256.
 *
 * @throws {ObjectStoreError} If the store refuses. What was sent is removed then.
 * @throws {RegistryError} With code `damaged` if the file is not that of the digest.
 */
export async function uploadFile(
  store: ObjectStore,
  path: string,
  address: ObjectAddress,
  options: UploadFileOptions,
): Promise<PendingUpload> {
  const { size } = await Deno.stat(path);
  const partBytes = Math.max(options.partBytes ?? PART_BYTES, Math.ceil(size / MAX_PARTS));
  const hash = startSha256();
  options.signal?.throwIfAborted();
  // Not cancelled by the signal: only the response names the upload that must be removed.
  const id = await startUpload(store, address);
  const abort = () => store.abortUpload(address, id).catch(() => {});
  try {
    options.signal?.throwIfAborted();
    const tags: string[] = [];
    for await (const part of partsOf(path, Math.min(partBytes, Math.max(size, 1)), options.signal)) {
      hash.update(part);
      const query = { partNumber: String(tags.length + 1), uploadId: id };
      const request = { task: "write", method: "PUT", address, query, body: part } as const;
      const { headers, body } = await store.send(request, options.signal);
      await body?.cancel();
      tags.push(headers.get("etag") ?? "");
      options.onBytes?.(part.length);
    }
    checkDigest(hash, path, options.sha256);
    return {
      complete: (signal) => completeUpload(store, address, { id, tags, size, signal }),
      abort,
    };
  } catch (error) {
    await abort();
    throw error;
  }
}

function checkDigest(hash: Sha256, path: string, sha256: string): void {
  if (hash.digest() === sha256) return;
  throw new RegistryError("damaged", `Cannot upload ${path}: it is not as it was written; build the lake again`);
}

async function startUpload(store: ObjectStore, address: ObjectAddress): Promise<string> {
  const query = { uploads: "" };
  const { fields } = await store.ask({ task: "write", method: "POST", address, query });
  const id = fields.get("UploadId");
  if (id !== undefined && id !== "") return id;
  const text = formatObjectAddress(address);
  throw new ObjectStoreError(`Cannot write ${text}: the store began no upload; check the endpoint`, {
    fault: "refused",
    address: text,
  });
}

interface Upload {
  readonly id: string;
  readonly tags: readonly string[];
  readonly size: number;
  readonly signal?: AbortSignal;
}

async function completeUpload(store: ObjectStore, address: ObjectAddress, upload: Upload): Promise<string> {
  const { id, tags, size, signal } = upload;
  const parts = tags.map((tag, index) =>
    `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`
  );
  const xml = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${
    parts.join("")
  }</CompleteMultipartUpload>`;
  const body = new TextEncoder().encode(xml);
  const request = { task: "write", method: "POST", address, query: { uploadId: id }, body } as const;
  let etag: string | undefined;
  try {
    // A store may answer 200 and fail later: the body says so.
    const { root, fields } = await store.ask(request, signal);
    etag = root === "Error" ? undefined : fields.get("ETag");
  } catch (error) {
    // The answer to an attempt before this one may have been lost.
    if (!(error instanceof ObjectStoreError) || error.storeCode !== "NoSuchUpload") throw error;
  }
  const facts = await store.head(address, signal);
  if (facts?.bytes === size && (etag === undefined || facts.etag === etag)) return facts.etag;
  const text = formatObjectAddress(address);
  throw new ObjectStoreError(`Cannot write ${text}: the store did not join its parts; try again later`, {
    fault: "busy",
    address: text,
  });
}

/** Reads a file in parts of one size, the last may be shorter; each in memory of its own. */
async function* partsOf(
  path: string,
  partBytes: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(partBytes);
  let filled = 0;
  for await (let chunk of readBytes(path, { signal })) {
    while (chunk.length > 0) {
      const taken = chunk.subarray(0, partBytes - filled);
      part.set(taken, filled);
      filled += taken.length;
      chunk = chunk.subarray(taken.length);
      if (filled < partBytes) continue;
      yield part;
      part = new Uint8Array(partBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield part.slice(0, filled);
}
