/**
 * Definitions of an archive's columns: requested from the registry, and saved with the archive's lake for when it
 * cannot be reached.
 */
import { join } from "node:path";
import { ParseError, RegistryError } from "../../errors.ts";
import { readHeader } from "../../io/csv/read_header.ts";
import { writeAtomic } from "../../io/files/atomic_file.ts";
import type { ArchiveId } from "../../contract/datasets.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import type { DefinitionCache, KnownDefinitions } from "./definition_cache.ts";
import { asWarnings, noteEntry } from "../../contract/ledger_entries.ts";

export interface DefinedArchive {
  readonly id: ArchiveId;
  readonly path: string;
  readonly sha256: string;
}

/** Definitions, and whether they come from the registry, from an earlier time, or from nowhere. */
export interface ArchiveDefinitions extends KnownDefinitions {
  /** Public field names of the archive, in its order. */
  readonly header: readonly string[];
}

/** Folder of an archive's lake in the cache. */
export function lakeFolder(cache: string, { id, sha256 }: DefinedArchive): string {
  return join(cache, "lake", `${id}-${sha256}`);
}

/**
 * Finds the definitions of an archive's columns. If the registry does not return them, the saved ones are used;
 * without saved ones the result is empty, with a warning.
 *
 * @throws {ParseError} If the archive is not a CSV.
 */
export async function findArchiveDefinitions(
  archive: DefinedArchive,
  { cache, definitions }: { readonly cache: string; readonly definitions: DefinitionCache },
  signal?: AbortSignal,
): Promise<ArchiveDefinitions> {
  const header = await readHeader(archive.path, { signal });
  if (header.length === 0) {
    throw new ParseError(`Cannot read ${archive.path}: it is empty, expected a header line`, { line: 1 });
  }
  if (archive.id.endsWith("_sequence")) return { header, definitions: [], entries: [] };
  const file = join(lakeFolder(cache, archive), "definitions.json");
  const known = await definitions.find(header, signal).catch((error): KnownDefinitions => {
    if (!isUnreachable(error)) throw error;
    const text = `every field is taken as text, since the definitions are unavailable: ${error.message}`;
    return { definitions: [], entries: asWarnings([noteEntry("definitions-unavailable", text)]) };
  });
  if (known.definitions.length > 0) await keep(file, known.definitions);
  else if (known.entries.some(({ code }) => code === "definitions-unavailable")) {
    const kept = await readKept(file);
    const text = `fields are typed by the definitions of ${kept?.day}, since the registry does not return them now`;
    if (kept !== undefined) {
      return { header, definitions: kept.definitions, entries: [noteEntry("definitions-outdated", text)] };
    }
  }
  return { header, ...known };
}

function isUnreachable(error: unknown): error is RegistryError {
  return error instanceof RegistryError && ["offline", "network", "timeout", "busy"].includes(error.code);
}

/** Keeps definitions where that is possible: a shared cache may be read-only, and they are in hand all the same. */
async function keep(file: string, definitions: readonly FieldDefinition[]): Promise<void> {
  const text = `${JSON.stringify(definitions, null, 1)}\n`;
  try {
    if (await Deno.readTextFile(file).catch(() => "") === text) return;
    await Deno.mkdir(join(file, ".."), { recursive: true });
    await writeAtomic(file, text);
  } catch {
    // They are asked for again next time.
  }
}

async function readKept(file: string): Promise<{ definitions: FieldDefinition[]; day: string } | undefined> {
  try {
    const value: unknown = JSON.parse(await Deno.readTextFile(file));
    if (!Array.isArray(value) || !value.every(isDefinition)) return undefined;
    return { definitions: value, day: (await Deno.stat(file)).mtime?.toISOString().slice(0, 10) ?? "an earlier day" };
  } catch {
    // Missing, truncated or edited: then the result is empty.
    return undefined;
  }
}

function isDefinition(value: unknown): value is FieldDefinition {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["name", "alias", "type", "description", "unit", "example"].map((name) => Reflect.get(value, name));
  return texts.every((text) => typeof text === "string") &&
    ["string", "integer", "float", "boolean", "date", "list"].includes(texts[2]);
}
