/** What names promise is what files hold, whatever writes them. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { isGzipName, type NamedFormat } from "../../../../src/core/io/files/named_format.ts";
import { Registry } from "../../../../src/core/registry/registry.ts";
import { writeFrame } from "../../../../src/core/tables/mod.ts";

Deno.test("a name tells the compression, and is refused for another format", () => {
  const plain = {
    csv: "a.csv a a.txt dir.gz/a.csv a.2.csv A.CSV",
    tsv: "a.tsv",
    parquet: "a.parquet a",
    fasta: "a.fa a.fna",
  };
  const packed = { csv: "a.csv.gz a.gz a.CSV.GZ", tsv: "a.tsv.gz a.txt.gz", parquet: "", fasta: "a.fa.gz a.fasta.gz" };
  const refused = {
    csv: "a.parquet a.tsv a.xlsx a.fasta a.csv.zst a.csv.zip a.parquet.gz a.zip",
    tsv: "a.csv a.csv.gz a.json a.tsv.bz2",
    parquet: "a.csv a.parquet.gz a.gz a.fasta.gz",
    fasta: "a.csv a.fa.zst a.fastq a.parquet",
  };
  const each = (names: Record<string, string>, test: (path: string, format: NamedFormat) => void) => {
    for (const [format, paths] of Object.entries(names)) {
      for (const path of paths.split(" ").filter(Boolean)) test(path, format as NamedFormat);
    }
  };
  each(plain, (path, format) => assertEquals([path, isGzipName(path, format)], [path, false]));
  each(packed, (path, format) => assertEquals([path, isGzipName(path, format)], [path, true]));
  each(refused, (path, format) => {
    assertThrows(() => isGzipName(path, format), TypeError, `"${path}": expected a name that ends with .`);
  });
  assertThrows(() => isGzipName("a.parquet", "csv"), TypeError, ".csv or .csv.gz, or toParquet()");
});

Deno.test("every writer compresses by the name, to the same text, and refuses another format", async () => {
  const folder = await Deno.makeTempDir();
  await using registry = await Registry.open("zika");
  const sequences = await registry.sequences({ query: "country:Kenya OR country:Brazil" });
  const metadata = await registry.dataset("full_dataset_metadata");
  const bases = await registry.dataset("full_dataset_sequence");
  await using lake = await metadata.lake();
  await using basesLake = await bases.lake();
  const frame = await sequences.frame();
  const writers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    "1.csv": (path) => sequences.toCSV(path),
    "2.tsv": (path) => sequences.toTSV(path),
    "3.fasta": (path) => sequences.toFasta(path),
    "4.csv": (path) => sequences.table.toCSV(path),
    "5.csv": (path) => writeFrame(frame, path, { format: "csv" }),
    "6.csv": (path) => metadata.toCSV(path),
    "7.tsv": (path) => metadata.toTSV(path),
    "8.fasta": (path) => bases.toFasta(path),
    "9.csv": async (path) => await (await lake.table()).toCSV(path),
    "10.tsv": async (path) => await (await lake.table()).toTSV(path),
    "11.fasta": async (path) => await (await basesLake.table()).toFasta(path),
  };
  try {
    for (const [name, write] of Object.entries(writers)) {
      const path = `${folder}/${name}`;
      await write(path);
      await write(`${path}.gz`);
      const text = await Deno.readTextFile(path);
      assert(text.length > 0, name);
      assertEquals(gunzipSync(await Deno.readFile(`${path}.gz`)).toString(), text, name);
      await assertRejects(() => write(`${path}.parquet`), TypeError, "toParquet()", name);
    }
    for (
      const write of [
        (path: string) => sequences.toParquet(path),
        (path: string) => metadata.toParquet(path),
        async (path: string) => await (await lake.table()).toParquet(path),
        (path: string) => writeFrame(frame, path, { format: "parquet" }),
      ]
    ) await assertRejects(() => write(`${folder}/x.csv`), TypeError, "toCSV()");
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name.replace(/\.provenance\.json$/, ""));
    const expected = Object.keys(writers).flatMap((name) => [name, `${name}.gz`]);
    assertEquals([...new Set(left)].toSorted(), expected.toSorted());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
