/** Sequence archives, joins and clusters of a lake. */
import { basename } from "node:path";
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { makeSample } from "../../../../../src/embedded/sample/mod.ts";
import { buildLake, openLake, tableFromFasta } from "../../../../../src/core/tables/mod.ts";
import { assertFramesEqual, bytesOf, exactRows } from "../../_frames.ts";
import { fileOf, inFolder, namesIn, writeGzip } from "../../_lake_files.ts";

const HEADER = "Registry Accession,Sequence\n";

Deno.test("a sequence archive becomes sequences with length, gc and ambiguous", async () => {
  await inFolder(async (folder) => {
    const rows = ["b,ACGT", 'a,"NN-"', "c,", "d,acgu", "e,ACGTR*\r", "f,A CG"];
    await writeGzip(`${folder}/s.csv.gz`, HEADER + rows.map((row) => `${row}\n`).join("") + "ragged\n");
    const [{ manifest }] = await buildLake(`${folder}/s.csv.gz`, `${folder}/lake`);
    assertEquals([manifest.kind, manifest.rows, manifest.unique, manifest.unparsed], ["sequence", 6, 6, 1]);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals(exactRows(await lake.scan().collect()).map((row) => Object.values(row)), [
      ["b", "4", 0.5, "0", "ACGT"],
      ["a", "3", null, "3", "NN-"],
      ["c", "0", null, "0", ""],
      ["d", "4", 0.5, "0", "acgu"],
      ["e", "6", 0.5, "2", "ACGTR*"],
      ["f", "3", 2 / 3, "0", "A CG"],
    ]);
    const part = fileOf(`${folder}/lake`, "s", "parquet");
    assertEquals(namesIn(`${folder}/lake/s`), [basename(part)]);
    const statistics = await lake.sql(
      `SELECT path_in_schema, stats_min_value, stats_max_value, stats_null_count, compression
       FROM parquet_metadata('${part}')`,
    );
    assertEquals(exactRows(statistics).map((row) => Object.values(row)), [
      ["Registry Accession", "a", "f", "0", "ZSTD"],
      ["length", "0", "6", "0", "ZSTD"],
      ["gc", null, null, "2", "ZSTD"],
      ["ambiguous", "0", "3", "0", "ZSTD"],
      ["Sequence", null, null, "0", "ZSTD"],
    ]);
  });
});

Deno.test("sequences of any bases come through a lake, counted as FASTA is counted", async () => {
  const letters = fc.string({ unit: fc.constantFrom(..."ACGTUNacgtun-*.R".split("")), minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(letters, { minLength: 40, maxLength: 80 }), (sequences) =>
      inFolder(async (folder) => {
        await writeGzip(`${folder}/s.csv.gz`, HEADER + sequences.map((text, n) => `s${n},${text}\n`).join(""));
        await buildLake(`${folder}/s.csv.gz`, `${folder}/lake`);
        await using lake = await openLake(`${folder}/lake`);
        const frame = (await lake.scan().collect()).select("length", "gc", "ambiguous");
        const fasta = sequences.map((text, n) => `>s${n}\n${text}\n`).join("");
        const expected = await (await tableFromFasta(bytesOf(fasta))).frame();
        assertFramesEqual(frame, expected.select("length", "gc", "ambiguous"));
      })),
    { numRuns: 4 },
  );
});

Deno.test("sequences of 2.5 and 10 MB, and many parts, come through whole", async () => {
  await inFolder(async (folder) => {
    const lengths = [10, 2_500_000, 10_000_000, 56_000_000, 20, 5_000_000];
    const text = lengths.map((length, n) => `s${n},${"ACGTN".repeat(length / 5)}\n`).join("");
    await Deno.writeTextFile(`${folder}/s.csv`, HEADER + text);
    const [{ files }] = await buildLake(`${folder}/s.csv`, `${folder}/lake`);
    assert(files.length > 1);
    await using lake = await openLake(`${folder}/lake`);
    const frame = await lake.sql(
      `SELECT length, gc, ambiguous, strlen("Sequence") AS letters, md5("Sequence") AS digest FROM lake`,
    );
    const { createHash } = await import("node:crypto");
    assertEquals(
      frame.toRecords().map((row) => Object.values(row)),
      lengths.map((length) => [
        length,
        0.5,
        length / 5,
        length,
        createHash("md5").update("ACGTN".repeat(length / 5)).digest("hex"),
      ]),
    );
  });
});

Deno.test("join() reports what has no partner on either side", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/registryv1_full_dataset_metadata.csv.gz`, "Registry Accession,Country\na,X\nb,Y\n");
    await writeGzip(`${folder}/registryv1_full_dataset_sequence.csv.gz`, `${HEADER}b,ACGT\nc,GG\n`);
    await buildLake(folder, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    const joined = await lake.join();
    assertEquals(exactRows(await joined.scan().collect()), [
      { "Registry Accession": "b", Country: "Y", length: "4", gc: 0.5, ambiguous: "0" },
    ]);
    assertEquals([joined.withoutSequence, joined.withoutMetadata], [["a"], ["c"]]);
    assertEquals(joined.ledger.complete, false);
    assertEquals(joined.ledger.reasons, [
      "1 record has metadata and no sequence: a",
      "1 record has a sequence and no metadata: c",
    ]);
    const kept = await lake.join({ sequence: "keep" });
    assertEquals((await kept.scan().collect()).getColumn("Sequence").toArray(), ["ACGT"]);
    assertThrows(() => lake.representatives(), RangeError, "votu_cluster_comparison_metrics");
    assertThrows(() => lake.members("x"), RangeError, "votu_cluster_comparison_metrics");
  });
});

Deno.test("join() names what both tables have apart", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/registryv1_full_dataset_metadata.csv.gz`, "Registry Accession,length\na,7\n");
    await writeGzip(`${folder}/registryv1_full_dataset_sequence.csv.gz`, `${HEADER}a,ACGT\n`);
    await buildLake(folder, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    const { columns } = await (await lake.join()).scan().collect();
    assertEquals(columns, ["Registry Accession", "length", "length (computed)", "gc", "ambiguous"]);
  });
});

Deno.test("a lake of a sample: all tables, joins, representatives and members", async () => {
  await inFolder(async (folder) => {
    await makeSample(`${folder}/sample`, { records: 1000, seed: 3 });
    const tables = await buildLake(`${folder}/sample`, `${folder}/lake`);
    assertEquals(tables.length, 8);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals(lake.main, "full_dataset_metadata");
    const table = await lake.table();
    assertEquals([table.rows, table.ledger.complete], [1000, true]);
    assert(table.columns.some(({ dtype }) => dtype === "Int64"));
    assertEquals((await lake.join()).ledger.complete, true);
    const representatives = await lake.representatives().collect();
    assertEquals(representatives.height, lake.tables.get("votu_clusters_metadata")?.rows);
    const largest = await lake.sql(
      `SELECT "Representative" AS r, "Cluster" AS c, count(*) AS n FROM votu_cluster_comparison_metrics GROUP BY ALL ORDER BY n DESC, r LIMIT 1`,
    );
    const [{ r, c, n }] = largest.toRecords();
    assert(Number(n) > 1);
    const members = await lake.members(String(r)).collect();
    assertEquals(members.height, Number(n));
    assertEquals((await lake.members(String(c)).collect()).height, Number(n));
    assert(members.columns.includes("Identity"));
    assertEquals((await lake.members("no such cluster").collect()).height, 0);
    const again = await buildLake(`${folder}/sample`, `${folder}/lake`);
    assert(again.every(({ reused }) => reused));
  });
});

Deno.test("two archives of one name are refused", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/b`);
    for (const path of [`${folder}/a.csv`, `${folder}/b/a.csv`]) await Deno.writeTextFile(path, "x\n1\n");
    const error = await assertRejects(
      () => buildLake([`${folder}/a.csv`, `${folder}/b/a.csv`], `${folder}/lake`),
      RangeError,
    );
    assertStringIncludes(error.message, "the table a");
  });
});

Deno.test("join() counts rows without an accession, and names none for them", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/registryv1_full_dataset_metadata.csv.gz`, "Registry Accession,Country\na,X\n,Z\nb,Y\n");
    await writeGzip(`${folder}/registryv1_full_dataset_sequence.csv.gz`, `${HEADER}b,ACGT\n,GG\n`);
    await buildLake(folder, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    const { withoutSequence, withoutMetadata, ledger } = await lake.join();
    assertEquals([withoutSequence, withoutMetadata], [["a"], []]);
    assertEquals(ledger.reasons, [
      "2 records have metadata and no sequence: a, 1 without accession",
      "1 record has a sequence and no metadata: 1 without accession",
    ]);
    assertEquals(ledger.entries.map(({ count, ids }) => [count, ids]), [[2, ["a"]], [1, undefined]]);
  });
});
