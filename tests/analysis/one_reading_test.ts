/** Analyses read a value as everything else does: what is missing, and which values are of one group. */
import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import pl from "nodejs-polars";
import { clusterSizes, fieldCompleteness, recordsInTime, stratifiedSample, topTaxa } from "../../src/analysis/mod.ts";
import { MISSING_TEST, ODD_PATTERN } from "../../src/analysis/source/texts.ts";
import { formatDay, groupKey, isMissing, MISSING_WORDS, readPartialDate } from "../../src/core/contract/values/mod.ts";

const VALUES = 10_000;
const SPACES = ["", " ", "\t", "\n", "\u00a0", "\u2003", "\u3000", "\u0085", "  ", "\ufeff", "\u200b", "\u001c"];
const WORDS = [
  ...MISSING_WORDS,
  ...[
    "",
    "Kenya",
    "Re\u0301union",
    "R\u00e9union",
    "\u212bngstr\u00f6m",
    "un\u212anown",
    "ſ",
    "\u1100\u1161",
    "\uac00",
    "\u0344",
    "\u037e",
  ],
  ...["nan virus", "n/a?", "0", "12 bp", "1e3", "0x10", "Infinity", "a\u0000b", "\u202eabc", "\ud83e\udda0"],
  ...[
    "2013",
    "2013-00-00",
    "2013-XX-05",
    "05-May-2013",
    "May-2013",
    "2013-05/2013-06",
    "03/04/2020",
    "2020-05-051",
    "0020",
  ],
];

/** A word in any case, with white space around it or not. */
const anyText = fc.tuple(
  fc.constantFrom(...SPACES),
  fc.constantFrom(...WORDS),
  fc.constantFrom("as it is", "upper", "lower", "title"),
  fc.constantFrom(...SPACES),
).map(([before, word, how, after]) => {
  const text = how === "upper" ? word.toUpperCase() : how === "lower" ? word.toLowerCase() : word;
  return before + (how === "title" ? text.slice(0, 1).toUpperCase() + text.slice(1) : text) + after;
});

const values = fc.sample(anyText, { numRuns: VALUES, seed: 14 });
const keys = values.map((value) => isMissing(value) ? null : groupKey(value));
const groups = new Map<string, number>();
for (const key of keys) if (key !== null) groups.set(key, (groups.get(key) ?? 0) + 1);
const source = pl.DataFrame([
  pl.Series("Registry Accession", values.map((_, row) => `vj${row}`), pl.String),
  ...["Species", "Cluster", "Collection Date"].map((name) => pl.Series(name, values, pl.String)),
]);

Deno.test("groups of analyses are those of groupKey(), and what isMissing() is in none", async () => {
  const { frame: top } = await topTaxa(source, { top: 50 });
  for (const { taxon, kind, records } of top.toRecords()) {
    if (kind === "taxon") assertEquals(Number(records), groups.get(String(taxon)), JSON.stringify(taxon));
    if (kind === "missing") assertEquals(Number(records), keys.filter((key) => key === null).length);
  }
  const { frame: sizes } = await clusterSizes(source);
  const found = sizes.toRecords().flatMap(({ size, clusters }) => Array(Number(clusters)).fill(Number(size)));
  assertEquals(found, [...groups.values()].sort((a, b) => b - a));
  const { frame: strata } = await stratifiedSample(source, { most: 5 });
  assertEquals(new Map(strata.toRecords().map(({ stratum, before }) => [String(stratum), Number(before)])), groups);
  const { frame: filled } = await fieldCompleteness(source, { columns: ["Species"] });
  assertEquals(Number(filled.toRecords()[0].filled), keys.filter((key) => key !== null).length);
});

Deno.test("dates of analyses are those of readPartialDate()", async () => {
  const periods = new Map<string, number>();
  for (const value of values) {
    const date = readPartialDate(value);
    if (date === undefined || date.precision === "range" || date.latest < 0) continue;
    const year = formatDay(date.earliest).slice(0, 4);
    periods.set(year, (periods.get(year) ?? 0) + 1);
  }
  const { frame } = await recordsInTime(source, { plausible: { date: ["1970", "2100"] } });
  const found = new Map<string, number>();
  for (const { period, records } of frame.toRecords()) {
    found.set(String(period), (found.get(String(period)) ?? 0) + Number(records));
  }
  assertEquals(found, periods);
});

Deno.test("what the engine and the dictionaries are asked for misses no value", () => {
  const odd = new Set(source.filter(pl.col("Species").str.contains(ODD_PATTERN)).getColumn("Species").toArray());
  for (const [row, value] of values.entries()) {
    if (keys[row] !== value) assert(odd.has(value), JSON.stringify(value));
    if (!isMissing(value)) continue;
    const bytes = Buffer.from(value);
    assert(
      MISSING_TEST.ranges.some(([least, most]) =>
        Buffer.compare(bytes, least) >= 0 && Buffer.compare(bytes, most) <= 0
      ),
      `${JSON.stringify(value)} is out of bounds`,
    );
    if (bytes.length > 0) {
      assert(MISSING_TEST.mayBe(bytes[0], bytes[bytes.length - 1], bytes.length), JSON.stringify(value));
    }
  }
});
