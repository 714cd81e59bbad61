import { assertEquals, assertRejects } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import type { FieldDefinition } from "../../../../src/core/contract/metadata.ts";
import { tableFromCsv, writeFrame } from "../../../../src/core/tables/mod.ts";
import { bytesOf, exactRows } from "../_frames.ts";
import { COUNTRY, LENGTH } from "../_fields.ts";

Deno.test("a table writes CSV, TSV and Parquet whole", async () => {
  const folder = await Deno.makeTempDir();
  try {
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
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a writer leaves nothing behind when it is stopped or the folder is absent", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const frame = await (await tableFromCsv(bytesOf("a\n1\n"))).frame();
    const signal = AbortSignal.abort();
    await assertRejects(() => writeFrame(frame, `${folder}/t.csv`, { format: "csv", signal }), DOMException);
    await assertRejects(() => writeFrame(frame, `${folder}/none/t.csv`, { format: "csv" }), RegistryError, "folder");
    assertEquals([...Deno.readDirSync(folder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
