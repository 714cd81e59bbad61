/** Reads what is packed: twice the FASTA, once the table. */
import { RegistryError } from "@seqreg/core/errors";
import { readFastaBatches, textsOf } from "@seqreg/core/fasta";
import { OtherResidues } from "@seqreg/core/fasta/stats/other_residues";
import { extendLedger } from "@seqreg/core/contract/ledger";
import { type ByteSource, readBytes } from "@seqreg/core/io/bytes";
import type { Ledger } from "@seqreg/core/contract";
import type { Packing } from "./packing.ts";
import type { ArchiveSequence } from "../write_archives.ts";

/** What the first reading of the FASTA finds. */
export interface FastaScan {
  readonly ids: readonly string[];
  /** The whole headers. */
  readonly headers: readonly string[];
  readonly ledger: Ledger;
  readonly bytes: number;
}

/** Reads the ids of a FASTA, and finds its faults before anything is written. */
export async function scanFasta(source: ByteSource, name: string, signal?: AbortSignal): Promise<FastaScan> {
  await using reader = readFastaBatches(source, { name, signal, sequences: false });
  const ids: string[] = [];
  const headers: string[] = [];
  const others = new OtherResidues();
  for await (const batch of others.watch(reader)) {
    for (const id of batch.ids) ids.push(id);
    for (const header of textsOf(batch.headers)) headers.push(header);
  }
  return { ids, headers, ledger: extendLedger(reader.ledger, others.entries), bytes: reader.bytes };
}

/** Reads the sequences that have a row, in a second reading. */
export async function* joinedSequences(
  source: ByteSource,
  name: string,
  ids: readonly string[],
  packing: Packing,
  signal?: AbortSignal,
): AsyncGenerator<ArchiveSequence> {
  await using reader = readFastaBatches(source, { name, signal });
  let index = 0;
  let next = 0;
  for await (const batch of reader) {
    const { offsets, data } = batch.sequences!;
    for (let row = 0; row < batch.rows; row++, index++) {
      if (batch.ids[row] !== ids[index]) throw changed(name);
      if (packing.joined[next]?.sequence !== index) continue;
      const { accession } = packing.joined[next++];
      const bases = data.subarray(offsets[row], offsets[row + 1]);
      packing.addSequence(bases);
      yield { accession, sequence: utf8(bases) };
    }
  }
  if (index !== ids.length) throw changed(name);
}

function changed(name: string): RegistryError {
  return new RegistryError(
    "disk",
    `Cannot pack ${name}: it changed while it was read; pack again when no other program writes to it`,
  );
}

/** A base outside ASCII is one byte of the FASTA, read as Latin-1; archives are UTF-8. */
function utf8(sequence: Uint8Array): Uint8Array {
  if (!sequence.some((base) => base > 127)) return sequence;
  return new TextEncoder().encode(Array.from(sequence, (base) => String.fromCharCode(base)).join(""));
}

export function countBytes(
  source: ByteSource,
  signal?: AbortSignal,
): { bytes: AsyncIterable<Uint8Array>; count(): number } {
  let count = 0;
  const bytes = async function* () {
    for await (const chunk of readBytes(source, { signal })) {
      count += chunk.length;
      yield chunk;
    }
  };
  return { bytes: bytes(), count: () => count };
}
