/** Packs texts into archives, for tests. */
import { packArchives, type Packed, type PackOptions } from "../../../../src/embedded/sample/mod.ts";
import type { FieldDefinition } from "../../../../src/core/contract/metadata.ts";
import { makeFolder, readArchive, readRecords } from "../_archives.ts";

/** UTF-8 of a text. */
export const bytes = (text: string) => new TextEncoder().encode(text);

/** Packs texts and reads the full set back. */
export async function pack(
  fasta: string,
  metadata: string,
  options: Partial<PackOptions> = {},
): Promise<
  { packed: Packed; records: Record<string, string>[]; sequences: string[][]; definitions: FieldDefinition[] }
> {
  await using folder = await makeFolder();
  const packed = await packArchives({
    fasta: bytes(fasta),
    metadata: bytes(metadata),
    folder: `${folder.path}/set`,
    ...options,
  });
  return {
    packed,
    records: await readRecords(`${folder.path}/set`, "full_dataset_metadata", options.naming),
    sequences: (await readArchive(`${folder.path}/set`, "full_dataset_sequence", options.naming)).slice(1),
    definitions: JSON.parse(await Deno.readTextFile(`${folder.path}/set/definitions.json`)),
  };
}

export const accession = (number: number) => `vj${String(number).padStart(12, "0")}`;
