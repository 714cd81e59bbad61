/** Reads the two main archives into the files of an import. */
import { RegistryError } from "@seqreg/core/errors";
import { isAccession } from "@seqreg/core/contract/accession";
import type { FieldDefinition, Naming } from "@seqreg/core/contract";
import { listSome } from "@seqreg/core/contract/ledger";
import type { SetArchive } from "./archive_set.ts";
import { type IndexWriter, startIndex } from "../index/mod.ts";
import { lookupFields } from "@seqreg/core/query";
import { type ArchiveBatch, readArchive, type ReadArchiveOptions } from "./_read_archive.ts";
import { createRecords, createRecordSequences } from "../records/records.ts";
import { asWarnings, type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/** Sequences without metadata that a warning names. */
const MAX_NAMED = 20;

/** Where records go, and what they are called. */
export interface RecordsTarget {
  readonly naming: Naming;
  /** Folder of the records' files. */
  readonly folder: string;
  /** Folder of the index, which is there and empty. */
  readonly indexFolder: string;
}

/**
 * Keeps the records of the metadata and gives them to an index, which is sealed then and not finished.
 *
 * @throws {RegistryError} With code `damaged` if an accession is invalid or duplicate.
 */
export async function importRecords(
  archive: SetArchive,
  definitions: readonly FieldDefinition[],
  { naming, folder, indexFolder, ...reading }: RecordsTarget & ReadArchiveOptions,
): Promise<IndexWriter> {
  const { fields } = lookupFields(definitions);
  const accessionField = fields.findIndex(({ name }) => name === naming.accessionField);
  const records = createRecords(folder, { width: fields.length, accessionField });
  const index = await startIndex(indexFolder, fields, { accessionField });
  for await (const { cells, rows } of readArchive(archive, reading)) {
    if (cells !== undefined && records.addCells(cells)) {
      await index.addCells(cells);
      continue;
    }
    const texts = rows();
    for (const { cells, line } of texts) {
      if (!isAccession(cells[accessionField])) throw malformedAccession(archive, cells[accessionField], line);
    }
    const values = texts.map(({ cells }) => cells);
    records.add(values);
    await index.add(values);
  }
  const twice = await records.finish();
  if (twice !== undefined) {
    throw new RegistryError(
      "damaged",
      `Cannot import ${archive.name}: the accession ${twice.accession} stands in records ${twice.rows[0] + 1} and ` +
        `${twice.rows[1] + 1}, expected each once; report it to the provider of the archives`,
    );
  }
  await index.seal();
  return index;
}

/**
 * Keeps the sequences of records that are kept already.
 *
 * @throws {RegistryError} With code `damaged` if an accession is invalid, or has two sequences.
 */
export async function importSequences(
  archive: SetArchive,
  { naming, folder, recordCount, ...reading }: Omit<RecordsTarget, "indexFolder"> & ReadArchiveOptions & {
    readonly recordCount: number;
  },
): Promise<LedgerEntry[]> {
  using sequences = createRecordSequences(folder, recordCount);
  const unknownAccessions: string[] = [];
  let unknownCount = 0;
  for await (const { header, cells, rows } of readArchive(archive, reading)) {
    const column = sequenceColumns(header, naming, archive);
    if (cells !== undefined && sequences.addCells(cells, column)) continue;
    const texts = rows();
    const malformed = texts.findIndex(({ cells }) => !isAccession(cells[column]));
    const whole = malformed === -1 ? texts : texts.slice(0, malformed);
    const accessions = whole.map(({ cells }) => cells[column]);
    const { unknown, second } = sequences.add(accessions, whole.map(({ cells }) => cells[1 - column]));
    if (second !== undefined) throw secondSequence(archive, accessions[second], whole[second].line);
    if (malformed !== -1) {
      throw malformedAccession(archive, texts[malformed].cells[column], texts[malformed].line);
    }
    unknownCount += unknown.length;
    for (const at of unknown.slice(0, MAX_NAMED - unknownAccessions.length)) unknownAccessions.push(accessions[at]);
  }
  await sequences.finish();
  const entries: LedgerEntry[] = [];
  if (unknownCount > 0) {
    const text = `${archive.name} has ${unknownCount} sequences of accessions without metadata: ` +
      unknownAccessions.join(", ");
    entries.push(noteEntry("without-metadata", text, { count: unknownCount, ids: unknownAccessions }));
  }
  const without = recordCount - sequences.count;
  if (without > 0) {
    const text = `${without} of ${recordCount} records have no sequence in ${archive.name}`;
    entries.push(noteEntry("without-sequence", text, { count: without }));
  }
  return asWarnings(entries);
}

/** Checks that there are two columns, and tells which holds the accession. */
export function sequenceColumns(header: ArchiveBatch["header"], naming: Naming, archive: SetArchive): number {
  const column = requireColumn(header, naming, archive);
  if (header.length === 2) return column;
  throw new RegistryError(
    "not-an-archive-set",
    `Cannot import ${archive.name}: expected the two columns "${naming.accessionField}" and "Sequence", got ` +
      listSome(header, 20),
  );
}

/** Finds which column holds the accession. */
export function requireColumn(header: ArchiveBatch["header"], naming: Naming, archive: SetArchive): number {
  const column = header.indexOf(naming.accessionField);
  if (column !== -1) return column;
  throw new RegistryError(
    "not-an-archive-set",
    `Cannot import ${archive.name}: its header has no column "${naming.accessionField}", it has ` +
      `${listSome(header, 20)}; if the deployment spells it otherwise, give its naming`,
  );
}

function secondSequence(archive: SetArchive, accession: string, line: number): RegistryError {
  return new RegistryError(
    "damaged",
    `Cannot import ${archive.name}: a second sequence for ${accession} at line ${line}, expected one; ` +
      `report it to the provider of the archives`,
  );
}

function malformedAccession(archive: SetArchive, accession: string, line: number): RegistryError {
  return new RegistryError(
    "damaged",
    `Cannot import ${archive.name}: ${JSON.stringify(accession.slice(0, 100))} at line ${line} is not an accession, ` +
      `expected vj and 12 digits; report it to the provider of the archives`,
  );
}
