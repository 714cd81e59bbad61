/** A CSV that comes once, such as an export, to Parquet in a temporary folder, while its bytes arrive. */
import { join } from "node:path";
import { diskError, isDiskFault } from "../../../io/files/disk_error.ts";
import type { FieldDefinition } from "../../../contract/metadata.ts";
import type { Naming } from "../../../contract/naming.ts";
import { TOOLKIT } from "../../../contract/version.ts";
import { writeAll } from "../../../io/files/write_all.ts";
import { type ColumnPlan, definitionsOf, planColumns, withWideIntegers } from "./_column_plan.ts";
import { convertMetadata, type MetadataParts } from "./_metadata_parts.ts";
import { type BuiltTable, builtTable } from "./lake_layout.ts";
import type { LakeManifest } from "./lake_manifest.ts";
import type { DateColumns } from "../../types/table.ts";
import { textsOf } from "../../../contract/ledger_entries.ts";

export interface SpoolOptions {
  /** Folder for the Parquet files and the bytes as they came; the caller's to remove. */
  readonly folder: string;
  /** What messages call the CSV. */
  readonly name: string;
  /** Names of its columns, in order. */
  readonly header: readonly string[];
  /** Definitions that give columns their types; a field without one is text. */
  readonly definitions: readonly FieldDefinition[];
  /** What the deployment calls things. */
  readonly naming: Naming;
  readonly dates: DateColumns;
  /** Bytes of CSV in one part; fewer than by default need less memory. */
  readonly partBytes?: number;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

const READ_BYTES = 1 << 20;

/**
 * Converts a CSV part by part as it arrives, in bounded memory.
 *
 * The bytes are kept with the parts: where a column of integers turns out to hold numbers beyond 64 bits, they are
 * converted again with that column as text.
 *
 * @throws {ParseError} If it is not a CSV.
 * @throws {RegistryError} With code `disk` if the folder cannot be written.
 */
export async function buildSpool(chunks: AsyncIterable<Uint8Array>, options: SpoolOptions): Promise<BuiltTable> {
  const { folder, header, definitions, naming, dates, partBytes, signal } = options;
  const kept = join(folder, "export.csv");
  const convert = (plan: ColumnPlan, bytes: AsyncIterable<Uint8Array>) =>
    convertMetadata(bytes, {
      folder,
      about: folder,
      name: options.name,
      names: plan.names,
      definitions: plan.definitions,
      dates,
      idField: naming.accessionField,
      partBytes,
      signal,
    });
  let plan = planColumns(header, { definitions, naming, isText: false });
  let parts: MetadataParts;
  try {
    parts = await convert(plan, keepBytes(chunks, kept));
    if (parts.wide.length > 0) {
      plan = withWideIntegers(plan, parts.wide);
      for (const { name } of [...parts.files, ...parts.raw]) await Deno.remove(join(folder, name));
      parts = await convert(plan, readBytes(kept));
    }
    await Deno.remove(kept);
  } catch (cause) {
    if (!isDiskFault(cause)) throw cause;
    throw diskError(cause, { action: `keep ${options.name} in ${folder}`, next: "free some space there" });
  }
  const { wide: _, ...converted } = parts;
  const manifest: LakeManifest = {
    lake: 3,
    table: "export",
    kind: "metadata",
    toolkit: TOOLKIT,
    built: new Date().toISOString(),
    source: { archive: options.name, sha256: "", bytes: 0 },
    header,
    definitions: definitionsOf(plan),
    dates,
    ...converted,
    warnings: textsOf(plan.entries, "warning"),
    entries: plan.entries,
  };
  return builtTable(manifest, { folder, about: folder }, false);
}

async function* keepBytes(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  for await (const chunk of chunks) {
    writeAll(file, chunk);
    yield chunk;
  }
}

async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  using file = await Deno.open(path);
  const buffer = new Uint8Array(READ_BYTES);
  for (let count = file.readSync(buffer); count !== null; count = file.readSync(buffer)) {
    yield buffer.subarray(0, count);
  }
}
