import { assertEquals, assertRejects } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import type { FieldDefinition } from "../../../../src/core/contract/metadata.ts";
import fc from "fast-check";
import { csvRow, tsvRow } from "../../../../src/core/io/csv/csv_text.ts";
import { buildLake, tableFromCsv, writeFrame } from "../../../../src/core/tables/mod.ts";
import { bytesOf, exactRows } from "../_frames.ts";
import { COUNTRY, LENGTH } from "../_fields.ts";
import { inFolder } from "../../../_files.ts";

Deno.test("a table writes CSV, TSV and Parquet whole", async () => {
  await inFolder(async (folder) => {
    const definitions: FieldDefinition[] = [LENGTH, { ...COUNTRY, name: "Hosts", alias: "hosts", type: "list" }];
    const csv = bytesOf(
      'Registry Accession,Sequence Length,Hosts,Note\nvj000000000001,9007199254740993,a;b,"x\ty\n\\,"\n',
    );
    const table = await tableFromCsv(csv, { definitions });
    await table.toCSV(`${folder}/t.csv`);
    await table.toTSV(`${folder}/t.tsv`);
    await table.toParquet(`${folder}/t.parquet`);
    assertEquals(
      await Deno.readTextFile(`${folder}/t.csv`),
      'Registry Accession,Sequence Length,Hosts,Note\nvj000000000001,9007199254740993,a;b,"x\ty\n\\,"\n',
    );
    assertEquals(
      await Deno.readTextFile(`${folder}/t.tsv`),
      "Registry Accession\tSequence Length\tHosts\tNote\nvj000000000001\t9007199254740993\ta;b\tx\\ty\\n\\\\,\n",
    );
    const { default: pl } = await import("nodejs-polars");
    assertEquals(exactRows(pl.readParquet(`${folder}/t.parquet`)), exactRows(await table.frame()));
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(names, ["t.csv", "t.parquet", "t.tsv"]);
  });
});

Deno.test("a writer leaves nothing behind when it is stopped or the folder is absent", async () => {
  await inFolder(async (folder) => {
    const frame = await (await tableFromCsv(bytesOf("a\n1\n"))).frame();
    const signal = AbortSignal.abort();
    await assertRejects(() => writeFrame(frame, `${folder}/t.csv`, { format: "csv", signal }), DOMException);
    await assertRejects(() => writeFrame(frame, `${folder}/none/t.csv`, { format: "csv" }), RegistryError, "folder");
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("a table of one column has as many rows when it is read as when it was written", async () => {
  await inFolder(async (folder) => {
    const { default: pl } = await import("nodejs-polars");
    const types = [["text", pl.String], ["numbers", pl.Int64], ["lists", pl.List(pl.String)]] as const;
    const cell = fc.constantFrom(null, null, "", "a", "b c", "ä");
    const count = async (values: readonly (string | null)[], format: "csv" | "tsv", path: string) => {
      const table = await tableFromCsv(await Deno.readFile(path));
      const [{ manifest: { rows } }] = await buildLake(path, `${path}-lake`);
      const read = pl.readCSV(path, { sep: format === "csv" ? "," : "\t", inferSchemaLength: 0 });
      const note = `${format} of ${JSON.stringify(values)}`;
      assertEquals([table.rows, rows, read.height], [values.length, values.length, values.length], note);
      await Deno.remove(`${path}-lake`, { recursive: true });
    };
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 6 }), async (values) => {
        for (const [kind, dtype] of types) {
          const cells = values.map((value, index) => {
            if (value === null || kind === "text") return value;
            return kind === "numbers" ? BigInt(index) : value === "" ? [] : [value, ""];
          });
          // A first value from which polars takes the type.
          const first = kind === "text" ? "" : kind === "numbers" ? 0n : [""];
          const frame = pl.DataFrame({ a: pl.Series("a", [first, ...cells], dtype) }).slice(1, cells.length);
          for (const format of ["csv", "tsv"] as const) {
            const path = `${folder}/${kind}.${format}`;
            await writeFrame(frame, path, { format });
            await count(values, format, path);
          }
        }
        for (const [format, row] of [["csv", csvRow], ["tsv", tsvRow]] as const) {
          const path = `${folder}/rows.${format}`;
          await Deno.writeTextFile(path, ["a", ...values].map((value) => `${row([value ?? ""])}\n`).join(""));
          await count(values, format, path);
        }
      }),
      { numRuns: 15 },
    );
    await writeFrame(pl.DataFrame({ a: ["x", null, ""] }), `${folder}/a.tsv`, { format: "tsv" });
    assertEquals(await Deno.readTextFile(`${folder}/a.tsv`), 'a\nx\n""\n""\n');
    await writeFrame(pl.DataFrame({ a: ["x", null], b: [null, null] }), `${folder}/a.csv`, { format: "csv" });
    assertEquals(await Deno.readTextFile(`${folder}/a.csv`), "a,b\nx,\n,\n");
  });
});
