/** A registry's archives in a folder that can replace the registry. */
import { join } from "node:path";
import { makeFolder } from "../io/files/make_folder.ts";
import { diskError } from "../io/files/disk_error.ts";
import { type RegistryClient, StatusError } from "../client/mod.ts";
import { RegistryError } from "../errors.ts";
import { writeAtomic } from "../io/files/atomic_file.ts";
import { readBytes } from "../io/bytes/byte_source.ts";
import { freeBytes } from "../io/files/free_space.ts";
import { acquireLock } from "../io/files/lock.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import { equalDigests, startSha256 } from "../io/digest/sha256.ts";
import {
  ARCHIVE_IDS,
  type ArchiveFiles,
  archiveFiles,
  type ArchiveId,
  MIRROR_LOCK_FILE,
} from "../contract/datasets.ts";
import { closeLedger, type Ledger, type Provenance } from "../contract/ledger.ts";
import { TOOLKIT } from "../contract/version.ts";
import { fetchVerified } from "./_fetch_verified.ts";
import { type DefinitionsReader, type MirrorDefinitions, mirrorDefinitions } from "./_mirror_definitions.ts";
import { SLOWEST_PACE } from "./_pace.ts";
import { type RegistryChecksum, requestChecksum } from "./_registry_checksum.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkOptions } from "../options/check_options.ts";
import { noteReleases } from "../contract/answers/release_mark.ts";
import { type LedgerEntry, noteEntry } from "../contract/ledger_entries.ts";
export type { DefinitionsReader, UnderstoodDefinitions } from "./_mirror_definitions.ts";

/** @deprecated Write {@linkcode DefinitionsReader}: `ReadDefinitions` is of `seqreg/tables`. */
export type ReadDefinitions = DefinitionsReader;

/** Name of the file with the definitions of the archives' fields. */
export const DEFINITIONS_FILE = "definitions.json";

/** Options of {@linkcode mirror}. */
export interface MirrorOptions {
  /** Name of the registry in provenances; the client's base address by default. */
  readonly registry?: string;
  /** Interprets the registry's definitions; `readDefinitions` by default. */
  readonly readDefinitions?: DefinitionsReader;
  /** Receives the progress of the work. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason; files under their final name are complete then. */
  readonly signal?: AbortSignal;
}

const MIRROR_OPTIONS = {
  registry: rule.text,
  readDefinitions: rule.callback(),
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<MirrorOptions>;

/** One archive of a mirror, with its checksum file. */
export interface MirroredArchive {
  /** Which of the eight. */
  readonly id: ArchiveId;
  /** File name of the archive. */
  readonly archive: string;
  /** File name of its checksum file. */
  readonly checksum: string;
  /** Size of the archive in bytes. */
  readonly bytes: number;
  /** SHA-256 of the archive: 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Whether it was fetched by this call. */
  readonly changed: boolean;
  /** Address on another origin that sent it, after redirects; absent if the registry itself sent it. */
  readonly address?: string;
}

/** A folder that can replace a registry. */
export interface Mirror {
  /** The folder. */
  readonly folder: string;
  /** The archives in it, each verified by this call. */
  readonly archives: readonly MirroredArchive[];
  /** Why archives are missing. */
  readonly failures: readonly { readonly name: string; readonly error: RegistryError }[];
  /** Counts archives. */
  readonly ledger: Ledger;
  /** Where it comes from; `bytes` are those transferred by this call. */
  readonly provenance: Provenance;
}

/**
 * Mirrors a registry into a folder: its sixteen files, verified, and its definitions.
 *
 * Fetches only what changed; existing files are hashed again. An archive is renamed when it is verified, its checksum
 * file after it. A failed archive does not stop the others: it is a failure in the result, which is then incomplete.
 *
 * @param client Calls the registry.
 * @param folder Created if missing.
 * @param options Definitions, progress, signal.
 * @throws {RegistryError} With code `disk`, or as the client throws when the registry cannot be reached.
 * @see Specification 4.1. That a folder of the sixteen files is served by `serveRegistry` is our choice.
 *
 * @example
 * ```ts
 * import { createHash } from "node:crypto";
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import { RegistryClient } from "../client/mod.ts";
 * import { mirror } from "./mirror.ts";
 *
 * const bytes = new Uint8Array(gzipSync("Registry Accession,Country\nvj000000000001,Chile\n"));
 * const digest = createHash("sha256").update(bytes).digest("hex");
 * const client = new RegistryClient("http://127.0.0.1:8080", {
 *   fetch: ({ url }) => {
 *     const name = new URL(url).searchParams.get("filename");
 *     const types = "name,type\nRegistry Accession,string\nCountry,string\n";
 *     if (name === null) return Promise.resolve(new Response(types));
 *     const sums = `${digest}  ${name.replace(/sha256$/, "csv.gz")}\n`;
 *     return Promise.resolve(new Response(name.endsWith(".sha256") ? sums : bytes));
 *   },
 * });
 * const folder = await Deno.makeTempDir();
 *
 * assertEquals((await mirror(client, folder)).ledger.complete, true);
 * assertEquals((await mirror(client, folder)).archives.some(({ changed }) => changed), false);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function mirror(client: RegistryClient, folder: string, options: MirrorOptions = {}): Promise<Mirror> {
  checkOptions("mirror()", options, MIRROR_OPTIONS);
  const { signal, registry = client.baseUrl } = options;
  const started = new Date().toISOString();
  signal?.throwIfAborted();
  await makeFolder(folder);
  const lock = await acquireLock(join(folder, MIRROR_LOCK_FILE), { signal });
  let isWhole = false;
  try {
    const notes: LedgerEntry[] = [];
    const settings = { ...options, registry, lockReliable: lock.reliable, notes };
    let { archives, failures, releases } = await mirrorArchives(client, folder, settings);
    let bytes = fetchedBytes(archives);
    if (releases.size > 1) {
      // What was fetched of the older release is replaced; the rest is only verified.
      const earlier = new Map(archives.map((archive) => [archive.id, archive]));
      ({ archives, failures, releases } = await mirrorArchives(client, folder, settings));
      bytes += fetchedBytes(archives);
      // What is as it was fetched then came as it did then.
      archives = archives.map((archive) => archive.changed ? archive : earlier.get(archive.id) ?? archive);
    }
    notes.push(...noteReleases(releases, { what: "the archives", next: "mirror again" }));
    const definitions = await writeDefinitions(client, folder, archives, options);
    isWhole = failures.length === 0 && releases.size <= 1;
    const addresses = archives.flatMap(({ address }) => address ?? []);
    const count = ARCHIVE_IDS.length;
    options.onProgress?.({ task: "mirroring", done: count, total: count, unit: "files", finished: true });
    return {
      folder,
      archives,
      failures,
      ledger: closeLedger({
        asked: count,
        promised: count,
        received: archives.length,
        missing: failures.map(({ name }) => name),
        entries: [...notes, ...definitions.entries],
      }),
      provenance: {
        operation: "mirror",
        registry,
        ...addresses.length > 0 && { addresses },
        request: { folder, filenames: archives.flatMap(({ archive, checksum }) => [archive, checksum]) },
        bytes,
        sha256: null,
        started,
        finished: new Date().toISOString(),
        toolkit: TOOLKIT,
      },
    };
  } finally {
    // Archives of two versions may stand in the folder: its lock's file keeps a registry from taking them over.
    if (isWhole) lock.release();
    else lock.abandon();
  }
}

function fetchedBytes(archives: readonly MirroredArchive[]): number {
  return archives.reduce((sum, { changed, bytes }) => sum + (changed ? bytes : 0), 0);
}

/** The archives of one pass over the registry. */
interface MirroredArchives {
  readonly archives: readonly MirroredArchive[];
  readonly failures: readonly { readonly name: string; readonly error: RegistryError }[];
  /** Names of the archives, by the mark of the release that their checksum file is of. */
  readonly releases: ReadonlyMap<string, readonly string[]>;
}

async function mirrorArchives(
  client: RegistryClient,
  folder: string,
  settings: ArchiveSettings,
): Promise<MirroredArchives> {
  const archives: MirroredArchive[] = [];
  const failures: { name: string; error: RegistryError }[] = [];
  const releases = new Map<string, string[]>();
  for (const [index, id] of ARCHIVE_IDS.entries()) {
    const files = archiveFiles(id, client.naming);
    settings.onProgress?.({
      task: `mirroring ${files.archive}`,
      done: index,
      total: ARCHIVE_IDS.length,
      unit: "files",
    });
    try {
      const { release, ...archive } = await mirrorArchive(client, folder, files, settings);
      archives.push(archive);
      if (release !== undefined) releases.set(release, [...releases.get(release) ?? [], files.archive]);
    } catch (error) {
      settings.signal?.throwIfAborted();
      if (!isOfOneArchive(error)) throw error;
      failures.push({ name: files.archive, error });
    }
  }
  return { archives, failures, releases };
}

interface ArchiveSettings extends MirrorOptions {
  readonly registry: string;
  readonly lockReliable: boolean;
  readonly notes: LedgerEntry[];
}

async function mirrorArchive(
  client: RegistryClient,
  folder: string,
  files: ArchiveFiles,
  settings: ArchiveSettings,
): Promise<MirroredArchive & { readonly release?: string }> {
  const { registry, lockReliable, notes, onProgress = () => {}, signal } = settings;
  const { id, archive, checksum } = files;
  const path = join(folder, archive);
  const stated = await requestChecksum(client, files, signal);
  const present = await hashPresent(path, archive, { onProgress, signal });
  if (present !== undefined && equalDigests(present.sha256, stated.sha256)) {
    await writeChecksum(join(folder, checksum), stated);
    return { id, archive, checksum, bytes: present.bytes, sha256: stated.sha256, changed: false, ...marked(stated) };
  }
  const fetched = await fetchVerified({
    client,
    files,
    registry,
    stated,
    folder,
    prefix: `.${archive}`,
    lockReliable,
    freeBytes,
    pace: SLOWEST_PACE,
    onProgress,
    signal,
  });
  notes.push(...fetched.notes);
  try {
    await Deno.rename(fetched.part.path, path);
  } catch (cause) {
    throw diskError(cause, { action: `write ${path}`, next: "choose another folder" });
  } finally {
    await fetched.part.discard();
  }
  await writeChecksum(join(folder, checksum), fetched.checksum);
  const { bytes, address } = fetched;
  const { sha256 } = fetched.checksum;
  return {
    id,
    archive,
    checksum,
    bytes,
    sha256,
    changed: true,
    ...marked(fetched.checksum),
    ...address !== null && { address },
  };
}

function marked({ release }: RegistryChecksum): { readonly release?: string } {
  return release === undefined ? {} : { release };
}

/** Hashes an existing file; `undefined` if it is missing or cannot be read. */
async function hashPresent(
  path: string,
  name: string,
  { onProgress, signal }: { readonly onProgress: OnProgress; readonly signal?: AbortSignal },
): Promise<{ sha256: string; bytes: number } | undefined> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (!info?.isFile) return undefined;
  const hash = startSha256();
  let bytes = 0;
  for await (const chunk of readBytes(path, { signal })) {
    hash.update(chunk);
    bytes += chunk.length;
    onProgress({ task: `verifying ${name}`, done: bytes, total: info.size, unit: "bytes" });
  }
  return { sha256: hash.digest(), bytes };
}

/** Writes the registry's own checksum file, if it is missing. */
async function writeChecksum(path: string, { fileBytes }: RegistryChecksum): Promise<void> {
  const present = await Deno.readFile(path).catch(() => undefined);
  if (present !== undefined && equalBytes(present, fileBytes)) return;
  await writeAtomic(path, fileBytes);
}

async function writeDefinitions(
  client: RegistryClient,
  folder: string,
  archives: readonly MirroredArchive[],
  options: MirrorOptions,
): Promise<Pick<MirrorDefinitions, "entries">> {
  const source = archives.find(({ id }) => id === "full_dataset_metadata");
  if (source === undefined) {
    const text = `no ${DEFINITIONS_FILE} was written: the archive of all metadata is missing`;
    return { entries: [noteEntry("definitions-not-written", text)] };
  }
  const { signal, readDefinitions: read } = options;
  const path = join(folder, DEFINITIONS_FILE);
  const understood = await mirrorDefinitions(client, join(folder, source.archive), { read, signal });
  const present = await Deno.readTextFile(path).catch(() => undefined);
  if (present !== undefined && !understood.answered) {
    const kept = noteEntry("definitions-not-written", `${DEFINITIONS_FILE} was not changed`);
    return { entries: [...understood.entries, kept] };
  }
  const text = JSON.stringify(understood.definitions, null, 2) + "\n";
  // Rewriting the same text would look like a change to tools that build from the folder.
  if (present !== text) await writeAtomic(path, text, { signal });
  return understood;
}

/** Whether a failure concerns one archive only, so that the others can still be fetched. */
function isOfOneArchive(error: unknown): error is RegistryError {
  if (error instanceof StatusError) return error.status < 500 && error.code !== "busy";
  return error instanceof RegistryError && ["checksum", "unexpected-response", "status"].includes(error.code);
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
