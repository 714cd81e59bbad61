import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { curate, type CurateOptions } from "../../src/curation/curate.ts";
import { FIELD_NAMES, RULE_NAMES, WORD_RULES } from "../../src/curation/curation_rules.ts";
import { RegistryError } from "../../src/core/errors.ts";
import { csvRow } from "../../src/core/io/csv/csv_text.ts";
import { buildLake } from "../../src/core/tables/lake/objects/build_any_lake.ts";
import { inFolder } from "../_files.ts";
import { readTsv, type Rows, withTable } from "./_tables.ts";

async function reasonsOf(path: string, options: CurateOptions = {}): Promise<Record<string, string>> {
  await using curation = await curate(path, options);
  const excluded = await Array.fromAsync(curation.excludedRecords());
  assertEquals(curation.kept + excluded.length, curation.records);
  return Object.fromEntries(excluded.map(({ accession, allReasons }) => [accession, allReasons.join(";")]));
}

Deno.test("curate() leaves out by words, whole and in any case, and gives all reasons in order", async () => {
  const rows = [
    ["accession", "Title", "Host", "Isolation source", "Isolate", "Status", "Passage"],
    ["kept", "Patentia virus", "Homo sapiens", "blood", "soilworth/1", "live", "none"],
    ["patent", "Sequence 3 from PATENT US123", "", "", "", "", ""],
    ["lab", "Virus", "", "", "WSN mouse-adapted", "", ""],
    ["passage", "Virus", "", "", "", "", "Vero 3"],
    ["synthetic", "Synthetic  construct of a virus", "", "", "", "", ""],
    ["water", "Virus", "", "waste-water, 24 h", "", "", ""],
    ["gone", "Virus", "", "", "", "Withdrawn", ""],
    ["old", "Virus", "", "", "", "superseded by b", ""],
    ["both", "patent of an infectious clone", "", "sewage", "", "", ""],
  ];
  await withTable(rows, async (path) => {
    assertEquals(await reasonsOf(path), {
      patent: "patent",
      lab: "laboratory",
      passage: "laboratory",
      synthetic: "synthetic",
      water: "environmental",
      gone: "withdrawn",
      old: "replaced",
      both: "patent;laboratory;environmental",
    });
    const add = [{ name: "human", matches: [{ fields: ["host"], words: ["homo sapiens"] }] }];
    const { both, kept } = await reasonsOf(path, { without: ["patent"], add });
    assertEquals([both, kept], ["laboratory;environmental", "human"]);
  });
});

Deno.test("curate() leaves out implausible and ambiguous values, short sequences and missing fields", async () => {
  const whole = Array.from({ length: 10 }, (_, at) => [`w${at}`, "Zika", "complete", "1000", "0", "2016", "2017", "a"]);
  const rows = [
    ["accession", "Species", "Completeness", "Length", "Ambiguous bases", "Collection date", "Release date", "Country"],
    ...whole,
    ["short", "Zika", "partial", "499", "0", "2016", "2017", "a"],
    ["half", "Zika", "partial", "500", "25", "2016", "2017", "a"],
    ["unknown", "Other", "partial", "10", "0", "not collected", "2017", "a"],
    ["ns", "Zika", "partial", "900", "46", "2016", "2017", "a"],
    ["early", "Zika", "partial", "900", "0", "1899-12-31", "2017", "a"],
    ["after", "Zika", "partial", "900", "0", "2018-01", "2017-12-31", "a"],
    ["void", "Zika", "partial", "nan", "Infinity", "2016", "2017", "a"],
    ["nowhere", "Zika", "partial", "900", "0", "2016", "2017", "Not Collected"],
  ];
  await withTable(rows, async (path) => {
    assertEquals(await reasonsOf(path, { require: ["country"] }), {
      short: "short",
      ns: "ambiguous",
      early: "implausible",
      after: "implausible",
      nowhere: "missing-field",
    });
    const strict = await reasonsOf(path, { mostAmbiguous: 0.01, leastLength: 0.8, plausible: { length: [11, 5000] } });
    assertEquals([strict.half, strict.unknown], ["ambiguous;short", "implausible"]);
  });
});

Deno.test("curate() keeps the first released of equal sequences, and one of those that no rule leaves out", async () => {
  const rows = [
    ["accession", "Title", "Sequence", "Release date"],
    ["a", "Virus", "ACGT", "2018"],
    ["b", "Virus", "acgt", "2017"],
    ["c", "a patent", "ACGT", "2001"],
    ["d", "Virus", "TTTT", ""],
    ["e", "Virus", "TTTT", ""],
    ["f", "Virus", "", ""],
    ["g", "Virus", "", ""],
  ];
  await withTable(rows, async (path, folder) => {
    assertEquals(await reasonsOf(path), { a: "duplicate", c: "patent;duplicate", e: "duplicate" });
    await using curation = await curate(path);
    await curation.save(`${folder}/out`);
    assertEquals(await readTsv(`${folder}/out/duplicates.tsv`), [
      { accession: "a", kept: "b", why: "released first" },
      { accession: "c", kept: "b", why: "least accession" },
      { accession: "e", kept: "d", why: "least accession" },
    ]);
  });
});

Deno.test("curate() compares the sequence of each row, whatever its accession", async () => {
  const rows = [
    ["accession", "sequence"],
    ["a1", "ACGT"],
    ["a1", "TTTT"],
    ["a2", "CCCC"],
    ["", "CCCC"],
    ["", "GGGG"],
    ["a3", "?"],
    ["a4", "?"],
  ];
  await withTable(rows, async (path) => {
    await using curation = await curate(path, { without: ["missing-field"] });
    // One of the two with CCCC is left out: that with the least accession is kept.
    assertEquals(await Array.fromAsync(curation.excludedRecords()), [
      { accession: "a2", reason: "duplicate", allReasons: ["duplicate"] },
    ]);
    assertEquals(curation.ledger.entries.filter(({ code }) => code === "accession-repeated"), []);
  });
});

Deno.test("curate() of a lake compares no sequence of which it is unknown whose it is", async () => {
  const [metadata, sequence] = ["metadata", "sequence"].map((kind) => `registryv1_full_dataset_${kind}.csv.gz`);
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/source`);
    const write = (name: string, text: string) => Deno.writeFile(`${folder}/source/${name}`, gzipSync(text));
    await write(metadata, "Registry Accession,Country\na,Peru\na,Mali\nb,Peru\nc,Peru\nd,Peru\n,Peru\n");
    await write(sequence, "Registry Accession,Sequence\na,AC\nb,AC\nb,GT\nc,GT\nd,GT\nd,gt\n,GT\n");
    await buildLake(`${folder}/source`, `${folder}/lake`);
    await using curation = await curate(`${folder}/lake`);
    assertEquals(await Array.fromAsync(curation.excludedRecords(), ({ accession }) => accession), ["d"]);
    const entries = curation.ledger.entries.map(({ code, count, ids = [] }) => [code, count, ...ids]);
    assertEquals(entries.filter(([code]) => String(code).startsWith("accession-")), [
      ["accession-repeated", 2, "a", "b"],
      ["accession-empty", 1],
    ]);
  });
});

Deno.test("curate() of a lake reads the sequences of its other table, and writes values that do not fit", async () => {
  const [metadata, sequence] = ["metadata", "sequence"].map((kind) => `registryv1_full_dataset_${kind}.csv.gz`);
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/source`);
    const write = (name: string, text: string) => Deno.writeFile(`${folder}/source/${name}`, gzipSync(text));
    await write(metadata, "Registry Accession,Host Age\na,37\nb,37 years\nc,4\n");
    await write(sequence, "Registry Accession,Sequence\na,AC\nb,GT\nc,AC\n");
    const definition = { name: "Host Age", alias: "host_age", description: "", unit: "", example: "" };
    await buildLake(`${folder}/source`, `${folder}/lake`, { definitions: [{ ...definition, type: "integer" }] });
    await using curation = await curate(`${folder}/lake`);
    assertEquals([curation.kept, curation.excluded], [2, 1]);
    await curation.save(`${folder}/out`);
    assertEquals(await readTsv(`${folder}/out/kept.tsv`), [
      { "Registry Accession": "a", "Host Age": "37" },
      { "Registry Accession": "b", "Host Age": "37 years" },
    ]);
  });
});

Deno.test("curate() misses a required value of a lake where it does of the table, not where it has another type", async () => {
  const rows = [["Registry Accession", "Host Age"], ["a", "37"], ["b", "37 years"], ["c", ""], ["d", "not collected"]];
  await withTable(rows, async (path, folder) => {
    const definition = { name: "Host Age", alias: "host_age", description: "", unit: "", example: "" };
    await buildLake(path, `${folder}/lake`, { definitions: [{ ...definition, type: "integer" }] });
    for (const source of [path, `${folder}/lake`]) {
      const reasons = await reasonsOf(source, { require: ["Host Age", "Registry Accession"] });
      assertEquals(reasons, { c: "missing-field", d: "missing-field" });
    }
  });
});

Deno.test("curate() judges numbers of a table as those of its lake: with their unit, and nothing else", async () => {
  const rows = [
    ["accession", "Sequence Length"],
    ["short", "5 bp"],
    ["spaced", "\u00a06bp "],
    ["whole", "900 bp"],
    ["other", "5 kb"],
    ["odd", "1_0"],
  ];
  await withTable(rows, async (path, folder) => {
    await buildLake(path, `${folder}/lake`);
    for (const source of [path, `${folder}/lake`]) {
      const reasons = await reasonsOf(source, { plausible: { length: [100, 5000] } });
      assertEquals(reasons, { short: "implausible", spaced: "implausible" });
    }
  });
});

Deno.test("curate() compares sequences without the white space between their lines, and none that are missing", async () => {
  const sequences = [["a", "ACGTACGT"], ["b", "ACGT\nacgt"], ["c", "ACGT ACGT\r\n"], ["d", "n/a"], ["e", "n/a"]];
  await withTable([["accession", "Sequence"], ...sequences], async (path) => {
    assertEquals(await reasonsOf(path), { b: "duplicate", c: "duplicate" });
  });
  const [metadata, sequence] = ["metadata", "sequence"].map((kind) => `registryv1_full_dataset_${kind}.csv.gz`);
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/source`);
    const write = (name: string, rows: Rows) =>
      Deno.writeFile(`${folder}/source/${name}`, gzipSync(rows.map((row) => `${csvRow(row)}\n`).join("")));
    await write(metadata, [["Registry Accession", "Country"], ...sequences.map(([id]) => [id, "Peru"])]);
    await write(sequence, [["Registry Accession", "Sequence"], ...sequences]);
    await buildLake(`${folder}/source`, `${folder}/lake`);
    assertEquals(await reasonsOf(`${folder}/lake`), { b: "duplicate", c: "duplicate" });
  });
});

Deno.test("curate() says which rules could not be applied, and refuses wrong names", async () => {
  await withTable([["accession", "Country"], ["a", "Peru"]], async (path, folder) => {
    await using curation = await curate(path);
    const [entry] = curation.ledger.entries;
    assertEquals([entry.code, entry.level, entry.count], ["rules-not-applied", "warning", 10]);
    await assertRejects(() => curate(path, { without: ["patents"] }), RangeError, "expected one of patent, ");
    await assertRejects(() => curate(path, { require: ["Nation"] }), RangeError, 'field "Nation"');
    const add = [{ name: "patent", matches: [{ fields: ["Country"], words: ["x"] }] }];
    await assertRejects(() => curate(path, { add }), RangeError, "choose another name");
    await assertRejects(() => curate(path, { table: "other" }), RangeError, "expected one of records");
    await assertRejects(() => curation.save(folder), RegistryError, "records.csv, which is read");
    await curation.save(`${folder}/out`);
    await curation.save(`${folder}/out`);
    assertEquals((await readTsv(`${folder}/out/kept.tsv`)).length, 1);
  });
});

Deno.test("the parts of a curation sum to the whole, whatever the values", async () => {
  const cell = fc.oneof(
    fc.constantFrom("", "patent", "soil", "2016", "9999-99", "-1", "1e400", "ACGT", "missing", "'", '"', "a\tb\nc\\"),
    fc.string({ unit: "grapheme", maxLength: 6 }),
  ).filter((text) => !text.includes("\0") && text.isWellFormed());
  const header = ["accession", "Title", "Collection date", "Release date", "Length", "Sequence", "Host"];
  const table = fc.array(fc.tuple(...header.map(() => cell)), { minLength: 1, maxLength: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      await withTable([header, ...rows] as Rows, async (path, folder) => {
        await using curation = await curate(path, { require: ["Host"] });
        await curation.save(`${folder}/out`);
        const [kept, excluded] = [await readTsv(`${folder}/out/kept.tsv`), await readTsv(`${folder}/out/excluded.tsv`)];
        assertEquals([kept.length, excluded.length], [curation.kept, curation.excluded]);
        const unescaped = (text: string) =>
          text.replace(/\\(.)/g, (_, one: string) => ({ t: "\t", n: "\n", r: "\r" })[one] ?? one);
        const parts = [...kept, ...excluded].map(({ accession }) => unescaped(accession));
        assertEquals(parts.length, curation.records + curation.ledger.unparsed);
        assertEquals(parts.toSorted(), rows.map(([accession]) => accession).toSorted());
        assert(excluded.every(({ reason, all_reasons }) => all_reasons.split(";")[0] === reason));
        assertEquals(curation.rules.reduce((sum, { first }) => sum + first, 0), curation.excluded);
      });
    }),
    { numRuns: 3, seed: 29 },
  );
});

Deno.test("docs/curation.md lists every rule, its fields and its words", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/curation.md", import.meta.url));
  for (const name of RULE_NAMES) assertStringIncludes(page, `\`${name}\``);
  for (const { matches } of WORD_RULES) {
    for (const { words } of matches) for (const word of words) assertStringIncludes(page, word);
  }
  for (const names of Object.values(FIELD_NAMES)) for (const name of names) assertStringIncludes(page, `\`${name}\``);
});
