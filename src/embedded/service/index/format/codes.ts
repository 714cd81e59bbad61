/** Codes of values, in as few bytes each as their number takes. */

export type Codes = Uint8Array | Uint16Array | Uint32Array;

/** Bytes of a code. */
export type CodeWidth = 1 | 2 | 4;

/** Returns how many bytes the codes of so many values take. */
export function codeWidth(values: number): CodeWidth {
  return values <= 256 ? 1 : values <= 65_536 ? 2 : 4;
}

export function viewCodes(bytes: Uint8Array, width: CodeWidth): Codes {
  if (width === 1) return bytes;
  const { buffer, byteOffset, byteLength } = bytes;
  return width === 2
    ? new Uint16Array(buffer, byteOffset, byteLength / 2)
    : new Uint32Array(buffer, byteOffset, byteLength / 4);
}
