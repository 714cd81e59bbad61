/**
 * Recognises gzip by its first bytes, without loading the decompressor.
 *
 * @module
 */

/** Returns whether bytes begin as gzip does. */
export function isGzip(head: Uint8Array): boolean {
  return head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b;
}
