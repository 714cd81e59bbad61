/** Minimum size of a file worth reading ahead, in bytes. */
export const LARGE_BYTES = 8 << 20;
