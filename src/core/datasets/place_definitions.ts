/** Saves the definitions of archives in their folder. */
import { join } from "node:path";
import type { RegistryClient } from "../client/mod.ts";
import { findDefinitions } from "../client/find_definitions.ts";
import { RegistryError } from "../errors.ts";
import { writeAtomic } from "../io/files/atomic_file.ts";
import { acquireLock } from "../io/files/lock.ts";
import { readHeader } from "../io/csv/read_header.ts";
import type { ArchiveId } from "../contract/archive_ids.ts";
import { fieldAlias } from "../contract/fields/field_alias.ts";
import { listSome } from "../contract/ledger.ts";
import type { FieldDefinition } from "../contract/metadata.ts";
import { checkOptions } from "../options/check_options.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { freeName } from "./_mirror_definitions.ts";
import { DEFINITIONS_FILE } from "./mirror.ts";
import { asWarnings, type LedgerEntry, noteEntry, textsOf } from "../contract/ledger_entries.ts";

/** Options of {@linkcode placeDefinitions}. */
export interface PlaceDefinitionsOptions {
  /** Ends the work with the signal's reason; the file is unchanged then. */
  readonly signal?: AbortSignal;
}

const PLACE_DEFINITIONS_OPTIONS = { signal: rule.signal } satisfies OptionRules<PlaceDefinitionsOptions>;

/** An archive in a folder. */
export interface PlacedArchive {
  /** Which of the eight. */
  readonly id: ArchiveId;
  /** Its path. */
  readonly path: string;
}

/** The result of {@linkcode placeDefinitions}. */
export interface PlacedDefinitions {
  /** Definitions that the file now has. */
  readonly definitions: readonly FieldDefinition[];
  /** What is missing: warnings, since archives are usable without definitions. */
  readonly entries: readonly LedgerEntry[];
  /** The same in words. */
  readonly warnings: readonly string[];
}

/**
 * Requests the definitions of archives' columns and saves them in the folder of the archives as `definitions.json`,
 * which determines the types of lakes. Definitions of other fields in the file are kept.
 *
 * If the registry does not return them, or the file is no list of definitions, a warning gives the reason, and the file
 * is not changed.
 *
 * @param client Calls the registry.
 * @param folder Folder of the archives.
 * @param archives The archives; those of sequences need no definitions.
 * @param options Signal.
 * @throws {RegistryError} With code `disk` if the file cannot be written.
 * @see Not shown in the specification: chosen because an archive has no types.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { RegistryClient } from "../client/mod.ts";
 * import { placeDefinitions } from "./place_definitions.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const path = `${folder}/a.csv`;
 * await Deno.writeTextFile(path, "Country\nChile\n");
 * const client = new RegistryClient("http://127.0.0.1:8080", {
 *   fetch: () => Promise.resolve(Response.json([{ name: "Country", type: "keyword" }])),
 * });
 * await placeDefinitions(client, folder, [{ id: "full_dataset_metadata", path }]);
 *
 * assertEquals(JSON.parse(await Deno.readTextFile(`${folder}/definitions.json`))[0].type, "string");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function placeDefinitions(
  client: RegistryClient,
  folder: string,
  archives: readonly PlacedArchive[],
  options: PlaceDefinitionsOptions = {},
): Promise<PlacedDefinitions> {
  checkOptions("placeDefinitions()", options, PLACE_DEFINITIONS_OPTIONS);
  const { signal } = options;
  const path = join(folder, DEFINITIONS_FILE);
  const before = await readPresent(path);
  const described = archives.filter(({ id }) => !id.endsWith("_sequence"));
  const headers = await Promise.all(described.map(({ path }) => readHeader(path, { signal })));
  const fields = [...new Set(headers.flat())];
  if (fields.length === 0) return { definitions: before ?? [], entries: [], warnings: [] };
  if (before === undefined) {
    const text =
      `${DEFINITIONS_FILE} was not changed: expected a list of objects with name, alias, type, description, ` +
      "unit and example; remove or correct it";
    const entries = asWarnings([noteEntry("definitions-not-written", text)]);
    return { definitions: [], entries, warnings: textsOf(entries, "warning") };
  }
  let found: readonly FieldDefinition[];
  const entries: LedgerEntry[] = [];
  try {
    const understood = await findDefinitions(client, fields, { signal });
    found = understood.recognised?.name === undefined ? [] : understood.definitions;
    entries.push(...asWarnings(understood.entries));
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof RegistryError || error instanceof SyntaxError)) throw error;
    const text = `the definitions are unavailable: ${error.message}`;
    entries.push(...asWarnings([noteEntry("definitions-unavailable", text)]));
    found = [];
  }
  if (found.length === 0) {
    const fate = before.length > 0 ? "was not changed" : "was not written";
    const why = entries.length === 0 ? "the registry defines none of the columns" : "without definitions";
    entries.push(...asWarnings([noteEntry("definitions-not-written", `${why}, ${DEFINITIONS_FILE} ${fate}`)]));
    return { definitions: before, entries, warnings: textsOf(entries, "warning") };
  }
  const known = new Set(found.flatMap(({ name, alias }) => [name, alias]));
  const missing = new Set(
    described.flatMap(({ id }, index) =>
      id.endsWith("_metadata") ? headers[index].filter((field) => !known.has(field)) : []
    ),
  );
  missing.delete(client.naming.accessionField);
  if (missing.size > 0) {
    const text = `${missing.size} of ${fields.length} columns have no definition: ${listSome([...missing], 20)}`;
    entries.push(...asWarnings([noteEntry("fields-undefined", text, { ids: [...missing] })]));
  }
  const joined = (others: readonly FieldDefinition[]) =>
    withAliases([...found, ...others.filter(({ name }) => !known.has(name))], client);
  let definitions = joined(before);
  if (await Deno.readTextFile(path).catch(() => undefined) !== textOf(definitions)) {
    // Another program may have written those of its archives meanwhile.
    await using _lock = await acquireLock(join(folder, `.${DEFINITIONS_FILE}.lock`), { signal });
    definitions = joined(await readPresent(path) ?? before);
    await writeAtomic(path, textOf(definitions), { signal });
  }
  return { definitions, entries, warnings: textsOf(entries, "warning") };
}

function textOf(definitions: readonly FieldDefinition[]): string {
  return `${JSON.stringify(definitions, null, 2)}\n`;
}

/** Assigns a unique alias to every field. */
function withAliases(definitions: readonly FieldDefinition[], { naming }: RegistryClient): FieldDefinition[] {
  const taken = new Set<string>();
  return definitions.map((definition, index) => {
    const own = definition.name === naming.accessionField ? naming.accessionAlias : fieldAlias(definition.name);
    return { ...definition, alias: freeName(definition.alias || own || `field_${index + 1}`, taken) };
  });
}

/** Definitions in the file; empty if it is missing, `undefined` if it is something else. */
async function readPresent(path: string): Promise<readonly FieldDefinition[] | undefined> {
  try {
    const value: unknown = JSON.parse((await Deno.readTextFile(path)).replace(/^\uFEFF/, ""));
    return Array.isArray(value) && value.every(isDefinition) ? value : undefined;
  } catch (cause) {
    return cause instanceof Deno.errors.NotFound ? [] : undefined;
  }
}

function isDefinition(value: unknown): value is FieldDefinition {
  if (typeof value !== "object" || value === null) return false;
  return ["name", "alias", "type", "description", "unit", "example"]
    .every((key) => typeof Reflect.get(value, key) === "string");
}
