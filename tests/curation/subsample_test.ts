import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { GzipError } from "../../src/core/io/gzip/gunzip.ts";
import { readFasta } from "../../src/core/fasta/mod.ts";
import { buildLake } from "../../src/core/tables/lake/objects/build_any_lake.ts";
import { isoWeek } from "../../src/core/contract/values/weeks.ts";
import { curate } from "../../src/curation/curate.ts";
import { isolates } from "../../src/curation/isolates.ts";
import type { GroupWeight } from "../../src/curation/group_weights.ts";
import { subsample, type SubsampleOptions } from "../../src/curation/subsample.ts";
import { readTsv, type Rows, withTable, writeTable } from "./_tables.ts";

const HEADER = ["accession", "Country", "Collection date", "Completeness", "Score"];

/** What is drawn, in the order of accessions, and why the others were not. */
async function drawOf(path: string, options: SubsampleOptions) {
  await using sample = await subsample(path, options);
  const drawn = (await Array.fromAsync(sample.accessions())).toSorted();
  const excluded = await Array.fromAsync(sample.excludedRecords());
  assertEquals(drawn.length + excluded.length, sample.records);
  assertEquals([drawn.length, excluded.length], [sample.drawn, sample.excluded]);
  assertEquals(sample.groups.reduce((sum, { drawn }) => sum + drawn, 0), sample.drawn);
  const why = Object.fromEntries(excluded.map(({ accession, reason }) => [accession, reason]));
  return { drawn, why, groups: sample.groups, ledger: sample.ledger };
}

Deno.test("subsample() makes groups of fields and of parts of dates, and a group of what is missing", async () => {
  const rows = [
    HEADER,
    ["a", "Peru", "2016-01-03", "", ""],
    ["b", " Peru", "2016-01-04", "", ""],
    ["c", "unknown", "2016-01", "", ""],
    ["d", "", "2016", "", ""],
    ["e", "Mali", "03/04/2016", "", ""],
  ];
  await withTable(rows, async (path) => {
    const sizes = async (...by: string[]) => {
      const { groups, why } = await drawOf(path, { by, perGroup: 9 });
      return { groups: Object.fromEntries(groups.map(({ group, size }) => [group, size])), why };
    };
    assertEquals(await sizes("country"), { groups: { "?": 2, Mali: 1, Peru: 2 }, why: {} });
    assertEquals(await sizes("Country", "month"), {
      groups: { "?|2016-01": 1, "Peru|2016-01": 2 },
      why: { d: "no-month", e: "no-month" },
    });
    assertEquals(await sizes("isoweek"), {
      groups: { "2015-W53": 1, "2016-W01": 1 },
      why: { c: "no-isoweek", d: "no-isoweek", e: "no-isoweek" },
    });
    assertEquals((await sizes("year")).groups, { "2016": 4 });
  });
});

Deno.test("subsample() makes the same groups of a lake as of its table, where values do not fit their type too", async () => {
  const ages = ["37", "37 years", "007", "37", "", "not collected"];
  const rows = [["Registry Accession", "Host Age"], ...ages.map((age, at) => [`a${at}`, age])];
  await withTable(rows, async (path, folder) => {
    const definition = { name: "Host Age", alias: "host_age", description: "", unit: "", example: "" };
    await buildLake(path, `${folder}/lake`, { definitions: [{ ...definition, type: "integer" }] });
    const [ofTable, ofLake] = await Promise.all(
      [path, `${folder}/lake`].map((source) => drawOf(source, { by: ["Host Age"], perGroup: 1 })),
    );
    assertEquals(ofLake, { ...ofTable, ledger: ofLake.ledger });
    const groups = ofTable.groups.map(({ group, size }) => [group, size]);
    assertEquals(groups, [["007", 1], ["37", 2], ["37 years", 1], ["?", 2]]);
  });
});

Deno.test("of rows with one accession the same is drawn of a lake, whatever their order", async () => {
  const ages = ["37 years", "38 years", "39 years", "40 years"];
  const definition = { name: "Host Age", alias: "host_age", description: "", unit: "", example: "" };
  const drawn = await Promise.all([ages, ages.toReversed()].map(async (some) => {
    let age = "";
    await withTable([["Registry Accession", "Host Age"], ...some.map((age) => ["a", age])], async (path, folder) => {
      await buildLake(path, `${folder}/lake`, { definitions: [{ ...definition, type: "integer" }] });
      await using sample = await subsample(`${folder}/lake`, { by: ["Registry Accession"], perGroup: 1 });
      await sample.save(`${folder}/out`);
      age = (await readTsv(`${folder}/out/metadata.tsv`)).map((row) => row["Host Age"]).join();
    });
    return age;
  }));
  assertEquals(drawn[0], drawn[1]);
});

Deno.test("isoWeek() counts weeks as ISO 8601 does", () => {
  const weekOf = (day: string) => isoWeek(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
  const days = ["1970-01-01", "2018-12-31", "2020-12-31", "2021-01-03", "2021-01-04", "1969-12-28"];
  assertEquals(days.map(weekOf), ["1970-W01", "2019-W01", "2020-W53", "2020-W53", "2021-W01", "1969-W52"]);
});

Deno.test("subsample() draws the same records whatever the order of rows, others with another seed", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, at) => [`id${at}`, ["Peru", "Mali"][at % 2], `2016-0${1 + at % 3}`, "", ""],
  );
  // One accession has two rows: which one counts must not depend on their order either.
  rows.push(["id0", "Togo", "2017-01", "", ""]);
  const options = { by: ["country", "year"], total: 20 };
  const draw = async (rows: Rows, seed = 1) => {
    let drawn: string[] = [];
    await withTable([HEADER, ...rows], async (path) => {
      drawn = (await drawOf(path, { ...options, seed })).drawn;
    });
    return drawn;
  };
  const first = await draw(rows);
  assertEquals(new Set(first).size, 20);
  assertEquals(await draw(rows.toReversed()), first);
  assert((await draw(rows, 2)).join() !== first.join());
});

Deno.test("subsample() puts first by priority, forces and leaves out, and says what that means", async () => {
  const rows = [
    HEADER,
    ["a", "Peru", "2016", "partial", "10"],
    ["b", "Peru", "2016", "Complete genome", "9"],
    ["c", "Peru", "2016", "", "inf"],
    ["d", "Mali", "2016", "partial", ""],
    ["e", "Mali", "", "partial", ""],
  ];
  await withTable(rows, async (path) => {
    const by = ["country"];
    assertEquals((await drawOf(path, { by, perGroup: 1, priority: "completeness" })).drawn.includes("b"), true);
    assertEquals((await drawOf(path, { by, perGroup: 1, priority: "Score" })).drawn.includes("a"), true);
    await assertRejects(() => subsample(path, { by, perGroup: 1, priority: "Country" }), RangeError, '"Country"');
    await assertRejects(
      () => subsample(path, { by: ["constructor"], perGroup: 1 }),
      RangeError,
      "Cannot find the field",
    );
    const forced = await drawOf(path, {
      by: ["country", "year"],
      perGroup: 1,
      include: ["c", "e", "zz"],
      exclude: ["d"],
    });
    assertEquals([forced.drawn, forced.why], [["c", "e"], { a: "not-drawn", b: "not-drawn", d: "excluded" }]);
    assertEquals(forced.ledger.missing, ["zz"]);
    assertEquals(forced.ledger.entries.map(({ code, count }) => [code, count]), [["missing", 1], [
      "records-forced",
      2,
    ]]);
  });
});

Deno.test("subsample() names the groups that had too few records, and those that got none", async () => {
  const rows = [HEADER, ...["a", "a", "a", "b", "c"].map((country, at) => [`${at}`, country, "", "", ""])];
  await withTable(rows, async (path) => {
    const entries = async (options: Omit<SubsampleOptions, "by">) =>
      (await drawOf(path, { by: ["country"], ...options })).ledger.entries.map(({ code, ids = [] }) => [code, ...ids]);
    assertEquals(await entries({ perGroup: 2 }), [["groups-short", "b", "c"]]);
    assertEquals(await entries({ total: 4 }), [["groups-short", "b", "c"]]);
    assertEquals(await entries({ total: 9 }), [["groups-short", "a", "b", "c"]]);
    assertEquals((await entries({ total: 2 }))[0][0], "groups-not-drawn");
    assertEquals(await entries({ total: 3 }), []);
    const weights: GroupWeight[] = [{ values: { country: "a" }, weight: 1 }, { values: {}, weight: 0 }];
    assertEquals((await drawOf(path, { by: ["country"], total: 2, weights })).groups.map(({ drawn }) => drawn), [
      2,
      0,
      0,
    ]);
    await assertRejects(() => subsample(path, { by: ["country"] }), RangeError, "either a number per group or a total");
    await assertRejects(() => subsample(path, { by: ["country"], perGroup: 1, weights }), RangeError, "a total");
    await assertRejects(() => subsample(path, { by: ["nation"], perGroup: 1 }), RangeError, 'field "nation"');
    await assertRejects(() => subsample(path, { by: ["Contry"], perGroup: 1 }), RangeError, 'did you mean "Country"?');
  });
});

Deno.test("subsample() keeps the shares of a total between the least and the most of a group", async () => {
  const countries = [..."aaaaaaaaaa", ..."bbbb", "c"];
  const rows = [HEADER, ...countries.map((country, at) => [`${at}`, country, "", "", ""])];
  await withTable(rows, async (path) => {
    const sizes = async (options: Omit<SubsampleOptions, "by">) =>
      (await drawOf(path, { by: ["country"], ...options })).groups.map(({ drawn }) => drawn);
    const weights: GroupWeight[] = [{ values: { country: "a" }, weight: 9 }, { values: {}, weight: 1 }];
    assertEquals(await sizes({ total: 10, weights }), [8, 1, 1]);
    assertEquals(await sizes({ total: 10, weights, least: 2 }), [7, 2, 1]);
    assertEquals(await sizes({ total: 10, weights, most: 4 }), [4, 4, 1]);
    const refused = (options: Omit<SubsampleOptions, "by">, text: string) =>
      assertRejects(() => subsample(path, { by: ["country"], ...options }), RangeError, text);
    await refused({ total: 4, least: 2 }, "that is 5 records of 4");
    await refused({ perGroup: 1, most: 2 }, "expected a total");
    await refused({ total: 9, least: 3, most: 2 }, "at least 3 and at most 2");
  });
});

Deno.test("fields may have the names that the queries use", async () => {
  const own = ["id", "row", "text", "value", "name", "key", "no", "digest", "rules", "species", "segment", "kind"];
  const more = ["isolate", "date", "release_date", "accession", "completeness", "length", "file_index", "released"];
  for (const header of [[...own, ...more], [...own, ...more.filter((name) => name !== "file_index")]]) {
    const rows = [1, 2, 3].map((at) => header.map((name) => name.endsWith("date") ? "2016-01" : `${name}${at % 2}`));
    await withTable(
      [header, ...rows.map((row, at) => row.with(header.indexOf("id"), `i${at}`))],
      async (path, folder) => {
        const fields = { accession: "id" };
        const options = { by: ["text", "value", "month"], perGroup: 1, include: ["i0"], exclude: ["i1"], fields };
        await using sample = await subsample(path, options);
        await sample.save(`${folder}/sample`);
        assertEquals((await readTsv(`${folder}/sample/metadata.tsv`)).map(({ id }) => id), ["i0"]);
        await using curation = await curate(path, { fields });
        await curation.save(`${folder}/curation`);
        assertEquals(await readTsv(`${folder}/curation/excluded.tsv`), [
          { accession: "i2", reason: "duplicate", all_reasons: "duplicate" },
        ]);
        await using found = await isolates(path, { fields });
        assertEquals((await Array.fromAsync(found.rows())).map(({ isolate }) => isolate), ["isolate0", "isolate1"]);
      },
    );
  }
});

Deno.test("the parts of a sample sum to the whole, whatever the values", async () => {
  const cell = fc.oneof(
    fc.constantFrom("", "a", "b", "Peru", "2016", "2016-02-30", "?", "a\tb\\", "\u001f", "'"),
    fc.string({ unit: "grapheme", maxLength: 3 }),
  ).filter((text) => !text.includes("\0") && text.isWellFormed());
  const rows = fc.array(fc.tuple(...HEADER.map(() => cell)), { minLength: 1, maxLength: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 40 }), async (rows, total) => {
      await withTable([HEADER, ...rows] as Rows, async (path, folder) => {
        await using sample = await subsample(path, { by: ["country", "year"], total });
        await sample.save(`${folder}/out`);
        const [drawn, excluded, groups] = await Promise.all(
          ["metadata", "excluded", "groups"].map((name) => readTsv(`${folder}/out/${name}.tsv`)),
        );
        assertEquals([drawn.length, excluded.length], [sample.drawn, sample.excluded]);
        assertEquals(drawn.length + excluded.length, rows.length);
        const sizes = groups.reduce((sum, { size }) => sum + Number(size), 0);
        const eligible = excluded.filter(({ reason }) => reason === "not-drawn").length + drawn.length;
        assertEquals([sizes, drawn.length], [eligible, Math.min(total, sizes)]);
        for (const { size, drawn, weight } of groups) {
          assertEquals(weight, drawn === "0" ? "" : String(Number(size) / Number(drawn)));
        }
      });
    }),
    { numRuns: 3, seed: 29 },
  );
});

Deno.test("a sample's folder has a picture of what the draw did to country and month, or year", async () => {
  const record = (at: number, country: string, date: string) => [`id${at}`, country, date, "", ""];
  const rows = Array.from(
    { length: 40 },
    (_, at) => record(at, at % 4 === 0 ? "Mali" : "Peru", `2016-0${1 + at % 2}-03`),
  );
  const spread = rows.map(([id, country], at) => [id, country, at === 0 ? "" : String(1980 + at), "", ""]);
  await withTable([HEADER, ...rows], async (path, folder) => {
    const pictureOf = async (source: string) => {
      await using sample = await subsample(source, { by: ["country"], perGroup: 5 });
      await sample.save(`${folder}/out`);
      return await Deno.readTextFile(`${folder}/out/draw.svg`);
    };
    const svg = await pictureOf(path);
    for (const text of ["Records drawn by country and month", "2016-01", "Mali", "5 of 10 records"]) {
      assertStringIncludes(svg, text);
    }
    await writeTable(`${folder}/spread.csv`, [HEADER, ...spread]);
    const byYear = await pictureOf(`${folder}/spread.csv`);
    for (const text of ["by country and year", "before 1996", "no year", "2019"]) assertStringIncludes(byYear, text);
    await writeTable(`${folder}/without.csv`, [["accession", "Kind"], ["a", "x"]]);
    await using sample = await subsample(`${folder}/without.csv`, { by: ["Kind"], perGroup: 1 });
    await sample.save(`${folder}/without`);
    assertEquals([...Deno.readDirSync(`${folder}/without`)].map(({ name }) => name).sort(), [
      "excluded.tsv",
      "groups.tsv",
      "metadata.tsv",
      "subsample.json",
    ]);
  });
});

Deno.test("a sample's sequences name accessions that several sequences have", async () => {
  await withTable([HEADER, ["a", "Peru", "", "", ""], ["b", "Peru", "", "", ""]], async (path, folder) => {
    await Deno.writeTextFile(`${folder}/s.fasta`, ">a\nAC\n>c\nGG\n>a\nGT\n>b\nTT\n>c\nGG\n");
    await using sample = await subsample(path, { by: ["country"], perGroup: 2, sequences: `${folder}/s.fasta` });
    const { entries, complete } = await sample.save(`${folder}/out`);
    assertEquals(await Deno.readTextFile(`${folder}/out/sequences.fasta`), ">a\nAC\n>b\nTT\n");
    assertEquals([complete, entries.map(({ code, ids }) => [code, ids])], [true, [["accession-repeated", ["a"]]]]);
  });
});

Deno.test("a sample's sequences: no line of them begins a record, and a damaged source is what is named", async () => {
  await withTable([HEADER, ["a", "Peru", "", "", ""]], async (path, folder) => {
    const source = `${folder}/s.fasta`;
    const head = "C".repeat(70);
    await Deno.writeTextFile(source, `>a\n${head}>T\n>b\nGG\n`);
    await using sample = await subsample(path, { by: ["country"], perGroup: 2, sequences: source });
    await sample.save(`${folder}/out`);
    assertEquals(await Deno.readTextFile(`${folder}/out/sequences.fasta`), `>a\n${head}\n >T\n`);

    await Deno.writeFile(source, gzipSync(`>a\n${"ACGT".repeat(1000)}\n`).subarray(0, -9));
    const error = await assertRejects(() => sample.save(`${folder}/again`), GzipError, "Cannot decompress");
    assert(!error.message.includes("space that is left"), error.message);
  });
});

Deno.test("a sample without any sequence tells an id of the source", async () => {
  await withTable([HEADER, ["a", "Peru", "", "", ""], ["b", "Peru", "", "", ""]], async (path, folder) => {
    const source = `${folder}/s.fasta`;
    await using sample = await subsample(path, { by: ["country"], perGroup: 2, sequences: source });
    const reasonsOf = async (fasta: string, name: string) => {
      await Deno.writeTextFile(source, fasta);
      return (await sample.save(`${folder}/${name}`)).reasons.map((reason) => reason.replace(source, "FASTA"));
    };
    assertEquals(await reasonsOf(">a|Peru x\nAC\n>b.1\nGG\n", "none"), [
      "2 records without a sequence in FASTA: a, b; no id there is an accession of the table, the first is a|Peru",
    ]);
    assertEquals(await reasonsOf(">b\nAC\n>c\nGG\n", "some"), ["1 record without a sequence in FASTA: a"]);
  });
});

Deno.test("a sample's sequences of a lake come in the order of the lake, and the first of several is taken", async () => {
  const ids = Array.from({ length: 300 }, (_, at) => `r${at * 7919 % 300}`);
  const sequences = ids.map((id) => [id, "", "", "", "", "A".repeat(Number(id.slice(1)) + 1)]);
  const rows = [[...HEADER, "Sequence"], ...sequences, ["r5", "", "", "", "", "CCC"]];
  await withTable(rows, async (path, folder) => {
    await buildLake(path, `${folder}/lake`);
    await writeTable(`${folder}/chosen.csv`, [HEADER, ...ids.map((id) => [id, "Peru", "", "", ""])]);
    const options = { by: ["country"], perGroup: 300, sequences: `${folder}/lake` };
    await using sample = await subsample(`${folder}/chosen.csv`, options);
    await sample.save(`${folder}/out`);
    const written = await Array.fromAsync(readFasta(`${folder}/out/sequences.fasta`));
    assertEquals(written.map(({ id, sequence }) => [id, sequence]), sequences.map((row) => [row[0], row[5]]));
  });
});
