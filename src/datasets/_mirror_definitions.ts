/** The definitions that are saved with archives: those of the registry, in the form that `serve` reads. */
import type { RegistryClient, UnderstoodDefinitions } from "../client/mod.ts";
import { findDefinitions } from "../client/find_definitions.ts";
import { RegistryError } from "../errors.ts";
import { readHeader } from "../io/csv/read_header.ts";
import { fieldAlias } from "../contract/field_alias.ts";
import { listSome } from "../contract/ledger.ts";
import type { FieldDefinition } from "../contract/metadata.ts";

export type { UnderstoodDefinitions } from "../client/mod.ts";

/** Reads definitions from rows whose columns may have any names. */
export type ReadDefinitions = (
  rows: readonly Readonly<Record<string, string>>[],
  asked: readonly string[],
) => UnderstoodDefinitions;

/** Definitions for every column of some archives, in their order. */
export interface MirrorDefinitions {
  readonly definitions: readonly FieldDefinition[];
  /** Whether the registry returned its definitions. */
  readonly answered: boolean;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
}

/** Requests the definitions of an archive's columns; a column without one is text, with a reason. */
export async function mirrorDefinitions(
  client: RegistryClient,
  archivePath: string,
  options: { readonly read?: ReadDefinitions; readonly signal?: AbortSignal },
): Promise<MirrorDefinitions> {
  const { read, signal } = options;
  const fields = [...new Set(await readHeader(archivePath, { ...signal && { signal } }))];
  const reasons: string[] = [];
  const warnings: string[] = [];
  const byName = new Map<string, FieldDefinition>();
  const byAlias = new Map<string, FieldDefinition>();
  const definitionOf = (field: string) => byName.get(field) ?? byAlias.get(field);
  let answered = false;
  try {
    const understood = await findDefinitions(client, fields, {
      ...read && { read: (rows, asked) => read(rows.map(textsOf), asked) },
      ...signal && { signal },
    });
    for (const definition of understood.definitions) {
      byName.set(definition.name, definition);
      if (definition.alias !== "") byAlias.set(definition.alias, definition);
    }
    reasons.push(...understood.reasons);
    warnings.push(...understood.warnings);
    answered = true;
  } catch (error) {
    signal?.throwIfAborted();
    // The archives are usable without definitions: their absence is a reason, not an error.
    if (!(error instanceof RegistryError || error instanceof SyntaxError)) throw error;
    reasons.push(`the registry's definitions are unavailable: ${error.message}`);
  }
  const missing = fields.filter((field) => definitionOf(field) === undefined);
  if (missing.length > 0 && reasons.length === 0) {
    reasons.push(
      `${missing.length} of ${fields.length} definitions are missing, and their fields are treated as text: ` +
        listSome(missing, 20),
    );
  } else if (missing.length > 0) {
    reasons.push(`${missing.length} of ${fields.length} fields are treated as text: ${listSome(missing, 20)}`);
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
  return { definitions, answered, reasons, warnings };
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
