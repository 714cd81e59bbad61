/** Writes small archive folders: sixteen files from rows. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { csvRow } from "../../../src/core/io/csv/csv_text.ts";
import { formatAccession } from "../../../src/core/contract/accession.ts";
import { ARCHIVE_IDS, archiveFiles, type ArchiveId } from "../../../src/core/contract/datasets.ts";
import type { FieldDefinition, FieldType } from "../../../src/core/contract/metadata.ts";
import { fieldAlias } from "../../../src/core/contract/fields/field_alias.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";

/** What an archive folder holds. */
export interface ArchiveContent {
  /** Public names of the columns after the accession. */
  readonly columns: readonly string[];
  /** Values of the columns, one row a record; accessions are 1, 2, 3 and so on unless given. */
  readonly rows: readonly (readonly string[])[];
  /** Accessions in the order of the rows. */
  readonly accessions?: readonly string[];
  /** Sequences in the order of the rows; `ACGT` with the row's number of letters otherwise. */
  readonly sequences?: readonly string[];
  /** Types of the columns: written to `definitions.json`, which is absent without them. */
  readonly types?: Readonly<Record<string, FieldType>>;
  readonly naming?: Naming;
  /** Bytes that replace an archive's; its checksum file states theirs. */
  readonly replace?: Readonly<Partial<Record<ArchiveId, Uint8Array | string>>>;
}

export async function writeArchives(folder: string, content: ArchiveContent): Promise<void> {
  const { columns, rows, naming = SPECIFICATION_NAMING } = content;
  const accessions = content.accessions ?? rows.map((_, index) => formatAccession(index + 1));
  const sequences = content.sequences ?? rows.map((_, index) => "ACGT".repeat(index % 5 + 1));
  const metadata = table([naming.accessionField, ...columns], rows.map((row, index) => [accessions[index], ...row]));
  const letters = table([naming.accessionField, "Sequence"], accessions.map((name, index) => [name, sequences[index]]));
  const texts: Record<ArchiveId, string> = {
    reftax1_to_reftax2_map: "from,to\n",
    full_dataset_sequence: letters,
    unique_seqs_sequence: letters,
    votu_clusters_metadata: metadata,
    full_dataset_metadata: metadata,
    unique_seqs_metadata: metadata,
    votu_cluster_comparison_metrics: "representative,member,identity\n",
    votu_clusters_sequence: letters,
  };
  for (const id of ARCHIVE_IDS) {
    const replaced = content.replace?.[id];
    const bytes = replaced instanceof Uint8Array ? replaced : gzipSync(replaced ?? texts[id]);
    const { archive, checksum } = archiveFiles(id, naming);
    await Deno.writeFile(join(folder, archive), bytes);
    const digest = createHash("sha256").update(bytes).digest("hex");
    await Deno.writeTextFile(join(folder, checksum), `${digest}  ${archive}\n`);
  }
  if (content.types === undefined) return;
  await Deno.writeTextFile(join(folder, "definitions.json"), JSON.stringify(definitionsOf(content, naming)));
}

/** Definitions of the columns, the accession first. */
export function definitionsOf(
  { columns, types = {} }: ArchiveContent,
  naming: Naming = SPECIFICATION_NAMING,
): FieldDefinition[] {
  const rest = { description: "", unit: "", example: "" };
  return [
    { name: naming.accessionField, alias: naming.accessionAlias, type: "string", ...rest },
    ...columns.map((name) => ({ name, alias: fieldAlias(name), type: types[name] ?? "string", ...rest } as const)),
  ];
}

/** A folder of archives and a cache, gone at the end of the scope. */
export interface ArchiveWorld extends AsyncDisposable {
  readonly folder: string;
  readonly cacheFolder: string;
}

/** Makes a folder of archives and an empty cache. */
export async function makeArchives(content: ArchiveContent): Promise<ArchiveWorld> {
  const root = await Deno.makeTempDir();
  const [folder, cacheFolder] = [join(root, "archives"), join(root, "cache")];
  await Deno.mkdir(folder);
  await writeArchives(folder, content);
  return {
    folder,
    cacheFolder,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map((cells) => `${csvRow(cells)}\n`).join("");
}
