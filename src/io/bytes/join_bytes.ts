/**
 * Bytes that came in pieces, as one.
 *
 * @module
 */

/**
 * Joins chunks of bytes; a single one is given back as it is.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { joinBytes } from "./join_bytes.ts";
 *
 * assertEquals(joinBytes([Uint8Array.of(1), Uint8Array.of(2, 3)]), Uint8Array.of(1, 2, 3));
 * ```
 */
export function joinBytes<Buffer extends ArrayBufferLike>(
  parts: readonly Uint8Array<Buffer>[],
): Uint8Array<Buffer | ArrayBuffer> {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
