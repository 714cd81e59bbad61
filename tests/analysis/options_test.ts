/** Options and arguments of analyses are checked before anything is read. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import pl from "nodejs-polars";
import * as analysis from "../../src/analysis/mod.ts";

type Refusal = typeof TypeError | typeof RangeError;

/** Calls a function as code without types can: what is not allowed does not compile otherwise. */
async function call(name: string, source: unknown, options: unknown): Promise<unknown> {
  const callee: unknown = Reflect.get(analysis, name);
  if (typeof callee !== "function") throw new Error(`no function ${name}`);
  return await Reflect.apply(callee, undefined, [source, options]);
}

/** A source that no analysis may look at. */
const UNREAD = new Proxy({}, {
  get(_, name) {
    throw new Error(`the source was read: ${String(name)}`);
  },
});

const REFUSALS: readonly [name: string, options: unknown, type: Refusal, says: string][] = [
  [
    "topTaxa",
    { snapshoot: "2020-01-01" },
    TypeError,
    `unknown option "snapshoot" of topTaxa(), did you mean "snapshot"?`,
  ],
  ["topTaxa", { fields: { lenght: "x" } }, TypeError, `"fields.lenght" of topTaxa(), did you mean "length"?`],
  [
    "recordsInTime",
    { by: "week" },
    RangeError,
    '"by" of recordsInTime() must be "year", "month", "isoweek" or "epiweek"',
  ],
  ["recordsInTime", { by: "banana" }, RangeError, 'must be "year", "month", "isoweek" or "epiweek", not "banana"'],
  ["recordsInTime", { date: "colection" }, RangeError, 'did you mean "collection"?'],
  ["recordsInTime", { sum: true }, TypeError, 'must be "each" or "cumulative"'],
  ["recordsInTime", { cumulative: "yes" }, TypeError, "must be true or false"],
  ["worldMap", { country: "banana" }, RangeError, 'must be "collection" or "submission", not "banana"'],
  ["worldMap", { breaks: "1,10" }, TypeError, "a list of"],
  ["completenessBySource", { by: "banana" }, RangeError, 'option "by" of completenessBySource() must be "dataSource"'],
  ["rarefaction", { by: "banana" }, RangeError, 'option "by" of rarefaction() must be "species"'],
  ["compareSets", { measure: "count" }, RangeError, 'must be "share" or "ratio"'],
  ["taxonomyAgreement", { compare: "names" }, RangeError, 'must be "map" or "records"'],
  ["releaseLag", { cohort: "decade" }, RangeError, 'must be "all" or "year"'],
  ["releaseLag", { upTo: 0 }, RangeError, "a whole number from 1"],
  ["rarefaction", { orders: [3] }, TypeError, "a list of orders, each 0, 1 or 2"],
  ["rarefaction", { bootstrap: -1 }, RangeError, "a whole number from 0 to 1,000"],
  ["rarefaction", { steps: 1 }, RangeError, "a whole number from 2 to 1,000"],
  ["hostRange", { by: "banana" }, RangeError, 'must be "species", "genus" or "family"'],
  ["lengthByFamily", { by: "famliy" }, RangeError, 'did you mean "family"?'],
  ["lengthByFamily", { atLeast: 0 }, RangeError, "a whole number from 1"],
  ["gcByMolecule", { atLeast: "30" }, TypeError, "a whole number from 1"],
  ["stratifiedSample", { most: 1, by: "banana" }, RangeError, 'option "by" of stratifiedSample()'],
  ["stratifiedSample", { most: 0.5 }, RangeError, "a whole number from 1"],
  ["stratifiedSample", {}, TypeError, 'option "most" of stratifiedSample() is missing'],
  ["stratifiedSample", undefined, TypeError, 'argument "options" of stratifiedSample() is missing'],
  ["topTaxa", { by: "banana" }, RangeError, 'option "by" of topTaxa()'],
  ["topTaxa", { top: 51 }, RangeError, "a whole number from 1 to 50"],
  ["compareSets", { by: "banana" }, RangeError, 'option "by" of compareSets()'],
  ["compareSets", { table: "x" }, TypeError, 'unknown option "table"'],
  ["schemaCard", { distinct: "every" }, RangeError, '"few" or "all"'],
  ["lengthDistribution", { binsPerDecade: 1001 }, RangeError, "1 to 1,000"],
  ["fieldCompleteness", { columns: "Host" }, TypeError, "a list of texts"],
  ["gcAgreement", { sequences: 1 }, TypeError, "must be a text"],
  ["topTaxa", { records: "some" }, RangeError, '"all", "unique" or "representatives"'],
];

Deno.test("analyses refuse unknown values and wrong types before they read", async (t) => {
  for (const [name, options, type, says] of REFUSALS) {
    await t.step(`${name} ${Deno.inspect(options)}`, async () => {
      await assertRejects(() => call(name, UNREAD, options), type, says);
    });
  }
});

Deno.test("analyses of several tables say that they need a lake", async (t) => {
  for (const name of ["compareSets", "compareLengths", "gcAgreement"]) {
    await t.step(name, async () => {
      const expected = "a lake with several tables, as registry.lake() and openLake() return it";
      const says = `argument "lake" of ${name}() must be ${expected}, not a DataFrame`;
      await assertRejects(() => call(name, pl.DataFrame({ a: [1] }), {}), TypeError, says);
      await assertRejects(() => call(name, undefined, {}), TypeError, `is missing: it must be ${expected}`);
    });
  }
});

Deno.test("chart(), roles and sources refuse what they do not know", async (t) => {
  const meta = { title: "a", description: "b", source: { n: 1 } };
  await t.step("chart", async () => {
    await assertRejects(() => call("chart", {}, { ...meta, titel: "x" }), TypeError, 'did you mean "title"?');
    await assertRejects(
      () => call("chart", {}, { ...meta, source: { n: 1, unitt: "x" } }),
      TypeError,
      '"meta.source.unitt"',
    );
    await assertRejects(() => call("chart", 5, meta), TypeError, "options of Observable Plot");
    await assertRejects(() => call("chart", {}, undefined), TypeError, 'argument "meta" of chart() is missing');
  });
  await t.step("roles", () => {
    const text: unknown = "lenght";
    assertThrows(
      () => Reflect.apply(analysis.findRole, undefined, [[], text]),
      RangeError,
      'did you mean "length"?',
    );
    assertThrows(() => Reflect.apply(analysis.describeRole, undefined, [undefined]), TypeError, 'argument "role"');
  });
  await t.step("openSource", async () => {
    await assertRejects(() => call("openSource", UNREAD, { tabel: "x" }), TypeError, 'did you mean "table"?');
  });
  await t.step("Chart.save", async () => {
    const { chart } = await analysis.topTaxa(pl.DataFrame({ Species: ["a", "b"] }));
    assert(chart !== undefined);
    const save = (options: unknown) => Reflect.apply(chart.save, chart, ["never.svg", options]);
    await assertRejects(() => save({ theme: "blue" }), RangeError, '"light" or "dark"');
    await assertRejects(() => save({ them: "dark" }), TypeError, 'did you mean "theme"?');
  });
});

Deno.test("older names of options mean the same as those that replaced them", async () => {
  const records = pl.DataFrame({
    "Collection Date": ["2013", "2014"],
    Country: ["Kenya", "Peru"],
    "Submitter Country": ["Peru", "Peru"],
    "Family ICTV": ["Flaviviridae", "Orthomyxoviridae"],
    "Family NCBI": ["Flaviviridae", "Flaviviridae"],
  });
  for (
    const [older, now] of [
      [analysis.recordsInTime(records, { sum: "cumulative" }), analysis.recordsInTime(records, { cumulative: true })],
      [analysis.worldMap(records, { of: "submission" }), analysis.worldMap(records, { country: "submission" })],
      [
        analysis.taxonomyAgreement(records, { of: "records" }),
        analysis.taxonomyAgreement(records, { compare: "records" }),
      ],
    ]
  ) {
    const rows = (await now).frame.toRecords();
    assert(rows.length > 0);
    assertEquals((await older).frame.toRecords(), rows);
  }
});
