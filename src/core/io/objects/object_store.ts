/**
 * A client of object stores that speak S3: objects are read, written whole, listed and removed.
 *
 * Own code instead of `@aws-sdk/client-s3`, which needs all of `--allow-env`, and `--allow-sys`.
 */
import { sha256 } from "../digest/sha256.ts";
import { pause, unlessAborted } from "../tasks/pause.ts";
import { joinBytes } from "../bytes/join_bytes.ts";
import { exchange, type StoreReply, type StoreRequest, type StoreTransport, textOf } from "./_exchange.ts";
import { formatObjectAddress, type ObjectAddress } from "./object_address.ts";
import { ObjectStoreError } from "./object_store_error.ts";
import { findStoreAccess, type StoreAccess } from "./store_access.ts";
import type { ObjectStoreOptions } from "./store_options.ts";
import { readXmlAnswer, type XmlAnswer } from "./_xml_answers.ts";

/** What a store reports of an object. */
export interface ObjectFacts {
  readonly bytes: number;
  /** The store's tag of this state of the object, with its quotes. It is not a digest of the bytes. */
  readonly etag: string;
}

export interface ListedObject extends ObjectFacts {
  readonly key: string;
  /** When it was written, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** An upload in parts that has not been completed. */
export interface ListedUpload {
  /** Key that the object would get. */
  readonly key: string;
  /** The store's name of the upload. */
  readonly id: string;
  /** When it began, in milliseconds since 1970. */
  readonly startedMs: number;
}

export interface ReadObjectOptions {
  /** Offset of the first byte wanted; 0 by default. */
  readonly from?: number;
  /** Tag that the object must still have. */
  readonly etag?: string;
  /** Takes size and tag before the first bytes; what it throws ends the reading. */
  readonly onFacts?: (facts: ObjectFacts) => void;
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Condition under which an object is written, for stores that know conditions. */
export interface PutObjectOptions {
  /** Tag that the object must still have, or `null` if there must not be one. */
  readonly onlyIf?: string | null;
  /** Ends the writing with the signal's reason. */
  readonly signal?: AbortSignal;
}

const IDLE_MS = 30_000;
/** A body that breaks off is asked for again, from where it broke off. */
const MAX_RESUMPTIONS = 3;

export class ObjectStore {
  /** Where it is, and as whom it is asked. */
  readonly access: StoreAccess;
  readonly #transport: StoreTransport;

  /** Takes the way in; `transport` replaces how requests are sent and how long attempts wait. */
  constructor(access: StoreAccess, transport: Partial<Omit<StoreTransport, "access">> = {}) {
    this.access = access;
    this.#transport = { access, fetch: (request) => fetch(request), wait: pause, ...transport };
  }

  /** Sends one request of the protocol. @throws {ObjectStoreError} If the store cannot be reached, or refuses. */
  send(request: StoreRequest, signal?: AbortSignal): Promise<StoreReply> {
    return exchange(request, this.#transport, signal);
  }

  /** Sends a request whose answer is XML; an empty body is an answer without fields. */
  async ask(request: StoreRequest, signal?: AbortSignal): Promise<XmlAnswer> {
    const text = await textOf(await this.send(request, signal), signal);
    return text.trim() === "" ? { root: "", fields: new Map(), entries: [] } : readXmlAnswer(text);
  }

  /** Size and tag of an object; `undefined` if it does not exist. */
  async head(address: ObjectAddress, signal?: AbortSignal): Promise<ObjectFacts | undefined> {
    const { status, headers } = await this.send({ task: "read", method: "HEAD", address, accepts: [404] }, signal);
    return status === 404 ? undefined : factsOf(headers);
  }

  /**
   * Reads an object; a body that breaks off is resumed where it broke off.
   *
   * @throws {ObjectStoreError} With fault `no-object` if it does not exist, `changed` if its tag is another.
   */
  async *read(address: ObjectAddress, options: ReadObjectOptions = {}): AsyncGenerator<Uint8Array> {
    const { signal } = options;
    let [from, etag, size] = [options.from ?? 0, options.etag, Infinity];
    for (let resumptions = 0; from < size; resumptions++) {
      const reply = await this.send(getRequest(address, from, etag), signal);
      if (reply.status === 412 || reply.status === 416) await reply.body?.cancel();
      if (reply.status === 412) throw changed(address);
      if (reply.status === 416) return;
      etag ??= reply.headers.get("etag") ?? undefined;
      size = sizeOf(reply.headers);
      if (resumptions === 0 && options.onFacts !== undefined) {
        try {
          options.onFacts(factsOf(reply.headers));
        } catch (error) {
          await reply.body?.cancel();
          throw error;
        }
      }
      // A store that does not know ranges answers with the whole.
      let skipped = reply.status === 206 ? 0 : from;
      try {
        for await (const chunk of chunksOf(reply, signal)) {
          const rest = chunk.subarray(Math.min(skipped, chunk.length));
          skipped -= chunk.length - rest.length;
          from += rest.length;
          if (rest.length > 0) yield rest;
        }
        if (from >= size || size === Infinity) return;
      } catch (cause) {
        signal?.throwIfAborted();
        if (resumptions === MAX_RESUMPTIONS) throw broken(address, cause);
      }
      if (resumptions === MAX_RESUMPTIONS) throw broken(address, undefined);
    }
  }

  /** Reads a small object whole, with its tag; `undefined` if it does not exist. */
  async readWhole(
    address: ObjectAddress,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<{ readonly bytes: Uint8Array; readonly etag: string } | undefined> {
    for (let attempt = 1;; attempt++) {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      let etag = "";
      const onFacts = (facts: ObjectFacts) => {
        etag = facts.etag;
        if (facts.bytes > maxBytes) throw tooLarge(address, facts.bytes, maxBytes);
      };
      try {
        for await (const chunk of this.read(address, { onFacts, signal })) chunks.push(chunk.slice());
        return { bytes: joinBytes(chunks), etag };
      } catch (error) {
        if (!(error instanceof ObjectStoreError)) throw error;
        if (error.fault === "no-object") return undefined;
        // It was written anew while it was read.
        if (error.fault !== "changed" || attempt === MAX_RESUMPTIONS) throw error;
      }
    }
  }

  /**
   * Writes an object whole; the store compares what arrives with its SHA-256.
   *
   * @returns Its tag.
   * @throws {ObjectStoreError} With fault `conflict` if the condition does not hold.
   */
  async put(
    address: ObjectAddress,
    bytes: Uint8Array<ArrayBuffer>,
    { onlyIf, signal }: PutObjectOptions = {},
  ): Promise<string> {
    const condition: Record<string, string> = onlyIf === undefined
      ? {}
      : onlyIf === null
      ? { "if-none-match": "*" }
      : { "if-match": onlyIf };
    const request = { task: "write", method: "PUT", address, headers: condition, body: bytes } as const;
    try {
      const { headers, body } = await this.send(request, signal);
      await body?.cancel();
      return headers.get("etag") ?? "";
    } catch (error) {
      if (!(error instanceof ObjectStoreError) || onlyIf === undefined) throw error;
      // The answer to an attempt before this one may have been lost.
      if (error.fault === "conflict") return await this.#tagIfSame(address, bytes, signal) ?? fail(error);
      if (error.status === 501) return await this.put(address, bytes, { signal });
      throw error;
    }
  }

  async #tagIfSame(address: ObjectAddress, bytes: Uint8Array, signal?: AbortSignal): Promise<string | undefined> {
    const options = { maxBytes: bytes.length, signal };
    const found = await this.readWhole(address, options).catch((error) => {
      // It is larger, or others go on writing it: it is not this one.
      if (error instanceof ObjectStoreError && ["refused", "changed"].includes(error.fault)) return undefined;
      throw error;
    });
    return found !== undefined && await sha256(found.bytes) === await sha256(bytes) ? found.etag : undefined;
  }

  /** Lists the objects whose keys begin with the address's key, in the order of their keys. */
  async *list(prefix: ObjectAddress, signal?: AbortSignal): AsyncGenerator<ListedObject> {
    const address = { bucket: prefix.bucket, key: "" };
    let token: string | undefined;
    do {
      const query = { "list-type": "2", prefix: prefix.key, ...token !== undefined && { "continuation-token": token } };
      const { fields, entries } = await this.ask({ task: "list", method: "GET", address, query }, signal);
      for (const { name, fields } of entries) {
        if (name !== "Contents") continue;
        yield {
          key: fields.get("Key") ?? "",
          bytes: Number(fields.get("Size")),
          etag: fields.get("ETag") ?? "",
          modifiedMs: Date.parse(fields.get("LastModified") ?? ""),
        };
      }
      token = fields.get("IsTruncated") === "true" ? fields.get("NextContinuationToken") : undefined;
    } while (token !== undefined);
  }

  /** Lists up to a thousand uploads in parts that have not been completed. */
  async listUploads(prefix: ObjectAddress): Promise<ListedUpload[]> {
    const address = { bucket: prefix.bucket, key: "" };
    const query = { uploads: "", prefix: prefix.key };
    const { entries } = await this.ask({ task: "list the uploads of", method: "GET", address, query });
    return entries.filter(({ name }) => name === "Upload").map(({ fields }) => ({
      key: fields.get("Key") ?? "",
      id: fields.get("UploadId") ?? "",
      startedMs: Date.parse(fields.get("Initiated") ?? ""),
    }));
  }

  /** Removes an object, if it exists. */
  async remove(address: ObjectAddress): Promise<void> {
    const { body } = await this.send({ task: "remove", method: "DELETE", address, accepts: [404] });
    await body?.cancel();
  }

  /** Ends an upload in parts, which removes its parts; one that has ended is not a failure. */
  async abortUpload(address: ObjectAddress, id: string): Promise<void> {
    const query = { uploadId: id };
    const { body } = await this.send({ task: "end the upload of", method: "DELETE", address, query, accepts: [404] });
    await body?.cancel();
  }
}

/**
 * Opens the store of an address.
 *
 * @param address The bucket or prefix that is meant, for errors.
 * @param options Region, endpoint, key; from the standard variables and profiles of AWS where absent.
 * @throws {ObjectStoreError} With fault `no-credentials`. Nothing is asked of the store yet.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { openObjectStore } from "./object_store.ts";
 *
 * const key = { accessKeyId: "reader", secretAccessKey: "hunter2hunter2" };
 * const store = await openObjectStore("s3://lakes", { key, region: "eu-central-1" });
 *
 * assertEquals([store.access.origin, Deno.inspect(store).includes("hunter2")], ["the options", false]);
 * ```
 */
export async function openObjectStore(
  address: string,
  options: ObjectStoreOptions = {},
): Promise<ObjectStore> {
  return new ObjectStore(await findStoreAccess(address, options));
}

function getRequest(address: ObjectAddress, from: number, etag: string | undefined): StoreRequest {
  return {
    task: "read",
    method: "GET",
    address,
    headers: {
      ...from > 0 && { range: `bytes=${from}-` },
      ...etag !== undefined && etag !== "" && { "if-match": etag },
    },
    accepts: [412, ...from > 0 ? [416] : []],
  };
}

async function* chunksOf({ body }: StoreReply, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const idle = AbortSignal.timeout(IDLE_MS);
      const { done, value } = await unlessAborted(reader.read(), signal ? AbortSignal.any([signal, idle]) : idle);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function factsOf(headers: Headers): ObjectFacts {
  return { bytes: sizeOf(headers), etag: headers.get("etag") ?? "" };
}

/** Size of the whole object. */
function sizeOf(headers: Headers): number {
  const whole = /\/([0-9]+)$/.exec(headers.get("content-range") ?? "")?.[1] ?? headers.get("content-length");
  return whole === null || whole === "" ? Infinity : Number(whole);
}

function tooLarge(address: ObjectAddress, bytes: number, maxBytes: number): ObjectStoreError {
  const text = formatObjectAddress(address);
  const message = `Cannot read ${text}: it has ${bytes} bytes, expected at most ${maxBytes}; check the address`;
  return new ObjectStoreError(message, { fault: "refused", address: text });
}

function changed(address: ObjectAddress): ObjectStoreError {
  const text = formatObjectAddress(address);
  const message = `Cannot read ${text}: it is not the object that was opened, another has been written meanwhile`;
  return new ObjectStoreError(`${message}; open the lake again`, { fault: "changed", address: text, status: 412 });
}

function broken(address: ObjectAddress, cause: unknown): ObjectStoreError {
  const text = formatObjectAddress(address);
  const message = `Cannot read ${text}: the connection broke ${
    MAX_RESUMPTIONS + 1
  } times; check the network, try again`;
  return new ObjectStoreError(message, { fault: "unreachable", address: text }, cause);
}

function fail(error: Error): never {
  throw error;
}
