/**
 * pandas reads our Parquet: every value of every table, as polars has it. Run by `deno task checks pandas`. `PYTHON`
 * names a Python with pandas and pyarrow.
 */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import type { DataFrame } from "nodejs-polars";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { buildLake, openLake, writeFastaParquet } from "../../../src/core/tables/mod.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { inFolder } from "../../_files.ts";

const RECORDS = 400;
const FASTA = ";fields=registry_accession|Country\n>vj000000000001|Côte d'Ivoire\nACGTN\n>vj000000000002|\nACGGTT\n";

/** Prints every column of a table: type, and values with null for none, days as texts, lists as lists. */
const PROGRAM = `
import json, sys, pandas as pd
def plain(value):
    if hasattr(value, "tolist") and not isinstance(value, str): value = value.tolist()
    if isinstance(value, list): return [plain(each) for each in value]
    if value is None or value is pd.NA or value != value: return None
    return value if isinstance(value, (str, bool, int, float)) else value.isoformat()[:10]
for path in sys.argv[1:]:
    table = pd.read_parquet(path, dtype_backend="numpy_nullable")
    print(json.dumps({name: [str(table[name].dtype), [plain(value) for value in table[name]]] for name in table.columns}))
`;

/** The values of a frame in the same form. */
function columnsOf(frame: DataFrame): Record<string, unknown> {
  const plain = (value: unknown): unknown =>
    typeof value === "bigint"
      ? Number(value)
      : value instanceof Date
      ? value.toISOString().slice(0, 10)
      : Array.isArray(value)
      ? value.map(plain)
      : value ?? null;
  return Object.fromEntries(frame.columns.map((name) => [name, frame.getColumn(name).toArray().map(plain)]));
}

/** What pandas calls types; its names for days and lists may change. */
const TYPES: Readonly<Record<string, string>> = {
  String: "string",
  Int64: "Int64",
  Float64: "Float64",
  Bool: "boolean",
};

testNeeding(needsModules("pandas", "pyarrow"), "pandas reads our Parquet", async (t) => {
  await inFolder(async (root) => {
    await makeSample(join(root, "archives"), { records: RECORDS, seed: 5 });
    await buildLake(join(root, "archives"), join(root, "lake"), { dates: "columns" });
    await using lake = await openLake(join(root, "lake"));
    const wanted = new Map<string, { frame: DataFrame; types: ReadonlyMap<string, string> }>();
    for (const [table, { columns }] of lake.tables) {
      const types = new Map(columns.map(({ name, dtype }) => [name, dtype]));
      wanted.set(join(root, "lake", table), { frame: await lake.scan(table).collect(), types });
    }
    const table = await lake.table();
    const types = new Map(table.columns.map(({ name, dtype }) => [name, dtype]));
    wanted.set(await table.toParquet(join(root, "table.parquet")), { frame: await table.frame(), types });
    const genomes = join(root, "genomes");
    await writeFastaParquet(new TextEncoder().encode(FASTA), genomes);

    const paths = [...wanted.keys(), genomes];
    const parts = paths.map((path) => path === genomes ? join(path, "part-00000.parquet") : path);
    const { success, stdout, stderr } = await new Deno.Command(PYTHON, { args: ["-c", PROGRAM, ...parts] }).output();
    assert(success, new TextDecoder().decode(stderr));
    const read = new TextDecoder().decode(stdout).trim().split("\n");
    assertEquals(read.length, paths.length);
    for (const [index, [path, { frame, types }]] of [...wanted].entries()) {
      await t.step(path.slice(root.length + 1), () => {
        const found: Record<string, [dtype: string, values: unknown[]]> = JSON.parse(read[index]);
        assertEquals(
          Object.fromEntries(Object.entries(found).map(([name, [, values]]) => [name, values])),
          columnsOf(frame),
        );
        for (const [name, [dtype]] of Object.entries(found)) {
          const type = TYPES[types.get(name) ?? ""];
          if (type !== undefined) assertEquals(dtype, type, name);
        }
      });
    }
    await t.step("genomes", () => {
      const found: Record<string, [dtype: string, values: unknown[]]> = JSON.parse(read[read.length - 1]);
      assertEquals(found["registry_accession"][1], ["vj000000000001", "vj000000000002"]);
      assertEquals(found["length"], ["Int64", [5, 6]]);
      assertEquals(found["sequence"][1], ["ACGTN", "ACGGTT"]);
    });
  });
});
