import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import pl from "nodejs-polars";
import { buildLake } from "../../../src/core/tables/lake/objects/build_any_lake.ts";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import { diffToText } from "../../../src/again/diff/text.ts";
import { schemaOf } from "../../../src/again/schema/schema.ts";
import type { RecordChange } from "../../../src/again/diff/record_change.ts";
import { recordsOf, type Rows, withDiff, writeRows } from "./_versions.ts";
import { inFolder } from "../../_files.ts";

const HEADER = ["accession", "Country", "Length", "Date"];

Deno.test("diffLakes() sorts records by key and names how each field changed", async () => {
  const before = [HEADER, ["b", "Kenya", "37", "2013"], ["a", "Peru", "5", "2014-01"], [
    "d",
    "Togo",
    "1",
    "2015-01-01",
  ]];
  const after = [HEADER, ["a", "peru", "5", "2014-01"], ["b", "Kenya", "37 years", "2013-05"], ["c", "Mali", "", ""]];
  await withDiff(before, after, {}, async (diff) => {
    const records = await recordsOf(diff);
    assertEquals(records.map(({ kind, key }) => [kind, key]), [
      ["changed", "a"],
      ["changed", "b"],
      ["added", "c"],
      ["removed", "d"],
    ]);
    assertEquals(records[1].fields.Length, { old: "37", new: "37 years", how: "type" });
    assertEquals(records[1].fields.Date.how, "precision");
    assertEquals(records[2].fields, { Country: { old: null, new: "Mali", how: "value" } });
    assertEquals(diff.tables[0].key, "accession");
  });
});

Deno.test("diffLakes() says that equal versions are equal, whatever the order of rows and compression", async () => {
  const rows = [HEADER, ["a", "Peru", "5", "2014"], ["b", "Kenya", "37", "2013"]];
  await withDiff(rows, [rows[0], rows[2], rows[1]], {}, ({ isEqual, differs }) => {
    assertEquals([isEqual, differs], [true, false]);
  });
});

Deno.test("diffLakes() reads a version that is UTF-8 by now as such, whatever encoding is named", async () => {
  await inFolder(async (folder) => {
    const text = "accession,Country\na,Peru\nb,C\u00f4te d'Ivoire\n";
    const ascii = text.replace("\u00f4", "o");
    const utf16 = (text: string) =>
      new Uint8Array(Uint16Array.from(text, (character) => character.charCodeAt(0)).buffer);
    const files: Readonly<Record<string, Uint8Array>> = {
      utf8: new TextEncoder().encode(text),
      "windows-1252": Uint8Array.from(text, (character) => character.charCodeAt(0)),
      "utf-16le": utf16(text),
      ascii: new TextEncoder().encode(ascii),
      "ascii as utf-16": utf16(ascii),
    };
    for (const [name, bytes] of Object.entries(files)) await Deno.writeFile(`${folder}/${name}.csv`, bytes);
    const pairs = [["utf8", "windows-1252", "windows-1252"], ["utf-16le", "utf8", "utf-16"], [
      "ascii",
      "ascii as utf-16",
      "utf-16le",
    ]];
    for (const [old, now, encoding] of pairs) {
      await using diff = await diffLakes(`${folder}/${old}.csv`, `${folder}/${now}.csv`, { encoding });
      assertEquals([diff.isEqual, diff.counts.unchanged], [true, 2], `${old}, ${now}`);
    }
  });
});

Deno.test("diffLakes() counts no record by country or year whose cells turn out to be equal", async () => {
  await inFolder(async (folder) => {
    const rows = [["accession", "Country", "Note"], ["a", "Peru", ""], ["b", "Kenya", "x"], ["c", "Mali", "x"]];
    await writeRows(`${folder}/old.csv`, rows);
    const [names, ...cells] = [...rows.slice(0, 3), ["c", "Mali", "y"]];
    const columns = names.map((name, index) => [name, cells.map((row) => row[index])]);
    // Parquet has an empty text where CSV has none.
    pl.DataFrame(Object.fromEntries(columns)).writeParquet(`${folder}/new.parquet`);
    await using diff = await diffLakes(`${folder}/old.csv`, `${folder}/new.parquet`);
    assertEquals([diff.counts.changed, diff.counts.unchanged], [1, 2]);
    assertEquals(diff.tables[0].countries, [{ value: "Mali", added: 0, removed: 0, changed: 1 }]);
  });
});

Deno.test("diffLakes() names duplicate keys and rows without one, and compares neither by a guess", async () => {
  const before = [["id", "v"], ["a", "1"], ["a", "2"], ["b", "1"], ["b", "1"], ["", "x"], ["c", "1"]];
  const after = [["id", "v"], ["a", "1"], ["a", "3"], ["b", "1"], ["b", "1"], ["c", "1"]];
  await withDiff(before, after, {}, (diff) => {
    const { duplicate, notCompared, keyless, changed, unchanged } = diff.counts;
    assertEquals({ duplicate, notCompared, keyless, changed, unchanged }, {
      duplicate: ["a", "b"],
      notCompared: 1,
      keyless: 1,
      changed: 0,
      unchanged: 3,
    });
    assertEquals([diff.isEqual, diff.differs], [false, false]);
    assertEquals(diff.entries.map(({ code, level, count }) => [code, level, count]), [
      ["keys-repeated", "reason", 1],
      ["duplicates", "warning", 1],
      ["keys-absent", "reason", 1],
    ]);
    assertEquals(diff.entries.map(({ ids }) => ids), [["a"], ["b"], undefined]);
    assertStringIncludes(diff.entries[0].text, "not compared (a)");
    assertStringIncludes(diff.entries[2].text, "1 of the old version and 0 of the new");
  });
});

Deno.test("diffLakes() names duplicate keys of versions that are the same, and shows long texts where they differ", async () => {
  const rows = [["id", "v"], ["a", "1"], ["a", "1"], ["b", `${"x".repeat(500)}1`]];
  await withDiff(rows, rows, {}, async (diff) => {
    assertEquals([diff.counts.duplicate, diff.counts.unchanged, diff.isEqual], [["a"], 3, true]);
    assertEquals((await Array.fromAsync(diffToText(diff)))[0].split(": ").at(-1), "equal\n");
  });
  const [header, first, , last] = rows;
  await withDiff([header, first, first], [header, first, ["a", "2"]], {}, async (diff) => {
    const [outcome] = await Array.fromAsync(diffToText(diff));
    assertEquals(outcome.split(": ").at(-1), "equal as far as they were compared\n");
  });
  await withDiff([header, first, last], [header, first, [last[0], last[1].replace("1", "2")]], {}, async (diff) => {
    const text = (await Array.fromAsync(diffToText(diff))).at(-1);
    assertEquals(text, `~ b  v: "…${"x".repeat(20)}1" → "…${"x".repeat(20)}2"\n`);
  });
});

Deno.test("diffLakes() proposes a column with equal values under another name, and compares it when accepted", async () => {
  const before = [["id", "Country"], ["a", "Peru"], ["b", "Kenya"], ["c", "Togo"]];
  const after = [["id", "Nation"], ["a", "Peru"], ["b", "Kenya"], ["c", "Togo"]];
  await withDiff(before, after, {}, ({ tables: [{ columns }], counts }) => {
    assertEquals([columns.proposed, columns.added, columns.removed], [[["Country", "Nation"]], [], []]);
    assertEquals(counts.changed, 0);
  });
  const changed = after.with(1, ["a", "peru"]);
  await withDiff(before, changed, { rename: { Country: "Nation" } }, async (diff) => {
    const [record] = await recordsOf(diff);
    assertEquals(record.fields, { Nation: { old: "Peru", new: "peru", how: "case" } });
  });
});

Deno.test("diffLakes() takes the segment NA for a value, in the company of other segments", async () => {
  const before = [["id", "Segment", "Host"], ["a", "HA", "pig"], ["b", "4 (HA)", "bat"], ["c", "PB1", "bat"]];
  const after = [["id", "Segment", "Host"], ["a", "NA", "NA"], ["b", "unknown", "bat"], ["c", "PB1", "bat"]];
  await withDiff(before, after, {}, async (diff) => {
    const [a, b] = await recordsOf(diff);
    assertEquals([a.fields.Segment.how, a.fields.Host.how, b.fields.Segment.how], [
      "value",
      "placeholder",
      "placeholder",
    ]);
  });
});

Deno.test("diffLakes() takes NA of a record in one version alone for the value that it is", async () => {
  // Only the other version's values show what NA is in the first column; the others are of one version alone.
  const before = [["id", "Segment", "Host", "Country"], ["a", "HA", "pig", "KE"], ["b", "NA", "NA", "NA"], [
    "d",
    "PB1",
    "pig",
    "PE",
  ]];
  const after = [["id", "Segment", "Host", "Geo Location"], ["a", "HA", "pig", "KE"], ["c", " NA", "NA", "NA"], [
    "d",
    "HA",
    "pig",
    "Peru",
  ]];
  await withDiff(before, after, {}, async (diff) => {
    const hows = (await recordsOf(diff)).filter(({ kind }) => kind !== "changed")
      .map(({ key, fields }) => [key, ...Object.entries(fields).map(([name, { how }]) => `${name}: ${how}`)]);
    assertEquals(hows, [
      ["b", "Segment: value", "Host: placeholder", "Country: value"],
      ["c", "Segment: value", "Host: placeholder", "Geo Location: placeholder"],
    ]);
  });
});

Deno.test("diffLakes() leaves out what was released later", async () => {
  const before = [["id", "Release Date", "v"], ["a", "2020-01-01", "1"], ["b", "2020-06-01", "1"]];
  const after = [["id", "Release Date", "v"], ["a", "2020-01-01", "1"], ["b", "2020-06-01", "2"], ["c", "2021", "1"]];
  await withDiff(before, after, { asOf: "2020-03" }, ({ isEqual, counts, tables: [{ leftOut }] }) => {
    assertEquals([isEqual, counts.old, counts.new, leftOut], [true, 1, 1, [1, 2]]);
  });
});

Deno.test("diffLakes() says where records have no release date, and are compared whatever their day", async () => {
  const rows = [["id", "v"], ["a", "1"]];
  await withDiff(rows, rows, { asOf: "2020-03" }, ({ entries, counts }) => {
    assertEquals([entries.map(({ code }) => code), counts.new], [["release-dates-absent"], 1]);
  });
});

Deno.test("diffLakes() compares a lake with the archive of the next version by values, not by types", async () => {
  const rows: Rows = [
    ["Registry Accession", "Sequence Length", "GC", "Hosts"],
    ["vj000000000001", "1,234", "0.00001", "bat; pig"],
    ["vj000000000002", "007", "12.50", ""],
    ["vj000000000003", "99", "1e-7", "N/A"],
  ];
  const definitions = [["Sequence Length", "integer"], ["GC", "float"], ["Hosts", "list"]] as const;
  await inFolder(async (folder) => {
    await writeRows(`${folder}/a.csv`, rows);
    await buildLake(`${folder}/a.csv`, `${folder}/lake`, {
      definitions: definitions.map(([name, type]) => ({
        name,
        type,
        alias: "",
        description: "",
        unit: "",
        example: "",
      })),
    });
    {
      await using same = await diffLakes(`${folder}/lake`, `${folder}/a.csv`);
      assertEquals(same.isEqual, true, JSON.stringify(await recordsOf(same)));
    }
    await writeRows(`${folder}/b.csv`, rows.with(1, ["vj000000000001", "1235", "0.00001", "pig;bat"]));
    for (const [from, to] of [["lake", "b.csv"], ["b.csv", "lake"]]) {
      await using diff = await diffLakes(`${folder}/${from}`, `${folder}/${to}`);
      const [record, ...others] = await recordsOf(diff);
      assertEquals(others.length, 0);
      const hows = Object.entries(record.fields).map(([name, { how }]) => [name, how]);
      assertEquals(hows, [["Sequence Length", "type"], ["Hosts", "order"]]);
    }
  });
});

Deno.test("diffLakes() compares texts that typed columns do not hold, also where two columns changed names", async () => {
  const folder = await Deno.makeTempDir();
  const header = ["Registry Accession", "Sequence Length", "GC"];
  const definitions = ["Sequence Length", "GC"].map((name) => ({ name, type: "integer" as const, unit: "" }));
  const write = async (name: string, rows: Rows) => {
    await writeRows(`${folder}/${name}.csv`, [header, ...rows]);
    await buildLake(`${folder}/${name}.csv`, `${folder}/${name}`, {
      definitions: definitions.map((field) => ({ ...field, alias: "", description: "", example: "" })),
    });
  };
  const rows: Rows = [["vj000000000001", "37 kb", "n/a"], ["vj000000000002", "unknown", "5"], [
    "vj000000000003",
    "1",
    "",
  ]];
  try {
    await write("old", rows);
    await write("new", [rows[0].with(1, "38 kb"), rows[1].with(2, "6"), rows[2].with(2, "-")]);
    const fieldsOf = async (options = {}) => {
      await using diff = await diffLakes(`${folder}/old`, `${folder}/new`, options);
      return Object.fromEntries((await recordsOf(diff)).map(({ key, fields }) => [
        key.at(-1),
        Object.entries(fields).map(([name, { old, new: now }]) => [name, old, now]),
      ]));
    };
    assertEquals(await fieldsOf(), {
      1: [["Sequence Length", "37 kb", "38 kb"]],
      2: [["GC", 5, 6]],
      3: [["GC", null, "-"]],
    });
    const swapped = await fieldsOf({ rename: { "Sequence Length": "GC", GC: "Sequence Length" } });
    assertEquals(swapped[1].toSorted(), [["GC", "37 kb", "n/a"], ["Sequence Length", "n/a", "38 kb"]]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("diffLakes() and schemaOf() name the table of what is unusual, where there are several", async () => {
  await inFolder(async (folder) => {
    const rows = [["Registry Accession", "Sequence Length"], ["vj000000000001", "5"], ["vj000000000002", "long"]];
    for (const name of ["full_dataset", "unique_seqs"]) {
      const text = rows.map((row) => `${row.join(",")}\n`).join("");
      await Deno.writeFile(`${folder}/registryv1_${name}_metadata.csv.gz`, gzipSync(text));
    }
    const one = `${folder}/registryv1_full_dataset_metadata.csv.gz`;
    const starts = ({ entries = [] }: { readonly entries?: readonly { readonly text: string }[] }) =>
      entries.filter(({ text }) => text.includes("1 value does not fit")).map(({ text }) => text.split(": ")[0]);
    await buildLake(folder, `${folder}/lake`);
    await buildLake(one, `${folder}/lake of one`);
    await using both = await diffLakes(`${folder}/lake`, folder);
    assertEquals([...new Set(starts(both))].sort(), [
      `${folder}, full_dataset_metadata`,
      `${folder}, unique_seqs_metadata`,
    ]);
    await using single = await diffLakes(`${folder}/lake of one`, one);
    assertEquals([...new Set(starts(single))], [one]);
    assertEquals(starts(await schemaOf(folder)).sort(), ["full_dataset_metadata", "unique_seqs_metadata"]);
  });
});

Deno.test("diffLakes() refuses what it cannot compare, before it reads much", async () => {
  await inFolder(async (folder) => {
    await writeRows(`${folder}/a.csv`, [["x", "y"], ["1", "2"]]);
    await assertRejects(() => diffLakes(`${folder}/a.csv`, `${folder}/a.csv`), RangeError, "name one with --key");
    await assertRejects(() => diffLakes(`${folder}/a.csv`, `${folder}/b.csv`), Error, "does not exist");
    await assertRejects(
      () => diffLakes(`${folder}/a.csv`, `${folder}/a.csv`, { key: "z" }),
      RangeError,
      "no such column",
    );
    await assertRejects(
      () => diffLakes(`${folder}/a.csv`, "s3://bucket/lake"),
      TypeError,
      "aws s3 sync s3://bucket/lake FOLDER",
    );
    await assertRejects(() => diffLakes(`${folder}/a.csv`, `${folder}/a.csv`, { asOf: "soon" }), TypeError, "asOf");
  });
});

Deno.test("diffLakes() says of a sequence its digests, lengths and equal ends", async () => {
  await inFolder(async (folder) => {
    await writeRows(`${folder}/old.csv`, [["Registry Accession", "Sequence"], ["vj000000000001", "ACGTACGT"]]);
    await writeRows(`${folder}/new.csv`, [["Registry Accession", "Sequence"], ["vj000000000001", "ACGTTACGT"]]);
    await using diff = await diffLakes(`${folder}/old.csv`, `${folder}/new.csv`);
    const [{ fields }] = await recordsOf(diff);
    assertEquals(Object.keys(fields), ["Sequence"], "not what is counted in it");
    assert(String(fields.Sequence.old).startsWith("SQ."));
    assertEquals(fields.Sequence.sequence, { oldLength: 8, newLength: 9, sameStart: 4, sameEnd: 4, identity: 8 / 9 });
  });
});

Deno.test("diffLakes() finds every one of more changes than a batch of the database holds", async () => {
  const rows = (value: string) => [["id", "v"], ...Array.from({ length: 5000 }, (_, row) => [`r${row}`, value])];
  await withDiff(rows("1"), rows("2"), {}, async (diff) => {
    assertEquals([(await recordsOf(diff)).length, diff.tables[0].fields.v], [5000, { value: 5000 }]);
  });
});

/** A comparison of two tables with unique keys, made in the plainest way. */
function compareInMemory(before: Rows, after: Rows): Pick<RecordChange, "kind" | "key">[] {
  const byKey = ([, ...rows]: Rows) => new Map(rows.map((row) => [row[0], JSON.stringify(row)]));
  const [old, now] = [byKey(before), byKey(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key)).sort()
    .map((key) => ({ key, kind: !old.has(key) ? "added" : !now.has(key) ? "removed" : "changed" }));
}

Deno.test("diffLakes() finds what a comparison in memory finds", async () => {
  const cell = fc.constantFrom(
    "",
    "x",
    "X",
    "x y",
    "N/A",
    "1",
    "1.0",
    'q"',
    "a,b",
    "é",
    "\u{1F9EC}",
    "2013",
    "2013-05",
  );
  const rows = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-c]{1,3}$/), cell, cell), {
    selector: ([key]) => key,
    maxLength: 30,
    size: "max",
  });
  await fc.assert(
    fc.asyncProperty(rows, rows, async (old, now) => {
      const [before, after] = [old, now].map((rows) => [["id", "v", "w"], ...rows]);
      await withDiff(before, after, {}, async (diff) => {
        const found = (await recordsOf(diff)).map(({ kind, key }) => ({ kind, key }));
        assertEquals(
          found.map(({ kind, key }) => [key, kind]),
          compareInMemory(before, after).map(({ kind, key }) => [key, kind]),
        );
        const { old, new: now, added, removed, changed, unchanged } = diff.counts;
        assertEquals([removed + changed + unchanged, added + changed + unchanged], [old, now]);
      });
    }),
    { numRuns: 6 },
  );
});

Deno.test("diffLakes() compares columns whose names differ in case alone, each with its own values", async () => {
  const header = ["accession", "Country", "country"];
  const before = [header, ["a", "Kenya", "1"], ["b", "Peru", "02"]];
  const after = [header, ["a", "Kenya", "2"], ["b", "Peru", "2"]];
  await withDiff(before, after, {}, async (diff) => {
    const records = await recordsOf(diff);
    assertEquals(records.map(({ key, fields }) => [key, fields.country_2?.old, fields.country_2?.new]), [
      ["a", "1", "2"],
      ["b", "02", "2"],
    ]);
    assertEquals(diff.tables[0].columns.added, []);
    assertEquals(diff.entries.map(({ code, ids }) => [code, ids]), [
      ["columns-alike", ["country"]],
      ["columns-alike", ["country"]],
    ]);
  });
});
