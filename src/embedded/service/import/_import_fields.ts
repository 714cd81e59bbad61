/** The fields of an import: the definitions of the metadata's columns. */
import { RegistryError } from "@seqreg/core/errors";
import { listSome } from "@seqreg/core/contract/ledger";
import type { FieldDefinition, Naming } from "@seqreg/core/contract";
import { MAX_FIELDS } from "../store/limits.ts";
import { DEFINITIONS_FILE, type SetArchive } from "./archive_set.ts";
import { startDefinitions } from "./_definitions_file.ts";
import { requireColumn } from "./_import_records.ts";
import { readArchive, type ReadArchiveOptions } from "./_read_archive.ts";
import { asWarnings, type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/** The fields of an import, as its notes keep them. */
export interface ImportFields {
  readonly fields: readonly FieldDefinition[];
  /** Whether they were derived from the values, since the folder has no definitions. */
  readonly definitionsDerived: boolean;
  readonly entries: readonly LedgerEntry[];
}

/** Finds the fields: from the folder's definitions, or by reading all metadata once. */
export async function findImportFields(
  archive: SetArchive,
  given: readonly FieldDefinition[] | undefined,
  { naming, ...reading }: ReadArchiveOptions & { readonly naming: Naming },
): Promise<ImportFields> {
  const header = await readHeader(archive, reading);
  requireColumn(header, naming, archive);
  if (header.length > MAX_FIELDS) {
    throw new RegistryError(
      "not-an-archive-set",
      `Cannot import ${archive.name}: it has ${header.length} columns, expected at most ${MAX_FIELDS}; is it the metadata?`,
    );
  }
  const entries: LedgerEntry[] = [];
  const fields = given === undefined
    ? await deriveDefinitions(archive, header, naming, reading)
    : matchDefinitions(given, header, naming, entries);
  return { fields, definitionsDerived: given === undefined, entries };
}

/** Reads the names of an archive's columns and no more. Its bytes are counted when all of it is read. */
async function readHeader(
  archive: SetArchive,
  { signal, onBytes }: ReadArchiveOptions,
): Promise<readonly string[]> {
  for await (const { header } of readArchive(archive, { signal, onBytes: () => onBytes?.(0) })) return header;
  return [];
}

async function deriveDefinitions(
  archive: SetArchive,
  header: readonly string[],
  naming: Naming,
  reading: ReadArchiveOptions,
): Promise<FieldDefinition[]> {
  const deriver = startDefinitions(header, naming);
  for await (const { rows } of readArchive(archive, reading)) {
    for (const { cells } of rows()) deriver.add(cells);
  }
  return deriver.derive();
}

/** Brings definitions into the order of the columns; a column without one is of texts. */
function matchDefinitions(
  given: readonly FieldDefinition[],
  header: readonly string[],
  naming: Naming,
  entries: LedgerEntry[],
): FieldDefinition[] {
  // A column is called by the field's public name, or by its alias if no column has the name.
  const definitionOf = (column: string) =>
    given.find(({ name }) => name === column) ??
      given.find(({ name, alias }) => alias === column && !header.includes(name));
  const extra = given.filter(({ name, alias }) => !header.includes(name) && !header.includes(alias))
    .map(({ name }) => name);
  if (extra.length > 0) {
    const text = `${DEFINITIONS_FILE} defines fields that the archives do not have: ${listSome(extra, 20)}`;
    entries.push(noteEntry("definitions-unused", text, { ids: extra }));
  }
  const missing = header.filter((name) => definitionOf(name) === undefined);
  if (missing.length > 0) {
    const text = `${DEFINITIONS_FILE} does not define ${listSome(missing, 20)}: read as texts`;
    entries.push(...asWarnings([noteEntry("fields-undefined", text, { ids: missing })]));
  }
  const bare = startDefinitions(header, naming).derive();
  const aliases = new Set(given.map(({ alias }) => alias));
  return bare.map((definition) => {
    const found = definitionOf(definition.name);
    // The accession is found by the name that the naming has for it.
    if (found !== undefined) {
      return definition.name === naming.accessionField ? { ...found, name: definition.name } : found;
    }
    let alias = definition.alias;
    for (let number = 2; aliases.has(alias); number++) alias = `${definition.alias}_${number}`;
    aliases.add(alias);
    return { ...definition, alias };
  });
}
