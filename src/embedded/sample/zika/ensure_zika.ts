/** The embedded registry of real genomes: 34 of Zika virus, made once, kept in the cache. */
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { RegistryError } from "@seqreg/core/errors";
import { sha256Of } from "@seqreg/core/io/digest";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { formatAccession } from "@seqreg/core/contract/accession";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";
import { VERSION } from "@seqreg/core/contract/version";
import { keepArchives, namingSuffix } from "../cached_archives.ts";
import { ZIKA_COPIED, ZIKA_RECORDS, ZIKA_SEQUENCES, ZIKA_SHA256 } from "./_zika_records.ts";
import { knownColumn } from "@seqreg/core/contract/fields/column_names";
import { Packing } from "../pack/packing.ts";
import { writeArchives } from "../write_archives.ts";

/** Options of {@linkcode ensureZika}. */
export interface EnsureZikaOptions {
  /** The cache; the user's own by default, see {@linkcode cacheFolder}. */
  readonly cacheFolder?: string;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Ends the work; nothing is left behind then. */
  readonly signal?: AbortSignal;
  /** Receives the progress of the work; silent when the archives are there already. */
  readonly onProgress?: OnProgress;
}

const ENSURE_ZIKA_OPTIONS = {
  cacheFolder: rule.path,
  naming: NAMING_RULE,
  signal: rule.signal,
  onProgress: rule.callback(),
} satisfies OptionRules<EnsureZikaOptions>;

/** Number of the recipe: it grows whenever the same version would write other bytes. */
const RECIPE = 1;

/** Where the records are from, in one sentence. */
const NOTICE =
  `${ZIKA_RECORDS.length} genomes of Zika virus from INSDC (GenBank, ENA, DDBJ), collected 2013 to 2016, ` +
  `copied on ${ZIKA_COPIED} in the selection of Nextstrain's Zika tutorial; Source Accession is that of INSDC.`;

const COLUMNS = ["Isolate", "Source Accession", "Collection Date", "Country", "Species", "Data Source"];

/**
 * Returns the folder of the embedded registry `zika`, and makes its archives if the cache does not have them.
 *
 * These are real records: 34 genomes of Zika virus from INSDC, 2013 to 2016. A record has its INSDC accession
 * (`Source Accession`), strain (`Isolate`), collection date, country and sequence, as they were copied; length, GC
 * content, ambiguous bases and clusters are computed. `manifest.json` names the source and the day.
 *
 * @param options Cache, naming, signal, progress.
 * @returns Path of a folder with the sixteen files, `definitions.json` and `manifest.json`.
 * @throws {RegistryError} With code `disk` if the cache cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ensureZika } from "./ensure_zika.ts";
 *
 * const cacheFolder = await Deno.makeTempDir();
 * const folder = await ensureZika({ cacheFolder });
 * const manifest = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
 *
 * assertEquals([manifest.synthetic, manifest.records, manifest.copied], [false, 34, "2026-11-25"]);
 * await Deno.remove(cacheFolder, { recursive: true });
 * ```
 */
export async function ensureZika(options: EnsureZikaOptions = {}): Promise<string> {
  checkOptions("ensureZika()", options, ENSURE_ZIKA_OPTIONS);
  const { naming = SPECIFICATION_NAMING, signal, onProgress } = options;
  const name = `${VERSION}.${RECIPE}${namingSuffix(naming)}`;
  const folder = join(options.cacheFolder ?? cacheFolder(), "zika", name);
  await keepArchives(folder, { naming, signal, make: () => write(folder, { naming, signal, onProgress }) });
  return folder;
}

async function write(
  folder: string,
  options: { readonly naming: Naming; readonly signal?: AbortSignal; readonly onProgress?: OnProgress },
): Promise<void> {
  const rows = ZIKA_RECORDS.map(([source, strain, date, country]) => [
    strain,
    source,
    date,
    country,
    "Zika virus",
    `INSDC, copied ${ZIKA_COPIED}`,
  ]);
  const joined = rows.map((_, row) => ({ sequence: row, row, accession: formatAccession(row + 1) }));
  const packing = new Packing({ columns: COLUMNS, rows }, { joined }, {
    ...options,
    types: COLUMNS.map((column) => knownColumn(column) ?? { type: "string", unit: "" }),
  });
  const [accession, ...fields] = packing.fields;
  await writeArchives(folder, {
    fields: [
      { ...accession, description: `${accession.description}, assigned by this toolkit; see Source Accession` },
      ...fields,
    ],
    recordCount: joined.length,
    *sequences() {
      for (const [row, sequence] of readSequences().entries()) {
        packing.addSequence(sequence);
        yield { accession: joined[row].accession, sequence };
      }
    },
    rows: (clusters) => packing.rows(clusters),
    manifest: () => ({
      synthetic: false,
      notice: NOTICE,
      recipe: RECIPE,
      records: rows.length,
      source: "INSDC (GenBank, ENA, DDBJ)",
      copied: ZIKA_COPIED,
      accessions: ZIKA_RECORDS.map(([source]) => source),
    }),
  }, { ...options, compression: "portable" });
}

/** The sequences in the order of the records, in lower case as INSDC writes them. */
function readSequences(): Uint8Array[] {
  const bytes = brotliDecompressSync(Uint8Array.fromBase64(ZIKA_SEQUENCES));
  const text = new TextDecoder().decode(bytes);
  if (sha256Of(text) !== ZIKA_SHA256) {
    throw new RegistryError(
      "damaged",
      "Cannot make the registry zika: its sequences in the toolkit are damaged; install it again",
    );
  }
  return text.split("\n").map((sequence) => new TextEncoder().encode(sequence));
}
