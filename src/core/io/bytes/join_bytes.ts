/** Bytes that came in pieces, as one. */

/** Joins chunks of bytes; a single one is returned as it is. */
export function joinBytes<Buffer extends ArrayBufferLike>(
  parts: readonly Uint8Array<Buffer>[],
): Uint8Array<Buffer | ArrayBuffer> {
  return parts.length === 1 ? parts[0] : copyBytes(parts);
}

/** Copies chunks of bytes into memory of their own. */
export function copyBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
