import { assertEquals, assertStringIncludes } from "@std/assert";
import { noteRanges } from "../../../../src/core/registry/plan/range_entries.ts";
import { define } from "../../contract/_definition.ts";

const FIELDS = [
  define("Registry Accession", "string"),
  define("Host Age", "string"),
  define("Length", "integer"),
  define("Collection Date", "date"),
];

/** Notes the ranges of a query over fields that all hold the same values. */
async function note(query: string, values: readonly string[]) {
  const asked: string[] = [];
  const entries = await noteRanges(query, FIELDS, (query) => {
    asked.push(query);
    const results = values.map((value) => ({
      id: value,
      score: null,
      source: Object.fromEntries(FIELDS.map(({ name }) => [name, value])),
    }));
    return Promise.resolve({ total: values.length, results });
  });
  return { entries, asked };
}

Deno.test("noteRanges() says that a range compares texts, which values are none, and what to do", async () => {
  const { entries: [{ code, field, count, text }], asked } = await note("host_age:[1 TO 20]", ["9", "12 weeks"]);
  assertEquals([code, field, count, asked], ["range-over-text", "Host Age", 2, ['"Host Age":*']]);
  assertStringIncludes(text, 'such as "12 weeks"');
  assertStringIncludes(text, "not numbers");
  assertStringIncludes(text, "definitions.json to integer or float");
});

Deno.test("noteRanges() counts the values of a number or date that are none", async () => {
  const { entries, asked } = await note("length:>=20 length:<9 -collection_date:[2013 TO 2014]", ["odd"]);
  assertEquals(entries.map(({ field, count }) => [field, count]), [["Length", 1], ["Collection Date", 1]]);
  assertEquals(asked[0], '"Length":* -"Length":>=0 -"Length":<0');
  assertStringIncludes(
    entries[1].text,
    '1 record is in no range of "Collection Date", since its value is no date: "odd"',
  );
});

Deno.test("noteRanges() asks nothing where no range meets texts by mistake", async (t) => {
  for (const query of ["host_age:[a TO k]", "host_age:[* TO *]", "host_age:9", "lost:>5", "host_age:[1 TO", "a<b"]) {
    await t.step(query, async () => assertEquals(await note(query, ["9"]), { entries: [], asked: [] }));
  }
});

Deno.test("noteRanges() says nothing of fields without such a value", async () => {
  assertEquals((await note("length:>=20 host_age:>5 host_age:>2013-05", [])).entries, []);
});
