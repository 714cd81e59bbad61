/**
 * Archives of any number of records, from a seed: the sample's first forty columns scaled up.
 *
 * A record repeats the values of one of the sample's; its accession, name, isolate, dates, length and source accession
 * are its own, and its country is dealt so that queries have known shares of hits. Sequences have 300 nt. The unique
 * and representative archives are empty: they are served as they are and cost an import nothing but their reading.
 */
import { csvRow } from "../../src/core/io/csv/csv_text.ts";
import { readTable } from "../../src/core/tables/open/read_table.ts";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { formatAccession } from "../../src/core/contract/accession.ts";
import { ARCHIVE_IDS, archiveFiles } from "../../src/core/contract/datasets.ts";
import { wordsOf } from "../_randoms.ts";
import { writeGzipFile } from "./_gzip_file.ts";

/** Countries with their shares of the records; the others are the sample's own. */
export const SHARES: Readonly<Record<string, number>> = { "Germany": 0.3, "Kenya": 0.01, "Iceland": 0.0001 };

const COLUMNS = 40;
const BASE_RECORDS = 4000;
const LETTERS = 300;
const BATCH = 2000;

/** Bytes of the two main tables before compression. */
export interface ScaledArchives {
  readonly metadataBytes: number;
  readonly sequenceBytes: number;
}

/** Writes the sixteen files of `records` records and their definitions. */
export async function writeScaledArchives(folder: string, records: number, seed = 1): Promise<ScaledArchives> {
  const scratch = await Deno.makeTempDir();
  try {
    await makeSample(scratch, { records: BASE_RECORDS, seed });
    const { archive } = archiveFiles("full_dataset_metadata");
    const { columns: header, rows } = await readTable(`${scratch}/${archive}`);
    const columns = header.slice(0, COLUMNS);
    const definitions: unknown = JSON.parse(await Deno.readTextFile(`${scratch}/definitions.json`));
    if (!Array.isArray(definitions)) throw new Error("the sample has no definitions");
    await Deno.writeTextFile(
      `${folder}/definitions.json`,
      JSON.stringify(definitions.filter(({ name }) => columns.includes(name))),
    );
    await Deno.writeTextFile(`${folder}/manifest.json`, JSON.stringify({ synthetic: true, records }));
    const metadata = makeMetadata(columns, rows.map((row) => row.slice(0, COLUMNS)), records, seed);
    const written: Partial<Record<string, number>> = {};
    for (const id of ARCHIVE_IDS) {
      written[id] = id === "full_dataset_metadata"
        ? await writeArchive(folder, id, metadata)
        : id === "full_dataset_sequence"
        ? await writeArchive(folder, id, makeSequences(columns[0], records, seed))
        : await writeArchive(folder, id, [headerOf(id, columns)]);
    }
    return { metadataBytes: written.full_dataset_metadata ?? 0, sequenceBytes: written.full_dataset_sequence ?? 0 };
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

function headerOf(id: string, columns: readonly string[]): string {
  if (id.endsWith("_metadata")) return `${csvRow(columns)}\n`;
  return id.endsWith("_sequence") ? `${columns[0]},Sequence\n` : "from,to\n";
}

function* makeMetadata(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  records: number,
  seed: number,
): Generator<string> {
  const random = wordsOf(seed);
  const place = (name: string) => columns.indexOf(name);
  const own = new Map<number, (number: number, base: readonly string[]) => string>([
    [0, (number) => formatAccession(number)],
    [place("Sequence Name"), (number, base) => csvRow([`${base[place("Species")]} isolate ${number} sequence`])],
    [place("Sequence Length"), () => String(200 + random() % 30_000)],
    [place("Isolate"), (number) => `SYN-${number % 90_000}-${random() % 1000}`],
    [place("Collection Date"), () => dateOf(random())],
    [place("Release Date"), () => dateOf(random())],
    [place("Source Accession"), (number) => `SYN${String(number).padStart(9, "0")}.1`],
    [
      place("Country"),
      // The first records have the countries of known shares, so that each is there however few records are made.
      (number, base) =>
        csvRow([Object.keys(SHARES)[number - 1] ?? countryOf(random() / 2 ** 32, base[place("Country")])]),
    ],
  ]);
  const plain = rows.map((row) => row.map((cell) => csvRow([cell])));
  yield `${csvRow(columns)}\n`;
  for (let number = 1; number <= records;) {
    const lines: string[] = [];
    for (const end = Math.min(records, number + BATCH - 1); number <= end; number++) {
      const at = random() % rows.length;
      lines.push(plain[at].map((cell, column) => own.get(column)?.(number, rows[at]) ?? cell).join(","));
    }
    lines.push("");
    yield lines.join("\n");
  }
}

function dateOf(random: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${1980 + random % 45}-${two(1 + (random >>> 8) % 12)}-${two(1 + (random >>> 16) % 28)}`;
}

function countryOf(draw: number, own: string): string {
  let below = 0;
  for (const [country, share] of Object.entries(SHARES)) {
    below += share;
    if (draw < below) return country;
  }
  return Object.hasOwn(SHARES, own) ? "Brazil" : own;
}

function* makeSequences(accession: string, records: number, seed: number): Generator<string> {
  const random = wordsOf(seed + 1);
  const letters = Array.from({ length: 1 << 18 }, () => "ACGT"[random() & 3]).join("");
  yield `${accession},Sequence\n`;
  for (let number = 1; number <= records;) {
    const lines: string[] = [];
    for (const end = Math.min(records, number + BATCH - 1); number <= end; number++) {
      const start = random() % (letters.length - LETTERS);
      lines.push(`${formatAccession(number)},${letters.slice(start, start + LETTERS)}`);
    }
    lines.push("");
    yield lines.join("\n");
  }
}

async function writeArchive(
  folder: string,
  id: typeof ARCHIVE_IDS[number],
  texts: Iterable<string>,
): Promise<number> {
  const { archive, checksum } = archiveFiles(id);
  const { bytes, sha256 } = await writeGzipFile(`${folder}/${archive}`, texts);
  await Deno.writeTextFile(`${folder}/${checksum}`, `${sha256}  ${archive}\n`);
  return bytes;
}
