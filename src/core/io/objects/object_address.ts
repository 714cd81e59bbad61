/** Addresses of objects in a store that speaks S3: `s3://bucket/prefix`. */

/** Where an object is, or a prefix of objects. */
export interface ObjectAddress {
  readonly bucket: string;
  /** Key of the object, or the prefix without its last slash; empty for the whole bucket. */
  readonly key: string;
}

const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/;
/** Characters that no client, reader or store encodes or takes for a pattern, a partition or a query. */
const KEY = /^[A-Za-z0-9._~/-]*$/;

/** Whether a text is the address of an object rather than a path. */
export function isObjectAddress(text: string): boolean {
  return /^s3[an]?:/i.test(text);
}

/**
 * Reads `s3://bucket/key`; slashes at its end are dropped.
 *
 * @throws {TypeError} If the scheme is another, the bucket's name is not one, or the key holds anything but ASCII
 * letters, digits, `.`, `_`, `~`, `-` and single slashes: readers would take others for patterns or partitions.
 */
export function parseObjectAddress(text: string): ObjectAddress {
  const refuse = (why: string) => new TypeError(`Cannot use the address ${JSON.stringify(text.slice(0, 300))}: ${why}`);
  const match = /^s3:\/\/([^/]*)(?:\/(.*))?$/s.exec(text);
  if (match === null) throw refuse("expected s3://BUCKET/PREFIX");
  const [, bucket, rest = ""] = match;
  if (!BUCKET.test(bucket) || bucket.includes("..")) {
    throw refuse("a bucket's name has 3 to 63 letters, digits, dots or hyphens");
  }
  const key = rest.replace(/\/+$/, "");
  const steps = key === "" ? [] : key.split("/");
  if (!KEY.test(key) || steps.some((step) => step === "" || step === "." || step === "..")) {
    throw refuse("use letters, digits and . _ ~ - between single slashes");
  }
  if (key.length > 512) throw refuse("its prefix is longer than 512 characters");
  return { bucket, key };
}

export function formatObjectAddress({ bucket, key }: ObjectAddress): string {
  return key === "" ? `s3://${bucket}` : `s3://${bucket}/${key}`;
}

/** The address of something below another. */
export function below({ bucket, key }: ObjectAddress, name: string): ObjectAddress {
  return { bucket, key: key === "" ? name : `${key}/${name}` };
}
