/** Writes texts as one gzip file, piece by piece. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createGzip } from "node:zlib";

export interface GzipFile {
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
}

/** Writes texts to a file by level 1 of gzip. */
export async function writeGzipFile(path: string, texts: Iterable<string>): Promise<GzipFile> {
  const gzip = createGzip({ level: 1, chunkSize: 1 << 20 });
  const file = createWriteStream(path);
  const hash = createHash("sha256");
  gzip.on("data", (chunk: Uint8Array) => {
    hash.update(chunk);
    if (!file.write(chunk)) {
      gzip.pause();
      file.once("drain", () => gzip.resume());
    }
  });
  let bytes = 0;
  for (const text of texts) {
    const chunk = Buffer.from(text);
    bytes += chunk.length;
    if (!gzip.write(chunk)) await once(gzip, "drain");
  }
  const ended = once(gzip, "end");
  gzip.end();
  await ended;
  file.end();
  await once(file, "finish");
  return { bytes, sha256: hash.digest("hex") };
}
