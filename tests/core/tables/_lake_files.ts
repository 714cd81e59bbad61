/** Folders and archives for tests of the lake. */
import { gzipSync } from "node:zlib";
import { buildLake, type LakeTable, openLake } from "../../../src/core/tables/mod.ts";
import { inFolder, namesIn } from "../../_files.ts";
import { define } from "../contract/_definition.ts";

export { define, inFolder, namesIn };

export async function writeGzip(path: string, text: string): Promise<void> {
  await Deno.writeFile(path, gzipSync(text, { level: 1 }));
}

/** Path of the first file of a kind that a lake has of a table. */
export function fileOf(lake: string, table: string, kind: "parquet" | "raw" | "manifest"): string {
  if (kind === "parquet") return firstIn(`${lake}/${table}`, /^part-00000-[0-9a-f]{16}\.parquet$/);
  const about = firstIn(`${lake}/_lake/${table}`, /./);
  return kind === "raw" ? firstIn(about, /^part-00000-[0-9a-f]{16}\.raw$/) : `${about}/manifest.json`;
}

function firstIn(folder: string, pattern: RegExp): string {
  const name = namesIn(folder).find((name) => pattern.test(name));
  if (name === undefined) throw new TypeError(`${folder} has no ${pattern}`);
  return `${folder}/${name}`;
}

/** One field of each type. */
export const DEFINITIONS = [
  define("Whole", "integer"),
  define("Years", "integer", "years"),
  define("Share", "float", "%"),
  define("Flag", "boolean"),
  define("Day", "date"),
  define("Hosts", "list"),
  define("Note", "string"),
];
export const HEADER = ["Registry Accession", ...DEFINITIONS.map(({ name }) => name)];
export const accession = (number: number) => `vj${String(number).padStart(12, "0")}`;

/** Values that are odd in some way for some type. */
export const VALUES = [
  ...["", "1", "-5", "+7", "007", "12.0", "12.", "12.5", " 12 ", "\t3\n", "1e3", "1E-2", ".5", "5.", "1_000", "1,000"],
  ...[
    "9007199254740993",
    "-9223372036854775808",
    "9223372036854775808",
    "1e999",
    "-0",
    "NaN",
    "inf",
    "0x10",
    "\u00a07",
  ],
  ...["37 years", "37years", "37 Years", "37.0 years", "years", "43.5 %", "43.5%", "% 4", "1e2 %", "12%%", "١٢"],
  ...["true", "TRUE", "tRuE", "f", "no", "Y", " yes ", "0", "maybe", "yeſ"],
  ...["2013", "2013-12", "2013-12-XX", "2013-XX-XX", "2013-00-00", "2012-02", "2012-02-29", "2013-02-29", "1900-02"],
  ...[
    "2000-02-XX",
    "0000",
    "0000-01-01",
    "2013-04-31",
    "2013-1-1",
    "2020-03-05T10:30:00Z",
    "XXXX",
    " 2013 ",
    "2400-02-29",
  ],
  ...["05-May-2013", "May-2013", "2013-XX-05", "2013-05/2013-06", "2012-12/2013-01", "03/04/2020", "2020-05-051"],
  ...["?", " ? ", "N/a", "Not Available", "missing: lab stock", "NOT COLLECTED", "\u3000", "unknown;?", "none, really"],
  ...["\u2007a\u0085;\u00a0b", "\ufeff12", "\u200f12", "12\u0000"],
  ...["a;b", " a ; ; b;", ";", ";;x;;", "one", 'q"uote', "line\nbreak", "comma, here", "a\rb", "\0", "é🦠"],
];

/** Builds a lake of one CSV and reads its table back. */
export async function throughLake(
  csv: string,
  dates: "text" | "columns",
  check: (table: LakeTable, folder: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, csv);
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, { definitions: DEFINITIONS, dates });
    await using lake = await openLake(`${folder}/lake`);
    await check(await lake.table(), folder);
  });
}
