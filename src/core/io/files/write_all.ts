/** Writes all of the bytes: one call of the system may write fewer than it was given. */
export function writeAll(file: Pick<Deno.FsFile, "writeSync">, bytes: Uint8Array): void {
  for (let start = 0; start < bytes.length;) start += file.writeSync(bytes.subarray(start));
}
