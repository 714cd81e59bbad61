/** What other programs write, packed. The files are made up, in the shape of theirs. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { zstdCompressSync } from "node:zlib";
import { ParseError, RegistryError } from "../../../../src/core/errors.ts";
import { openDownload, packArchives } from "../../../../src/embedded/sample/mod.ts";
import { runInProcess } from "../../../_program.ts";
import { zipOf } from "../../../core/io/workbook/_workbook.ts";
import { makeFolder, readRecords } from "../_archives.ts";
import { bytes, pack } from "./_pack.ts";

/** `genomic.fna` and `data_report.jsonl` of NCBI Datasets, two records. */
const GENOMIC = ">XX000001.1 Made-up virus isolate a, complete genome\nACGTAC\nGT\n>XX000002.2 Made-up virus\nACGA\n";
const report = (number: number, version: number, more: object) => ({
  accession: `XX00000${number}.${version}`,
  completeness: "COMPLETE",
  host: { lineage: [{ name: "Eukaryota", taxId: 2759 }, { name: "Homo", taxId: 9605 }], organismName: "Homo sapiens" },
  isolate: { name: `made-up-${number}`, collectionDate: "2016-03" },
  location: { geographicLocation: "Peru: Lima", geographicRegion: "South America" },
  releaseDate: "2020-01-13T00:00:00Z",
  sourceDatabase: "GenBank",
  submitter: { names: ["A,B", "C,D"], country: "Peru" },
  virus: { organismName: "Made-up virus", taxId: 0 },
  ...more,
});
const REPORTS = `${JSON.stringify(report(1, 1, { length: 8 }))}\n${
  JSON.stringify(report(2, 2, { isolate: null, bioprojects: ["PRJ1"] }))
}\n`;

async function packDownload(path: string): Promise<Record<string, string>[]> {
  await using folder = await makeFolder();
  using download = await openDownload(path);
  const { ledger } = await packArchives({ ...download, folder: `${folder.path}/set` });
  assertEquals(ledger.complete, true);
  return await readRecords(`${folder.path}/set`, "full_dataset_metadata");
}

const SHOWN = ["Source Accession", "Isolate", "Collection Date", "Country", "Authors", "Species", "Sequence Length"];

Deno.test("packArchives() reads a download of NCBI Datasets, folder or ZIP", async (t) => {
  const expected = [
    ["XX000001.1", "made-up-1", "2016-03", "Peru: Lima", "A,B;C,D", "Made-up virus", "8"],
    ["XX000002.2", "", "", "Peru: Lima", "A,B;C,D", "Made-up virus", ""],
  ];
  await using folder = await makeFolder();
  const data = `${folder.path}/ncbi_dataset/data`;
  await Deno.mkdir(data, { recursive: true });
  await Deno.writeTextFile(`${data}/genomic.fna`, GENOMIC);
  await Deno.writeTextFile(`${data}/data_report.jsonl`, REPORTS);
  await Deno.writeTextFile(`${data}/cds.fna`, ">x\nA\n");
  const zip = await zipOf({
    "README.md": "read me",
    "ncbi_dataset/data/genomic.fna": GENOMIC,
    "ncbi_dataset/data/data_report.jsonl": REPORTS,
  });
  await Deno.writeFile(`${folder.path}/ncbi_dataset.zip`, zip);
  for (const path of [folder.path, data, `${folder.path}/ncbi_dataset.zip`]) {
    const records = await packDownload(path);
    assertEquals(records.map((record) => SHOWN.map((name) => record[name])), expected);
    assertEquals(records[0]["host_lineage"], "Eukaryota;Homo");
  }
  await t.step("on the command line, as an operand or in place of the files", async () => {
    const zip = `${folder.path}/ncbi_dataset.zip`;
    for (const args of [[zip], ["--fasta", zip], ["--metadata", data], ["--fasta", zip, "--metadata", zip]]) {
      const { code, stderr } = await runInProcess(["pack", ...args, "-o", `${folder.path}/set`]);
      assertEquals(code, 0, stderr);
      assertStringIncludes(stderr, 'pack: complete, 2 records joined by "accession" received');
    }
    const both = await runInProcess(["pack", zip, "--fasta", "x.fasta", "-o", `${folder.path}/set`]);
    assertEquals(both.code, 2);
    assertStringIncludes(both.stderr, "leave out one or the other");
  });
});

Deno.test("packArchives() reads what gget virus writes", async () => {
  await using folder = await makeFolder();
  const header = "accession,Organism Name,GenBank/RefSeq,Submitters,Release date,Isolate,Virus Lineage,Length," +
    "Geographic Region,Geographic Location,Host,Tissue/Specimen/Source,Collection Date";
  const row =
    'XX000001.1,Made-up virus,GenBank,"A, B",2020-01-13,made-up-1,[],8,South America,Peru,Homo sapiens,,2016-03';
  await Deno.writeTextFile(`${folder.path}/Made-up_virus_metadata.csv`, `${header}\n${row}\n`);
  await Deno.writeTextFile(
    `${folder.path}/Made-up_virus_sequences.fasta`,
    ">XX000001.1 Made-up virus, complete\nACGTACGT\n",
  );
  await Deno.writeTextFile(`${folder.path}/command_summary.txt`, "done\n");
  const [record] = await packDownload(folder.path);
  assertEquals(
    ["Source Accession", "Species", "Data Source", "Release Date", "Geo Region", "Country", "Host Species"].map((
      name,
    ) => record[name]),
    ["XX000001.1", "Made-up virus", "GenBank", "2020-01-13", "South America", "Peru", "Homo sapiens"],
  );
});

Deno.test("packArchives() reads Nextstrain's metadata.tsv.zst and sequences.fasta.zst", async () => {
  await using folder = await makeFolder();
  const metadata = 'strain\tdate\tcountry\tnote\nPeru/1/2016\t2016-03-XX\tPeru\tsaid "x"\n';
  await Deno.writeFile(`${folder.path}/metadata.tsv.zst`, zstdCompressSync(metadata));
  await Deno.writeFile(`${folder.path}/sequences.fasta.zst`, zstdCompressSync(">Peru/1/2016\nACGT\n"));
  const [record] = await packDownload(folder.path);
  assertEquals([record["Isolate"], record["Collection Date"], record["note"]], [
    "Peru/1/2016",
    "2016-03-XX",
    'said "x"',
  ]);
  const args = ["--fasta", `${folder.path}/sequences.fasta.zst`, "--metadata", `${folder.path}/metadata.tsv.zst`];
  const { code, stderr } = await runInProcess(["pack", ...args, "-o", `${folder.path}/set`]);
  assertEquals([code, stderr.split("\n").length], [0, 3], stderr);
});

Deno.test("openDownload() says what it expects, and refuses to choose", async (t) => {
  await using folder = await makeFolder();
  const path = folder.path;
  await t.step("nothing of the kind", async () => {
    await assertRejects(() => openDownload(path), RegistryError, "expected genomic.fna");
  });
  await t.step("a file", async () => {
    await Deno.writeTextFile(`${path}/m.csv`, "id\na\n");
    await assertRejects(() => openDownload(`${path}/m.csv`), ParseError, "pass single files as --fasta and --metadata");
    await Deno.writeFile(`${path}/m.zip`, Uint8Array.of(0x50, 0x4b, 3, 4, 1, 2, 3));
    await assertRejects(() => openDownload(`${path}/m.zip`), ParseError, "it is not a whole ZIP archive");
  });
  await t.step("two pairs", async () => {
    for (const name of ["one", "two"]) {
      await Deno.mkdir(`${path}/${name}`);
      await Deno.writeTextFile(`${path}/${name}/genomic.fna`, GENOMIC);
      await Deno.writeTextFile(`${path}/${name}/data_report.jsonl`, REPORTS);
    }
    await assertRejects(() => openDownload(path), RegistryError, "it holds 2 pairs");
  });
  await t.step("pairs of two programs", async () => {
    await Deno.remove(`${path}/two`, { recursive: true });
    await Deno.writeTextFile(`${path}/sequences.fasta`, GENOMIC);
    await Deno.writeTextFile(`${path}/metadata.tsv`, "strain\ta\n");
    await assertRejects(() => openDownload(path), RegistryError, "one/genomic.fna and ");
  });
});

Deno.test("packArchives() refuses JSON that is not one object a line, with its line", async (t) => {
  const deep = `${'{"a":'.repeat(20)}1${"}".repeat(20)}`;
  const cases: Record<string, [text: string, says: string, line: number]> = {
    "a broken line": [`${REPORTS}{"accession": \n`, "not a JSON object", 3],
    "a list": [`${REPORTS}[1]\n`, "not a JSON object", 3],
    "one object over several lines": ['{"accession": "XX000001.1",\n"length": 3}\n', "not a JSON object", 1],
    "objects within objects": [`${deep}\n`, "more than 8 objects within each other", 1],
    "two values of a column": ['{"a": {"b": 1}, "a_b": 2}\n', "two values of a_b", 1],
  };
  for (const [what, [text, says, line]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const error = await assertRejects(() => pack(GENOMIC, "", { metadata: bytes(text) }), ParseError, says);
      assertEquals(error.line, line);
    });
  }
});
