import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { buildLake } from "../../src/core/tables/lake/objects/build_any_lake.ts";
import { subsample } from "../../src/curation/subsample.ts";
import { inFolder } from "../_files.ts";
import { withTable } from "./_tables.ts";

Deno.test("a sample's sequences: a record without a base in the FASTA has none, as in a lake", async () => {
  await withTable([["accession", "Country"], ["a", "Peru"], ["b", "Peru"]], async (path, folder) => {
    const sequences = `${folder}/s.fasta`;
    const saved = async (fasta: string, name: string) => {
      await Deno.writeTextFile(sequences, fasta);
      await using sample = await subsample(path, { by: ["country"], perGroup: 2, sequences });
      const { reasons, entries } = await sample.save(`${folder}/${name}`);
      const text = await Deno.readTextFile(`${folder}/${name}/sequences.fasta`);
      return [text, ...entries.map(({ code }) => code), reasons.length];
    };
    assertEquals(await saved(">a\n\n>a\nAC\n>b\n", "some"), [">a\nAC\n", "without-sequence", 1]);
    assertEquals(await saved(">b\n", "none"), ["", "without-sequence", 1]);
  });
});

Deno.test("a sample of one of several tables of a lake has its sequences from that lake", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/archives`);
    const write = (name: string, rows: readonly (readonly string[])[]) =>
      Deno.writeFile(
        `${folder}/archives/registryv1_${name}.csv.gz`,
        gzipSync(rows.map((row) => `${row.join(",")}\n`).join("")),
      );
    const records = [["Registry Accession", "Country"], ["vj000000000001", "Peru"], ["vj000000000002", "Mali"]];
    await write("unique_seqs_metadata", records);
    await write("votu_clusters_metadata", records.slice(0, 2));
    await write("full_dataset_sequence", [
      ["Registry Accession", "Sequence"],
      ["vj000000000001", "AC"],
      ["vj000000000002", "GT"],
    ]);
    const lake = `${folder}/lake`;
    await buildLake(`${folder}/archives`, lake);
    const options = { table: "unique_seqs_metadata", by: ["country"], perGroup: 1, sequences: lake };
    await using sample = await subsample(lake, options);
    for (const name of ["first", "second"]) {
      await sample.save(`${folder}/${name}`);
      const written = await Deno.readTextFile(`${folder}/${name}/sequences.fasta`);
      assertEquals(written, ">vj000000000001\nAC\n>vj000000000002\nGT\n");
    }
  });
});
