/** A research object: a notebook, a script or a lock, with what it retrieved and how, in one folder to deposit. */
import { basename, dirname, join } from "node:path";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import { nearbyName } from "@seqreg/core/options/nearest";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { RegistryError } from "@seqreg/core/errors";
import { createWholeFolder, onDisk } from "@seqreg/core/io/files/whole_folder";
import { completeLock, type LockedCalls, readLock } from "@seqreg/core/registry/lock";
import { LOCK_NAME } from "@seqreg/core/registry/lock/lock_name";
import { cite, dayOf } from "@seqreg/core/registry/results";
import type { Citation } from "@seqreg/core/registry";
import { citeSource } from "../cite/cite_source.ts";
import type { CrateAuthor } from "./_crate_entities.ts";
import { CrateFolder, type CrateResult } from "./_crate_files.ts";
import { crateMetadata } from "./_crate_graph.ts";
import { type CrateSource, readCrateSource } from "./_crate_source.ts";
import { type LedgerFile, readLedgerFile } from "./_ledger_file.ts";
import { isOrcid } from "./orcid.ts";
import { SPDX_IDS } from "./_spdx_ids.ts";

export { type CrateAuthor, isOrcid };

/** End of the name of a ledger next to a result. */
const LEDGER_ENDING = ".provenance.json";

/** Options of {@linkcode writeCrate}. */
export interface CrateOptions {
  /** The lock of a notebook or a script; by default `seqreg.lock` next to it, if there is one. */
  readonly lock?: string;
  /**
   * Files that were made, and ledgers (of `--ledger`), which name the file that they were written about. The ledger
   * `FILE.provenance.json` next to a file comes with it.
   * By default every file next to the notebook, script or lock that has such a ledger.
   */
  readonly results?: readonly string[];
  /** Title; by default the first heading of a notebook, else the file's name. */
  readonly title?: string;
  /** Who made it. */
  readonly authors?: readonly CrateAuthor[];
  /** Licence: an SPDX identifier such as `CC-BY-4.0`, its address, or a file that is put into the crate. */
  readonly license?: string;
  /** Day of publication, such as `2026-01-31`; by default that of the last ledger, and today without one. */
  readonly date?: string;
  /** Ends the work with the signal's reason; no file is left. */
  readonly signal?: AbortSignal;
}

const CRATE_OPTIONS = {
  lock: rule.text,
  results: rule.texts,
  title: rule.text,
  authors: rule.listOf(
    rule.like<CrateAuthor>(
      "an author with a name, and an ORCID iD whose last digit checks",
      (value) =>
        typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" &&
        value.name !== "" && (!("orcid" in value) || value.orcid === undefined || isOrcid(value.orcid)),
    ),
    "authors",
  ),
  license: rule.text,
  date: rule.textLike("a day such as 2026-01-31", /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/),
  signal: rule.signal,
} satisfies OptionRules<CrateOptions>;

/** A crate that was written. */
export interface Crate {
  /** Paths of its files in its folder, sorted. */
  readonly files: readonly string[];
  /** Citations of the data: of the lock, else of each ledger. */
  readonly citations: readonly Citation[];
  /** What is unusual. */
  readonly entries: readonly LedgerEntry[];
}

/**
 * Writes a research object to deposit: an RO-Crate 1.3 with the profile Process Run Crate 0.6.
 *
 * The folder holds the notebook, script or lock, the lock of its calls, results and ledgers (in `results/`),
 * `CITATION.cff`, the licence if it is a file, and `ro-crate-metadata.json`. This describes each file with its size and
 * SHA-256, and what made it: from which registry, when, with which versions. Times and days come from ledgers: the same
 * files make the same crate. Calls of a program that was killed before it wrote its lock are written into the lock.
 *
 * @param source Path of a notebook (`.ipynb`), a script or a lock.
 * @param folder Folder to write: absent or empty.
 * @param options Lock, results, title, authors, licence, day.
 * @throws {ParseError} If the source is anything else, or a lock is damaged or not in its canonical form.
 * @throws {RegistryError} With code `checksum` if a result changed since its ledger was written; with code `disk` if a
 * file cannot be read or written, or there is neither a lock nor a result.
 * @see Not shown in the specification. RO-Crate 1.3: w3id.org/ro/crate/1.3; the profile: w3id.org/ro/wfrun/process/0.6.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writeCrate } from "./crate.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/study.ts`, 'console.log("hello");\n');
 * await Deno.writeTextFile(`${folder}/table.csv`, "accession\nvj000000000001\n");
 * const { files } = await writeCrate(`${folder}/study.ts`, `${folder}/crate`, {
 *   results: [`${folder}/table.csv`],
 *   authors: [{ name: "Josiah Carberry", orcid: "0000-0002-1825-0097" }],
 *   license: "CC-BY-4.0",
 * });
 *
 * assertEquals(files, ["results/table.csv", "ro-crate-metadata.json", "study.ts"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function writeCrate(source: string, folder: string, options: CrateOptions = {}): Promise<Crate> {
  checkArgument("writeCrate()", "source", source, rule.required(rule.text));
  checkArgument("writeCrate()", "folder", folder, rule.required(rule.text));
  checkOptions("writeCrate()", options, CRATE_OPTIONS);
  const { signal, authors = [], title, date } = options;
  if (date !== undefined && new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(date.slice(8))) {
    throw new RangeError(`Cannot use the date ${date} (option date): the month has no such day`);
  }
  await completeLock(source);
  const main = await readCrateSource(source);
  const lock = await findLock(main, options);
  const results = await findResults(source, options);
  if (lock === undefined && results.length === 0) {
    throw new RegistryError(
      "disk",
      `Cannot make a crate of ${source}: it has no lock and no results; record its calls with --lock ${LOCK_NAME}, or ` +
        `name its results`,
    );
  }
  const found = await findLicense(options.license);
  const ledgers = results.flatMap(({ ledger }) => ledger ?? []);
  const citations = lock === undefined
    ? ledgers.map((ledger) => cite(ledger, ledger))
    : [await citeSource(lock.path, { signal })];
  await using staging = await createWholeFolder(folder);
  const files = new CrateFolder(staging.path, signal);
  return await onDisk(folder, async () => {
    const sourceFile = await files.copy(source);
    const lockFile = lock === undefined || main.kind === "lock" ? sourceFile : await files.copy(lock.path);
    const copied: CrateResult[] = [];
    for (const result of results) copied.push(await copyResult(files, result));
    const citation = citations.length === 1 ? await files.write("CITATION.cff", citations[0].cff) : undefined;
    const license = found === undefined || "url" in found ? found : { file: await files.copy(found.path) };
    const days = ledgers.map(dayOf).sort();
    await files.write(
      "ro-crate-metadata.json",
      crateMetadata({
        source: main,
        sourceFile,
        ...lock && { lock: { file: lockFile, calls: lock.calls } },
        results: copied,
        ...citation && { citation },
        credit: citations.map(({ sentence }) => sentence).join(" "),
        ...license && { license },
        authors,
        title: title ?? main.title,
        date: date ?? days.at(-1) ?? new Date().toISOString().slice(0, 10),
        toolkit: TOOLKIT,
      }),
    );
    signal?.throwIfAborted();
    await staging.rename();
    const absent = noteEntry("lock-absent", `${basename(source)} has no lock: its calls cannot be replayed`, {});
    return { files: files.paths, citations, entries: lock === undefined ? [absent] : [] };
  }).catch((cause) => {
    signal?.throwIfAborted();
    throw cause;
  });
}

interface FoundLock {
  readonly path: string;
  readonly calls: LockedCalls;
}

async function findLock({ path, kind }: CrateSource, { lock }: CrateOptions): Promise<FoundLock | undefined> {
  if (kind === "lock" && lock !== undefined) {
    throw new TypeError(
      `Cannot make a crate of the lock ${path} with another lock (option lock): leave one of them out`,
    );
  }
  const lockPath = kind === "lock" ? path : lock ?? join(dirname(path), LOCK_NAME);
  await completeLock(lockPath);
  const calls = await readLock(lockPath);
  if (calls !== undefined) return { path: lockPath, calls };
  if (lock === undefined) return undefined;
  throw new RegistryError("disk", `Cannot read the lock ${lock}: it does not exist; check its name`);
}

/** A result and its ledger, before they are copied. */
interface FoundResult {
  readonly path?: string;
  readonly ledgerPath?: string;
  readonly ledger?: LedgerFile;
}

async function findResults(source: string, { results }: CrateOptions): Promise<FoundResult[]> {
  const paths = results ?? await resultsNextTo(source);
  const found: FoundResult[] = [];
  for (const path of new Set(paths)) {
    const info = await Deno.stat(path).catch((cause) => {
      if (!(cause instanceof Deno.errors.NotFound)) throw cause;
      throw new RegistryError("disk", `Cannot read the result ${path}: it does not exist; check its name`, { cause });
    });
    if (!info.isFile) throw new RegistryError("disk", `Cannot read the result ${path}: expected a file; pack a folder`);
    const own = path.endsWith(".json") ? await readLedgerFile(path) : undefined;
    if (own !== undefined) {
      found.push({ ledgerPath: path, ledger: own });
      continue;
    }
    const ledgerPath = `${path}${LEDGER_ENDING}`;
    const ledger = await readLedgerFile(ledgerPath);
    found.push(ledger === undefined ? { path } : { path, ledgerPath, ledger });
  }
  // A ledger that was named and is also next to a result is listed once; others belong to the file that they name.
  const adjacent = new Set(found.flatMap(({ path, ledgerPath }) => path === undefined ? [] : ledgerPath ?? []));
  const alone = found.filter(({ path, ledgerPath }) => path === undefined && !adjacent.has(ledgerPath!));
  const joined = found.flatMap((result) => {
    if (result.path === undefined) return [];
    const own = alone.findIndex(({ ledger }) => ledger?.file?.name === basename(result.path!));
    return result.ledger !== undefined || own === -1 ? [result] : [{ ...alone.splice(own, 1)[0], path: result.path }];
  });
  return [...joined, ...alone];
}

async function resultsNextTo(source: string): Promise<string[]> {
  const folder = dirname(source);
  const names = (await Array.fromAsync(Deno.readDir(folder))).filter(({ isDirectory }) => !isDirectory)
    .map(({ name }) => name);
  return names.filter((name) => names.includes(`${name}${LEDGER_ENDING}`)).sort().map((name) => join(folder, name));
}

async function copyResult(files: CrateFolder, { path, ledgerPath, ledger }: FoundResult): Promise<CrateResult> {
  const file = path === undefined ? undefined : await files.copy(path, "results/");
  const ledgerFile = ledgerPath === undefined ? undefined : await files.copy(ledgerPath, "results/");
  if (file !== undefined && ledger?.file !== undefined && ledger.file.sha256 !== file.sha256) {
    throw new RegistryError(
      "checksum",
      `Cannot put ${path} into the crate: it changed since ${basename(ledgerPath!)} was written (SHA-256 ` +
        `${file.sha256}, expected ${ledger.file.sha256}); write the result again, or remove that ledger`,
    );
  }
  return { ...file && { file }, ...ledgerFile && { ledgerFile }, ...ledger && { ledger } };
}

/** The licence's address, or the path of its file. */
async function findLicense(
  license: string | undefined,
): Promise<{ readonly path: string } | { readonly url: string; readonly name: string } | undefined> {
  if (license === undefined) return undefined;
  if (/^https?:\/\//i.test(license) && URL.canParse(license)) {
    const url = new URL(license).href;
    return { url, name: url };
  }
  const isFile = await Deno.stat(license).then(({ isFile }) => isFile, () => false);
  if (isFile) return { path: license };
  // No two identifiers differ in case alone; many people write spaces instead of hyphens.
  const wanted = license.trim().replace(/\s+/g, "-").toLowerCase();
  const id = SPDX_IDS.find((id) => id.toLowerCase() === wanted);
  if (id !== undefined) return { url: `https://spdx.org/licenses/${id}`, name: id };
  const near = nearbyName(wanted, SPDX_IDS);
  throw new RangeError(
    `Cannot use the licence ${
      JSON.stringify(license)
    }: expected an SPDX identifier such as CC-BY-4.0, an address that ` +
      `begins with https://, or a file that exists${near === undefined ? "" : `; did you mean ${near}?`}`,
  );
}
