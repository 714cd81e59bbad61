import { assert, assertEquals } from "@std/assert";
import pl, { type DataFrame } from "nodejs-polars";
import { type AnalysisLake, compareSets } from "../../../../src/analysis/mod.ts";
import { Random } from "../../../../src/analysis/statistics/random.ts";

/** A lake of two sets: everything, and one record of each cluster. */
function lakeOf(all: DataFrame, representatives: DataFrame): AnalysisLake {
  const frames = new Map([["full_dataset_metadata", all], ["votu_clusters_metadata", representatives]]);
  const columns = all.columns.map((name) => ({ name, field: name, type: "string" as const, dtype: "String" as const }));
  const facts = { idField: null, unique: all.height, files: [], definitions: [], misfits: {} };
  return {
    folder: "",
    main: "full_dataset_metadata",
    tables: new Map([...frames.keys()].map((table) => [table, { ...facts, columns }])),
    scan: (table = "full_dataset_metadata") => frames.get(table)!.lazy(),
  };
}

interface Row {
  readonly host: string | null;
  readonly submitter: string | null;
}

const asFrame = (rows: readonly Row[], hasSubmitter = true) =>
  pl.DataFrame({
    Host: rows.map(({ host }) => host),
    ...hasSubmitter && { Submitter: rows.map(({ submitter }) => submitter) },
  });

/** Forty submitters of people and pigs; what they send of people has four records to each that represents them. */
function records(): { readonly all: Row[]; readonly representatives: Row[] } {
  const random = new Random(3);
  const [all, representatives]: [Row[], Row[]] = [[], []];
  for (let at = 0; at < 40; at++) {
    const submitter = `lab ${at}`;
    for (const [host, times] of [["Homo sapiens", 4], ["Sus scrofa", 1]] as const) {
      for (let one = 2 + Math.floor(random.uniform() * 5); one > 0; one--) {
        representatives.push({ host, submitter });
        for (let copy = 0; copy < times; copy++) all.push({ host, submitter });
      }
    }
  }
  const rare = { host: "Pan paniscus", submitter: "lab 0" };
  all.push(rare, rare, { host: "Gorilla", submitter: null }, { host: null, submitter: "lab 1" });
  representatives.push(rare);
  return { all, representatives };
}

Deno.test("compareSets() returns ratios of shares with intervals over submitters, none for fewer than ten", async () => {
  const { all, representatives } = records();
  const { frame, chart, notes } = await compareSets(lakeOf(asFrame(all), asFrame(representatives)), {
    by: "host",
    measure: "ratio",
  });
  const [people, pigs, rare, gorilla] = frame.toRecords();
  const countOf = (rows: readonly Row[], host: string) => rows.filter((row) => row.host === host).length;
  const named = all.filter(({ host }) => host !== null).length;

  assertEquals([people.taxon, pigs.taxon, rare.taxon, gorilla.taxon], [
    "Homo sapiens",
    "Sus scrofa",
    "Pan paniscus",
    "Gorilla",
  ]);
  const ratio = countOf(all, "Homo sapiens") / named /
    (countOf(representatives, "Homo sapiens") / representatives.length);
  assertEquals(Number(people.ratio).toFixed(12), ratio.toFixed(12));
  assert(Number(people.low) > 1 && Number(pigs.high) < 1 && Number(people.adjusted) < 0.001);
  assertEquals([rare.low, rare.p, Number(rare.submitters), gorilla.ratio], [null, null, 1, null]);
  assert(chart?.svg.includes("Sus scrofa"));
  for (
    const words of [
      "bootstrap over 41 submitters",
      "Benjamini and Hochberg",
      "2 hosts have no interval",
      "1 record has no submitter",
    ]
  ) {
    assert(notes.some((note) => note.includes(words)), `${words}: ${notes.join("\n")}`);
  }
});

Deno.test("compareSets() notes why ratios have no interval without submitters", async () => {
  const { all, representatives } = records();
  const lake = lakeOf(asFrame(all, false), asFrame(representatives, false));
  const { frame, notes } = await compareSets(lake, { by: "host", measure: "ratio" });
  assertEquals(frame.toRecords().every(({ low, submitters }) => low === null && submitters === null), true);
  assert(notes.some((note) => note.includes("the data has no field of submitters")), notes.join("\n"));
});
