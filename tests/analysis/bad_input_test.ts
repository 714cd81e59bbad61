/** What comes of bad input: a chart that says something true, or a note that says why there is none. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { XMLValidator } from "fast-xml-parser";
import pl from "nodejs-polars";
import type { DataFrame } from "nodejs-polars";
import {
  type Analysis,
  type AnalysisLake,
  gcAgreement,
  lengthDistribution,
  recordsInTime,
  releaseLag,
  schemaCard,
  segmentsPerIsolate,
  stratifiedSample,
  topTaxa,
} from "../../src/analysis/mod.ts";
import { DISPLAY } from "../../src/core/io/display/display.ts";
import { COUNTS_OTHERS, LAKE_RECIPES, RECIPES } from "./_recipes.ts";

const TEXT_FIELDS = [
  ...["Registry Accession", "Molecule Type", "Genome Completeness", "Species", "Genus", "Family", "Host Species"],
  ...[
    "Collection Date",
    "Release Date",
    "Country",
    "Submitter Country",
    "Segment",
    "Isolate",
    "Cluster",
    "Data Source",
  ],
];
const NUMBER_FIELDS = ["Sequence Length", "GC Content", "Ambiguous Bases"];

/** A frame with every field that an analysis looks for. */
function makeFrame(
  rows: number,
  text: (field: string, row: number) => string | null,
  number: (row: number) => number | null,
): DataFrame {
  const each = <T>(make: (row: number) => T) => Array.from({ length: rows }, (_, row) => make(row));
  return pl.DataFrame([
    ...TEXT_FIELDS.map((field) => pl.Series(field, each((row) => text(field, row)), pl.String)),
    ...NUMBER_FIELDS.map((field) => pl.Series(field, each(number), pl.Float64)),
  ]);
}

const isDate = (field: string) => field.endsWith("Date");
const HOSTILE = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `]]></text></svg><svg onload="alert(1)">`,
  "nul\0 escape\x1b[31m",
  "\u202eturned\u2066",
  "\ud800half",
  "\uffff",
  "line\nbreak\ttab",
  "'; DROP TABLE lake; --",
  "__proto__",
  "constructor",
  " ",
  "=1+1",
  "${x}`y`",
];
const ODD_NUMBERS = [NaN, Infinity, -Infinity, -1, 0, 0.5, 1, 1e15, 1e300, 5e-324];
const ODD_DATES = [
  "0001",
  "1066-10-14",
  "1899-12-31",
  "1900",
  "2020-02-30",
  "2020-13",
  "9999-12-31",
  "2150",
  "soon",
  "20/1/2020",
];

const INPUTS: Readonly<Record<string, () => DataFrame>> = {
  "no rows": () => makeFrame(0, () => null, () => null),
  "one row": () => makeFrame(1, (field) => isDate(field) ? "2020-05-01" : "Kenya", () => 42),
  "one category": () => makeFrame(50, (field) => isDate(field) ? "2020" : "Kenya", () => 1000),
  "all null": () => makeFrame(20, () => null, () => null),
  "only placeholders": () => makeFrame(20, (_, row) => ["?", "unknown", "N/A", "", "  "][row % 5], () => null),
  "infinite and NaN": () => makeFrame(40, (field) => isDate(field) ? "2020-01" : "x", (row) => ODD_NUMBERS[row % 10]),
  "only infinite": () => makeFrame(40, (field) => isDate(field) ? "2020-01" : "x", () => Infinity),
  "odd dates": () => makeFrame(40, (field, row) => isDate(field) ? ODD_DATES[row % 10] : "x", () => 10),
  "1,500 categories": () =>
    makeFrame(
      1500,
      (field, row) => isDate(field) ? `${1900 + row % 150}-0${1 + row % 9}` : `value ${row}`,
      (row) => row + 1,
    ),
  "labels of 300 letters": () =>
    makeFrame(60, (field, row) => isDate(field) ? "2020" : `${"long ".repeat(60)}${row % 7}`, (row) => row + 1),
  "hostile labels": () => makeFrame(140, (_, row) => HOSTILE[row % HOSTILE.length], (row) => row + 1),
  "an enormous length": () => makeFrame(3, () => "x", (row) => [1, 1e6, 9e15][row]),
};

for (const [input, make] of Object.entries(INPUTS)) {
  Deno.test(`analyses of ${input} say something true, or why not`, async (t) => {
    const frame = make();
    for (const [name, analyse] of Object.entries(RECIPES)) {
      await t.step(name, async () => {
        const analysis = await analyse(frame, "2026-01-31");
        await check(analysis, name, frame.height);
      });
    }
    const lake = lakeOf(frame);
    for (const [name, analyse] of Object.entries(LAKE_RECIPES)) {
      await t.step(name, async () => {
        await check(await analyse(lake, "2026-01-31"), name, frame.height);
      });
    }
  });
}

/** Holds what is shown to be well-formed, harmless, of bounded size, and to account for every row. */
async function check(analysis: Analysis, name: string, rows: number): Promise<void> {
  const view = await analysis[DISPLAY]();
  const shown = `${view["text/html"]}${view["text/plain"]}${analysis}`;
  // deno-lint-ignore no-control-regex
  assertEquals(/[\x00-\x08\x0b-\x1f\x7f\u202e\u2066]/.test(shown), false, "what is shown holds controls");
  assertEquals(/\b1 (records|groups|values|fields|rows|pairs|isolates|species are|have)\b/.test(shown), false, shown);
  const { chart } = analysis;
  assertEquals(/<script>alert|<img src=x|<svg onload/.test(`${view["text/html"]}${chart?.svg}`), false);
  if (chart === undefined) {
    assert(analysis.notes.length > 0, "no chart and no note");
    return;
  }
  assertEquals(XMLValidator.validate(chart.svg), true);
  assertEquals(/NaN|Infinity|undefined|\[object/.test(chart.svg), false, "the picture holds no values");
  assert(chart.svg.length <= 150_000, `the picture has ${chart.svg.length} letters`);
  assert(chart.height <= 1200 && chart.width <= 1200, `${chart.width} × ${chart.height}`);
  if (COUNTS_OTHERS.includes(name)) return;
  const counts = chart.caption.split(".")[0].match(/[0-9][0-9,]*/g) ?? [];
  assertEquals(counts.reduce((sum, text) => sum + Number(text.replaceAll(",", "")), 0), rows, chart.caption);
}

/** A lake whose every table of metadata is the frame, with its numbers as computed GC. */
function lakeOf(frame: DataFrame): AnalysisLake {
  const columns = frame.columns.map((name) => {
    const isText = TEXT_FIELDS.includes(name);
    const type = isText ? "string" as const : "float" as const;
    return { name, field: name, type, dtype: isText ? "String" as const : "Float64" as const };
  });
  const [idField] = TEXT_FIELDS;
  const ids = frame.getColumn(idField);
  const facts = {
    idField,
    unique: ids.dropNulls().nUnique() + ids.nullCount(),
    files: [],
    definitions: [],
    misfits: {},
  };
  const gc = { name: "gc", field: "gc", type: "float", dtype: "Float64" } as const;
  const tables = ["full_dataset_metadata", "unique_seqs_metadata", "votu_clusters_metadata"];
  return {
    folder: "",
    main: tables[0],
    tables: new Map([
      ...tables.map((name) => [name, { ...facts, columns }] as const),
      ["full_dataset_sequence", { ...facts, columns: [columns[0], gc] }],
    ]),
    scan: (table) =>
      table === "full_dataset_sequence"
        ? frame.lazy().select(pl.col(idField), pl.col("GC Content").div(100).alias("gc"))
        : frame.lazy(),
  };
}

Deno.test("analyses name the fields that they looked for, and where they come from", async (t) => {
  const frame = pl.DataFrame({ "Something Else": ["a"] });
  const says = /lacks a field for .* \(.*\)\. Its fields are Something Else\. Name the field/;
  for (const [name, analyse] of Object.entries(RECIPES)) {
    if (name === "fieldCompleteness" || name === "schemaCard") continue;
    await t.step(name, async () => assertNothing(await analyse(frame), says));
  }
  const column = { name: "Something Else", field: "Something Else", type: "string", dtype: "String" } as const;
  const lake = { ...lakeOf(makeFrame(1, () => null, () => null)), scan: () => frame.lazy() };
  const facts = { idField: null, unique: 1, files: [], definitions: [], misfits: {}, columns: [column] };
  const tables = new Map([...lake.tables.keys()].map((name) => [name, facts]));
  for (const [name, analyse] of Object.entries(LAKE_RECIPES)) {
    await t.step(name, async () => assertNothing(await analyse({ ...lake, tables }), says));
  }
});

Deno.test("analyses of several tables name those that the lake lacks", async (t) => {
  const lake = lakeOf(makeFrame(3, () => "x", () => 50));
  const tables = new Map([...lake.tables].slice(0, 1));
  for (const [name, analyse] of Object.entries(LAKE_RECIPES)) {
    await t.step(name, async () => {
      assertNothing(await analyse({ ...lake, tables }), /full_dataset_metadata.*(unique_seqs_metadata|sequence)/);
    });
  }
});

function assertNothing({ chart, frame, notes }: Analysis, says: RegExp): void {
  assertEquals([chart, frame.height], [undefined, 0]);
  assert(says.test(notes[0]), notes[0]);
}

Deno.test("analyses warn where people went wrong", async (t) => {
  const cases: Record<string, [analyse: () => Promise<{ readonly notes: readonly string[] }>, says: RegExp]> = {
    "coarse dates by month": [
      () => recordsInTime(pl.DataFrame({ Date: ["2013", "2013-05-01"] }), { by: "month" }),
      /1 record \(50\.0 %\) has only a year/,
    ],
    "a collection year is no submission": [
      () => recordsInTime(pl.DataFrame({ Date: ["2013"] })),
      /samples were taken, not on which records were submitted/,
    ],
    "one species dominates": [
      () => topTaxa(pl.DataFrame({ Species: ["a", "a", "a", "b"] })),
      /One species dominates: a has 75\.0 % of 4 records/,
    ],
    "many zeros": [
      () => RECIPES.gcByMolecule(pl.DataFrame({ "Molecule Type": ["x", "x"], GC: [0, 45] })),
      /50\.0 % of the values of GC are exactly 0/,
    ],
    "which column is a key": [
      () => schemaCard(pl.DataFrame({ Isolate: ["a", "a"], Accession: ["1", "2"] })),
      /^Join on Accession: .* Joining on any other field can multiply rows$/,
    ],
    "no column is a key": [
      () => schemaCard(pl.DataFrame({ Isolate: ["a", "a"] })),
      /^No field is a key: joining on any of them can multiply rows$/,
    ],
    "an isolate is no key": [
      () => segmentsPerIsolate(pl.DataFrame({ Isolate: ["i", "i"], Species: ["a", "a"], Segment: ["S", "S"] })),
      /^1 record repeats a segment .* the isolate is not a key$/,
    ],
    "an accession that is no key of the sequences": [
      () => gcAgreement(lakeOf(makeFrame(2, () => "x", () => 50))),
      /^Registry Accession is not a key of full_dataset_sequence: 1 row repeats a value/,
    ],
    "a dominating country": [
      () => RECIPES.worldMap(pl.DataFrame({ Country: ["Kenya", "Kenya", "Kenya", "Peru"] })),
      /^One country dominates: Kenya has 75\.0 % of 4 records/,
    ],
    "one species has no diversity": [
      () => RECIPES.rarefaction(pl.DataFrame({ Species: ["a", "a"] })),
      /^There is one species alone/,
    ],
    "a column that is no key": [
      () => stratifiedSample(pl.DataFrame({ Accession: ["1", "1"], Species: ["a", "b"] }), { most: 1 }),
      /Accession is not a key/,
    ],
    "dates after the day of the data": [
      () => recordsInTime(pl.DataFrame({ Date: ["2013", "2030"] }), { snapshot: "2026-01-31" }),
      /1 record has a date after the day of the data, 2026-01-31/,
    ],
    "a release after the day of the data": [
      () => releaseLag(released("2026-01-31", "2026-02-01", "2030-05-05"), { snapshot: "2026-01-31" }),
      /^2 records have a date after the day of the data, 2026-01-31 in Release Date: not shown, look at them \(2026-02-01, 2030-05-05\)$/,
    ],
    "a release that no clock will see": [
      () => releaseLag(released("2100-12-31", "2101-01-01")),
      /^1 record has a date after 2100 in Release Date: not shown, look at it \(2101-01-01\)$/,
    ],
  };
  for (const [name, [analyse, says]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const { notes } = await analyse();
      assert(notes.some((note) => says.test(note)), notes.join("\n"));
    });
  }
});

Deno.test("gcAgreement() finds the same partners in whatever order they stand", async () => {
  const frame = makeFrame(30_000, (_, row) => row % 100 === 7 ? null : `vj${row}`, (row) => row % 77 / 77 * 100);
  const lake = { ...lakeOf(frame), tables: new Map(lakeOf(frame).tables) };
  const sequences = lake.tables.get("full_dataset_sequence")!;
  lake.tables.set("full_dataset_sequence", { ...sequences, unique: frame.height });
  const swapped = (from: number) => pl.concat([frame.head(from), frame.tail(frame.height - from).reverse()]);
  const expected = await gcAgreement(lake);
  assertEquals(expected.frame.getColumn("records").toArray(), [29_700, 0, 0, 0]);
  assert(expected.chart?.caption.includes("300 without a value"));
  for (const from of [0, 20_000]) {
    const other = swapped(from).lazy().select(pl.col("Registry Accession"), pl.col("GC Content").div(100).alias("gc"));
    const found = await gcAgreement({
      ...lake,
      scan: (table) => table === "full_dataset_sequence" ? other : frame.lazy(),
    });
    assertEquals(found.frame.toRecords(), expected.frame.toRecords());
    assertEquals(found.chart?.caption, expected.chart?.caption);
  }
});

Deno.test("analyses refuse wrong options before they read", async (t) => {
  const frame = pl.DataFrame({ length: [1] });
  const refusals: Record<
    string,
    [analyse: () => Promise<unknown>, type: typeof TypeError | typeof RangeError, says: string]
  > = {
    "no bins": [() => lengthDistribution(frame, { binsPerDecade: 0 }), RangeError, "1 to 1,000"],
    "a field that is not there": [
      () => lengthDistribution(frame, { fields: { length: "lenght" } }),
      RangeError,
      '"length"',
    ],
    "a table of a frame": [() => lengthDistribution(frame, { table: "x" }), TypeError, "only a lake has tables"],
    "a day in other words": [() => recordsInTime(frame, { snapshot: "31.1.2026" }), TypeError, "YYYY-MM-DD"],
    "no day": [() => recordsInTime(frame, { snapshot: "yesterday" }), TypeError, "YYYY-MM-DD"],
    "no day of the lag": [() => releaseLag(frame, { snapshot: "2026-13-01" }), TypeError, "YYYY-MM-DD"],
  };
  for (const [name, [analyse, type, says]] of Object.entries(refusals)) {
    await t.step(name, async () => {
      await assertRejects(analyse, type, says);
    });
  }
});

Deno.test("an analysis that is stopped ends with the signal's reason", async () => {
  const signal = AbortSignal.abort(new Error("stopped"));
  await assertRejects(() => topTaxa(pl.DataFrame({ Species: ["a"] }), { signal }), Error, "stopped");
});

Deno.test("releaseLag() counts every record once, also where several of its dates are wrong", async () => {
  const dates = [
    ["2020-01-01", "2020-01-03"],
    ["2026-01-31", "2026-01-31"],
    ["2020-01-01", "2026-02-01"],
    ["2020", "2026-02-01"],
    ["2027-01-01", "2026-06-01"],
    ["2020-01-01", "2019-12-31"],
    ["2020-01-01", "2021"],
    [null, "2026-02-01"],
  ];
  const frame = pl.DataFrame({
    "Collection Date": dates.map(([collected]) => collected),
    "Release Date": dates.map(([, release]) => release),
  });
  const { frame: numbers, notes, chart } = await releaseLag(frame, { snapshot: "2026-01-31" });
  assertEquals(numbers.select("from_days", "to_days", "records", "share").toRecords(), [
    { from_days: 0, to_days: 6, records: 2, share: null },
  ]);
  assertEquals(notes.map((note) => note.slice(0, 30)), [
    "3 records have a date after th",
    "1 record has a date that is no",
    "1 record has a release before ",
    "There is no estimate for recor",
    "The plain median is 1 day and ",
  ]);
  assertStringIncludes(chart?.caption ?? "", "n = 2 records; 5 excluded; 1 without a value");
});

function released(...days: string[]): DataFrame {
  return pl.DataFrame({ "Collection Date": days.map(() => "2020-01-01"), "Release Date": days });
}
