/** Reads sequences of an index's records from its source. */
import { RegistryError } from "@seqreg/core/errors";
import { type ByteSource, sourceName } from "@seqreg/core/io/bytes";
import { readSequences } from "../sketch/read_sequences.ts";
import { recordDigest } from "./record_digest.ts";
import type { AlikeIndex } from "./open_index.ts";

export interface ReadRecordsOptions {
  readonly wanted: ReadonlySet<number>;
  readonly signal?: AbortSignal;
}

/**
 * Reads the wanted records, in one pass that ends with the last of them.
 *
 * @throws {RegistryError} With code `damaged` if a record does not have the id, length and bases that were indexed.
 */
export async function readRecords(
  source: ByteSource,
  index: AlikeIndex,
  { wanted, signal }: ReadRecordsOptions,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>();
  if (wanted.size === 0) return found;
  const name = sourceName(source);
  await using reading = await readSequences(source, { name, signal });
  let record = 0;
  for await (const { id, bytes, length } of reading.sequences()) {
    if (wanted.has(record)) {
      const digest = index.digestOf(record);
      const isOther = id !== index.idOf(record) || length !== index.lengthOf(record) ||
        digest !== undefined && recordDigest(bytes) !== digest;
      if (isOther) throw changed(name, index, record);
      found.set(record, bytes.slice());
      if (found.size === wanted.size) return found;
    }
    record += 1;
  }
  throw changed(name, index, record);
}

function changed(name: string, index: AlikeIndex, record: number): RegistryError {
  return new RegistryError(
    "damaged",
    `Cannot align to the records of ${index.folder}: record ${
      record + 1
    } of ${name} is not the one that was indexed; ` +
      "index the file again, or name the one that was indexed by the option from (--from)",
  );
}
