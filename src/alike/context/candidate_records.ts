/** Metadata and sequences of the records that are near to a query. */
import { join } from "node:path";
import type { Ledger, Provenance } from "@seqreg/core/contract";
import { readFasta } from "@seqreg/core/fasta/records/read_fasta";

/** Where records of a context set come from, without times: the same answer is described the same way. */
export interface ContextSource {
  /** What was done, such as `metadata` or `sequences`. */
  readonly operation: string;
  /** The registry, or the path of the lake. */
  readonly source: string | null;
  /** Bytes that were received, or of the lake. */
  readonly bytes: number;
  /** SHA-256 of the bytes; null if they came in several answers, or from a lake. */
  readonly sha256: string | null;
  /** What was requested and received. */
  readonly ledger: Ledger;
}

/** What every result of a registry is known by. */
export interface KnownResult {
  /** What was requested and received. */
  readonly ledger: Ledger;
  /** Where it came from. */
  readonly provenance: Provenance;
}

/** What a context set needs of a registry: a `Registry` is one. */
export interface RegistryRecords {
  /** What it is, in words. */
  readonly description: string;
  /** Path of the lock that records its answers; null without one. */
  readonly lock?: string | null;
  /** Gets metadata by accession. */
  readonly metadata: GetRecords<KnownResult & { readonly toTSV: WriteRecords }>;
  /** Gets sequences by accession. */
  readonly sequences: GetRecords<KnownResult & { readonly toFasta: WriteRecords }>;
}

/** Gets records by accession. */
export type GetRecords<Result> = (
  records: { readonly ids: readonly string[] },
  options?: { readonly signal?: AbortSignal },
) => Promise<Result>;

/** Writes records to a file; returns its path. */
export type WriteRecords = (path: string, options?: { readonly signal?: AbortSignal }) => Promise<string>;

/** Records by accession. Cells are written as in TSV. */
export interface CandidateRecords {
  readonly fields: readonly string[];
  readonly rows: ReadonlyMap<string, readonly string[]>;
  readonly sequences: ReadonlyMap<string, string>;
  readonly sources: readonly ContextSource[];
}

export interface ReadCandidatesOptions {
  readonly accessions: readonly string[];
  /** Fields by which records are spread; a source that lacks one is refused. */
  readonly spread: readonly string[];
  /** A folder for temporary files. */
  readonly folder: string;
  readonly signal?: AbortSignal;
}

/** Reads records of a lake, by its path, or of a registry. Those that it does not have are absent. */
export async function readCandidates(
  from: string | RegistryRecords,
  options: ReadCandidatesOptions,
): Promise<CandidateRecords> {
  const { accessions, folder } = options;
  if (accessions.length === 0) return { fields: [], rows: new Map(), sequences: new Map(), sources: [] };
  const sources = typeof from === "string" ? await copyOfLake(from, options) : await copyOfRegistry(from, options);
  const wanted = new Set(accessions);
  const [header, ...lines] = (await Deno.readTextFile(join(folder, "metadata.tsv"))).split("\n")
    .filter((line) => line !== "").map((line) => line.split("\t"));
  // Instead of records that a lake lacks, others were drawn.
  const found = header.map((_, column) => lines.filter((row) => wanted.has(row[column])));
  const id = found.reduce((most, rows, column) => rows.length > found[most].length ? column : most, 0);
  const sequences = new Map<string, string>();
  for await (const { id, sequence } of readFasta(join(folder, "sequences.fasta"), { signal: options.signal })) {
    if (wanted.has(id)) sequences.set(id, sequence);
  }
  return { fields: header, rows: new Map(found[id].map((row) => [row[id], row])), sequences, sources };
}

/** Draws exactly these records of a lake. */
async function copyOfLake(
  lake: string,
  { accessions, spread, folder, signal }: ReadCandidatesOptions,
): Promise<ContextSource[]> {
  const { subsample } = await import("@seqreg/curation/subsample");
  const by = spread.length > 0 ? spread : [await anyField(lake)];
  await using sample = await subsample(lake, {
    by,
    include: accessions,
    total: accessions.length,
    sequences: lake,
    signal,
  });
  const ledger = await sample.save(folder);
  return [{ operation: "subsample", source: lake, bytes: sample.bytes, sha256: null, ledger }];
}

/** A field of a lake's main table other than the accession. */
async function anyField(path: string): Promise<string> {
  const { openLake } = await import("@seqreg/core/tables/lake/open/open_lake");
  await using lake = await openLake(path);
  const { columns, idField } = lake.tables.get(lake.main)!;
  return (columns.find(({ name }) => name !== idField) ?? columns[0]).name;
}

async function copyOfRegistry(registry: RegistryRecords, options: ReadCandidatesOptions): Promise<ContextSource[]> {
  const { accessions: ids, folder, signal } = options;
  const asked = { signal };
  const metadata = await registry.metadata({ ids }, asked);
  await metadata.toTSV(join(folder, "metadata.tsv"), asked);
  const sequences = await registry.sequences({ ids }, asked);
  await sequences.toFasta(join(folder, "sequences.fasta"), asked);
  return [metadata, sequences].map(({ ledger, provenance }) => {
    const { operation, registry: source, bytes, sha256 } = provenance;
    return { operation, source, bytes, sha256, ledger };
  });
}
