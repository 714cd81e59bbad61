/** Which registry a command speaks to: its options, and what they open. */
import { messageOf } from "@seqreg/core/errors";
import { isOffline } from "@seqreg/core/options/is_offline";
import type { Fetch } from "@seqreg/core/client";
import type { Registry } from "@seqreg/core/registry";
import { type Naming, parseNaming, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import { once } from "../arguments/once.ts";
import { asUsage, type CommandContext, type OptionSpecs, readGiven, UsageError } from "./command.ts";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import { startProgress } from "./progress.ts";

export const REGISTRY_OPTIONS = {
  registry: {
    type: "string",
    value: "URL|DIR|zika",
    variable: "SEQREG_URL",
    describe:
      "address of a registry, a folder of archives to serve in process, or zika for 34 real genomes (default: " +
      "SEQREG_URL, else the sample)",
  },
  naming: {
    type: "string",
    value: "FILE|JSON",
    variable: "SEQREG_NAMING",
    describe:
      "JSON, or a JSON file, that maps the specification's spellings to the deployment's (see seqreg naming); " +
      "SEQREG_NAMING",
  },
  header: {
    type: "string",
    multiple: true,
    value: "'NAME: VALUE'",
    describe: "header field for every request, such as credentials of a private deployment (default: SEQREG_HEADERS)",
  },
  retries: { type: "string", value: "N", describe: "maximum attempts per request (default: 4)" },
  "retry-time": {
    type: "string",
    value: "SECONDS",
    describe: "maximum total waiting time between attempts (default: 30)",
  },
  timeout: { type: "string", value: "SECONDS", describe: "longest wait for the first or the next byte (default: 30)" },
  "export-timeout": {
    type: "string",
    value: "SECONDS",
    describe: "longest wait for the first byte of an export of all matches (default: 600)",
  },
  lock: {
    type: "string",
    value: "FILE",
    variable: "SEQREG_LOCK",
    describe:
      "record each call and the digest of its answer in FILE, or with --offline answer from it and the cache (default: " +
      "SEQREG_LOCK, else no lock)",
  },
  offline: { type: "boolean", describe: "never use the network (default: SEQREG_OFFLINE=1)" },
  ...PROGRESS_OPTION,
} as const;

/** What a command sets itself, regardless of the options. */
export interface GivenRegistry {
  readonly target?: string;
  readonly naming?: Naming;
  /** Sends requests to a live registry. */
  readonly fetch?: Fetch;
  /** Lock that calls are recorded in; `""` for none, whatever the options and the environment name. */
  readonly lock?: string;
}

/**
 * Opens the registry of `--registry`, `SEQREG_URL` or the built-in sample.
 *
 * Check all other flags first: this reads files.
 *
 * @throws {UsageError} If one of the options is wrong, or the `--naming` file is.
 */
export async function openRegistry(context: CommandContext, given: GivenRegistry = {}): Promise<Registry> {
  const { flags, env, signal } = context;
  const target = given.target ?? targetOf(context);
  await checkRegistryFlags(context, target);
  const { resolveTarget } = await loadConnect();
  const tries = flags.integer("retries", { least: 1, most: 1000 });
  const budgetMs = flags.seconds("retry-time");
  const timeoutMs = flags.seconds("timeout");
  const exportMs = flags.seconds("export-timeout");
  const lock = given.lock ?? lockOf(context);
  const naming = given.naming ?? await readNaming(context);
  const headers = await readHeaders(context, target);
  // mod.ts of the room would load every result class.
  const { Registry } = await loadRegistry();
  using line = startProgress(context);
  return await Registry.open(target, {
    naming,
    offline: flags.has("offline") || isOffline(env("SEQREG_OFFLINE")),
    lock,
    retry: { tries, budgetMs },
    timeouts: { headersMs: timeoutMs, idleMs: timeoutMs, exportMs },
    headers,
    headersFile: "",
    ...(!!lock || resolveTarget(target).kind !== "live") && { cacheFolder: cacheFolder(env) },
    fetch: given.fetch,
    onRetry: ({ error, tries, waitMs }) =>
      context.summary(`attempt ${tries} failed, next attempt in ${(waitMs / 1000).toFixed(1)} s: ${error.message}`),
    onProgress: line.onProgress,
    onWarning: (warning) => context.note(`warning: ${warning}`),
    signal,
  });
}

/** Checks the registry's options without any I/O: commands with many flags call it before they read anything. */
export async function checkRegistryFlags(context: CommandContext, target = targetOf(context)): Promise<void> {
  context.flags.integer("retries", { least: 1, most: 1000 });
  context.flags.seconds("retry-time");
  for (const flag of ["timeout", "export-timeout"]) {
    if (context.flags.seconds(flag) === 0) {
      throw new UsageError(`Cannot use --${flag} 0: expected a number of seconds greater than 0, such as 30`);
    }
  }
  if (context.flags.text("lock") === "") throw new UsageError("Option --lock needs a value: --lock seqreg.lock");
  readHeaderFlags(context);
  const { resolveTarget } = await loadConnect();
  readGiven(() => resolveTarget(target));
}

/** The naming of `--naming` or `SEQREG_NAMING`; the specification's spellings without either. */
export async function readNaming(context: CommandContext): Promise<Naming> {
  const given = context.flags.text("naming") ?? context.env("SEQREG_NAMING");
  if (!given) return SPECIFICATION_NAMING;
  if (given.trimStart().startsWith("{")) {
    const name = context.flags.text("naming") === undefined ? "SEQREG_NAMING" : "--naming";
    return readGiven(() => parseNaming(given, name), [Error]);
  }
  const text = await Deno.readTextFile(given).catch((cause) => {
    const why = cause instanceof Deno.errors.NotFound ? "the file does not exist" : messageOf(cause);
    throw new UsageError(`Cannot read the naming file ${given}: ${why}`, { cause });
  });
  return readGiven(() => parseNaming(text, given), [Error]);
}

/** Reads `--header 'Name: value'`. @throws {UsageError} If one is invalid; the message never contains its value. */
function readHeaderFlags(context: CommandContext): Record<string, string> {
  const fields = context.flags.texts("header").map((text) => {
    const colon = text.indexOf(":");
    if (colon < 1) {
      throw new UsageError("Cannot use --header: expected 'Name: value', such as 'Authorization: Bearer …'");
    }
    return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()] as const;
  });
  // One name in two cases is one field.
  once("the header field", fields.map(([name]) => [name.toLowerCase(), name] as const));
  return Object.fromEntries(fields);
}

/** Header fields of `SEQREG_HEADERS` for the registry, and those of `--header`, which take precedence. */
async function readHeaders(context: CommandContext, target: string | undefined): Promise<Record<string, string>> {
  const flags = readHeaderFlags(context);
  const file = context.env("SEQREG_HEADERS");
  if (!file && Object.keys(flags).length === 0) return {};
  const { readHeadersFile, requestHeaders } = await loadRequestHeaders();
  const { resolveTarget } = await loadConnect();
  const where = resolveTarget(target);
  const own = readGiven(() => requestHeaders(flags));
  const listed = file && where.kind === "live" ? await readHeadersFile(file, where.url).catch(asUsage) : {};
  return { ...listed, ...own };
}

/**
 * Rejects options of requests where no registry is asked: they would have no effect.
 *
 * @param options The options, of which `used` have an effect all the same.
 * @param needed The option by which a registry is asked.
 */
export function refuseRequestOptions(
  { flags }: CommandContext,
  options: OptionSpecs,
  { needed, used = [] }: { readonly needed: string; readonly used?: readonly string[] },
): void {
  const unused = Object.keys(options).find((name) =>
    !["progress", "offline", ...used].includes(name) && flags.isGiven(name)
  );
  if (unused === undefined) return;
  throw new UsageError(`Option --${unused} needs ${needed}: no registry is asked without it`);
}

/** The lock of `--lock` or `SEQREG_LOCK`. */
export function lockOf({ flags, env }: CommandContext): string | undefined {
  return flags.text("lock") ?? (env("SEQREG_LOCK") || undefined);
}

function targetOf(context: CommandContext): string | undefined {
  return context.flags.text("registry") ?? (context.env("SEQREG_URL") || undefined);
}

// Computed specifiers: Deno reads every source that a literal one leads to, which a command such as `dataset --list`
// never runs.
const loadConnect = (): Promise<typeof import("@seqreg/core/registry/connect")> =>
  import(import.meta.resolve("@seqreg/core/registry/connect"));
const loadRegistry = (): Promise<typeof import("@seqreg/core/registry/registry")> =>
  import(import.meta.resolve("@seqreg/core/registry/registry"));
const loadRequestHeaders = (): Promise<typeof import("@seqreg/core/registry/request_headers")> =>
  import(import.meta.resolve("@seqreg/core/registry/request_headers"));
