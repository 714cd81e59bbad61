/** The embedded registry as a function from Request to Response. */
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import { ARCHIVE_IDS, archiveFiles } from "@seqreg/core/contract/datasets";
import { RELEASE_HEADER } from "@seqreg/core/contract/answers/release_mark";
import { sha256Of } from "@seqreg/core/io/digest";
import { createBodyBudget } from "../http/body_budget.ts";
import type { ServiceContext } from "../operations/context.ts";
import { Refusal } from "../http/refusal.ts";
import { MAX_BODIES_BYTES } from "../store/limits.ts";
import type { RegistryStore } from "../store/store.ts";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";

/** Options of {@linkcode createRegistryService}. */
export interface RegistryServiceOptions {
  /** What this registry calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /**
   * Milliseconds of computing for a search, and for an export until its first records are found: 422 after that.
   * Without a limit by default, as is right for callers of their own registry; `QUERY_MS` is that of `seqreg serve`.
   */
  readonly queryMs?: number;
  /**
   * Milliseconds that pass until a search is answered, and until an export's first records are found: 503 with
   * `Retry-After` after that. Without a limit by default; `QUERY_WAIT_MS` is that of `seqreg serve`.
   */
  readonly waitMs?: number;
  /**
   * Milliseconds between checks for new archives, if there are any: `Retry-After` of an archive that was
   * overwritten in place. 60 s by default.
   */
  readonly lookMs?: number;
  /** Receives every fault of the registry's own: those answered with 500, and those that break a streaming answer. */
  readonly onFault?: (fault: unknown) => void;
}

const REGISTRY_SERVICE_OPTIONS = {
  naming: NAMING_RULE,
  queryMs: rule.number({ above: 0, to: Infinity }),
  waitMs: rule.number({ above: 0, to: Infinity }),
  lookMs: rule.number({ above: 0, to: 86_400_000 }),
  onFault: rule.callback(),
} satisfies OptionRules<RegistryServiceOptions>;

const LOOK_MS = 60_000;

/** Answers requests, as a registry does; to be used as a `fetch`, or behind a socket. */
export type RegistryService = (request: Request) => Promise<Response>;

/**
 * Makes an embedded registry: a function that answers the five operations over the records of a store.
 *
 * Only the path and the query of a request's address count. An answer streams only as fast as it is read; cancelling it
 * ends the store's work. The request's signal does so, too, and before the answer rejects with its reason, as `fetch`
 * does.
 *
 * @param store Records and files; stays the caller's to dispose of.
 * @param options Naming, and a callback for faults.
 * @returns The function. It gives 500 with `{"detail": …}`, and no word of the cause, when the store fails.
 * @see Specification 4, 7 and 8. Not shown there, and our choice: 404 and 405 have the body `{"detail": "…"}`, too;
 * `HEAD` is allowed for dataset files alone; a body must not claim another content type than JSON (422). Every answer
 * has the header `Registry-Release`, the same for all servers of the same archives and definitions.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { makeSample } from "../../sample/mod.ts";
 * import { createRegistryService } from "./app.ts";
 * import { openStore } from "./open_store.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await makeSample(`${folder}/archives`, { records: 20 });
 * {
 *   await using store = await openStore(`${folder}/archives`, { cacheFolder: folder });
 *   const service = createRegistryService(store);
 *   const headers = { "content-type": "application/json" };
 *   const body = JSON.stringify({ query: "" });
 *   const response = await service(new Request("http://embedded/v2/search", { method: "POST", headers, body }));
 *
 *   assertEquals((await response.json()).total, 20);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function createRegistryService(store: RegistryStore, options: RegistryServiceOptions = {}): RegistryService {
  checkOptions("createRegistryService()", options, REGISTRY_SERVICE_OPTIONS);
  const { naming = SPECIFICATION_NAMING, queryMs, waitMs, lookMs = LOOK_MS, onFault = () => {} } = options;
  const context: ServiceContext = {
    store,
    naming,
    queryMs,
    waitMs,
    retrySeconds: Math.ceil(lookMs / 1000),
    bodies: createBodyBudget(MAX_BODIES_BYTES),
    onFault: (fault) => isAbort(fault) ? undefined : onFault(fault),
  };
  let marked: { readonly files: RegistryStore["files"]; readonly mark: string | undefined } | undefined;
  /** States which release an answer is of: pages of a search are compared by it. */
  const mark = (response: Response): Response => {
    const { files } = store;
    if (marked?.files !== files) marked = { files, mark: markOf(store, naming) };
    if (marked.mark !== undefined) response.headers.set(RELEASE_HEADER, marked.mark);
    return response;
  };
  let routes: Promise<RegistryService> | undefined;
  return async (request) => {
    request.signal.throwIfAborted();
    try {
      routes ??= import("./_routes.ts").then(({ createRoutes }) => createRoutes(context));
      return mark(await (await routes)(request));
    } catch (error) {
      if (error instanceof Refusal) return mark(answerTo(request, error));
      request.signal.throwIfAborted();
      context.onFault(error);
      const detail = "The registry failed to answer; try again, or report it to its operator";
      return mark(answerTo(request, new Refusal(500, detail)));
    }
  };
}

/** The mark of a store's release, a digest of its archives and definitions; `undefined` if one of theirs is unknown. */
function markOf({ files, fields }: RegistryStore, naming: Naming): string | undefined {
  const digests = ARCHIVE_IDS.map((id) => files.get(archiveFiles(id, naming).archive)?.sha256);
  if (digests.includes(undefined)) return undefined;
  return sha256Of(JSON.stringify([digests, fields])).slice(0, 16);
}

/** To `HEAD` an answer has the headers alone. */
function answerTo({ method }: Request, refusal: Refusal): Response {
  const response = refusal.toResponse();
  return method === "HEAD" ? new Response(null, response) : response;
}

function isAbort(fault: unknown): boolean {
  return fault instanceof DOMException && fault.name === "AbortError";
}
