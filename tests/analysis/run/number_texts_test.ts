/** Roles of numbers whose field holds texts, and groups that differ in case alone: said, not guessed. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { assertCounts } from "../_untidy_expected.ts";
import {
  type AnalysisLake,
  compareLengths,
  gcByMolecule,
  lengthByFamily,
  lengthDistribution,
  recordsInTime,
  topTaxa,
  worldMap,
} from "../../../src/analysis/mod.ts";

const TEXTS = ["1200", " 12000 bp", "1,234", "n/a", "not provided", "", null, "0", "900", "0x10"];

Deno.test("a field of numbers that is text is named with its unreadable values and what to type", async () => {
  const frame = pl.DataFrame({ "Sequence Length": pl.Series("Sequence Length", TEXTS, pl.String) });
  const { chart, notes: [why] } = await lengthDistribution(frame);
  assertEquals(chart, undefined);
  assertEquals(
    why,
    'There is nothing to show: "Sequence Length", the field for the length of the sequence, is text, since 2 of 9 ' +
      "values are not numbers (0x10, 1,234). To use it, with what is not a number left out and counted: { fields: { " +
      'length: "Sequence Length" } }, or --field length="Sequence Length" on the command line',
  );
  const other = await lengthDistribution(pl.DataFrame({ Bases: ["1"] }));
  assertStringIncludes(other.notes[0], "the data lacks a field for the length");
});

Deno.test("a field of texts that is named for a role of numbers is read as everywhere, and what is none is told apart", async () => {
  const frame = pl.DataFrame([
    pl.Series("Len", TEXTS, pl.String),
    pl.Series("Family", TEXTS.map(() => "Flaviviridae"), pl.String),
  ]);
  const fields = { length: "Len" };
  const found = await lengthDistribution(frame, { fields, binsPerDecade: 1 });
  const { frame: bins, notes } = found;
  assertEquals(bins.getColumn("records").toArray().map(Number).reduce((sum, n) => sum + n, 0), 3);
  assert(notes.some((note) => note.startsWith("3 values of Len say a missing value")), notes.join("\n"));
  assert(notes.some((note) => note.startsWith("1 record has a length outside 1 to 5,000,000 bp in Len")));
  assert(notes.some((note) => note.startsWith("2 records have a text in Len that is not a number")));
  // Of ten: three shown, the zero and the two unreadable left out, three words and a null missing.
  assertCounts(found, 3, 3, 4);
  const boxes = await lengthByFamily(frame, { fields, atLeast: 1 });
  assertEquals(boxes.frame.getColumn("records").toArray().map(Number), [3]);
});

Deno.test("shares of texts with a unit are read", async () => {
  const frame = pl.DataFrame({ "Molecule Type": ["RNA", "RNA"], GC: ["40.5 %", "41"] });
  const { frame: found } = await gcByMolecule(frame, { fields: { gc: "GC" }, atLeast: 1 });
  assertEquals(found.getColumn("records").toArray().map(Number), [2]);
});

Deno.test("texts that are no numbers are named of every set whose lengths are compared", async () => {
  const lengths = new Map([
    ["full_dataset_metadata", ["1200", "900"]],
    ["unique_seqs_metadata", ["1200", "0x10"]],
  ]);
  const facts = { idField: "Id", unique: 2, files: [], definitions: [], misfits: {} };
  const columns = ["Id", "Len"].map((name) => ({ name, field: name, type: "string", dtype: "String" }) as const);
  const lake: AnalysisLake = {
    folder: "",
    main: "full_dataset_metadata",
    tables: new Map([...lengths.keys()].map((table) => [table, { ...facts, columns }])),
    scan: (table = "full_dataset_metadata") => pl.DataFrame({ Id: ["a", "b"], Len: lengths.get(table)! }).lazy(),
  };
  const { notes } = await compareLengths(lake, { fields: { length: "Len" } });
  assert(
    notes.some((note) => /^unique[^:]*: 1 record has a text in Len that is not a number/.test(note)),
    notes.join("\n"),
  );
});

Deno.test("a note names groups that differ in case alone", async () => {
  const species = ["Zika virus", "Zika virus", "zika virus", "Reovirus"];
  const { notes, frame } = await topTaxa(pl.DataFrame({ Species: species }));
  assert(
    notes.some((note) =>
      note.startsWith(
        "1 name of Species is written in upper and lower case and counted apart: " +
          "Zika virus (2) and zika virus (1)",
      )
    ),
    notes.join("\n"),
  );
  assertEquals(frame.height, 3);
  const boxes = await lengthByFamily(
    pl.DataFrame({ Family: ["A", "a", "B"], "Sequence Length": [1n, 2n, 3n].map(Number) }),
    { atLeast: 1 },
  );
  assert(boxes.notes.some((note) => note.includes("A (1) and a (1)")), boxes.notes.join("\n"));
});

Deno.test("numbers that are groups keep their decimals, and NaN is a missing value", async () => {
  const batches = [1.5, 1.7, 2016, 2016, NaN, null, -0];
  const frame = pl.DataFrame([
    pl.Series("Batch", batches, pl.Float64),
    pl.Series("Segment", [1, 1, 2, NaN, null, 3, 3], pl.Float64),
    pl.Series("Collection Date", batches.map(() => "2016-05"), pl.String),
  ]);
  const countOf = async (of: Promise<{ frame: pl.DataFrame }>, group: string) =>
    (await of).frame.toRecords().map((row) => `${row[group]}: ${row.records}`).sort();
  const expected = ["0: 1", "1.5: 1", "1.7: 1", "2016: 2"];
  const fields = { host: "Batch" };
  assertEquals(await countOf(topTaxa(frame, { by: "host", fields }), "taxon"), [...expected, "missing: 2"]);
  assertEquals(await countOf(recordsInTime(frame, { stack: "Batch" }), "group"), [...expected, "none stated: 2"]);
  assertEquals(
    await countOf(recordsInTime(frame, { stack: "segment" }), "group"),
    ["1: 2", "2: 1", "3: 2", "none stated: 2"],
  );
  const dated = await recordsInTime(frame, { fields: { collectionDate: "Batch" } });
  assertEquals(dated.frame.toRecords().map(({ period, records }) => [period, Number(records)]), [["2016", 2]]);
  assert(dated.notes.some((note) => note.startsWith("3 records have no readable date in Batch")), dated.notes.join());
});

Deno.test("a field whose values cannot be of a role is refused with what to name instead", async () => {
  const frame = pl.DataFrame([
    pl.Series("Authors", [["Li", "Wu"], ["Li"]], pl.List(pl.String)),
    pl.Series("Day", [new Date(0), null], pl.Date),
    pl.Series("Family", ["a", "b"], pl.String),
    pl.Series("Collection Date", ["2016", "2017"], pl.String),
  ]);
  const lists = "it holds lists; name a field of single values";
  for (
    const [call, message] of [
      [() => topTaxa(frame, { by: "host", fields: { host: "Authors" } }), `Cannot use "Authors" as host: ${lists}`],
      [() => worldMap(frame, { roles: { country: ["Authors"] } }), `Cannot use "Authors" as country: ${lists}`],
      [() => recordsInTime(frame, { stack: "Authors" }), `Cannot group by "Authors": ${lists}`],
      [
        () => lengthByFamily(frame, { fields: { length: "Day" }, atLeast: 1 }),
        'Cannot use "Day" as length: its values are of type Date; name a field of numbers',
      ],
    ] as const
  ) await assertRejects(call, RangeError, message);
});
