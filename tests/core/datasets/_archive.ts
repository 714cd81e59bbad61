/** An archive for tests, and a client and a cache of its own. */
import { gzipSync } from "node:zlib";
import { type ClientOptions, RegistryClient } from "../../../src/core/client/mod.ts";
import { sha256 } from "../../../src/core/io/digest/sha256.ts";
import { head, type RawAnswer, type RawRequest } from "./_raw_server.ts";

export { inFolder as withFolder } from "../../_files.ts";

export const ID = "unique_seqs_metadata";
export const NAME = "registryv1_unique_seqs_metadata.csv.gz";
export const CHECKSUM = "registryv1_unique_seqs_metadata.sha256";

/** Bytes of an archive with a digest that depends on `seed`. */
export function archiveBytes(seed: number, rows = 4000): Uint8Array<ArrayBuffer> {
  let state = seed >>> 0;
  const lines = ["Registry Accession,Country"];
  for (let row = 1; row <= rows; row++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    lines.push(`vj${String(row).padStart(12, "0")},${state.toString(36)}`);
  }
  return new Uint8Array(gzipSync(lines.join("\n") + "\n"));
}

/** The checksum file of an archive. */
export async function checksumOf(bytes: Uint8Array, name = NAME): Promise<string> {
  return `${await sha256(bytes)}  ${name}\n`;
}

/** A client that does not wait between tries. */
export function impatientClient(url: string, options: ClientOptions = {}): RegistryClient {
  return new RegistryClient(url, { sleep: () => Promise.resolve(), ...options });
}

/** Every file below a folder, as paths within it, without those that only say something of others. */
export async function filesBelow(folder: string, within = ""): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const entry of Deno.readDir(`${folder}/${within}`)) {
      const path = within === "" ? entry.name : `${within}/${entry.name}`;
      if (entry.isDirectory) found.push(...await filesBelow(folder, path));
      else found.push(path);
    }
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  }
  return found.sort();
}

/** Files of a cache that have an archive's final name. */
export async function finalFiles(cache: string): Promise<string[]> {
  return (await filesBelow(`${cache}/archives/sha256`)).filter((path) => path.endsWith(".csv.gz"));
}

/** Serves an archive as a good server does, ranges included. */
export function serveWell(
  file: () => { readonly bytes: Uint8Array; readonly etag?: string; readonly checksum: string },
): RawAnswer {
  return async (request, send) => {
    const { bytes, etag, checksum } = file();
    if (request.fileName === CHECKSUM) return await sendWhole(send, new TextEncoder().encode(checksum));
    const start = rangeStart(request, etag);
    if (start === 0) return await sendWhole(send, bytes, etag);
    if (start >= bytes.length) {
      return await send(head("416 Range Not Satisfiable", { "Content-Range": `bytes */${bytes.length}` }));
    }
    await send(head("206 Partial Content", {
      "Content-Range": `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
      "Content-Length": bytes.length - start,
      ...etag !== undefined && { ETag: etag },
    }));
    await send(bytes.subarray(start));
  };
}

/** Where a request wants to begin; 0 when its condition does not hold. */
export function rangeStart(request: RawRequest, etag: string | undefined): number {
  const range = /^bytes=([0-9]+)-$/.exec(request.headers.get("range") ?? "");
  if (range === null || request.headers.get("if-range") !== etag) return 0;
  return Number(range[1]);
}

/** Sends a whole file. */
export async function sendWhole(
  send: (bytes: Uint8Array | string) => Promise<void>,
  bytes: Uint8Array,
  etag?: string,
): Promise<void> {
  await send(head("200 OK", { "Content-Length": bytes.length, ...etag !== undefined && { ETag: etag } }));
  await send(bytes);
}
