/** A store whose import is made again from the archives when one of its files turns out to be damaged. */
import { DamagedFileError } from "../files/damaged_file.ts";
import type { OpenPage, RegistryStore } from "../store/store.ts";
import { type LedgerEntry, textsOf, uniqueEntries } from "@seqreg/core/contract/ledger_entries";

/** Opens the store again, over an import that was made anew; says so. */
export type Reopen = (damage: DamagedFileError) => Promise<RegistryStore>;

/**
 * Wraps a store. An operation that detects damage waits until the archives are imported again and continues at the same
 * record: the same archives have the same records in the same order. Damage that recurs at once is thrown. What is held
 * for the store is disposed of when it is closed.
 */
export function healStore(first: RegistryStore, reopen: Reopen, held: Disposable): RegistryStore {
  let current = first;
  let healing: Promise<RegistryStore> | undefined;
  const notes: LedgerEntry[] = [];
  const replaced: RegistryStore[] = [];
  let closed = false;

  /** The store to continue with after damage: another operation may already have had it replaced. */
  const healed = async (damaged: RegistryStore, damage: DamagedFileError): Promise<RegistryStore> => {
    if (closed) throw damage;
    if (current !== damaged) return current;
    healing ??= reopen(damage).then((store) => {
      replaced.push(current);
      current = store;
      notes.push(...store.entries.filter(({ code }) => code === "import-damaged"));
      return store;
    }).finally(() => healing = undefined);
    return await healing;
  };
  const retried = async function* <T>(
    read: (store: RegistryStore) => AsyncGenerator<T[]>,
  ): AsyncGenerator<T[]> {
    let given = 0;
    let store = current;
    for (let isAgain = false;; isAgain = true) {
      let skipped = 0;
      try {
        for await (const batch of read(store)) {
          const rest = skipped < given ? batch.slice(given - skipped) : batch;
          skipped += Math.min(batch.length, given - skipped);
          if (rest.length === 0) continue;
          given += rest.length;
          skipped = given;
          yield rest;
        }
        return;
      } catch (error) {
        if (!(error instanceof DamagedFileError) || isAgain) throw error;
        store = await healed(store, error);
      }
    }
  };

  return {
    get fields() {
      return current.fields;
    },
    get definitionsDerived() {
      return current.definitionsDerived;
    },
    get recordCount() {
      return current.recordCount;
    },
    get entries() {
      return uniqueEntries([...first.entries, ...notes]);
    },
    get warnings() {
      return textsOf(this.entries, "warning");
    },
    get files() {
      return current.files;
    },
    async search(criteria, page, signal) {
      const store = current;
      try {
        return await store.search(criteria, page, signal);
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error;
        return await (await healed(store, error)).search(criteria, page, signal);
      }
    },
    async openPage(criteria, page, signal) {
      let store = current;
      let open: OpenPage;
      try {
        open = await store.openPage(criteria, page, signal);
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error;
        store = await healed(store, error);
        open = await store.openPage(criteria, page, signal);
      }
      const batches = retried(async function* (other) {
        yield* (other === store ? open : await other.openPage(criteria, page, signal)).batches;
      });
      return { ...open, batches };
    },
    matching: (criteria, signal) => retried((store) => store.matching(criteria, signal)),
    matchingSequences: (criteria, signal) => retried((store) => store.matchingSequences(criteria, signal)),
    selected: (accessions, signal) => retried((store) => store.selected(accessions, signal)),
    selectedSequences: (accessions, signal) => retried((store) => store.selectedSequences(accessions, signal)),
    async [Symbol.asyncDispose]() {
      closed = true;
      await healing?.catch(() => {});
      for (const store of [...replaced, current]) await store[Symbol.asyncDispose]();
      held[Symbol.dispose]();
    },
  };
}
