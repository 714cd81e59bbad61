/** `seqreg serve`: the embedded registry on a socket. */
import { countOf } from "@seqreg/core/contract/count_of";
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { type Command, type CommandContext, EXIT, readGiven, UsageError } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import { startProgress } from "../support/progress.ts";
import { readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";
import { SAMPLE_PLACE, ZIKA_PLACE } from "@seqreg/core/registry/results/embedded_places";
import type { EnsureZikaOptions } from "@seqreg/embedded/sample";
import type { RegistryServer, RegistryService, ServeOptions } from "@seqreg/embedded/service";
import { AccessLog } from "../service/access_log.ts";
import { followArchives, Hangups } from "../service/follow_archives.ts";
import { RepeatedNotes } from "../service/repeated_notes.ts";

/** Options that have no effect without serving. */
const OF_SERVING = ["host", "port", "allow-host", "cors", "log", "watch", "copies", "memory"];

const command: Command = {
  name: "serve",
  summary: "Serve a folder of archives, the built-in sample, or zika as a registry on this machine",
  operands: "[DIR|zika]",
  operandCount: [0, 1],
  options: {
    host: {
      type: "string",
      value: "ADDRESS",
      describe: "address to listen on (default: 127.0.0.1, this machine only)",
    },
    port: { type: "string", value: "N", describe: "port to listen on; 0 picks a free one (default: 0)" },
    "allow-host": {
      type: "string",
      multiple: true,
      value: "NAME",
      describe: "additional host name that clients may use, with or without :PORT",
    },
    cors: {
      type: "string",
      multiple: true,
      value: "ORIGIN",
      describe: "origin whose pages may read the answers, such as https://lab.example; * for all origins",
    },
    log: {
      type: "string",
      value: "FILE",
      writes: true,
      describe: "append one JSON line for each request to FILE (time, method, target, status, bytes, durationMs, " +
        "whole, cutOff); - is standard output",
    },
    watch: {
      type: "string",
      value: "SECONDS",
      describe: "look for new archives in DIR at this interval, and at SIGHUP; import them, then switch over; " +
        "0 looks at SIGHUP alone (default: 5)",
    },
    copies: {
      type: "boolean",
      describe: "serve copies of the archives in the cache, so that those in DIR can be overwritten in place; " +
        "takes as much disk space again (default: serve those in DIR)",
    },
    memory: {
      type: "string",
      value: "MB",
      describe: "memory for answers under way, 2 MB each; others wait (default: a quarter of the heap's limit)",
    },
    openapi: {
      type: "string",
      value: "FILE",
      writes: true,
      describe: "write the OpenAPI description to FILE and exit without serving; - is standard output",
    },
    naming: REGISTRY_OPTIONS.naming,
    ...PROGRESS_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg serve",
    "seqreg serve zika",
    "seqreg serve archives --port 8080",
    "seqreg serve archives --host 0.0.0.0 --port 8080 --allow-host registry.lab",
    "seqreg serve archives --watch 60",
    "seqreg serve archives --copies",
    "seqreg serve archives --openapi openapi.json",
  ],
  help: [{
    title: "A new release of DIR:",
    lines: [
      "DIR may be a symbolic link. Switch it when the new folder is complete: old files are served until then.",
      "  ln -s releases/2026-12 next && mv -T next archives",
      "seqreg mirror -o DIR replaces files by renaming, which is as safe. Files that are overwritten in place (cp)",
      "cannot be had until they are imported; with --copies the old release is served until then.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-net", "--allow-env"],
  async run(context) {
    const { flags, signal } = context;
    const unused = OF_SERVING.find((name) => flags.isGiven("openapi") && flags.isGiven(name));
    if (unused !== undefined) {
      throw new UsageError(`Options --openapi and --${unused} cannot be combined: nothing is served`);
    }
    const memory = flags.integer("memory", { least: 2, most: 1 << 20 });
    const options: ServeOptions = {
      port: flags.integer("port", { least: 0, most: 65_535 }) ?? 0,
      allowHosts: flags.texts("allow-host"),
      corsOrigins: flags.texts("cors"),
      hostname: flags.text("host"),
      ...memory !== undefined && { limits: { memoryBytes: memory * 2 ** 20 } },
    };
    const watchMs = readWatch(context);
    // One that comes while archives are imported is a look after it; what is built in has no other release.
    const hangups = new Hangups(context);
    const copies = readCopies(context);
    const { checkServeOptions, openRegistry, QUERY_MS, QUERY_WAIT_MS, serveRegistry } = await import(
      "@seqreg/embedded/service"
    );
    readGiven(() => checkServeOptions(options), [Error]);
    const { checkDescriptors } = await import("@seqreg/embedded/service/http/descriptors");
    checkDescriptors();
    const naming = await readNaming(context);
    using progress = startProgress(context);
    const shared = { naming, cacheFolder: cacheFolder(context.env), signal, onProgress: progress.onProgress };
    using notes = new RepeatedNotes(context.note);
    await using log = await openLog(context, notes);
    const { folder, label } = await chooseFolder(context, shared);
    const onFault = (fault: unknown) => notes.say(`an answer failed: ${messageOf(fault)}`);
    const looks = watchMs !== undefined && watchMs !== Infinity && { lookMs: watchMs };
    const limits = { queryMs: QUERY_MS, waitMs: QUERY_WAIT_MS, ...looks };
    const onWarning = (warning: string) => context.note(`warning: ${warning}`);
    await using registry = await openRegistry(folder, { ...shared, ...limits, copies, onFault, onWarning });
    const { store, service } = registry;
    progress.clear();
    const description = flags.text("openapi");
    if (description !== undefined) return await writeDescription(service, description, context);
    const server = await serveRegistry(service, {
      ...options,
      signal,
      onFault,
      onAnswer: log?.write,
    });
    await context.stdout.write(`${server.url}\n`);
    await context.stdout.flush?.();
    // Modules of the first answer are loaded before a client waits for them.
    await (await service(new Request("http://embedded/v2"))).body?.cancel();
    context.summary(`serving ${countOf(store.recordCount, "record")} of ${label}; Ctrl-C ends it`);
    if (store.definitionsDerived) {
      context.summary("the folder has no definitions.json: field types are derived from the data");
    }
    for (const warning of server.warnings) context.summary(`warning: ${warning}`);
    using _second = endAtSecondSignal(server);
    const over = new AbortController();
    const finished = server.finished.finally(() => over.abort());
    const following = { ...context, signal: AbortSignal.any([signal, over.signal]) };
    await Promise.all([
      finished,
      watchMs !== undefined && followArchives(registry, { everyMs: watchMs, hangups }, following),
    ]);
    if (server.cut > 0) {
      context.note(`ended; ${countOf(server.cut, "answer")} under way cut off: ask for what is missing again`);
      return EXIT.failed;
    }
    context.summary("ended");
    return EXIT.done;
  },
};

/** The folder to serve, created if it is a built-in one, and its name in messages. */
async function chooseFolder(
  { operands: [given], note }: CommandContext,
  options: EnsureZikaOptions,
): Promise<{ readonly folder: string; readonly label: string }> {
  if (given !== undefined && given !== "zika") return { folder: given, label: given };
  const { ensureSample, ensureZika } = await import("@seqreg/embedded/sample");
  if (given === undefined) return { folder: await ensureSample(options), label: SAMPLE_PLACE };
  const { warnOfFolder } = await import("@seqreg/core/registry/connect");
  await warnOfFolder((warning) => note(`warning: ${warning}`));
  return { folder: await ensureZika(options), label: ZIKA_PLACE };
}

/** Default interval between checks. */
const WATCH_SECONDS = 5;

/** Reads `--watch`: milliseconds between checks, `Infinity` without any; `undefined` where nothing can change. */
function readWatch({ flags, operands: [given] }: CommandContext): number | undefined {
  const text = flags.text("watch");
  if (given === undefined || given === "zika") {
    if (text !== undefined) throw needsFolder("--watch", given);
    return undefined;
  }
  if (text === undefined) return WATCH_SECONDS * 1000;
  const seconds = Number(text);
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || seconds !== 0 && (seconds < 0.1 || seconds > 86_400)) {
    throw new UsageError(`Cannot use --watch ${JSON.stringify(text)}: expected 0, or seconds from 0.1 to 86400`);
  }
  return seconds === 0 ? Infinity : seconds * 1000;
}

function readCopies({ flags, operands: [given] }: CommandContext): boolean {
  const copies = flags.has("copies");
  if (copies && (given === undefined || given === "zika")) throw needsFolder("--copies", given);
  return copies;
}

function needsFolder(flag: string, what = "sample"): UsageError {
  return new UsageError(`Cannot use ${flag} without a folder: the built-in ${what} never changes; specify DIR`);
}

/** Writes the document that the registry serves at `/openapi.json`. */
async function writeDescription(service: RegistryService, path: string, context: CommandContext): Promise<number> {
  const response = await service(new Request("http://embedded/openapi.json", { signal: context.signal }));
  const text = `${JSON.stringify(await response.json(), undefined, 2)}\n`;
  if (!response.ok) throw new RegistryError("disk", "Cannot describe the registry: its files cannot be read");
  if (path === "-") await context.stdout.write(text);
  else await writeAtomic(path, text, { signal: context.signal });
  return EXIT.done;
}

async function openLog({ flags }: CommandContext, notes: RepeatedNotes): Promise<AccessLog | undefined> {
  const path = flags.text("log");
  if (path === undefined) return undefined;
  const name = path === "-" ? "standard output" : path;
  return await AccessLog.open(path, {
    onLost: (lines, why) => notes.say(`a line of the log was lost, its answer was not: ${name}: ${why}`, lines),
  });
}

/** Cuts off what is under way at the second signal that asks for the end. */
function endAtSecondSignal(server: RegistryServer): Disposable {
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  let asked = 0;
  const count = () => void (++asked > 1 && server.shutdown(0));
  for (const signal of signals) Deno.addSignalListener(signal, count);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) Deno.removeSignalListener(signal, count);
    },
  };
}

export default command;
