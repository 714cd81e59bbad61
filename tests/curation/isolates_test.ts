import { assertEquals, assertRejects } from "@std/assert";
import { groupIsolates } from "../../src/curation/_isolate_parts.ts";
import { isolateTsv } from "../../src/curation/_isolate_rows.ts";
import { createSpecies } from "../../src/curation/_isolate_tables.ts";
import { RecordTable } from "../../src/curation/_record_table.ts";
import { isolates } from "../../src/curation/isolates.ts";
import { readSegments } from "../../src/curation/segment_names.ts";
import { writeAtomic } from "../../src/core/io/files/atomic_file.ts";
import { readTsv, type Rows, withTable } from "./_tables.ts";

const FLU = "Alphainfluenzavirus influenzae";
const ROWS: Rows = [
  ["accession", "Species", "Isolate", "Segment", "Country", "Host", "Collection date"],
  ...["PB2", "seg 2", "3", "Segment 04 (HA)", "NP", "NA", "MP", "8"].map((segment, at) => [
    `f${at}`,
    FLU,
    "A/1",
    segment,
    "Peru",
    at === 2 ? "unknown" : "duck",
    at === 0 ? "2016" : "2016-01-02",
  ]),
  ["g1", FLU, "A/2", "1", "Peru", "duck", "2016-01"],
  ["g2", FLU, "A/2", "PB2", "Mali", "duck", "2016-02"],
  ["g3", FLU, "A/2", "HA/NA", "Mali", "swine", ""],
  ["o1", "Other virus", "x", "RNA1", "", "", ""],
  ["o2", "Other virus", " x ", "RNA-2", "", "", ""],
  ["o3", "Other virus", "y", "segment 1", "", "", ""],
  ["o4", "Other virus", "y", "1 and 2", "", "", ""],
  ["w", "Whole virus", "x", "", "", "", ""],
  ["n", "Whole virus", "not provided", "", "", "", ""],
  ["", "", "x", "", "", "", ""],
];

Deno.test("isolates() reads segments by a table, else by what the species has, and reports what is unclear", async () => {
  await withTable(ROWS, async (path, folder) => {
    await using found = await isolates(path);
    const rows = await Array.fromAsync(found.rows());
    const [whole, part, both, one, alone] = rows;
    assertEquals(rows.map(({ species, isolate, records }) => [species, isolate, records]), [
      [FLU, "A/1", 8],
      [FLU, "A/2", 3],
      ["Other virus", "x", 2],
      ["Other virus", "y", 2],
      ["Whole virus", "x", 1],
    ]);
    assertEquals([whole.segments.join(""), whole.complete, whole.source], ["12345678", true, "table"]);
    assertEquals([whole.missing, whole.duplicate, whole.conflicting, whole.ambiguous], [[], [], [], []]);
    assertEquals(part.missing, ["2", "3", "4", "5", "6", "7", "8"]);
    assertEquals([part.duplicate, part.ambiguous], [["1"], ["HA/NA"]]);
    assertEquals(part.conflicting, ["country", "host", "collectionDate"]);
    assertEquals(part.accessions.map(({ accession, segment }) => [accession, segment]), [
      ["g1", "1"],
      ["g2", "1"],
      ["g3", null],
    ]);
    assertEquals([both.segments, both.complete, both.source], [["RNA1", "RNA-2"], true, "observed"]);
    assertEquals([one.segments, one.missing, one.ambiguous], [["RNA1"], ["RNA-2"], ["1 and 2"]]);
    assertEquals([alone.segments, alone.complete, alone.source], [[], null, null]);
    assertEquals([found.records, found.grouped, found.isolates], [ROWS.length - 1, 16, 5]);
    assertEquals([found.complete, found.duplicate, found.conflicting, found.ambiguous], [2, 1, 1, 2]);
    assertEquals(found.ledger.entries.map(({ code, count }) => [code, count]), [
      ["word-is-value", 1],
      ["without-isolate", 2],
      ["segments-ambiguous", 2],
    ]);
    await found.save(`${folder}/isolates.tsv`);
    const [, line] = await readTsv(`${folder}/isolates.tsv`);
    assertEquals(line, {
      species: FLU,
      isolate: "A/2",
      records: "3",
      segments: "1",
      missing: "2;3;4;5;6;7;8",
      complete: "false",
      source: "table",
      duplicate: "1",
      conflicting: "country;host;collectionDate",
      ambiguous: "HA/NA",
      accessions: "1=g1;1=g2;g3",
    });
  });
});

Deno.test("isolates() needs a field of isolates, and one of accessions", async () => {
  await withTable([["accession", "Species"], ["a", "b"]], async (path) => {
    await assertRejects(() => isolates(path), RangeError, "hold their isolate");
  });
});

Deno.test("readSegments() never guesses: names with two meanings are ambiguous", () => {
  const read = (taxa: string[], ...texts: string[]) => {
    const { texts: found } = readSegments(taxa, new Map(texts.map((text) => [text, 1])));
    return texts.map((text) => found.get(text)!.segment ?? (found.get(text)!.isAmbiguous ? "ambiguous" : "none"));
  };
  assertEquals(read(["Influenza B virus"], "1", "PB1", "seg 4"), ["ambiguous", "PB1", "4"]);
  assertEquals(read(["x", "Orthohantavirus"], "Large", "RNA-M", "S segment", "1"), ["L", "M", "S", "ambiguous"]);
  assertEquals(read(["Influenza A virus"], "NA", "HA", "na", "n/a", ""), ["6", "4", "none", "none", "none"]);
  assertEquals(read(["Influenza A virus"], "NA", "1"), ["ambiguous", "1"]);
  assertEquals(read(["Influenza A virus"], "na", "ha", "NA"), ["6", "4", "ambiguous"]);
  assertEquals(read(["H5N1"], "NA", "HA", "n/a"), ["NA", "HA", "none"]);
  assertEquals(read(["Rift Valley fever virus"], "L", "M", "S", "NA"), ["L", "M", "S", "none"]);
  assertEquals(read(["Beta virus"], "A", "DNA-A", "dna b", "A,B", "?"), ["A", "A", "dna b", "ambiguous", "none"]);
});

Deno.test("readSegments() reads words between underscores and hyphens as those between spaces", () => {
  const written = ["segment_4", "Seg_05 (NP)", "genome_segment_7"];
  const flu = readSegments(["Influenza A virus"], new Map(written.map((text) => [text, 1])));
  assertEquals([...flu.texts.values()].map(({ segment }) => segment), ["4", "5", "7"]);
  const names = ["Segment_1", "1", "S_segment", "S-segment", "S"].map((text, at) => [text, 9 - at] as const);
  const { segments, texts } = readSegments(["Example virus"], new Map(names));
  assertEquals(segments, ["1", "S"]);
  assertEquals([...texts.values()].map(({ segment }) => segment), ["1", "1", "S", "S", "S"]);
});

Deno.test("readSegments() takes the words for a whole genome for no segment, where no record names one", () => {
  const words = ["genome", "Complete genome", "whole_genome", "non-segmented", "unsegmented", "not segmented"];
  const whole = readSegments(["Zika virus"], new Map(words.map((word) => [word, 1])));
  assertEquals(whole.segments, []);
  for (const word of words) assertEquals(whole.texts.get(word), { isAmbiguous: false }, word);

  // Of a species with segments such a record may hold any of them.
  const some = readSegments(["Example virus"], new Map([["genome", 1], ["L", 2]]));
  assertEquals([some.segments, some.texts.get("genome")], [["L"], { isAmbiguous: true }]);
  assertEquals(readSegments(["Influenza A virus"], new Map([["genome", 1]])).texts.get("genome")?.isAmbiguous, true);
  assertEquals(readSegments(["Zika virus"], new Map([["genome 1 and 2", 1]])).texts.get("genome 1 and 2"), {
    segment: "1 and 2",
    isAmbiguous: false,
  });
});

Deno.test("groupIsolates() finds the same isolates in the same order whatever the size of its parts", async () => {
  const rows = Array.from({ length: 90 }, (_, at) => [
    `a${at}`,
    at % 3 === 0 ? FLU : "Small virus",
    at % 7 === 0 ? "" : at % 11 === 0 ? "not provided" : `I'${at * 37 % 24}`,
    String(at % 8),
  ]);
  await withTable([["accession", "Species", "Isolate", "Segment"], ...rows], async (path, folder) => {
    const texts: string[] = [];
    for (const recordsOfPart of [1000, 9, 1]) {
      await using records = await RecordTable.open(path, { purpose: "test" });
      const isolate = records.find("isolate")!;
      const species = await createSpecies(records, isolate);
      await groupIsolates(records, { isolate, species, recordsOfPart, every: 1 });
      const file = `${folder}/${recordsOfPart}.tsv`;
      await writeAtomic(file, isolateTsv(records.sql));
      texts.push(await Deno.readTextFile(file));
    }
    assertEquals(texts[1], texts[0]);
    assertEquals(texts[2], texts[0]);
    const named = rows.filter(([, , isolate]) => isolate.startsWith("I")).map(([, ...values]) =>
      values.slice(0, 2).join()
    );
    assertEquals(texts[0].split("\n").length, new Set(named).size + 2);
  });
});

Deno.test("isolates() tells Namibia from a missing country, and says so", async () => {
  const countries = ["KE", "DE", "NA", "NA", "N/A", "DE"];
  const rows: Rows = [
    ["accession", "Species", "Isolate", "Segment", "Country"],
    ...countries.map((country, at) => [`c${at}`, "Example virus", `i${at % 3}`, String(at), country]),
  ];
  await withTable(rows, async (path) => {
    await using found = await isolates(path);
    const isolated = await Array.fromAsync(found.rows());
    // The isolates hold KE and NA, DE and N/A, NA and DE.
    assertEquals(isolated.map(({ conflicting }) => conflicting), [["country"], [], ["country"]]);
    assertEquals(found.ledger.warnings, [
      "NA in Country is Namibia, not a missing value: most of the other values are two-letter codes of countries",
    ]);
  });
});
