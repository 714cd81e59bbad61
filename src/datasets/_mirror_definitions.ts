/** The definitions that a mirror writes: those of the registry, in the form that `serve` reads. */
import type { RegistryClient } from "../client/mod.ts";
import { RegistryError } from "../errors.ts";
import { readCsvRows } from "../io/csv/csv_rows.ts";
import { openBytes } from "../io/bytes/open_bytes.ts";
import { fieldAlias } from "../contract/field_alias.ts";
import { listSome } from "../contract/ledger.ts";
import type { FieldDefinition } from "../contract/metadata.ts";

/** What was understood of a registry's definitions. */
export interface UnderstoodDefinitions {
  /** Definitions of names that were asked for. */
  readonly definitions: readonly FieldDefinition[];
  /** Why some could not be understood, in words. */
  readonly reasons: readonly string[];
  /** What is odd, in words. */
  readonly warnings: readonly string[];
}

/** Reads definitions from rows whose columns may have any names. */
export type ReadDefinitions = (
  rows: readonly Readonly<Record<string, string>>[],
  asked: readonly string[],
) => UnderstoodDefinitions;

/** Definitions for every column of an archive, in its order. */
export interface MirrorDefinitions {
  readonly definitions: readonly FieldDefinition[];
  /** Whether the registry gave its definitions at all. */
  readonly answered: boolean;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
}

/** Asks a registry for the definitions of an archive's columns; a column without one is of texts, and why is said. */
export async function mirrorDefinitions(
  client: RegistryClient,
  archivePath: string,
  options: { readonly read: ReadDefinitions; readonly signal?: AbortSignal },
): Promise<MirrorDefinitions> {
  const { read, signal } = options;
  const fields = await readHeader(archivePath, signal);
  const reasons: string[] = [];
  const warnings: string[] = [];
  const byName = new Map<string, FieldDefinition>();
  let answered = false;
  try {
    const { bytes } = await client.definitions({ fields }, { format: "csv", signal });
    const understood = read(await readRows(bytes), fields);
    for (const definition of understood.definitions) byName.set(definition.name, definition);
    reasons.push(...understood.reasons);
    warnings.push(...understood.warnings);
    answered = true;
  } catch (error) {
    signal?.throwIfAborted();
    // The archives stand without definitions; that these are missing is a reason, not the end.
    if (!(error instanceof RegistryError || error instanceof SyntaxError)) throw error;
    reasons.push(`the registry's definitions could not be had: ${error.message}`);
  }
  const missing = fields.filter((field) => !byName.has(field));
  if (missing.length > 0 && reasons.length === 0) {
    reasons.push(
      `${missing.length} of ${fields.length} definitions did not come, and their fields are taken as text: ` +
        listSome(missing, 20),
    );
  } else if (missing.length > 0) {
    reasons.push(`${missing.length} of ${fields.length} fields are taken as text: ${listSome(missing, 20)}`);
  }
  const taken = new Set<string>();
  const definitions = fields.map((name, index) => {
    const definition = byName.get(name);
    const wanted = definition?.alias ||
      (name === client.naming.accessionField ? client.naming.accessionAlias : fieldAlias(name)) || `field_${index + 1}`;
    return {
      ...definition ?? { name, type: "string", description: "", unit: "", example: "" },
      alias: freeName(wanted, taken),
    } satisfies FieldDefinition;
  });
  return { definitions, answered, reasons, warnings };
}

/** Understands definitions whose columns are called as ours are. */
export const readOwnDefinitions: ReadDefinitions = (rows, asked) => {
  const definitions = rows.flatMap(({ name, alias, type, description, unit, example }) => {
    const known = TYPES.find((word) => word === type);
    if (name === undefined || !asked.includes(name) || known === undefined) return [];
    return [{
      name,
      alias: alias ?? "",
      type: known,
      description: description ?? "",
      unit: unit ?? "",
      example: example ?? "",
    }];
  });
  const reasons = rows.length > 0 && definitions.length === 0
    ? ["the columns of the registry's definitions were not recognised"]
    : [];
  return { definitions, reasons, warnings: [] };
};

const TYPES: readonly FieldDefinition["type"][] = ["string", "integer", "float", "boolean", "date", "list"];

async function readHeader(path: string, signal: AbortSignal | undefined): Promise<string[]> {
  for await (const rows of readCsvRows(openBytes(path, { signal }), { name: path })) {
    if (rows.length > 0) return [...new Set(rows[0].cells)];
  }
  return [];
}

async function readRows(bytes: Uint8Array): Promise<Record<string, string>[]> {
  let header: readonly string[] | undefined;
  const records: Record<string, string>[] = [];
  const whole = (async function* () {
    yield bytes;
  })();
  for await (const rows of readCsvRows(whole, { name: "the registry's definitions" })) {
    for (const { cells } of rows) {
      if (header === undefined) header = cells;
      else records.push(Object.fromEntries(header.map((column, index) => [column, cells[index] ?? ""])));
    }
  }
  return records;
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}
