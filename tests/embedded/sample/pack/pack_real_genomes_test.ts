/** Real genomes, packed and read back. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { parse } from "@std/csv";
import { gunzipSync } from "node:zlib";
import { verifyArchive } from "../../../../src/core/datasets/mod.ts";
import { packArchives } from "../../../../src/embedded/sample/mod.ts";
import type { FieldDefinition } from "../../../../src/core/contract/metadata.ts";
import { testWithRealData } from "../../../_needs.ts";
import { makeFolder, namesIn, readArchive, readRecords } from "../_archives.ts";
import { accession } from "./_pack.ts";

for (
  const [name, file, count, idColumn] of [
    ["zika", "sequences.fasta", 34, "strain"],
    ["sarscov2", "sequences.fasta.gz", 418, "strain"],
  ] as const
) {
  testWithRealData(`packArchives() gives back the genomes of ${name}, byte for byte`, async (real) => {
    const fasta = new URL(`${name}/${file}`, real);
    const metadata = new URL(`${name}/metadata.tsv`, real);
    await using folder = await makeFolder();
    const packed = await packArchives({ fasta, metadata, folder: folder.path });
    assertEquals([packed.idColumn, packed.ledger.complete, packed.ledger.received], [idColumn, true, count]);

    const raw = await Deno.readFile(fasta);
    const text = new TextDecoder().decode(file.endsWith(".gz") ? gunzipSync(raw) : raw);
    const expected = text.split(">").slice(1).map((record) => {
      const [id, ...lines] = record.split("\n");
      return [id, lines.join("")];
    });
    const records = await readRecords(folder.path, "full_dataset_metadata");
    const [, ...sequences] = await readArchive(folder.path, "full_dataset_sequence");
    assertEquals(records.map((record) => record["Isolate"]), expected.map(([id]) => id));
    assertEquals(sequences.map(([, sequence]) => sequence), expected.map(([, sequence]) => sequence));
    assertEquals(sequences.map(([accession]) => accession), expected.map((_, index) => accession(index + 1)));

    const [header, ...lines] = parse(await Deno.readTextFile(metadata), { separator: "\t", lazyQuotes: true });
    const rows = new Map(lines.map((cells) => [cells[0], cells]));
    for (const record of records) {
      const cells = rows.get(record["Isolate"])!;
      for (const [index, column] of header.entries()) {
        assertEquals(record[packed.columns.get(column)!], cells[index], `${record["Isolate"]}, ${column}`);
      }
    }
    const definitions: FieldDefinition[] = JSON.parse(await Deno.readTextFile(`${folder.path}/definitions.json`));
    assertEquals(definitions.find(({ name }) => name === "Collection Date")?.type, "date");
    const distinct = new Set(expected.map(([, sequence]) => sequence.toUpperCase())).size;
    assertEquals((await readArchive(folder.path, "unique_seqs_sequence")).length - 1, distinct);
    if (name === "sarscov2") assertGreater(count, distinct);
    for (const archive of (await namesIn(folder.path)).filter((name) => name.endsWith(".csv.gz"))) {
      assert((await verifyArchive(`${folder.path}/${archive}`)).ok, archive);
    }
  });
}
