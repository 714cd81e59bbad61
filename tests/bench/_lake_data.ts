/** Data and peers of the lake's measurements. */
import { join } from "node:path";

/** The generator of synthetic metadata, where the shared folder is there. */
const GENERATOR = new URL("../../shared/prototypes/data/gen_csv.py", import.meta.url);

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
  const { stdout } = await new Deno.Command(python, { args: ["-c", code] }).output();
  const [polars, duckdb] = new TextDecoder().decode(stdout).trim().split(" ");
  return { python, versions: { "polars (Python)": polars, "DuckDB (Python)": duckdb } };
}

/**
 * Writes metadata of 80 columns as gzip, several times the generator's rows with accessions that go on. Of the text `x` in
 * the last 40 columns, which are declared integers, one in twenty stays: 1 % of the values do not fit.
 *
 * @returns Bytes of the CSV.
 */
export async function writeMetadata(folder: string, path: string, rows: number, copies: number): Promise<number> {
  const source = join(folder, `generated-${rows}.csv`);
  if (!await isThere(source)) {
    if (!await isThere(GENERATOR.pathname)) throw new Error("not run: lake, since ../shared is absent");
    if (!await run("python3", [GENERATOR.pathname, String(rows), source])) throw new Error("the generator failed");
  }
  const code = `
import gzip, re, sys
source, path, rows, copies = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
count = 0
def thin(match):
    global count
    count += 1
    return match.group(0) if count % 20 == 0 else ","
with open(source, newline="") as lines:
    header = next(lines)
    rest = [re.sub(r",x(?=[,\\r\\n])", thin, line[14:]) for line in lines]
size = 0
with gzip.open(path, "wt", compresslevel=1, newline="") as out:
    size += out.write(header)
    for first in range(0, copies * rows, 10000):
        size += out.write("".join("vj%012d%s" % (n, rest[n % rows]) for n in range(first, min(first + 10000, copies * rows))))
print(size)
`;
  const done = await new Deno.Command("python3", { args: ["-c", code, source, path, String(rows), String(copies)] })
    .output();
  if (!done.success) throw new Error(new TextDecoder().decode(done.stderr));
  return Number(new TextDecoder().decode(done.stdout));
}

/** Names of the columns that are declared integers. */
export const INTEGER_FIELDS: readonly string[] = Array.from({ length: 40 }, (_, index) => `Field ${index + 23}`);

/** Whether a file is there. */
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
