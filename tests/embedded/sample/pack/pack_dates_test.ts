/** Dates of several styles in a packed table. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Registry } from "../../../../src/core/registry/registry.ts";
import { packArchives, type PackOptions } from "../../../../src/embedded/sample/mod.ts";
import { makeFolder } from "../_archives.ts";
import { bytes, pack } from "./_pack.ts";

const DATES = ["2016-01-06", "08/04/2016", "25-Mar-2016", "2016", "not collected", "2015-12-31"];
const FASTA = DATES.map((_, index) => `>r${index}\nA\n`).join("");
const TABLE = ["id,date", ...DATES.map((date, index) => `r${index},${date}`)].join("\n");

/** Packs the three styles, and searches the archives for a condition. */
async function find(query: string, options: Partial<PackOptions> = {}): Promise<string[]> {
  await using folder = await makeFolder();
  const set = `${folder.path}/set`;
  await packArchives({ fasta: bytes(FASTA), metadata: bytes(TABLE), folder: set, ...options });
  await using registry = await Registry.open(set, { cacheFolder: `${folder.path}/cache` });
  const result = await registry.search(query);
  return result.rows.map((row) => row["Collection Date"] as string).sort();
}

Deno.test("packArchives() types three styles of dates as dates, and names the ambiguous ones", async () => {
  const { packed, definitions, records } = await pack(FASTA, TABLE);
  assertEquals(definitions.find(({ name }) => name === "Collection Date")?.type, "date");
  assertEquals(records.map((record) => record["Collection Date"]), DATES);
  assertEquals(packed.ledger.warnings, [
    '1 of 5 values of "Collection Date" is of unknown order of day and month, kept as received and found by no search ' +
    'for a date: "08/04/2016"; pack with --dates day-first or --dates month-first (option dates)',
  ]);
  assertEquals(packed.ledger.complete, true);
  assertEquals(await find("collection_date:2016"), ["2016", "2016-01-06", "25-Mar-2016"]);
});

Deno.test("packArchives({ dates }) decides what is ambiguous", async () => {
  const { packed, records } = await pack(FASTA, TABLE, { dates: "day-first" });
  assertEquals(records.map((record) => record["Collection Date"]), DATES.with(1, "2016-04-08"));
  assertEquals(packed.ledger.warnings, [
    '1 value of "Collection Date" read day-first and written as YYYY-MM-DD: "08/04/2016" became 2016-04-08',
  ]);
  assertEquals(await find("collection_date:2016", { dates: "day-first" }), [
    "2016",
    "2016-01-06",
    "2016-04-08",
    "25-Mar-2016",
  ]);
  assertEquals(await find("collection_date:2016-08-04", { dates: "month-first" }), ["2016-08-04"]);
});

Deno.test("packArchives({ dates }) keeps and names what the order does not fit, or that it changed nothing", async () => {
  const dates = async (values: string[], order?: PackOptions["dates"]) => {
    const fasta = values.map((_, index) => `>r${index}\nA\n`).join("");
    const table = ["id,date", ...values.map((date, index) => `r${index},${date}`)].join("\n");
    const { packed, records } = await pack(fasta, table, { dates: order });
    return [records.map((record) => record["Collection Date"]), packed.ledger.warnings] as const;
  };
  const [mixed, [, invalid]] = await dates(
    ["08.04.2016 10:30", "12/25/2016", "30/02/2016", "8/4/16", "2016"],
    "day-first",
  );
  assertEquals(mixed, ["2016-04-08 10:30", "12/25/2016", "30/02/2016", "8/4/16", "2016"]);
  assertStringIncludes(invalid, '2 of 5 values of "Collection Date" are not dates (read day-first), kept as received');
  const [, [advice]] = await dates(["08/04/2016", "25/12/2016"]);
  assertStringIncludes(advice, '; "25/12/2016" can only be day-first');
  const [, [nothing]] = await dates(["2016"], "month-first");
  assertEquals(nothing, "reading dates month-first changed nothing: no date is written as 08/04/2016 is");
});

Deno.test("packArchives() names numbers in a column of dates, and what a spreadsheet's days are", async () => {
  const warningsOf = async (...values: string[]) => {
    const fasta = values.map((_, index) => `>r${index}\nA\n`).join("");
    const { packed } = await pack(fasta, ["id,date", ...values.map((date, index) => `r${index},${date}`)].join("\n"));
    return packed.ledger.warnings.join("");
  };
  const serial = await warningsOf("42375", "42406.5");
  assertStringIncludes(serial, '2 of 2 values of "Collection Date" are not dates, so the field is of numbers: "42375"');
  assertStringIncludes(serial, "spreadsheets store days as numbers like these: format the column as dates there");
  assertStringIncludes(await warningsOf("123456789"), 'is not a date, so the field is of integers: "123456789"');
  assertEquals((await warningsOf("123456789")).includes("spreadsheets"), false);
  assertEquals(await warningsOf("2016", "2017"), "");
});
