/**
 * Tells gzip from other bytes, without loading what inflates it.
 *
 * @module
 */

/** Tells whether bytes begin as gzip does. */
export function isGzip(head: Uint8Array): boolean {
  return head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b;
}
