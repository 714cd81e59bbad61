/** Where Spark writes a result that is too large to be sent, and how it is read back: a folder, or an object store. */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, RegistryError } from "@seqreg/core/errors";
import {
  below,
  formatObjectAddress,
  isObjectAddress,
  type ObjectAddress,
  parseObjectAddress,
} from "@seqreg/core/io/objects/object_address";
import { findStoreAccess, ObjectStore, type StoreAccess } from "@seqreg/core/io/objects";
import { pause } from "@seqreg/core/io/tasks";

/** Checks in sequence that must find nothing: tasks of a write that was stopped may write once more. */
const QUIET_CHECKS = 3;
const CHECK_MS = 100;
/** Maximum time to remove files that keep reappearing, in ms. */
const REMOVE_MS = 3000;

/** One file of a written result. */
export interface SpillPart {
  /** Where it is, for messages. */
  readonly location: string;
  readonly bytes: number;
  /** Reads it whole. */
  read(signal?: AbortSignal): Promise<Uint8Array>;
}

/** Where one result is written. */
export interface SpillPlace {
  /** For Spark: a folder or URL only for this result. */
  readonly address: string;
  /** Files of a result in the order of its rows, or why they cannot be read from here. */
  parts(location: string, signal?: AbortSignal): Promise<readonly SpillPart[] | { readonly why: string }>;
  /** Removes what is there; `true` if there was something. */
  removeOnce(): Promise<boolean>;
}

/**
 * The address of objects as this toolkit writes it, `s3://…`, of one that Spark takes; `undefined` for others.
 *
 * @throws {TypeError} If it is one of an object store, and wrong.
 */
export function objectsOf(spill: string): ObjectAddress | undefined {
  return isObjectAddress(spill) ? parseObjectAddress(spill.replace(/^s3[an]?:/i, "s3:")) : undefined;
}

/** The location of one result below a folder or URL; `access` is that of the lake, if it is in an object store. */
export async function newPlace(spill: string, access: StoreAccess | undefined): Promise<SpillPlace> {
  const name = `result-${crypto.randomUUID()}`;
  const objects = objectsOf(spill);
  if (objects !== undefined) return await objectPlace(below(objects, name), access);
  if (/^file:/i.test(spill)) return folderPlace(join(fileURLToPath(spill), name));
  // A scheme has two characters or more: C: is a drive.
  if (!/^[a-z][a-z0-9+.-]+:/i.test(spill)) return folderPlace(join(resolve(spill), name));
  return placeElsewhere(`${spill.replace(/\/+$/, "")}/${name}`, "its scheme is not one that this toolkit reads");
}

/** Removes what was written; `isWhole` means that nothing writes any more. What is left is named by a warning. */
export async function removePlace(
  place: SpillPlace,
  { isWhole, onWarning }: { readonly isWhole: boolean; readonly onWarning?: (text: string) => void },
): Promise<void> {
  const begun = performance.now();
  for (let quiet = isWhole ? QUIET_CHECKS - 1 : 0; quiet < QUIET_CHECKS;) {
    let fault: unknown;
    try {
      const wasThere = await place.removeOnce();
      if (isWhole) return;
      quiet = wasThere ? 0 : quiet + 1;
    } catch (thrown) {
      fault = thrown;
    }
    // Requests to a store have been tried again by then.
    const isFinal = fault instanceof NotReachable || fault instanceof RegistryError || isForbidden(fault);
    if (isFinal || performance.now() - begun > REMOVE_MS) {
      return onWarning?.(
        `A part of a result may be left in ${place.address}: ${messageOf(fault ?? "it is still written")}; remove it.`,
      );
    }
    if (quiet < QUIET_CHECKS) await pause(CHECK_MS);
  }
}

/** The location is not one that this process reaches. */
class NotReachable extends Error {}

function folderPlace(folder: string): SpillPlace {
  return {
    address: folder,
    async parts(location) {
      const files: { readonly name: string; readonly part: SpillPart }[] = [];
      try {
        for await (const { name } of Deno.readDir(location)) {
          const path = join(location, name);
          if (indexOf(name) === undefined) continue;
          const read = (signal?: AbortSignal) => Deno.readFile(path, signal && { signal });
          files.push({ name, part: { location: path, bytes: (await Deno.stat(path)).size, read } });
        }
      } catch (thrown) {
        if (thrown instanceof Deno.errors.NotFound) return { why: "this machine does not have that folder" };
        if (isForbidden(thrown)) return { why: messageOf(thrown) };
        throw thrown;
      }
      return inOrder(files);
    },
    async removeOnce() {
      try {
        await Deno.remove(folder, { recursive: true });
        return true;
      } catch (thrown) {
        if (thrown instanceof Deno.errors.NotFound) return false;
        throw thrown;
      }
    },
  };
}

async function objectPlace(address: ObjectAddress, access: StoreAccess | undefined): Promise<SpillPlace> {
  // Spark reaches S3 by the scheme s3a.
  const url = formatObjectAddress(address).replace("s3:", "s3a:");
  let store: ObjectStore;
  try {
    store = new ObjectStore(access ?? await findStoreAccess(formatObjectAddress(address)));
  } catch (thrown) {
    if (!(thrown instanceof RegistryError)) throw thrown;
    return placeElsewhere(url, thrown.message);
  }
  const { bucket } = address;
  return {
    address: url,
    async parts(location, signal) {
      const prefix = { bucket, key: `${objectsOf(location)!.key}/` };
      const files: { readonly name: string; readonly part: SpillPart }[] = [];
      try {
        for await (const { key, bytes } of store.list(prefix, signal)) {
          const name = key.slice(prefix.key.length);
          if (indexOf(name) === undefined) continue;
          // The limit of what is read is compared with these sizes.
          if (!Number.isSafeInteger(bytes)) return { why: `the store does not state the size of ${key}` };
          const read = (signal?: AbortSignal) => readObject(store, { bucket, key }, { bytes, signal });
          files.push({ name, part: { location: formatObjectAddress({ bucket, key }), bytes, read } });
        }
      } catch (thrown) {
        if (thrown instanceof RegistryError) return { why: thrown.message };
        throw thrown;
      }
      return inOrder(files);
    },
    async removeOnce() {
      let found = 0;
      for await (const { key } of store.list(address)) {
        await store.remove({ bucket, key });
        found++;
      }
      for (const { key, id } of await store.listUploads(address)) {
        await store.abortUpload({ bucket, key }, id);
        found++;
      }
      return found > 0;
    },
  };
}

async function readObject(
  store: ObjectStore,
  address: ObjectAddress,
  { bytes, signal }: { readonly bytes: number; readonly signal: AbortSignal | undefined },
): Promise<Uint8Array> {
  const found = await store.readWhole(address, { maxBytes: bytes, signal });
  if (found === undefined) throw new Error("it is no longer there");
  return found.bytes;
}

/** A location that only Spark reaches. */
function placeElsewhere(address: string, why: string): SpillPlace {
  return {
    address,
    parts: () => Promise.resolve({ why }),
    removeOnce: () => Promise.reject(new NotReachable(why)),
  };
}

/** The number of a file among those of a result; `undefined` for a file of another kind. */
function indexOf(name: string): number | undefined {
  const [, index] = /^part-(\d+)[^/]*\.parquet$/.exec(name) ?? [];
  return index === undefined ? undefined : Number(index);
}

function inOrder(files: { readonly name: string; readonly part: SpillPart }[]): readonly SpillPart[] {
  files.sort((a, b) => indexOf(a.name)! - indexOf(b.name)! || (a.name < b.name ? -1 : 1));
  return files.map(({ part }) => part);
}

/** Whether this process may not touch a file. */
function isForbidden(thrown: unknown): boolean {
  return thrown instanceof Deno.errors.PermissionDenied || thrown instanceof Deno.errors.NotCapable;
}
