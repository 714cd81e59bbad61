/** Asks registries again what a lock recorded, call by call. */
import { join } from "node:path";
import { checkDefinitionsRequest, checkDownloadRequest, checkSearchRequest } from "@seqreg/core/contract/validation";
import { DEFINITION_MEDIA_TYPES, type DefinitionFormat } from "@seqreg/core/contract/enumerations";
import type { Naming } from "@seqreg/core/contract";
import { isRecord } from "@seqreg/core/options/is_record";
import { ParseError, RegistryError } from "@seqreg/core/errors";
import { createScratchFolder } from "@seqreg/core/io/files/scratch_folder";
import {
  isAskedAgain,
  isRecordedRefusal,
  LockBodies,
  type LockedCall,
  type LockedCalls,
  readLock,
  restoreRequest,
} from "@seqreg/core/registry/lock";
import type { Registry } from "@seqreg/core/registry";
import { SAMPLE_PLACE, ZIKA_PLACE } from "@seqreg/core/registry/results/embedded_places";

export interface AskAgainOptions {
  /** Opens a registry that records in the lock of this path, with the same cache. */
  open(target: string | undefined, lock: string): Promise<Registry>;
  /** Address or folder of the registry, instead of the one that the lock names. */
  readonly target?: string;
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
}

/**
 * Asks the calls of a lock again; their new answers are in the cache.
 *
 * @returns The calls with their new answers, by the same digests.
 * @throws {RegistryError} If a registry does not answer, or the lock does not hold its address.
 */
export async function askAgain(calls: LockedCalls, options: AskAgainOptions): Promise<LockedCalls> {
  const bodies = new LockBodies(options.cacheFolder);
  const byRegistry = Map.groupBy(calls, ([, { registry }]) => registry);
  const answers = new Map<string, LockedCall>();
  using folder = await createScratchFolder("lock");
  for (const [index, [name, asked]] of [...byRegistry].entries()) {
    const lock = join(folder.path, `${index}.lock`);
    {
      await using registry = await options.open(options.target ?? targetOf(name), lock);
      for (const [key, call] of asked) {
        options.signal.throwIfAborted();
        const shown = `${key.slice(0, 12)} ${call.operation}`;
        const request = await restoreRequest(call.request, bodies, shown);
        await ask(registry, { call, request, again: isAskedAgain(key, call, request), signal: options.signal });
      }
    }
    const now = await readLock(lock) ?? new Map<string, LockedCall>();
    for (const [key, { operation }] of asked) {
      const answer = now.get(key);
      if (answer === undefined) {
        throw new RegistryError(
          "offline",
          `Cannot ask ${key.slice(0, 12)} ${operation} of ${name} again: what was opened is another registry, its ` +
            `naming is another, or the call was edited; name the registry with --registry, its spellings with --naming, ` +
            `and see seqreg lock verify`,
        );
      }
      answers.set(key, answer);
    }
  }
  return answers;
}

/** Where a registry of a lock is. */
function targetOf(name: string): string | undefined {
  if (/^https?:/.test(name)) return name;
  if (name.startsWith(`${SAMPLE_PLACE}, `)) return "";
  if (name.startsWith(`${ZIKA_PLACE}, `)) return "zika";
  throw new RegistryError(
    "offline",
    `Cannot ask the registry ${name} again: a lock does not hold the path of a folder; name it with --registry`,
  );
}

interface RepeatedCall {
  readonly call: LockedCall;
  readonly request: unknown;
  readonly again: boolean;
  readonly signal: AbortSignal;
}

/** Sends a request, and reads its answer to the end; a refusal is an answer, unless it passes. */
async function ask(registry: Registry, { call, ...asked }: RepeatedCall): Promise<void> {
  try {
    const body = await send(registry, call, asked);
    if (body !== undefined) await body.pipeTo(new WritableStream());
  } catch (cause) {
    const isRefusal = cause instanceof RegistryError && "status" in cause && isRecordedRefusal(Number(cause.status));
    if (!isRefusal) throw cause;
  }
}

async function send(
  { client, naming }: Registry,
  { operation, accept }: LockedCall,
  { request, again, signal }: Omit<RepeatedCall, "call">,
): Promise<ReadableStream<Uint8Array> | undefined> {
  switch (operation) {
    case "search":
      return void await client.search(demand(checkSearchRequest(request)), { signal, again });
    case "sequence": {
      const accessions = isRecord(request) ? request[naming.accessionsKey] : undefined;
      return void await client.sequence({ accessions: Array.isArray(accessions) ? accessions.map(String) : [] }, {
        signal,
      });
    }
    case "metadata_download": {
      const format = FORMATS.find((format) => DEFINITION_MEDIA_TYPES[format] === accept);
      return void await client.definitions(demand(checkDefinitionsRequest(request)), {
        format,
        signal,
      });
    }
    case "download":
      return (await client.download(demand(checkDownloadRequest(specified(request, naming))), { signal })).body;
    case "datasets_download":
      return (await client.dataset(isRecord(request) ? String(request.filename) : "", { signal })).body;
    default:
      throw new ParseError(`Cannot ask ${operation} again: expected one of the five operations; record the lock again`);
  }
}

const FORMATS: readonly DefinitionFormat[] = ["csv", "json", "xlsx"];

/** A download as the specification spells it. */
function specified(request: unknown, naming: Naming): unknown {
  if (!isRecord(request) || !isRecord(request.download)) return request;
  const { information } = request.download;
  return {
    ...request,
    download: {
      ...request.download,
      information: information === naming.accessionsKey ? "registry_accessions" : information,
    },
  };
}

function demand<T>(checked: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (checked.ok) return checked.value;
  throw new ParseError("Cannot ask a call again: its request in the lock is damaged; record the lock again");
}
