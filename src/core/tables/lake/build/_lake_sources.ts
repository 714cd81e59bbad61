/** Archives of a lake, and the files next to them: definitions and checksum files. */
import { basename, dirname, join } from "node:path";
import { ParseError, RegistryError } from "../../../errors.ts";
import { findChecksum } from "../../../io/digest/checksum_file.ts";
import { sha256Of } from "../../../io/digest/sha256.ts";
import { archiveNames, archiveStem, tableStem } from "../../../io/archive/archive_name.ts";
import { isFile } from "../../../io/files/is_there.ts";
import { ARCHIVE_IDS, archiveFiles, type ArchiveId } from "../../../contract/datasets.ts";
import { warningsOf } from "../../../contract/ledger.ts";
import type { LedgerEntry } from "../../../contract/ledger_entries.ts";
import type { FieldDefinition } from "../../../contract/metadata.ts";
import { LAKE_FILES } from "./lake_manifest.ts";
import { tableFromDefinitions } from "../../from/from_definitions.ts";
import type { Naming } from "../../../contract/naming.ts";

/** An archive and the table that it becomes. */
export interface Source {
  readonly path: string;
  readonly table: string;
}

/** Finds archives by paths of files and folders. */
export async function findSources(archives: string | readonly string[], naming: Naming): Promise<Source[]> {
  const sources: Source[] = [];
  for (const path of typeof archives === "string" ? [archives] : archives) {
    if ((await statOf(path)).isDirectory) sources.push(...await archivesIn(path, naming));
    else sources.push({ path, table: tableName(path, naming) });
  }
  refuseTwice(sources);
  return sources;
}

/** Names that differ in case alone are one, as they are for SQL and for file systems of macOS and Windows. */
function refuseTwice(sources: readonly Source[]): void {
  const seen = new Map<string, Source>();
  for (const source of sources) {
    const key = source.table.toLowerCase();
    const before = seen.get(key);
    if (before !== undefined) {
      throw new RangeError(
        `Cannot build a lake: ${before.path} and ${source.path} would both become the table ${source.table}; name one ` +
          "of them alone, rename one, or build two lakes",
      );
    }
    seen.set(key, source);
  }
}

async function archivesIn(folder: string, naming: Naming): Promise<Source[]> {
  const sources: Source[] = [];
  for (const table of ARCHIVE_IDS) {
    for (const name of namesOf(table, naming)) {
      const path = join(folder, name);
      if (await isFile(path)) sources.push({ path, table });
    }
  }
  if (sources.length > 0) return sources;
  throw new RegistryError(
    "not-an-archive-set",
    `Cannot build a lake of ${folder}: none of the eight archives is in it, expected such as ${
      archiveFiles("full_dataset_metadata", naming).archive
    }; name a folder that seqreg mirror, sample or pack wrote`,
  );
}

/** The names that an archive may have: the registry's, and those in another compression. */
function namesOf(id: ArchiveId, naming: Naming): string[] {
  const { archive } = archiveFiles(id, naming);
  return [...new Set([archive, ...archiveNames(tableStem(archive))])];
}

/** Longest name of a table: folders of names that are longer, with what is written next to them, cannot be made. */
const LONGEST_NAME = 128;

/** An archive's identifier, or the stem of any other file made harmless, and shortened. */
function tableName(path: string, naming: Naming): string {
  const name = basename(path);
  const id = ARCHIVE_IDS.find((id) => namesOf(id, naming).includes(name));
  const whole = tableStem(name).replace(/[^A-Za-z0-9_-]/g, "_");
  const stem = whole.length > LONGEST_NAME
    ? `${whole.slice(0, LONGEST_NAME - 9)}_${sha256Of(name).slice(0, 8)}`
    : whole;
  return id ?? (stem === "" || stem === LAKE_FILES ? "table" : stem);
}

/** Examines a path. @throws {RegistryError} With code `disk` if it does not exist. */
export async function statOf(path: string): Promise<Deno.FileInfo> {
  try {
    return await Deno.stat(path);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new RegistryError("disk", `Cannot read ${path}: the file or folder does not exist; check its name`, {
      cause,
    });
  }
}

/** Definitions, and what is unusual about them. */
export interface GivenDefinitions {
  readonly definitions: readonly FieldDefinition[];
  readonly remarks: readonly LedgerEntry[];
}

/** Definitions that `sample`, `pack`, `mirror` and `dataset` save with the archives, or that a registry publishes. */
export async function definitionsBeside(path: string): Promise<GivenDefinitions> {
  const file = join(dirname(path), "definitions.json");
  if (!await isFile(file)) return { definitions: [], remarks: [] };
  const { definitions, recognised, rows, ledger } = await tableFromDefinitions(file, { format: "json" });
  if (recognised.name !== undefined || rows === 0) return { definitions, remarks: warningsOf(ledger) };
  throw new ParseError(
    `Cannot read ${file}: expected a JSON array of definitions with names and types; remove or correct it`,
  );
}

/** The digest in an archive's checksum file, if it has one. */
export async function statedDigest(path: string): Promise<string | undefined> {
  const stem = archiveStem(path);
  if (stem === undefined) return undefined;
  const text = await Deno.readTextFile(`${stem}.sha256`).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw cause;
  });
  return text === undefined ? undefined : findChecksum(text, basename(path)).sha256;
}
