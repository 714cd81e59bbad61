/** The definitions that are saved with archives: those of the registry, in the form that `serve` reads. */
import type { RegistryClient, UnderstoodDefinitions } from "../client/mod.ts";
import { findDefinitions } from "../client/find_definitions.ts";
import { RegistryError } from "../errors.ts";
import { readHeader } from "../io/csv/read_header.ts";
import { fieldAlias } from "../contract/fields/field_alias.ts";
import { listSome } from "../contract/ledger.ts";
import type { FieldDefinition } from "../contract/metadata.ts";
import { type LedgerEntry, noteEntry } from "../contract/ledger_entries.ts";

export type { UnderstoodDefinitions } from "../client/mod.ts";

/** Reads definitions from rows whose columns may have any names. */
export type DefinitionsReader = (
  rows: readonly Readonly<Record<string, string>>[],
  asked: readonly string[],
) => UnderstoodDefinitions;

/** Definitions for every column of some archives, in their order. */
export interface MirrorDefinitions {
  readonly definitions: readonly FieldDefinition[];
  /** Whether the registry returned its definitions. */
  readonly answered: boolean;
  readonly entries: readonly LedgerEntry[];
}

/** Requests the definitions of an archive's columns; a column without one is text, with a reason. */
export async function mirrorDefinitions(
  client: RegistryClient,
  archivePath: string,
  options: { readonly read?: DefinitionsReader; readonly signal?: AbortSignal },
): Promise<MirrorDefinitions> {
  const { read, signal } = options;
  const fields = [...new Set(await readHeader(archivePath, { signal }))];
  const entries: LedgerEntry[] = [];
  const byName = new Map<string, FieldDefinition>();
  const byAlias = new Map<string, FieldDefinition>();
  const definitionOf = (field: string) => byName.get(field) ?? byAlias.get(field);
  let answered = false;
  try {
    const understood = await findDefinitions(client, fields, {
      ...read && { read: (rows, asked) => read(rows.map(textsOf), asked) },
      signal,
    });
    // Without a column of names every field would be text, as if the registry had defined it so.
    answered = understood.recognised === undefined || understood.recognised.name !== undefined;
    for (const definition of answered ? understood.definitions : []) {
      byName.set(definition.name, definition);
      if (definition.alias !== "") byAlias.set(definition.alias, definition);
    }
    entries.push(...understood.entries);
  } catch (error) {
    signal?.throwIfAborted();
    // The archives are usable without definitions: their absence is a reason, not an error.
    if (!(error instanceof RegistryError || error instanceof SyntaxError)) throw error;
    const text = `the registry's definitions are unavailable: ${error.message}`;
    entries.push(noteEntry("definitions-unavailable", text));
  }
  const missing = fields.filter((field) => definitionOf(field) === undefined);
  if (missing.length > 0) {
    const isExplained = entries.some(({ level }) => level === "reason");
    const what = isExplained ? "fields are" : "definitions are missing, and their fields are";
    const text = `${missing.length} of ${fields.length} ${what} treated as text: ${listSome(missing, 20)}`;
    entries.push(noteEntry("fields-undefined", text, { ids: missing }));
  }
  const taken = new Set<string>();
  const definitions = fields.map((name, index) => {
    const definition = definitionOf(name);
    const wanted = definition?.alias ||
      (name === client.naming.accessionField ? client.naming.accessionAlias : fieldAlias(name)) || `field_${index + 1}`;
    return {
      ...definition ?? { name, type: "string", description: "", unit: "", example: "" },
      alias: freeName(wanted, taken),
    } satisfies FieldDefinition;
  });
  return { definitions, answered, entries };
}

/** Strings of a row; other JSON values are written as JSON. */
function textsOf(row: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === "string" ? value : value === null ? "" : JSON.stringify(value) ?? "",
    ]),
  );
}

/** Returns an unused name and marks it as used. */
export function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}
