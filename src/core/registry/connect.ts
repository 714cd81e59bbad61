/**
 * Reaches a registry: a live one by its address, or the embedded one over a folder of archives, the built-in sample or
 * the built-in genomes of Zika virus.
 */
import { isOffline as forbidsNetwork } from "../options/is_offline.ts";
import { basename, resolve } from "node:path";
import type { ClientOptions, Fetch, RegistryClient, RetryEvent, RetryPolicy, Timeouts } from "../client/mod.ts";
import { messageOf, RegistryError } from "../errors.ts";
import { pathOfUrl } from "../io/bytes/path_of_url.ts";
import { cacheFolder } from "../io/files/cache_folder.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import { Yielder } from "../io/tasks/yield_to_event_loop.ts";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "../contract/naming.ts";
import type { CallLock, CallLockOptions } from "./lock/call_lock.ts";
import { readReplayOrder, REPLAY_VARIABLE } from "./lock/replay_order.ts";
import { SAMPLE_PLACE, ZIKA_PLACE } from "./results/embedded_places.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkArgument } from "../options/check_options.ts";
import { CLIENT_OPTIONS } from "../client/options.ts";

/** Names the lock of a registry whose options name none. */
const LOCK_VARIABLE = "SEQREG_LOCK";

/** Options of {@linkcode connect}. */
export interface ConnectOptions {
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Where the sample and the embedded registry's own files are kept; see `cacheFolder()` for the default. */
  readonly cacheFolder?: string;
  /** Sends requests to a live registry; the global `fetch` by default. An embedded registry never uses it. */
  readonly fetch?: Fetch;
  /** How long to wait for a live registry. */
  readonly timeouts?: Timeouts;
  /**
   * Header fields for every request to a live registry, such as `Authorization` for a private deployment. They win over
   * those of `headersFile`. No result, ledger, provenance or error shows their values; no other origin is sent them.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON file of header fields keyed by origin; what `SEQREG_HEADERS` names by default, `""` for none. */
  readonly headersFile?: string;
  /** How often to try again. */
  readonly retry?: RetryPolicy;
  /** Called for every failed attempt that is followed by another. */
  readonly onRetry?: (event: RetryEvent) => void;
  /** Whether every request to a live registry is refused; whether `SEQREG_OFFLINE` is set by default. */
  readonly offline?: boolean;
  /**
   * Path of a lock, such as `seqreg.lock`: every call and the digest of its answer are recorded in it, and answers are
   * kept in the cache. With `offline` calls are answered from both, and one that they do not hold is an error. What
   * `SEQREG_LOCK` names by default, `""` for none.
   */
  readonly lock?: string;
  /** Receives the progress of work that takes time: making the sample, importing archives. */
  readonly onProgress?: OnProgress;
  /**
   * Called with a warning, such as that records of a folder have no sequence, or that a damaged import is made again
   * (default: `console.warn`).
   */
  readonly onWarning?: (warning: string) => void;
  /** Ends the opening with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const CONNECT_OPTIONS = {
  naming: NAMING_RULE,
  cacheFolder: rule.path,
  fetch: CLIENT_OPTIONS.fetch,
  timeouts: CLIENT_OPTIONS.timeouts,
  headers: CLIENT_OPTIONS.headers,
  headersFile: rule.text,
  retry: CLIENT_OPTIONS.retry,
  onRetry: CLIENT_OPTIONS.onRetry,
  offline: rule.flag,
  lock: rule.text,
  onProgress: rule.callback(),
  onWarning: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<ConnectOptions>;

/** A registry within reach. Close it, or declare it with `await using`. */
export interface Connection extends AsyncDisposable {
  readonly client: RegistryClient;
  /** What the deployment calls things. */
  readonly naming: Naming;
  /** Whether the registry answers in this process. */
  readonly embedded: boolean;
  /** What provenance names: base address of a live registry, the folder of an embedded one, or the built-in sample. */
  readonly place: string;
  /** Folder of the archives of an embedded registry. */
  readonly folder: string | null;
  /** The registry in a few words, such as `the built-in sample (synthetic)`. */
  readonly description: string;
  /** Releases what the registry holds open. */
  close(): Promise<void>;
}

const TARGET = rule.either(rule.text, rule.instanceOf("a URL", URL));

/** Where a target leads: decided without any I/O. */
export type Target =
  | { readonly kind: "live"; readonly url: string }
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "sample" }
  | { readonly kind: "zika" };

/**
 * Decides where a target leads. An `http:` or `https:` address is a live registry, `localhost:8080` one on this
 * machine, `zika` the embedded registry of 34 real genomes, any other text a folder.
 *
 * @param target Address, `zika` or a folder; `undefined` or an empty text is the built-in sample.
 * @throws {TypeError} If it looks like an address and is invalid, lacks a scheme, or has credentials, a query or a
 * fragment.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { resolveTarget } from "./connect.ts";
 *
 * assertEquals(resolveTarget("https://registry.example/api/"), { kind: "live", url: "https://registry.example/api" });
 * assertEquals(resolveTarget("localhost:8080"), { kind: "live", url: "http://localhost:8080" });
 * assertEquals(resolveTarget(undefined), { kind: "sample" });
 * ```
 */
export function resolveTarget(target: string | URL | undefined): Target {
  checkArgument("open()", "target", target, TARGET);
  if (target === undefined || target === "") return { kind: "sample" };
  if (target === "zika") return { kind: "zika" };
  if (target instanceof URL && target.protocol === "file:") {
    return { kind: "folder", folder: pathOfUrl(target) };
  }
  const text = addScheme(String(target));
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text)) return { kind: "folder", folder: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new TypeError(
      `Cannot open the registry ${JSON.stringify(text)}: expected an address that begins with https:// or http://, ` +
        `or a folder of archives`,
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError(
      `Cannot open the registry at ${url.origin}${url.pathname}: expected a base address without user name, ` +
        `"?" or "#"; credentials of a private deployment are given as headers (--header, SEQREG_HEADERS, headers)`,
    );
  }
  return { kind: "live", url: url.href.replace(/\/+$/, "") };
}

/**
 * Completes `host:port` on this machine to an address, and names what is meant elsewhere: whether a foreign host speaks
 * https is not ours to guess.
 */
function addScheme(text: string): string {
  const [, host] = /^(localhost|[\w-]+(?:\.[\w-]+)*|\[[0-9a-fA-F:]+\]):[0-9]{1,5}(?:\/.*)?$/.exec(text) ?? [];
  if (host === undefined) return text;
  if (/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)) return `http://${text}`;
  throw new TypeError(
    `Cannot open the registry ${JSON.stringify(text)}: expected an address with its scheme; did you mean ` +
      `https://${text} or http://${text}?`,
  );
}

/**
 * Reaches a registry. Nothing is asked of a live one yet; an embedded one is ready to answer.
 *
 * @param target Address of a live registry, folder of archives, `zika` for 34 real genomes of Zika virus, or
 * `undefined` for the built-in sample, which is synthetic. Only the first needs the network; the archives of the last
 * two are made in the cache folder once. A folder of the name `zika` is `./zika`.
 * @throws {TypeError} If the target is neither an address nor a possible folder name.
 * @throws {RegistryError} With code `not-an-archive-set`, `damaged` or `disk` if a folder cannot be served. A live
 * registry while offline gives code `offline`, with the first request.
 * @see Not shown in the specification: the embedded registry is our own, instead of `{base_url}`.
 */
export async function connect(target?: string | URL, given: ConnectOptions = {}): Promise<Connection> {
  const where = resolveTarget(target);
  const options = lockedOptions(given);
  const naming = options.naming ?? SPECIFICATION_NAMING;
  const offline = isOffline(options);
  options.signal?.throwIfAborted();
  const { RegistryClient } = await import("../client/mod.ts");
  const clientOptions: ClientOptions = {
    naming,
    timeouts: options.timeouts,
    retry: options.retry,
    onRetry: options.onRetry,
  };
  if (where.kind === "live") {
    const fetch = offline ? refuseOffline(where.url) : options.fetch;
    const headers = await headersFor(where.url, options);
    const lock = await openLock(options, { naming, offline, registry: where.url, isEmbedded: false });
    const client = new RegistryClient(where.url, { ...clientOptions, headers, fetch, intercept: lock?.intercept });
    const close = async () => await lock?.close();
    return {
      client,
      naming,
      embedded: false,
      place: client.baseUrl,
      folder: null,
      description: client.baseUrl,
      close,
      [Symbol.asyncDispose]: close,
    };
  }
  if (where.kind === "zika") await warnOfFolder(options.onWarning);
  const cache = options.cacheFolder ?? cacheFolder();
  const shared = {
    naming,
    cacheFolder: cache,
    onProgress: options.onProgress,
    signal: options.signal,
  };
  const folder = where.kind === "folder" ? resolve(where.folder) : await makeArchives(where.kind, shared);
  const builtIn = where.kind === "folder" ? undefined : where.kind === "sample" ? SAMPLE_PLACE : ZIKA_PLACE;
  const { createRegistryService, openStore } = await loadService();
  const store = await openStore(folder, { ...shared, onWarning: options.onWarning });
  const registry = builtIn === undefined ? basename(folder) : `${builtIn}, version ${basename(folder)}`;
  const lock = await openLock(options, { naming, offline, registry, isEmbedded: true }).catch(async (error) => {
    await store[Symbol.asyncDispose]();
    throw error;
  });
  let closing: Promise<void> | undefined;
  const closeBoth = async () => {
    await store[Symbol.asyncDispose]();
    await lock?.close();
  };
  const close = () => closing ??= closeBoth();
  let fault: unknown;
  const service = createRegistryService(store, { naming, onFault: (cause) => fault = cause });
  // An answer in this process needs no I/O: a program that asks in a loop would keep timers and signals waiting.
  const yielder = new Yielder();
  const fetch: Fetch = async (request) => {
    await yielder.yieldWhenDue(request.signal);
    if (closing !== undefined) throw closedFault(folder);
    const response = await service(request);
    if (response.status !== 500) return response;
    // An embedded registry has no operator who could be asked, and a retry would not help.
    await response.body?.cancel();
    throw closing === undefined ? storeFault(folder, fault) : closedFault(folder);
  };
  const client = new RegistryClient("http://127.0.0.1", { ...clientOptions, fetch, intercept: lock?.intercept });
  return {
    client,
    naming,
    embedded: true,
    // A citation must show that the sample is synthetic, and where the genomes are from, in any cache folder.
    place: builtIn === undefined ? folder : `${builtIn}, version ${basename(folder)}`,
    folder,
    description: builtIn ?? folder,
    close,
    [Symbol.asyncDispose]: close,
  };
}

// Computed specifiers: Deno reads every source that a literal one leads to, which a live registry never runs.
const loadService = (): Promise<typeof import("@seqreg/embedded/service")> =>
  import(import.meta.resolve("@seqreg/embedded/service"));
const loadSample = (): Promise<typeof import("@seqreg/embedded/sample")> =>
  import(import.meta.resolve("@seqreg/embedded/sample"));

/** Options of a connection, what a replay orders, and whether the program itself does not name the lock. */
type LockedOptions = ConnectOptions & Pick<CallLockOptions, "journal"> & { readonly isLockGiven?: boolean };

/** Names the lock of the environment: by default, or in a replay instead of any other. */
export function lockedOptions(options: ConnectOptions): LockedOptions {
  const order = readEnvironment(REPLAY_VARIABLE);
  if (order !== undefined) {
    const { lock, journal, isLive } = readReplayOrder(order);
    return { ...options, lock, journal, offline: !isLive, isLockGiven: true };
  }
  if (options.lock !== undefined) return options;
  const lock = readEnvironment(LOCK_VARIABLE);
  return lock === undefined ? options : { ...options, lock, isLockGiven: true };
}

async function openLock(
  { lock, journal, isLockGiven, cacheFolder: own, onWarning = console.warn }: LockedOptions,
  about: Omit<CallLockOptions, "cache" | "journal" | "onWarning" | "otherCache">,
): Promise<CallLock | undefined> {
  if (!lock) return undefined;
  const { openCallLock } = await import("./lock/call_lock.ts");
  // A cache of the program's own, such as a temporary one, may be gone when it is replayed.
  const cache = isLockGiven ? cacheFolder() : own ?? cacheFolder();
  return await openCallLock(lock, {
    ...about,
    cache,
    ...own !== undefined && own !== cache && { otherCache: own },
    journal,
    onWarning,
  });
}

async function headersFor(url: string, options: ConnectOptions): Promise<Record<string, string>> {
  const { headers, headersFile = readEnvironment("SEQREG_HEADERS") } = options;
  if (headers === undefined && !headersFile) return {};
  const { readHeadersFile, requestHeaders } = await import("./request_headers.ts");
  return { ...headersFile ? await readHeadersFile(headersFile, url) : {}, ...requestHeaders(headers) };
}

function closedFault(folder: string): RegistryError {
  return new RegistryError("network", `Cannot ask the registry over ${folder}: it was closed; open it again`);
}

function storeFault(folder: string, cause: unknown): RegistryError {
  if (cause instanceof RegistryError) return cause;
  const why = messageOf(cause);
  return new RegistryError(
    "damaged",
    `The embedded registry over ${folder} could not answer: ${why}; remove the folder "service" in the cache and open ` +
      `it again`,
    { cause },
  );
}

interface Shared {
  readonly naming: Naming;
  readonly cacheFolder: string;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

async function makeArchives(kind: "sample" | "zika", options: Shared): Promise<string> {
  const { ensureSample, ensureZika } = await loadSample();
  return await (kind === "sample" ? ensureSample : ensureZika)(options);
}

/** A folder whose name is that of an embedded registry is not opened by it: the user may have meant the folder. */
export async function warnOfFolder(onWarning: (warning: string) => void = console.warn): Promise<void> {
  const isFolder = await Deno.stat("zika").then(({ isDirectory }) => isDirectory, () => false);
  if (isFolder) onWarning('"zika" is the built-in registry of 34 genomes; the folder of that name is ./zika');
}

function refuseOffline(url: string): Fetch {
  return (request) =>
    Promise.reject(
      new RegistryError(
        "offline",
        `Cannot ask ${url} for ${new URL(request.url).pathname}: the network is forbidden (SEQREG_OFFLINE=1 or the ` +
          `option offline); unset it, or use a folder of archives or the built-in sample`,
      ),
    );
}

/** Whether the network is forbidden. */
export function isOffline({ offline }: ConnectOptions): boolean {
  return offline ?? forbidsNetwork(readEnvironment("SEQREG_OFFLINE"));
}

/** Reads a variable; one that may not be read counts as not set, so that a script needs no `--allow-env`. */
export function readEnvironment(name: string): string | undefined {
  try {
    return Deno.env.get(name) || undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied) return undefined;
    throw error;
  }
}
