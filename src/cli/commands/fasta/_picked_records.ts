/** Records of a FASTA that has no offsets to go to: standard input, a pipe, gzip, lines of other lengths. */
import type { FastaFile, FetchedFasta } from "@seqreg/core/fasta/index";
import type { ByteSource } from "@seqreg/core/io/bytes";
import { readFastaBatches } from "@seqreg/core/fasta/records/read_fasta_batches";
import { textAt } from "@seqreg/core/fasta/text";
import { readWanted, type Unindexed } from "./_unindexed.ts";

/** What `fasta get` uses of an open file. */
export type FastaRecords = Pick<
  FastaFile,
  "head" | "remarks" | "written" | "has" | "length" | "get" | "header" | "record"
>;

/** Characters per line, as in the toolkit's writers. */
const WRAP = 70;

/** Breaks bases into lines; before one that would begin a record, or be a comment, goes a space, which readers drop. */
export function wrapBases(bases: string): Uint8Array<ArrayBuffer> {
  const lines: string[] = [];
  for (let at = 0; at < bases.length; at += WRAP) {
    const line = bases.slice(at, at + WRAP);
    lines.push(/^[>;]/.test(line) ? " " : "", line, "\n");
  }
  return new TextEncoder().encode(lines.join(""));
}

/**
 * Reads a FASTA to its end, and keeps the first record of each wanted id in memory.
 *
 * @param ids Accessions, or headers up to the first white space.
 * @throws {FastaError} If it is not a FASTA file.
 */
export async function pickRecords(
  source: ByteSource,
  ids: ReadonlySet<string>,
  options: { readonly name: string; readonly signal: AbortSignal },
): Promise<FastaRecords & { readonly unindexed: Unindexed }> {
  const picked = new Map<string, { readonly header: string; readonly bases: string }>();
  const reader = readFastaBatches(source, options);
  const head = await reader.head();
  const unindexed = await readWanted(reader, ids, (batch, row) => {
    const id = batch.ids[row];
    if (picked.has(id)) return;
    picked.set(id, { header: textAt(batch.headers, row), bases: textAt(batch.sequences!, row) });
  });
  const record = (id: string): FetchedFasta | undefined => {
    const found = picked.get(id);
    return found && { id, header: found.header, lines: wrapBases(found.bases) };
  };
  return {
    head,
    // Records that could not be read may be wanted ones.
    remarks: reader.ledger.entries.filter(({ level }) => level === "reason"),
    written: [],
    has: (id) => picked.has(id),
    length: (id) => picked.get(id)?.bases.length,
    get: (id, start = 0, end = Infinity) => Promise.resolve(picked.get(id)?.bases.slice(start, end)),
    header: (id) => Promise.resolve(picked.get(id)?.header),
    record: (id) => Promise.resolve(record(id)),
    unindexed,
  };
}
