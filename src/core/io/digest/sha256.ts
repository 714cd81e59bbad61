/**
 * SHA-256 by `node:crypto`, which uses the processor's own instructions; WebCrypto, which `@std/crypto` calls, is
 * several times slower.
 */
import { timingSafeEqual } from "@std/crypto";
import { createHash, type Hash } from "node:crypto";
import { type ByteSource, readBytes, type ReadBytesOptions } from "../bytes/byte_source.ts";

export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** Ends: 64 lower-case hexadecimal digits. */
  digest(): string;
}

/** Digests a small content at once, by default to 64 lower-case hexadecimal digits; texts are UTF-8. */
export function sha256Of(content: string | Uint8Array, encoding: "hex" | "base64" | "base64url" = "hex"): string {
  return createHash("sha256").update(content).digest(encoding);
}

export function startSha256(): Sha256 {
  const hash: Hash = createHash("sha256");
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => hash.digest("hex"),
  };
}

/**
 * Digests bytes, as they are: gzip is not inflated.
 *
 * @returns 64 lower-case hexadecimal digits.
 * @throws {RegistryError} With code `disk` if a file cannot be read.
 */
export async function sha256(source: ByteSource, options: ReadBytesOptions = {}): Promise<string> {
  const hash = startSha256();
  for await (const chunk of readBytes(source, options)) hash.update(chunk);
  return hash.digest();
}

/** Compares two digests in constant time, ignoring case. */
export function equalDigests(a: string, b: string): boolean {
  const [x, y] = [a, b].map((digest) => new TextEncoder().encode(digest.toLowerCase()));
  return x.length === y.length && timingSafeEqual(x, y);
}
