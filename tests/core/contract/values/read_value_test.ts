import { assertEquals } from "@std/assert";
import {
  type CastDefinition,
  castText,
  type CellValue,
  formatDay,
  groupKey,
  isMissing,
  MISSING_WORDS,
  readPartialDate,
  readValue,
} from "../../../../src/core/contract/values/mod.ts";
import * as fc from "fast-check";

const fitting: readonly [type: CastDefinition["type"], unit: string, text: string, value: CellValue][] = [
  ["string", "", "007", "007"],
  ["string", "", " padded ", " padded "],
  ["integer", "", "42", 42],
  ["integer", "", "+7", 7],
  ["integer", "", "-0", 0],
  ["integer", "", "007", 7],
  ["integer", "", " 12 ", 12],
  ["integer", "", "12.0", 12],
  ["integer", "", "1e3", 1000],
  ["integer", "", "1.5e1", 15],
  ["integer", "", "1000e-3", 1],
  ["integer", "", "-0e999999999999", 0],
  ["integer", "", "922337203685477580700e-2", 2n ** 63n - 1n],
  ["integer", "bp", "\u00a012\u202fbp\u0085", 12],
  ["integer", "", "9007199254740991", 9007199254740991],
  ["integer", "", "9007199254740993", 9007199254740993n],
  ["integer", "", "+9007199254740993", 9007199254740993n],
  ["integer", "", "-9223372036854775808", -(2n ** 63n)],
  ["integer", "years", "37 years", 37],
  ["integer", "bp", "10794bp", 10794],
  ["integer", "bp", "12", 12],
  ["integer", "", `${"0".repeat(30)}12`, 12],
  ["integer", "bp", "0", 0],
  ["integer", "", "1000000000000000000", 10n ** 18n],
  ["integer", "", "0.00e5", 0],
  ["integer", "", "000120e-1", 12],
  ["float", "", "12", 12],
  ["float", "", ".5", 0.5],
  ["float", "", "-0", 0],
  ["float", "", "5.", 5],
  ["float", "", "-1e-3", -0.001],
  ["float", "x", "12.0x", 12],
  ["float", "%", "43.5 %", 43.5],
  ["float", "copies per mL", "3.2e4 copies per mL", 32000],
  ["boolean", "", "TRUE", true],
  ["boolean", "", "no", false],
  ["boolean", "", "1", true],
  ["boolean", "", " f ", false],
  ["date", "", "2013-12-XX", "2013-12-XX"],
  ["date", "", "2013", "2013"],
  ["date", "", "05-Mar-2020", "05-Mar-2020"],
  ["list", "", "human; bat ;;pig", ["human", "bat", "pig"]],
  ["list", "", "one", ["one"]],
  ["list", "", ";", []],
];

const misfitting: readonly [type: CastDefinition["type"], unit: string, text: string, says: string][] = [
  ["integer", "", "37 years", 'has the unit "years", the definition has no unit'],
  ["integer", "years", "5 months", 'has the unit "months", the definition has "years"'],
  ["integer", "years", "5 Years", 'has the unit "Years", the definition has "years"'],
  ["integer", "years", "5.5 years", "is a number with a fraction, not an integer"],
  ["integer", "", "1,234", "is not an integer"],
  ["integer", "", "12.5", "is a number with a fraction, not an integer"],
  ["integer", "", "1e-3", "is a number with a fraction, not an integer"],
  ["integer", "", ".5", "is a number with a fraction, not an integer"],
  ["integer", "", "1e19", "is an integer beyond 64 bits"],
  ["integer", "", "1e999999999999", "is an integer beyond 64 bits"],
  ["integer", "", "\u200f12", "is not an integer"],
  ["integer", "", "12\0", "is not an integer"],
  ["integer", "", "0x10", 'has the unit "x10", the definition has no unit'],
  ["integer", "", "9223372036854775808", "is an integer beyond 64 bits"],
  ["integer", "", "12-14", "is not an integer"],
  ["integer", "", "?", "is not an integer"],
  ["integer", "", "١٢", "is not an integer"],
  ["integer", "bp", "long bp", "is not an integer"],
  ["float", "%", "high %", "is not a number"],
  ["float", "", "12,5", "is not a number"],
  ["float", "", "NaN", "is not a number"],
  ["float", "", "Infinity", "is not a number"],
  ["float", "", "1e999", "is a number too large for a float"],
  ["float", "", "0x10", 'has the unit "x10", the definition has no unit'],
  ["boolean", "", "maybe", "is not a boolean"],
  ["boolean", "", "2", "is not a boolean"],
  ["date", "", "2013-02-30", "is not a date"],
  ["date", "", "2020-05-051", "is not a date"],
  ["date", "", "05-Mai-2020", "is not a date"],
  ["date", "", "2013-06/2013-05", "is not a date"],
  ["date", "", "2013/13/05", "is not a date"],
  ["date", "", "20131305", "is not a date"],
  ["date", "", "31/31/2013", "is not a date"],
  ["date", "", "03/04/2020", "is an ambiguous date"],
  ["date", "", "05-Mar-20", "is an ambiguous date"],
];

Deno.test("castText() reads what fits", async (t) => {
  for (const [type, unit, text, value] of fitting) {
    await t.step(`${type} ${unit} ${JSON.stringify(text)}`, () => {
      assertEquals(castText(text, { type, unit }), { fits: true, value });
    });
  }
});

Deno.test("castText() says why a value does not fit", async (t) => {
  for (const [type, unit, text, says] of misfitting) {
    await t.step(`${type} ${unit} ${JSON.stringify(text)}`, () => {
      const cast = castText(text, { type, unit });
      assertEquals(cast.fits, false);
      if (!cast.fits) assertEquals(cast.reason.slice(0, says.length), says);
    });
  }
});

Deno.test("castText() keeps every integer of 64 bits exact", () => {
  fc.assert(fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (number) => {
    const cast = castText(String(number), { type: "integer", unit: "" });
    assertEquals(cast.fits && BigInt(cast.value as number | bigint), number);
  }));
});

Deno.test("readPartialDate() knows the days that a date may mean", async (t) => {
  const dates: Record<string, [earliest: string, latest: string, precision: string]> = {
    "2013": ["2013-01-01", "2013-12-31", "year"],
    "2013-XX-XX": ["2013-01-01", "2013-12-31", "year"],
    "2013-XX-05": ["2013-01-01", "2013-12-31", "year"],
    "2013-00": ["2013-01-01", "2013-12-31", "year"],
    "2013-XX": ["2013-01-01", "2013-12-31", "year"],
    "2013-00-00": ["2013-01-01", "2013-12-31", "year"],
    "2013-12": ["2013-12-01", "2013-12-31", "month"],
    "2013-12-xx": ["2013-12-01", "2013-12-31", "month"],
    "2012-02-XX": ["2012-02-01", "2012-02-29", "month"],
    "1900-02": ["1900-02-01", "1900-02-28", "month"],
    "2013-12-00": ["2013-12-01", "2013-12-31", "month"],
    "05-May-2013": ["2013-05-05", "2013-05-05", "day"],
    "5-may-2013": ["2013-05-05", "2013-05-05", "day"],
    "May-2013": ["2013-05-01", "2013-05-31", "month"],
    "Apr-2013": ["2013-04-01", "2013-04-30", "month"],
    "2013-06": ["2013-06-01", "2013-06-30", "month"],
    "2013-09": ["2013-09-01", "2013-09-30", "month"],
    "2013-11": ["2013-11-01", "2013-11-30", "month"],
    "2000-02": ["2000-02-01", "2000-02-29", "month"],
    "2013-02": ["2013-02-01", "2013-02-28", "month"],
    "2013-XX-31": ["2013-01-01", "2013-12-31", "year"],
    "31-DEC-2013": ["2013-12-31", "2013-12-31", "day"],
    "2013-05-20/2013-06": ["2013-05-20", "2013-06-30", "year"],
    "2013/2013": ["2013-01-01", "2013-12-31", "year"],
    "XX-May-2013": ["2013-05-01", "2013-05-31", "month"],
    "2013-05/2013-06": ["2013-05-01", "2013-06-30", "year"],
    "2013-05-01/2013-05-20": ["2013-05-01", "2013-05-20", "month"],
    "2013-05-01/2013-05-01": ["2013-05-01", "2013-05-01", "day"],
    "21-Oct-1952/15-Feb-1953": ["1952-10-21", "1953-02-15", "range"],
    "2012/2013": ["2012-01-01", "2013-12-31", "range"],
    "\u00a02013-05 ": ["2013-05-01", "2013-05-31", "month"],
    "2000-02-29": ["2000-02-29", "2000-02-29", "day"],
    "0099-01-01": ["0099-01-01", "0099-01-01", "day"],
    "2020-03-05T10:30:00Z": ["2020-03-05", "2020-03-05", "day"],
    "2020-03-05 10:30:00+02:00": ["2020-03-05", "2020-03-05", "day"],
    "2020-01-31 00:00:00 UTC": ["2020-01-31", "2020-01-31", "day"],
    "1/31/2020 12:00:00 AM": ["2020-01-31", "2020-01-31", "day"],
    "2020/01/31": ["2020-01-31", "2020-01-31", "day"],
    "2020/1/5": ["2020-01-05", "2020-01-05", "day"],
    "2020/01": ["2020-01-01", "2020-01-31", "month"],
    "2020/01/31/2020/02/02": ["2020-01-31", "2020-02-02", "year"],
    "20200131": ["2020-01-31", "2020-01-31", "day"],
    "2020-1-31": ["2020-01-31", "2020-01-31", "day"],
    "2020-1": ["2020-01-01", "2020-01-31", "month"],
    "31.01.2020": ["2020-01-31", "2020-01-31", "day"],
    "01/31/2020": ["2020-01-31", "2020-01-31", "day"],
    "5/5/2020": ["2020-05-05", "2020-05-05", "day"],
    "31 January 2020": ["2020-01-31", "2020-01-31", "day"],
    "31. Jan 2020": ["2020-01-31", "2020-01-31", "day"],
    "5-Jan-2020": ["2020-01-05", "2020-01-05", "day"],
    "January 31, 2020": ["2020-01-31", "2020-01-31", "day"],
    "Sept 2020": ["2020-09-01", "2020-09-30", "month"],
  };
  for (const [text, [earliest, latest, precision]] of Object.entries(dates)) {
    await t.step(text, () => {
      const date = readPartialDate(text)!;
      assertEquals([formatDay(date.earliest), formatDay(date.latest), date.precision], [earliest, latest, precision]);
    });
  }
});

Deno.test("readPartialDate() knows the months by the first three characters of their English names", () => {
  const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
  assertEquals(
    months.map((month) => formatDay(readPartialDate(`07-${month}-2013`)!.earliest)),
    months.map((_, index) => `2013-${String(index + 1).padStart(2, "0")}-07`),
  );
  assertEquals(readPartialDate("07-Mai-2013"), undefined);
});

Deno.test("readPartialDate() refuses what is not a date", async (t) => {
  const texts = [
    "",
    "?",
    "0000",
    "XXXX-XX-XX",
    "201X",
    "2013-13",
    "2013-1/1",
    "2013/1-1",
    "0/5/2013",
    "13/13/2013",
    "12/31/13",
    "January 32, 2020",
    "31 Januar 2020",
    "2020-01-31 UTC",
    "2013-XX-45",
    "2013-13/2013-14",
    "2013-06/2013-05",
    "2013-05/2013-06/2013-07",
    "31-Apr-2013",
    "May-0000",
    "03/04/2020",
    "05-May-13",
    "2013-02-29",
    "2013-04-31",
  ];
  for (const text of [...texts, "2013-12-05x", "12013", "2013-12T10:00"]) {
    await t.step(JSON.stringify(text), () => assertEquals(readPartialDate(text), undefined));
  }
});

Deno.test("readValue() tells missing, values and invalid ones apart", async (t) => {
  const definitions: CastDefinition[] = [
    { type: "string", unit: "" },
    { type: "integer", unit: "bp" },
    { type: "float", unit: "%" },
    { type: "boolean", unit: "" },
    { type: "date", unit: "" },
    { type: "list", unit: "" },
  ];
  for (const definition of definitions) {
    await t.step(`missing in a field of type ${definition.type}`, () => {
      assertEquals(readValue("", definition), { kind: "missing", word: "" });
      assertEquals(readValue(" \u3000\u0085", definition), { kind: "missing", word: "" });
      for (const word of MISSING_WORDS) {
        assertEquals(readValue(word, definition), { kind: "missing", word });
        assertEquals(readValue(`\u00a0${word.toUpperCase()}\n`, definition), { kind: "missing", word });
      }
    });
  }
  assertEquals(readValue("12 %", definitions[2]), { kind: "value", value: 12 });
  assertEquals(readValue("n", definitions[3]), { kind: "value", value: false });
  assertEquals(readValue("Zika", definitions[0]), { kind: "value", value: "Zika" });
  assertEquals(readValue("maybe", definitions[3]).kind, "invalid");
});

Deno.test("isMissing() knows INSDC's terms with and without a reason, and takes no value for them", () => {
  const missing = [
    "missing: lab stock",
    "Not Applicable: control sample",
    "restricted access",
    "Missing: not provided",
  ];
  for (const text of [...missing, "N/a", " ?", "Not Available"]) assertEquals(isMissing(text), true, text);
  assertEquals(readValue(" XXXX-XX-XX", { type: "date", unit: "" }), { kind: "missing", word: "xxxx-xx-xx" });
  for (const text of ["0", "no", "missing link", "unknown virus", "missing: because", "N/A1"]) {
    assertEquals(isMissing(text), false, text);
  }
});

Deno.test("groupKey() makes one key of texts that differ in white space around them or in their normal form", () => {
  assertEquals(new Set(["R\u00e9union", "Re\u0301union ", "\u00a0R\u00e9union\t"].map(groupKey)).size, 1);
  assertEquals(groupKey("a b"), "a b");
  assertEquals(groupKey("A") === groupKey("a"), false);
});
