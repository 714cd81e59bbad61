import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { gunzipSync } from "node:zlib";
import { RegistryError } from "../../../src/core/errors.ts";
import { type ArchiveSource, writeArchives } from "../../../src/embedded/sample/mod.ts";
import { datasetFileNames } from "../../../src/core/contract/datasets.ts";
import type { FieldDefinition } from "../../../src/core/contract/metadata.ts";
import { digestFolder, makeFolder, namesIn, readArchive, readArchiveText, sha256sumCheck } from "./_archives.ts";

const encoder = new TextEncoder();

function field(name: string): FieldDefinition {
  return { name, alias: name.toLowerCase(), type: "string", description: "", unit: "", example: "" };
}

/** A source of some sequences; every record has one value beside its accession. */
function sourceOf(sequences: readonly string[], notes: readonly string[] = []): ArchiveSource {
  const accession = (index: number) => `vj${String(index + 1).padStart(12, "0")}`;
  return {
    fields: [field("Registry Accession"), field("Note")],
    sequences: () => sequences.map((text, index) => ({ accession: accession(index), sequence: encoder.encode(text) })),
    rows: () => sequences.map((_, index) => [accession(index), notes[index] ?? ""]),
  };
}

Deno.test("writeArchives() writes the sixteen files and the definitions, which sha256sum accepts", async () => {
  await using folder = await makeFolder();
  const names = await writeArchives(`${folder.path}/set`, sourceOf(["ACGT"], ["first"]));
  assertEquals(names, datasetFileNames());
  assertEquals(await namesIn(`${folder.path}/set`), [...names, "definitions.json"].sort());
  const [, note] = JSON.parse(await Deno.readTextFile(`${folder.path}/set/definitions.json`));
  assertEquals(note.example, "first");
  const check = await sha256sumCheck(`${folder.path}/set`);
  if (check !== undefined) assertEquals(check.code, 0);
});

Deno.test("writeArchives() sets apart distinct sequences, whatever their case", async () => {
  await using folder = await makeFolder();
  await writeArchives(folder.path, sourceOf(["ACGT", "acgt", "AC", "ACGT", "", ""]));
  assertEquals(
    await readArchiveText(folder.path, "unique_seqs_sequence"),
    "Registry Accession,Sequence\nvj000000000001,ACGT\nvj000000000003,AC\nvj000000000005,\n",
  );
  const metrics = await readArchive(folder.path, "votu_cluster_comparison_metrics");
  assertEquals(metrics.slice(1).map(([cluster, representative, member]) => `${cluster} ${representative} ${member}`), [
    "C0000001 vj000000000001 vj000000000001",
    "C0000001 vj000000000001 vj000000000002",
    "C0000002 vj000000000003 vj000000000003",
    "C0000001 vj000000000001 vj000000000004",
    "C0000003 vj000000000005 vj000000000005",
    "C0000003 vj000000000005 vj000000000006",
  ]);
});

Deno.test("writeArchives() gives back every value and every sequence as it was", async () => {
  const letters = fc.string({ unit: fc.constantFrom(..."ACGTNacgtn-*.\",'\n\r"), maxLength: 300 });
  const notes = fc.string({
    unit: fc.constantFrom("a", "é", "𝛼", '"', ",", "\n", "\r\n", "|", ";", " ", "\t"),
    maxLength: 9,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(letters, notes), { maxLength: 12 }), async (records) => {
      await using folder = await makeFolder();
      await writeArchives(folder.path, sourceOf(records.map(([text]) => text), records.map(([, note]) => note)));
      const [, ...sequences] = await readArchive(folder.path, "full_dataset_sequence");
      const [, ...rows] = await readArchive(folder.path, "full_dataset_metadata");
      assertEquals(sequences.map(([, text]) => text), records.map(([text]) => text));
      assertEquals(rows.map(([, note]) => note), records.map(([, note]) => note));
    }),
    { numRuns: 20, seed: 4 },
  );
});

Deno.test("writeArchives() writes gzip without a name, a time or a system", async () => {
  for (const compression of ["portable", "small"] as const) {
    await using folder = await makeFolder();
    const long = "ACGTTGCA".repeat(100_000);
    await writeArchives(folder.path, sourceOf([long]), { compression });
    const bytes = await Deno.readFile(`${folder.path}/registryv1_full_dataset_sequence.csv.gz`);
    assertEquals([...bytes.subarray(0, 10)], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
    assertEquals(new TextDecoder().decode(gunzipSync(bytes)).length, 28 + 15 + long.length + 1);
    assert(compression === "portable" ? bytes.length > 190_000 : bytes.length < 10_000, `${bytes.length}`);
  }
});

Deno.test("writeArchives() accepts a folder that is empty, or an archive set, and no other", async (t) => {
  await t.step("an archive set is replaced, and a manifest that no longer fits goes", async () => {
    await using folder = await makeFolder();
    await writeArchives(folder.path, { ...sourceOf(["AAAA"]), manifest: () => ({ old: true }) });
    await Deno.writeTextFile(`${folder.path}/README`, "kept");
    await writeArchives(folder.path, sourceOf(["CCCC"]));
    assertStringIncludes(await readArchiveText(folder.path, "full_dataset_sequence"), "CCCC");
    assertEquals(await namesIn(folder.path), [...datasetFileNames(), "README", "definitions.json"].sort());
    assertEquals((await sha256sumCheck(folder.path))?.code ?? 0, 0);
  });
  await t.step("checksum files move last, so that they refuse what a broken move left", async () => {
    await using folder = await makeFolder();
    await writeArchives(folder.path, sourceOf(["AAAA"]));
    const before = await digestFolder(folder.path);
    const name = "registryv1_full_dataset_metadata.csv.gz";
    await Deno.remove(`${folder.path}/${name}`);
    await Deno.mkdir(`${folder.path}/${name}`);
    await assertRejects(() => writeArchives(folder.path, sourceOf(["CCCC"])), RegistryError, "Cannot write archives");
    await Deno.remove(`${folder.path}/${name}`);
    for (const [file, digest] of Object.entries(await digestFolder(folder.path))) {
      if (file.endsWith(".sha256")) assertEquals(digest, before[file], file);
    }
    assertEquals((await namesIn(folder.path)).filter((file) => file.endsWith(".part")), []);
  });
  await t.step("definitions and manifest move after the archives, so that they are never of another set", async () => {
    await using folder = await makeFolder();
    await writeArchives(folder.path, { ...sourceOf(["AAAA"], ["first"]), manifest: () => ({ synthetic: true }) });
    const described = () =>
      Promise.all(["definitions.json", "manifest.json"].map((name) => Deno.readTextFile(`${folder.path}/${name}`)));
    const before = await described();
    for (const name of datasetFileNames().filter((name) => name.endsWith(".gz"))) {
      await Deno.remove(`${folder.path}/${name}`);
      await Deno.mkdir(`${folder.path}/${name}`);
    }
    const others = sourceOf(["CCCC"], ["other"]);
    await assertRejects(() => writeArchives(folder.path, others), RegistryError, "Cannot write archives");
    assertEquals(await described(), before);
  });
  await t.step("what a killed process left is no obstacle", async () => {
    await using folder = await makeFolder();
    await Deno.mkdir(`${folder.path}/.set.12345.0a1b2c3d.part`);
    await writeArchives(folder.path, sourceOf(["ACGT"]));
    assert((await namesIn(folder.path)).includes("definitions.json"));
  });
  const refused: Record<string, (folder: string) => Promise<void>> = {
    "other files": (folder) => Deno.writeTextFile(`${folder}/thesis.txt`, "mine"),
    "a part of an archive set beside other files": async (folder) => {
      await Deno.writeTextFile(`${folder}/${datasetFileNames()[0]}`, "");
      await Deno.writeTextFile(`${folder}/thesis.txt`, "mine");
    },
    "a part of an archive set": (folder) => Deno.writeTextFile(`${folder}/${datasetFileNames()[0]}`, "mine"),
    "definitions alone": (folder) => Deno.writeTextFile(`${folder}/definitions.json`, "[]"),
  };
  for (const [what, fill] of Object.entries(refused)) {
    await t.step(`refused: ${what}`, async () => {
      await using folder = await makeFolder();
      await fill(folder.path);
      const before = await digestFolder(folder.path);
      const error = await assertRejects(
        () => writeArchives(folder.path, sourceOf(["ACGT"])),
        RegistryError,
        "is not an archive set",
      );
      assertEquals(error.code, "disk");
      assertEquals(await digestFolder(folder.path), before);
    });
  }
  await t.step("refused: a file", async () => {
    await using folder = await makeFolder();
    await Deno.writeTextFile(`${folder.path}/file`, "mine");
    for (const path of ["file", "file/deep/set"]) {
      await assertRejects(
        () => writeArchives(`${folder.path}/${path}`, sourceOf(["ACGT"])),
        RegistryError,
        "is a file, not a folder",
      );
    }
    assertEquals(await namesIn(folder.path), ["file"]);
  });
  await t.step("refused: no name", async () => {
    await assertRejects(() => writeArchives("", sourceOf(["ACGT"])), TypeError, "empty");
  });
});

Deno.test("writeArchives() leaves everything as it was when its source fails", async (t) => {
  const faults: Record<string, Partial<ArchiveSource>> = {
    "in the sequences": {
      *sequences() {
        yield { accession: "vj000000000001", sequence: encoder.encode("ACGT".repeat(200_000)) };
        throw new Error("broken source");
      },
    },
    "in the rows": {
      *rows() {
        yield ["vj000000000001", ""];
        throw new Error("broken source");
      },
    },
    "in the manifest": {
      manifest: () => {
        throw new Error("broken source");
      },
    },
  };
  for (const [where, fault] of Object.entries(faults)) {
    await t.step(where, async () => {
      await using folder = await makeFolder();
      await assertRejects(
        () => writeArchives(`${folder.path}/new/set`, { ...sourceOf(["ACGT"]), ...fault }),
        Error,
        "broken source",
      );
      assertEquals(await namesIn(folder.path), []);
      await writeArchives(folder.path, sourceOf(["AAAA"]));
      const before = await digestFolder(folder.path);
      await assertRejects(
        () => writeArchives(folder.path, { ...sourceOf(["ACGT"]), ...fault }),
        Error,
        "broken source",
      );
      assertEquals(await digestFolder(folder.path), before);
    });
  }
  await t.step("with fewer rows than sequences", async () => {
    await using folder = await makeFolder();
    await assertRejects(
      () => writeArchives(folder.path, { ...sourceOf(["ACGT"]), rows: () => [] }),
      TypeError,
      "0 rows of metadata, 1 sequences",
    );
    assertEquals(await namesIn(folder.path), []);
  });
});

Deno.test("writeArchives() closes its source when it stops early", async () => {
  await using folder = await makeFolder();
  const stop = new AbortController();
  let closed = false;
  const source: ArchiveSource = {
    ...sourceOf([]),
    *sequences() {
      try {
        for (;;) {
          yield { accession: "vj000000000001", sequence: encoder.encode("ACGT") };
          stop.abort(new Error("enough"));
        }
      } finally {
        closed = true;
      }
    },
  };
  await assertRejects(() => writeArchives(folder.path, source, { signal: stop.signal }), Error, "enough");
  assert(closed);
  assertEquals(await namesIn(folder.path), []);
});

Deno.test("writeArchives() leaves a folder that another process made in the meantime, and reports it", async () => {
  await using folder = await makeFolder();
  const target = `${folder.path}/set`;
  const source = sourceOf(["ACGT"], ["first"]);
  const rows: ArchiveSource["rows"] = (clusters) => {
    Deno.mkdirSync(target, { recursive: true });
    Deno.writeTextFileSync(`${target}/theirs`, "");
    return source.rows(clusters);
  };
  const error = await assertRejects(() => writeArchives(target, { ...source, rows }), RegistryError);
  assertEquals(error.code, "disk");
  assertStringIncludes(error.message, "another process made it in the meantime");
  assertEquals([await namesIn(folder.path), await namesIn(target)], [["set"], ["theirs"]]);
});
