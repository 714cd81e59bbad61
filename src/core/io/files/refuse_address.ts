/** Addresses are no paths: the system would make a folder `gs:` of one. */

/** A drive of Windows, which is no scheme, is one character. */
const ADDRESS = /^([a-z][a-z0-9+.-]+):\/\//i;

/**
 * Throws if what is to be written to is an address, such as `gs://bucket/results`.
 *
 * @throws {TypeError} If it is an address.
 */
export function refuseAddress(path: string | URL): void {
  const scheme = typeof path === "string" ? ADDRESS.exec(path)?.[1].toLowerCase() : undefined;
  if (scheme === undefined) return;
  const next = scheme === "file"
    ? `name its path: ${String(path).slice("file://".length)}`
    : "name a path of this machine; of all results only lakes can be written to an object store, as s3://BUCKET/PREFIX";
  throw new TypeError(`Cannot write to ${path}: it is an address, not a path; ${next}`);
}
