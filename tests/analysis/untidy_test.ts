/** The analyses of untidy records give the numbers that the meanings of the values give, worked out here one by one. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as analysis from "../../src/analysis/mod.ts";
import { plainRows } from "./_compare.ts";
import { COLUMNS, type DateMeaning, RECORDS, SETS, SNAPSHOT, UNTIDY, untidyFrame, untidyLake } from "./_untidy.ts";
import type { UntidyRecord } from "./_untidy.ts";
import { assertCounts, assertRows, countBy, groupsOf, isLength, lengthOf, quantilesBy } from "./_untidy_expected.ts";

const frame = untidyFrame();
const options = { snapshot: SNAPSHOT };

/** A shape of data that no value is spared from. */
Deno.test("the untidy set is untidy", () => {
  assert(RECORDS >= 400);
  for (const text of ["Flaviviridae ", "Re\u0301ovirus", " ?", "missing: lab stock", "N/a"]) {
    assert(UNTIDY.some(({ raw }) => Object.values(raw).includes(text)), text);
  }
});

Deno.test("numbers of untidy records are those of their meanings", async (t) => {
  await t.step("lengthDistribution", async () => {
    const found = await analysis.lengthDistribution(frame, { ...options, binsPerDecade: 1 });
    const lengths = UNTIDY.map(lengthOf).filter(isLength);
    const bins = [0, 1, 2, 3, 4, 5, 6].map((power) => [
      10 ** power,
      10 ** (power + 1) - 1,
      lengths.filter((length) => length >= 10 ** power && length < 10 ** (power + 1)).length,
    ]);
    const missing = UNTIDY.filter((record) => lengthOf(record) === null).length;
    assertRows(found, bins);
    assertCounts(found, lengths.length, RECORDS - lengths.length - missing, missing);
    assert(
      found.notes.some((note) =>
        note.includes("a length outside 1 to 5,000,000 bp in Sequence Length") && note.includes("1,000,000,000,000,000")
      ),
      found.notes.join("\n"),
    );
  });

  await t.step("topTaxa", async () => {
    const groups = groupsOf("Species");
    const known = groups.reduce((sum, [, count]) => sum + count, 0);
    const bars = [
      ...groups.slice(0, 3).map(([name, count]) => [name, "taxon", count]),
      ["other (1 species)", "other", groups.slice(3).reduce((sum, [, count]) => sum + count, 0)],
      ["missing", "missing", RECORDS - known],
    ];
    const found = await analysis.topTaxa(frame, { ...options, top: 3 });
    assertRows(found, bars.map((row) => [...row, Number(row[2]) / RECORDS]));
    assertCounts(found, known, 0, RECORDS - known);
  });

  for (const by of ["year", "month"] as const) {
    for (const [date, field] of [["collection", "collected"], ["release", "released"]] as const) {
      await t.step(`recordsInTime by ${by} of ${date}`, async () => {
        const dates = UNTIDY.map((record) => record[field]);
        const placed = dates.filter((date) => date.state === "known" && date[by] !== undefined);
        const rows = [...countBy(placed.map((date) => `${date[by]} ${date.precision}`))].map(([key, count]) => [
          ...key.split(" "),
          count,
        ]);
        const order = ["day", "month", "year"];
        rows.sort((a, b) =>
          a[0] === b[0] ? order.indexOf(String(a[1])) - order.indexOf(String(b[1])) : a[0] < b[0] ? -1 : 1
        );
        const missing = dates.filter(({ state }) => state === "missing").length;
        const found = await analysis.recordsInTime(frame, { ...options, by, date });
        assertRows(found, rows);
        assertCounts(found, placed.length, RECORDS - placed.length - missing, missing);
        for (
          const says of [`before 1900-01-01 in`, `after the day of the data, ${SNAPSHOT} in`, "no readable date in"]
        ) {
          assert(found.notes.some((note) => note.includes(says)), found.notes.join("\n"));
        }
        assert(found.notes.some((note) => note.includes("2020-05-051")), "what is not readable is named");
      });
    }
  }

  await t.step("gcByMolecule", async () => {
    const percentOf = ({ raw }: UntidyRecord) => {
      const gc = raw["GC Content"];
      return typeof gc === "number" && gc >= 0 && gc <= 1 ? gc * 100 : null;
    };
    const found = await analysis.gcByMolecule(frame, { ...options, atLeast: 1 });
    assertRows(found, quantilesBy("Molecule Type", percentOf));
    const named = UNTIDY.filter(({ key }) => key["Molecule Type"] !== null);
    const missing = RECORDS - named.filter(({ raw }) => raw["GC Content"] !== null).length;
    const shown = named.filter((record) => percentOf(record) !== null).length;
    assertCounts(found, shown, RECORDS - shown - missing, missing);
    assert(found.notes.some((note) => note.includes("taken for shares")), found.notes.join("\n"));
    assert(found.notes.some((note) => note.includes("outside 0 to 100 %") && note.includes("10,100")));
  });

  await t.step("lengthByFamily", async () => {
    const valueOf = (record: UntidyRecord) => {
      const length = lengthOf(record);
      return isLength(length) ? length : null;
    };
    assertRows(await analysis.lengthByFamily(frame, { ...options, atLeast: 1 }), quantilesBy("Family", valueOf));
  });

  await t.step("clusterSizes", async () => {
    const sizes = countBy(groupsOf("Cluster").map(([, count]) => count));
    let rank = 0;
    const rows = [...sizes].sort(([a], [b]) => b - a).map(([size, clusters]) => [
      size,
      clusters,
      rank + 1,
      rank += clusters,
    ]);
    const known = groupsOf("Cluster").reduce((sum, [, count]) => sum + count, 0);
    const found = await analysis.clusterSizes(frame, options);
    assertRows(found, rows);
    assertCounts(found, known, 0, RECORDS - known);
  });

  await t.step("rarefaction", async () => {
    const abundances = groupsOf("Family").map(([, count]) => count);
    const n = abundances.reduce((sum, count) => sum + count, 0);
    const unseen = abundances.map(() => 1);
    const exact = Array.from({ length: n }, (_, drawn) => {
      for (const [kind, count] of abundances.entries()) unseen[kind] *= Math.max(0, n - count - drawn) / (n - drawn);
      return unseen.reduce((sum, share) => sum + 1 - share, 0);
    });
    const { frame: found } = await analysis.rarefaction(frame, {
      ...options,
      by: "family",
      orders: [0],
      extrapolate: false,
      bootstrap: 0,
    });
    const rows = plainRows(found.select("records", "expected")).map((
      [records, expected],
    ) => [Number(records), Number(expected)]);
    assertEquals(rows.at(-1)?.[0], n);
    for (const [records, expected] of rows) assertAlmostEquals(expected, exact[records - 1], 1e-6);
  });

  await t.step("fieldCompleteness, completenessBySource and schemaCard agree", async () => {
    const isBlank = (raw: unknown) => raw === null || typeof raw === "string" && raw.trim() === "";
    const dates: Record<string, keyof Pick<UntidyRecord, "collected" | "released">> = {
      "Collection Date": "collected",
      "Release Date": "released",
    };
    const kindOf = (record: UntidyRecord, field: string) => {
      const raw = record.raw[field];
      if (isBlank(raw)) return "empty";
      const says = Object.hasOwn(dates, field)
        ? record[dates[field]].state === "missing"
        : Object.hasOwn(record.key, field) && record.key[field] === null;
      return says ? "placeholder" : "filled";
    };
    const counts = new Map(COLUMNS.map((field) => [field, countBy(UNTIDY.map((record) => kindOf(record, field)))]));
    const completeness = plainRows((await analysis.fieldCompleteness(frame, options)).frame);
    assertEquals(completeness.length, COLUMNS.length);
    for (const [field, ...found] of completeness) {
      const expected = counts.get(String(field));
      assertEquals(
        found,
        (["filled", "placeholder", "empty"] as const).map((kind) => expected?.get(kind) ?? 0),
        String(field),
      );
    }
    const card = (await analysis.schemaCard(frame, options)).frame.toRecords();
    for (const { field: name, values, distinct } of card) {
      const field = String(name);
      assertEquals(Number(values), counts.get(field)?.get("filled") ?? 0, field);
      const texts = new Set(
        UNTIDY.filter((record) => kindOf(record, field) === "filled").map(({ raw }) => raw[field]),
      );
      assertEquals(Number(distinct), texts.size, field);
    }
    const bySource = plainRows((await analysis.completenessBySource(frame, options)).frame);
    assertEquals(bySource.length, 3 * (COLUMNS.length - 1));
    for (const [field, source, records, placeholder, empty] of bySource) {
      const own = UNTIDY.filter(({ key }) => (key["Data Source"] ?? "none stated") === source);
      const kinds = countBy(own.map((record) => kindOf(record, String(field))));
      assertEquals([records, placeholder, empty], [own.length, kinds.get("placeholder") ?? 0, kinds.get("empty") ?? 0]);
    }
  });

  /** Cells of two fields, largest rows and columns first. */
  const cellsOf = (rowsOf: string, columnsOf: string): [string, string, number][] => {
    const both = UNTIDY.filter(({ key }) => key[rowsOf] !== null && key[columnsOf] !== null);
    const [rows, columns] = [groupsOf(rowsOf, both), groupsOf(columnsOf, both)];
    return rows.flatMap(([row]) =>
      columns.flatMap(([column]): [string, string, number][] => {
        const records = both.filter(({ key }) => key[rowsOf] === row && key[columnsOf] === column).length;
        return records === 0 ? [] : [[row, column, records]];
      })
    );
  };

  await t.step("hostRange", async () => {
    assertRows(await analysis.hostRange(frame, options), cellsOf("Family", "Host Species"));
  });

  await t.step("taxonomyAgreement", async () => {
    assertRows(await analysis.taxonomyAgreement(frame, options), cellsOf("Rank", "Relation"));
  });

  await t.step("worldMap", async () => {
    const codes: Record<string, string> = { "Kenya": "KEN", "French Guiana": "GUF", "R\u00e9union": "REU" };
    const drawn: Record<string, string> = {
      "Kenya": "shape",
      "French Guiana": "shape",
      "R\u00e9union": "dot",
      "Baltic Sea": "dot",
    };
    const groups = groupsOf("Country");
    const found = await analysis.worldMap(frame, options);
    const rows = [
      ...groups.filter(([name]) => Object.hasOwn(codes, name)),
      ...groups.filter(([name]) => !Object.hasOwn(codes, name)),
    ];
    assertEquals(
      plainRows(found.frame).map(([code, place, records, , kind]) => [code, place, records, kind]),
      rows.map(([name, count]) => [codes[name] ?? null, name, count, drawn[name] ?? null]),
    );
    const lost = groups.filter(([name]) => !Object.hasOwn(drawn, name));
    const sum = lost.reduce((sum, [, count]) => sum + count, 0);
    const known = groups.reduce((sum, [, count]) => sum + count, 0);
    assertCounts(found, known - sum, sum, RECORDS - known);
    assert(found.chart?.caption.includes(`Not on the map: ${sum} records, ${lost.map(([name]) => name).join(", ")}.`));
  });

  await t.step("submissionFlow", async () => {
    const isCountry = (name: string | null) => ["Kenya", "French Guiana", "R\u00e9union"].includes(name ?? "");
    const pairs = UNTIDY.filter(({ key }) => isCountry(key.Country) && isCountry(key["Submitter Country"]));
    const found = await analysis.submissionFlow(frame, options);
    const cells = countBy(pairs.map(({ key }) => `${key.Country}|${key["Submitter Country"]}`));
    assertEquals(
      new Map(plainRows(found.frame).map(([from, to, records]) => [`${from}|${to}`, Number(records)])),
      cells,
    );
    const missing = UNTIDY.filter(({ key }) => key.Country === null || key["Submitter Country"] === null).length;
    assertCounts(found, pairs.length, RECORDS - pairs.length - missing, missing);
  });

  await t.step("qualityTiers", async () => {
    const tierOf = (record: UntidyRecord) => {
      const [length, ambiguous] = [lengthOf(record), record.raw["Ambiguous Bases"]];
      if (length === null || ambiguous === null || record.key["Genome Completeness"] === null) return "missing";
      if (!isLength(length) || Number(ambiguous) < 0 || Number(ambiguous) > length) return "excluded";
      const share = Number(ambiguous) / length;
      return share === 0 ? "none" : share <= 0.01 ? "up to 1 %" : share <= 0.05 ? "1 % to 5 %" : "above 5 %";
    };
    const tiers = ["none", "up to 1 %", "1 % to 5 %", "above 5 %"];
    const shown = UNTIDY.filter((record) => tiers.includes(tierOf(record)));
    const rows = groupsOf("Genome Completeness", shown).flatMap(([group]) =>
      tiers.flatMap((tier) => {
        const records = shown.filter((record) =>
          record.key["Genome Completeness"] === group && tierOf(record) === tier
        ).length;
        return records === 0 ? [] : [[group, tier, records, null]];
      })
    );
    const missing = UNTIDY.filter((record) => tierOf(record) === "missing").length;
    const found = await analysis.qualityTiers(frame, options);
    assertRows(found, rows);
    assertCounts(found, shown.length, RECORDS - shown.length - missing, missing);
  });

  await t.step("segmentsPerIsolate", async () => {
    const used = UNTIDY.filter(({ key }) => ["Isolate", "Species", "Segment"].every((field) => key[field] !== null));
    const segmentsOf = (records: readonly UntidyRecord[]) => new Set(records.map(({ key }) => key.Segment)).size;
    const rows = countBy([...countBy(used.map(({ key }) => `${key.Species}|${key.Isolate}`)).keys()].map((pair) => {
      const [species, isolate] = pair.split("|");
      const own = used.filter(({ key }) => key.Species === species);
      const segments = segmentsOf(own.filter(({ key }) => key.Isolate === isolate));
      return `${segments} ${segments === segmentsOf(own) ? "complete" : "incomplete"}`;
    }));
    const expected = [...rows].map(([key, count]) => [Number(key.split(" ")[0]), key.split(" ")[1], count] as const)
      .sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));
    const found = await analysis.segmentsPerIsolate(frame, options);
    assertRows(found, expected);
    assert(found.chart?.subtitle?.includes(`from ${used.length} records`), found.chart?.subtitle);
  });

  await t.step("stratifiedSample", async () => {
    const drawn = await analysis.stratifiedSample(frame, { ...options, by: "family", most: 20 });
    assertRows(drawn, groupsOf("Family").map(([name, count]) => [name, count, Math.min(count, 20)]));
    const ids = new Set((await drawn.records()).getColumn("Registry Accession").toArray());
    const own = UNTIDY.filter(({ id }) => ids.has(id));
    assertEquals(
      groupsOf("Family", own).map(([, count]) => count),
      groupsOf("Family").map(([, count]) => Math.min(count, 20)),
    );
  });

  await t.step("clusterQuality", async () => {
    const classes = ["100 %", "99 to 100 %", "95 to 99 %", "90 to 95 %", "70 to 90 %", "below 70 %"];
    const classOf = (value: number) => classes[[100, 99, 95, 90, 70, -Infinity].findIndex((least) => value >= least)];
    const pairs = UNTIDY.filter(({ raw }) => raw.Representative !== raw.Member);
    const isPercent = (value: string | number | null) => value === null || Number(value) >= 0 && Number(value) <= 100;
    const usable = pairs.filter(({ raw }) => isPercent(raw.Identity) && isPercent(raw.Coverage));
    const known = usable.filter(({ raw }) => raw.Identity !== null && raw.Coverage !== null);
    const cells = countBy(known.map(({ raw }) => `${classOf(Number(raw.Identity))}|${classOf(Number(raw.Coverage))}`));
    const rows = classes.flatMap((identity) =>
      classes.flatMap((coverage) => {
        const count = cells.get(`${identity}|${coverage}`);
        return count === undefined ? [] : [[identity, coverage, count]];
      })
    );
    const found = await analysis.clusterQuality(frame, options);
    assertRows(found, rows);
    assertCounts(found, known.length, RECORDS - usable.length, usable.length - known.length);
  });

  await t.step("releaseLag", async () => {
    const states = (record: UntidyRecord) => [record.collected.state, record.released.state];
    const both = UNTIDY.filter((record) => !states(record).includes("missing"));
    const dayOf = (date: DateMeaning) => date.state === "known" ? date.day : undefined;
    const lags = both.flatMap(({ collected, released }) => {
      const [from, to] = [dayOf(collected), dayOf(released)];
      return from === undefined || to === undefined || to < from ? [] : [to - from];
    });
    const found = await analysis.releaseLag(frame, options);
    const bins = plainRows(found.frame).map(([from, to, records]) => [Number(from), Number(to), Number(records)]);
    assert(bins.every(([from, to]) => to - from < 36), "no year 0020 makes bins of decades");
    assertEquals(
      bins.map(([, , records]) => records),
      bins.map(([from, to]) => lags.filter((lag) => lag >= from && lag <= to).length),
    );
    assertCounts(found, lags.length, both.length - lags.length, RECORDS - both.length);
  });

  await t.step("compareSets", async () => {
    const found = await analysis.compareSets(untidyLake(), { ...options, top: 4 });
    const rows = groupsOf("Species").slice(0, 4).flatMap(([species]) =>
      Object.entries(SETS).map(([set, records]) => {
        const groups = new Map(groupsOf("Species", records));
        const all = [...groups.values()].reduce((sum, count) => sum + count, 0);
        return [species, set, groups.get(species) ?? 0, (groups.get(species) ?? 0) / all];
      })
    );
    assertRows(found, rows);
  });

  await t.step("compareLengths", async () => {
    const found = await analysis.compareLengths(untidyLake(), options);
    const rows = plainRows(found.frame);
    for (const [set, records] of Object.entries(SETS)) {
      const lengths = records.map(lengthOf).filter(isLength);
      const bins = rows.filter(([name]) => name === set);
      assertEquals(bins.reduce((sum, [, , , count]) => sum + Number(count), 0), lengths.length);
      for (const [, from, to, count, share] of bins) {
        const own = lengths.filter((length) => length >= Number(from) && length <= Number(to)).length;
        assertEquals(count, own);
        assertAlmostEquals(Number(share), own / lengths.length, 1e-9);
      }
    }
  });

  await t.step("gcAgreement", async () => {
    const differences = UNTIDY.flatMap(({ raw, computed }) => {
      const gc = raw["GC Content"];
      return typeof gc === "number" && gc >= 0 && gc <= 1 ? [Math.abs(gc * 100 - computed)] : [];
    });
    const within = (low: number, high: number) =>
      differences.filter((one) => one > low + 1e-9 && one <= high + 1e-9).length;
    const found = await analysis.gcAgreement(untidyLake(), options);
    assertRows(found, [
      ["up to 0.01", within(-1, 0.01)],
      ["0.01 to 0.1", within(0.01, 0.1)],
      ["0.1 to 1", within(0.1, 1)],
      ["above 1", within(1, Infinity)],
    ]);
    const missing = UNTIDY.filter(({ raw }) => raw["GC Content"] === null).length;
    assertCounts(found, differences.length, RECORDS - differences.length - missing, missing);
  });
});
