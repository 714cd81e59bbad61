/** A registry over a folder whose archives may be replaced by a newer version while it answers. */
import { join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { type OnProgress, SharedTask } from "@seqreg/core/io/tasks";
import { SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import { type ArchiveSet, type FolderOrigin, inspectArchiveSet } from "../import/archive_set.ts";
import { COPIES_ROOM, pruneCopies, pruneImports } from "../import/import_use.ts";
import { createRegistryService, type RegistryService } from "./app.ts";
import { openArchiveSet } from "./open_store.ts";
import { OPEN_STORE_OPTIONS, type OpenStoreOptions, type RegistryStore, type StoredArchive } from "../store/store.ts";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";

/** Options of {@linkcode openRegistry}. */
export interface OpenRegistryOptions extends OpenStoreOptions {
  /** Milliseconds of computing for a search, and for an export until its first records; without a limit by default. */
  readonly queryMs?: number;
  /**
   * Milliseconds that pass until a search is answered, or an export has its first records; without a limit by default.
   */
  readonly waitMs?: number;
  /** Milliseconds between two calls of `renew()`: `Retry-After` of an archive that was overwritten. 60 s by default. */
  readonly lookMs?: number;
  /** Receives every fault of the registry's own. */
  readonly onFault?: (fault: unknown) => void;
}

const OPEN_REGISTRY_OPTIONS = {
  ...OPEN_STORE_OPTIONS,
  queryMs: rule.number({ above: 0, to: Infinity }),
  waitMs: rule.number({ above: 0, to: Infinity }),
  lookMs: rule.number({ above: 0, to: 86_400_000 }),
  onFault: rule.callback(),
} satisfies OptionRules<OpenRegistryOptions>;

/** Options of {@linkcode RenewableRegistry.renew}. */
export interface RenewOptions {
  /** Ends the import with the signal's reason; the registry stays as it was. */
  readonly signal?: AbortSignal;
  /** Receives the progress of the import. */
  readonly onProgress?: OnProgress;
  /**
   * Whether archives must be unchanged at two checks before they are imported, and again after it, and no mirror be
   * under way: they may still be copied.
   */
  readonly settled?: boolean;
}

const RENEW_OPTIONS = {
  signal: rule.signal,
  onProgress: rule.callback(),
  settled: rule.flag,
} satisfies OptionRules<RenewOptions>;

/** A registry that follows its folder when it is asked to. */
export interface RenewableRegistry extends AsyncDisposable {
  /** Answers requests, over the newest archives that were opened. */
  readonly service: RegistryService;
  /** Records and files that new requests are answered from. */
  readonly store: RegistryStore;
  /**
   * Checks whether the folder has other archives than those that are open; if so, imports them and then answers new
   * requests from them. Active answers finish with the archives they began with, which are closed then, and their
   * import is removed unless others use it. Concurrent checks wait for the first one,
   * which ends when the signals of all have aborted.
   *
   * @returns Whether other archives took over.
   * @throws {RegistryError} As `openStore()` does, such as when the archives are only half copied: the registry stays
   * as it was, and archives that are at fault are not read again before they change.
   * @throws {TypeError} If the registry is closed.
   */
  renew(options?: RenewOptions): Promise<boolean>;
}

/** One version of the archives. */
interface Generation {
  readonly key: string;
  readonly store: RegistryStore;
  readonly service: RegistryService;
  /** Settles when no answer uses it any more. */
  unused(): Promise<void>;
}

/**
 * Opens a folder of the sixteen files as a registry that can take over a newer version of them.
 *
 * @param folder Folder of the sixteen files, or a symbolic link to one. Old files are given until new ones take over,
 * when they are replaced by name: by switching a link, exchanging the folder, or renaming files. One that is
 * overwritten in place is no longer given, unless the registry keeps copies (`copies`).
 * @param options As those of `openStore()`, and a callback for faults.
 * @throws {RegistryError} As `openStore()` does.
 * @see Not shown in the specification: chosen so that a mirror is brought up to date without a pause.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { makeSample } from "../../sample/mod.ts";
 * import { openRegistry } from "./open_registry.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await makeSample(`${folder}/archives`, { records: 20 });
 * {
 *   await using registry = await openRegistry(`${folder}/archives`, { cacheFolder: folder });
 *   assertEquals(await registry.renew(), false);
 *   await makeSample(`${folder}/archives`, { records: 30 });
 *   assertEquals(await registry.renew(), true);
 *   assertEquals(registry.store.recordCount, 30);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function openRegistry(folder: string, options: OpenRegistryOptions = {}): Promise<RenewableRegistry> {
  checkOptions("openRegistry()", options, OPEN_REGISTRY_OPTIONS);
  const { naming = SPECIFICATION_NAMING, queryMs, waitMs, lookMs, onFault = () => {} } = options;
  const cache = options.cacheFolder ?? cacheFolder();
  const open = async (
    set: ArchiveSet,
    { signal, onProgress }: RenewOptions,
    verify = false,
  ): Promise<Generation> => {
    const { onWarning } = options;
    const store = await openArchiveSet(set, {
      naming,
      verify,
      cacheFolder: cache,
      copies: options.copies,
      signal,
      onProgress,
      onWarning,
    });
    return startGeneration(
      set.key,
      store,
      (store) => createRegistryService(store, { naming, queryMs, waitMs, onFault, lookMs }),
    );
  };
  options.signal?.throwIfAborted();
  const first = await inspectArchiveSet(folder, naming);
  let current = await open(first, options);
  let seen = first.stamp;
  let refused: { readonly stamp: string; readonly cause: unknown } | undefined;
  const retired = new Set<RegistryStore>();
  const pruning = new Set<Promise<unknown>>();
  let closed = false;
  const retire = async ({ store, unused }: Generation, origin: FolderOrigin): Promise<void> => {
    retired.add(store);
    await unused();
    await store[Symbol.asyncDispose]();
    retired.delete(store);
    if (closed) return;
    const work = Promise.all([
      pruneImports(join(cache, "service", current.key), origin),
      pruneCopies(join(cache, COPIES_ROOM, current.key), origin),
    ]);
    pruning.add(work);
    await work.finally(() => pruning.delete(work));
  };
  /** Whether the folder is as it was before an import; if not, it has to settle again. */
  const stayed = async (set: ArchiveSet): Promise<boolean> => {
    const now = await inspectArchiveSet(folder, naming).catch(() => undefined);
    seen = now?.stamp ?? "";
    return seen === set.stamp;
  };
  const look = async (more: RenewOptions): Promise<boolean> => {
    if (closed) throw new TypeError("Cannot renew the registry: it is closed");
    more.signal?.throwIfAborted();
    const set = await inspectArchiveSet(folder, naming);
    const settled = set.stamp === seen;
    seen = set.stamp;
    // Archives that were overwritten, and are as they were again, may be other files.
    const isKnown = set.key === current.key;
    if (isKnown && !await wasOverwritten(current.store) || more.settled && !settled) return false;
    if (set.stamp === refused?.stamp) throw refused.cause;
    if (more.settled && set.isMirrored) throw mirrorUnfinished(folder);
    const opened = await open(set, more, isKnown).catch((cause) => {
      if (cause instanceof RegistryError && cause.code !== "disk") refused = { stamp: set.stamp, cause };
      throw cause;
    });
    if (more.settled && !await stayed(set)) {
      await opened.store[Symbol.asyncDispose]();
      return false;
    }
    const old = current;
    current = opened;
    retire(old, set).catch(onFault);
    return true;
  };
  const looking = new SharedTask<boolean>();
  return {
    get store() {
      return current.store;
    },
    service: (request) => current.service(request),
    async renew(more = {}) {
      checkOptions("registry.renew()", more, RENEW_OPTIONS);
      return await looking.wait(
        (signal) => look({ ...more, signal }).finally(() => looking.forget()),
        more.signal,
      );
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await looking.result?.catch(() => {});
      for (const store of [...retired, current.store]) await store[Symbol.asyncDispose]();
      // The next to remove the cache must not meet work that still goes on.
      await Promise.allSettled(pruning);
    },
  };
}

function mirrorUnfinished(folder: string): RegistryError {
  return new RegistryError(
    "busy",
    `Cannot take over the archives in ${folder}: a mirror writes to it, or did not bring all; run "seqreg mirror" again`,
  );
}

/** Whether a store holds an archive that was overwritten in place. */
async function wasOverwritten({ files }: RegistryStore): Promise<boolean> {
  for (const file of files.values()) {
    try {
      using _reading = await file.open();
    } catch (cause) {
      if (cause instanceof RegistryError && cause.code === "damaged") return true;
      throw cause;
    }
  }
  return false;
}

/** Counts who uses a store: requests that have no answer yet, and records and files that still stream. */
function startGeneration(
  key: string,
  store: RegistryStore,
  createService: (store: RegistryStore) => RegistryService,
): Generation {
  let uses = 0;
  let tell: (() => void) | undefined;
  const use = (): Disposable => {
    uses++;
    let isUsed = true;
    return {
      [Symbol.dispose]() {
        if (isUsed && --uses === 0) tell?.();
        isUsed = false;
      },
    };
  };
  const countedFile = (file: StoredArchive): StoredArchive => ({
    ...file,
    async open() {
      const reading = await file.open();
      const { [Symbol.dispose]: end } = use();
      return {
        read: reading.read,
        [Symbol.dispose]() {
          end();
          reading[Symbol.dispose]();
        },
      };
    },
  });
  const counted = async function* <T>(batches: AsyncGenerator<T>): AsyncGenerator<T> {
    using _use = use();
    yield* batches;
  };
  const service = createService({
    ...store,
    files: new Map([...store.files].map(([name, file]) => [name, countedFile(file)])),
    async openPage(...given) {
      const open = await store.openPage(...given);
      return { ...open, batches: counted(open.batches) };
    },
    matching: (...given) => counted(store.matching(...given)),
    matchingSequences: (...given) => counted(store.matchingSequences(...given)),
    selected: (...given) => counted(store.selected(...given)),
    selectedSequences: (...given) => counted(store.selectedSequences(...given)),
  });
  return {
    key,
    store,
    async service(request) {
      using _use = use();
      return await service(request);
    },
    async unused() {
      if (uses > 0) await new Promise<void>((resolve) => tell = resolve);
    },
  };
}
