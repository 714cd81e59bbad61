/** Data and peers of the lake's measurements. */
import { join } from "node:path";
import { formatAccession } from "../../src/core/contract/accession.ts";
import { seeded } from "./_fasta_data.ts";
import { writeGzipFile } from "./_gzip_file.ts";

/** Python with polars and DuckDB. */
export interface LakePeers {
  readonly python: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Installs polars and DuckDB into a virtual environment, once; `undefined` where that cannot be done. */
export async function installPeers(folder: string): Promise<LakePeers | undefined> {
  const python = join(folder, "python/bin/python");
  if (!await isThere(python)) {
    if (!await run("python3", ["-m", "venv", join(folder, "python")])) return undefined;
    if (!await run(python, ["-m", "pip", "install", "--quiet", "polars", "duckdb"])) return undefined;
  }
  const code = "import polars, duckdb; print(polars.__version__, duckdb.__version__)";
  const { success, stdout } = await new Deno.Command(python, { args: ["-c", code] }).output();
  if (!success) return undefined;
  const [polars, duckdb] = new TextDecoder().decode(stdout).trim().split(" ");
  return { python, versions: { "polars (Python)": polars, "DuckDB (Python)": duckdb } };
}

const COUNTRIES = "Germany,USA,China,Brazil,India,France,South Africa,Japan,Kenya,Australia".split(",");
const MOLECULES = ["ssRNA(+)", "dsDNA", "ssRNA(-)", "ssDNA"];
const COLUMNS = [
  ..."Registry Accession,INSDC Accession,Sequence Name,Sequence Length,Isolate,Molecule Type,Genome Completeness".split(
    ",",
  ),
  ..."Host Species,Host Common Name,Submitter,Collection Date,Release Date,Country,NCBI Family,NCBI Genus".split(","),
  "NCBI Species",
  "Sequence GC Content",
];
/** Columns without a meaning, sparsely filled: empty, `x` or a whole number. */
const FILLERS = 63;
/** One `x` in so many stays: 1 % of the values do not fit a column of integers. */
const KEPT_MISFITS = 20;
const BATCH_ROWS = 1000;

/** Names of the columns that are declared integers. */
export const INTEGER_FIELDS: readonly string[] = Array.from({ length: 40 }, (_, index) => `Field ${index + 23}`);

/** Returns what a row is in another version: its text, counted from 1, or nothing where it is gone. */
export type EditRow = (text: string, number: number) => string;

/** Writes metadata of 80 columns as gzip: `rows` rows, repeated `copies` times with accessions that continue. */
export async function writeMetadata(path: string, rows: number, copies: number, edit?: EditRow): Promise<void> {
  await writeGzipFile(path, makeMetadata(rows, copies, edit));
}

function* makeMetadata(rows: number, copies: number, edit: EditRow = (text) => text): Generator<string> {
  const fillers = Array.from({ length: FILLERS }, (_, index) => `Field ${index}`);
  yield `${[...COLUMNS, ...fillers].join(",")}\r\n`;
  for (let copy = 0; copy < copies; copy++) {
    const random = seeded(2);
    let misfits = 0;
    const filler = (row: number) => {
      const draw = random() % 5;
      if (draw < 3) return "";
      if (draw === 3) return String(row % 97);
      return ++misfits % KEPT_MISFITS === 0 ? "x" : "";
    };
    for (let first = 0; first < rows; first += BATCH_ROWS) {
      let text = "";
      for (let row = first; row < Math.min(first + BATCH_ROWS, rows); row++) {
        const number = copy * rows + row + 1;
        let line = describedCells(row, number, random);
        for (let column = 0; column < FILLERS; column++) line += `,${filler(row)}`;
        text += edit(`${line}\r\n`, number);
      }
      yield text;
    }
  }
}

/** The cells of a row that have a meaning. */
function describedCells(row: number, number: number, random: () => number): string {
  const of = (values: readonly string[]) => values[random() % values.length];
  const date = `20${10 + random() % 16}-0${1 + random() % 9}-1${random() % 10}`;
  const gc = (20 + random() % 5001 / 100).toFixed(2);
  return [
    formatAccession(number),
    `MN${String(row).padStart(8, "0")}.1`,
    `"Virus isolate ${row}, complete genome"`,
    200 + random() % 199_800,
    `iso/${row}`,
    of(MOLECULES),
    of(["complete", "partial"]),
    "Homo sapiens,human",
    '"Zuckerman,N., Mandelboim,M."',
    date,
    "2023-05-20",
    of(COUNTRIES),
    "Coronaviridae,Betacoronavirus,SARS-CoV-2",
    gc,
  ].join(",");
}

export async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function run(program: string, args: readonly string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: [...args], stdout: "null", stderr: "inherit" }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
