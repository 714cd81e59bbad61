/** Definitions of the columns of an archive or export, requested from a registry in any form. */
import { messageOf, ParseError } from "../errors.ts";
import { readCsvRows } from "../io/csv/csv_rows.ts";
import { findSeparator } from "../io/csv/separator.ts";
import { parseJson } from "../contract/json/lossless_json.ts";
import { fieldAlias } from "../contract/fields/field_alias.ts";
import type { FieldDefinition } from "../contract/metadata.ts";
import { describeFieldMismatch } from "../contract/naming_evidence.ts";
import { readDefinitions, type RecognisedColumns } from "../contract/answers/read_definitions.ts";
import { type DefinitionRow, definitionRows } from "./definition_rows.ts";
import { InvalidRequestError, UnexpectedResponseError } from "./errors.ts";
import type { RegistryClient } from "./registry_client.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkOptions } from "../options/check_options.ts";
import { type LedgerEntry, noteEntry, textsOf, uniqueEntries } from "../contract/ledger_entries.ts";

/** Options of {@linkcode findDefinitions}. */
export interface FindDefinitionsOptions {
  /** Interprets the rows; `readDefinitions` by default. */
  readonly read?: (rows: readonly DefinitionRow[], asked: readonly string[]) => UnderstoodDefinitions;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

const FIND_DEFINITIONS_OPTIONS = {
  read: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<FindDefinitionsOptions>;

/** The interpreted rows of a definitions answer. */
export interface UnderstoodDefinitions {
  /** Definitions of requested fields. */
  readonly definitions: readonly FieldDefinition[];
  /** What could not be interpreted, as entries of a ledger; those of `reasons` and `warnings` by default. */
  readonly entries?: readonly LedgerEntry[];
  /** Why some could not be interpreted, in words. */
  readonly reasons: readonly string[];
  /** Warnings, in words. */
  readonly warnings: readonly string[];
  /** Which column has which meaning, if known. */
  readonly recognised?: RecognisedColumns;
}

/** Definitions that were found. */
export interface FoundDefinitions extends UnderstoodDefinitions {
  /** What could not be interpreted, as entries of a ledger. */
  readonly entries: readonly LedgerEntry[];
}

/**
 * Finds the definitions of columns that are public names, or aliases.
 *
 * Requests JSON, and CSV if the registry has no JSON. Columns that look like aliases and have no definition are looked
 * up among all public fields, which a search for one record shows.
 *
 * @param client Calls the registry.
 * @param fields Names of the columns.
 * @param options How to interpret the rows; signal.
 * @returns The definitions under their public names, also for aliases.
 * @throws {ParseError} If an answer is neither JSON nor CSV of definitions.
 * @throws {RegistryError} As the client.
 * @see Specification 4.5; that a registry's archives may have aliases for columns is not shown.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findDefinitions } from "./find_definitions.ts";
 * import { RegistryClient } from "./registry_client.ts";
 *
 * const client = new RegistryClient("http://127.0.0.1:8080", {
 *   fetch: () => Promise.resolve(Response.json({ Country: { kind: "keyword" } })),
 * });
 *
 * assertEquals((await findDefinitions(client, ["Country"])).definitions[0].type, "string");
 * ```
 */
export async function findDefinitions(
  client: RegistryClient,
  fields: readonly string[],
  options: FindDefinitionsOptions = {},
): Promise<FoundDefinitions> {
  checkOptions("findDefinitions()", options, FIND_DEFINITIONS_OPTIONS);
  const { read = readDefinitions, signal } = options;
  const ask = async (names: readonly string[]) =>
    withDefinitionEntries(read(await requestRows(client, names, signal), names));
  const understood = await ask(fields);
  // Without definitions, fields are text by default.
  const isEmpty = understood.recognised !== undefined && understood.recognised.name === undefined;
  const found = isEmpty ? [] : understood.definitions;
  const known = new Set(found.flatMap(({ name, alias }) => [name, alias]));
  const { accessionField, accessionAlias } = client.naming;
  const aliases = fields.filter((field) =>
    !known.has(field) && field !== accessionAlias && field !== accessionField && isAliasLike(field)
  );
  // If rows arrived whose names are unknown, more rows would not help.
  if (aliases.length === 0 || hasReasons(understood)) return understood;
  const names = (await publicNames(client, signal)).filter((name) => !fields.includes(name));
  if (names.length === 0) return understood;
  const others = await ask(names);
  if (hasReasons(others)) return understood;
  const wanted = new Set(aliases);
  const entries = uniqueEntries([...understood.entries, ...others.entries]);
  return {
    ...understood,
    definitions: [
      ...found,
      ...others.definitions.map((definition) => ({
        ...definition,
        alias: definition.alias || fieldAlias(definition.name),
      }))
        .filter(({ alias }) => wanted.has(alias)),
    ],
    entries,
    warnings: textsOf(entries, "warning"),
    ...(isEmpty && others.recognised) && { recognised: others.recognised },
  };
}

/** Entries of what a reader of its own found; without codes, by what a reader can find. */
function withDefinitionEntries(understood: UnderstoodDefinitions): FoundDefinitions {
  const { reasons, warnings } = understood;
  const entries = understood.entries ?? [
    ...reasons.map((text) => noteEntry("definitions-unrecognised", text)),
    ...warnings.map((text) => noteEntry("types-unknown", text)),
  ];
  return { ...understood, entries };
}

function hasReasons({ entries }: FoundDefinitions): boolean {
  return entries.some(({ level }) => level === "reason");
}

/** Public names are words; aliases have no capitals and no blanks. */
function isAliasLike(field: string): boolean {
  return /^[\p{Ll}\p{Lo}\p{N}_.]+$/u.test(field);
}

/**
 * Lists the public names of a registry's fields, from one record: the specification shows no list of them.
 *
 * @param client Calls the registry.
 * @param signal Ends the request.
 * @param onMismatch Receives what to add to the naming if the record has no accession under its name.
 * @returns The names, the accession's first; only the accession's if the registry shows no record.
 */
export async function publicNames(
  client: RegistryClient,
  signal?: AbortSignal,
  onMismatch?: (message: string) => void,
): Promise<readonly string[]> {
  const accession = client.naming.accessionField;
  try {
    const { body } = await client.search({ query: "", pageSize: 1 }, { signal });
    const mismatch = describeFieldMismatch(body.results.map(({ source }) => source), client.naming);
    if (mismatch !== undefined) onMismatch?.(mismatch);
    const fields = Object.keys(body.results[0]?.source ?? {});
    return [accession, ...fields.filter((field) => field !== accession)];
  } catch (error) {
    // Registries that reject a search for everything still have their accession field.
    if (error instanceof InvalidRequestError) return [accession];
    throw error;
  }
}

async function requestRows(
  client: RegistryClient,
  fields: readonly string[],
  signal?: AbortSignal,
): Promise<readonly DefinitionRow[]> {
  const shared = { signal };
  let json: Uint8Array;
  try {
    json = (await client.definitions({ fields }, { ...shared, format: "json" })).bytes;
  } catch (error) {
    if (!(error instanceof UnexpectedResponseError)) throw error;
    return await readRows((await client.definitions({ fields }, { ...shared, format: "csv" })).bytes);
  }
  return definitionRows(parseDefinitions(json), fields);
}

function parseDefinitions(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(bytes));
  } catch (cause) {
    const why = messageOf(cause);
    throw new ParseError(`Cannot read the definitions: expected JSON; ${why}`, {}, { cause });
  }
}

async function readRows(bytes: Uint8Array): Promise<readonly DefinitionRow[]> {
  let header: readonly string[] | undefined;
  const records: DefinitionRow[] = [];
  const whole = (async function* () {
    yield bytes;
  })();
  for await (const rows of readCsvRows(whole, { name: "the definitions", separator: findSeparator(bytes) })) {
    for (const { cells } of rows) {
      if (header === undefined) header = cells;
      else records.push(Object.fromEntries(header.map((column, index) => [column, cells[index] ?? ""])));
    }
  }
  if (header !== undefined && header.length > 1) return records;
  throw new ParseError("Cannot read the definitions: expected JSON, or CSV with a column of names and one of types");
}
