/** What an index says of itself. */
import { join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { DamagedFileError } from "../../files/damaged_file.ts";
import { FileReader } from "../../files/file_reader.ts";
import { FileWriter } from "../../files/file_writer.ts";
import type { Facet } from "@seqreg/core/contract";
import type { FacetField } from "./facet_fields.ts";
import type { TextBlocks } from "./text_writer.ts";
import type { HashKey } from "./tokens.ts";
import type { CodeWidth } from "./codes.ts";
import type { Sections } from "./container.ts";
import type { IndexBounds } from "./types.ts";

/** Names of the files of an index, besides the texts of fields. */
export const INDEX_FILE = "index.json";
export const ARRAYS_FILE = "index.bin";
export const RARE_FILE = "rare.bin";
export const FREQUENT_FILE = "frequent.bin";

/** Version of the files: others are not read. */
export const INDEX_VERSION = 4;

/** A field as it is kept. */
export type ColumnEntry =
  | {
    readonly kind: "few";
    readonly values: number;
    /** Bytes of a code. */
    readonly width: CodeWidth;
    /** Groups of values that are equal in the field's order. */
    readonly groups: number;
    /** Whether the last group has no rank in the order: its records come last. */
    readonly hasNone: boolean;
    /** Id of the value with code 0 among those of all fields. */
    readonly firstValue: number;
  }
  | {
    readonly kind: "many";
    readonly texts: TextBlocks;
    /** Whether the records are in the field's order as they stand. */
    readonly sorted: boolean;
    /** Records that have a rank in the order; the others come last. */
    readonly keyed: number;
  };

/** What an index says of itself. */
export interface IndexHeader {
  readonly version: number;
  readonly recordCount: number;
  readonly accessionField: number;
  readonly bounds: IndexBounds;
  readonly hashKey: HashKey;
  readonly columns: readonly ColumnEntry[];
  readonly sections: Sections;
  readonly facetFields: readonly FacetField[];
  readonly facets: readonly Facet[];
  /** Fields whose combined values have codes: indices in `facetFields`, and the number of combinations. */
  readonly groups: readonly { readonly members: readonly number[]; readonly codes: number }[];
  /** Entries of rare tokens, one for each row that has one. */
  readonly rareTokens: number;
}

/** Writes the manifest, with checksums in a separate file. */
export function writeIndexFile(folder: string, manifest: IndexHeader): void {
  const file = new FileWriter(join(folder, INDEX_FILE), { sums: true });
  file.append(new TextEncoder().encode(JSON.stringify(manifest)));
  file.close();
}

/**
 * Reads the manifest.
 *
 * @throws {DamagedFileError} If it is not as it was written.
 * @throws {RegistryError} If the index is of another version.
 */
export function readIndexFile(folder: string): IndexHeader {
  const path = join(folder, INDEX_FILE);
  using file = new FileReader(path, { sums: true });
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(file.read(0, file.bytes)));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new DamagedFileError(path, "invalid JSON", { cause });
  }
  if (isManifest(value)) return value;
  throw new RegistryError("disk", `Cannot open the index in ${folder}: it is of another version; remove it`);
}

/** The file is written by this module alone, and its size is in the import's manifest. */
function isManifest(value: unknown): value is IndexHeader {
  return typeof value === "object" && value !== null && "version" in value && value.version === INDEX_VERSION;
}
