/** Whether a store keeps conditions on writing. */
import type { ObjectAddress } from "./object_address.ts";
import type { ObjectStore } from "./object_store.ts";
import { ObjectStoreError } from "./object_store_error.ts";

/** A tag that no object has. */
const NO_TAG = '"0"';

/**
 * Writes an object that is there under conditions that do not hold: some stores answer 501, others ignore them.
 *
 * @param address Where an object may be written and removed.
 * @returns Whether the store refused both.
 * @throws {ObjectStoreError} If the store cannot be reached, or refuses to write.
 */
export async function probeConditions(
  store: ObjectStore,
  address: ObjectAddress,
  signal?: AbortSignal,
): Promise<boolean> {
  const options = { signal };
  await store.put(address, Uint8Array.of(0), options);
  try {
    for (const [index, onlyIf] of [null, NO_TAG].entries()) {
      const isRefused = await store.put(address, Uint8Array.of(1 + index), { ...options, onlyIf }).then(
        () => false,
        (error) => {
          if (error instanceof ObjectStoreError && error.fault === "conflict") return true;
          throw error;
        },
      );
      if (!isRefused) return false;
    }
    return true;
  } finally {
    await store.remove(address).catch(() => {});
  }
}
