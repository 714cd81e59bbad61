import { gzipSync } from "node:zlib";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import type { RenamedTaxon } from "../../../src/again/diff/diff_result.ts";
import { diffToHtml } from "../../../src/again/diff/formats/html.ts";
import { diffToText } from "../../../src/again/diff/text.ts";
import { csvRow } from "../../../src/core/io/csv/csv_text.ts";
import { buildLake } from "../../../src/core/tables/lake/objects/build_any_lake.ts";
import { inFolder } from "../../_files.ts";
import type { Rows } from "./_versions.ts";

const [OLD, NEW] = ["Human orthopneumovirus", "Orthopneumovirus hominis"];
const HEADER = ["Registry Accession", "Species", "Host Species"];
const BEFORE = [HEADER, ["vj000000000001", OLD, "a"], ["vj000000000002", OLD, "b"], ["vj000000000003", NEW, "c"], [
  "vj000000000004",
  "Zika virus",
  "d",
], [
  "vj000000000005",
  OLD,
  "e",
]];
const AFTER = [HEADER, ["vj000000000001", NEW, "a"], ["vj000000000002", NEW, "b"], ["vj000000000003", OLD, "c"], [
  "vj000000000004",
  "Dengue virus",
  "d",
], [
  "vj000000000005",
  OLD,
  "e",
]];
const NAMES: Rows = [[OLD, NEW], ["Zika virus", "Zika virus"], ["Dengue virus", ""]];

/** What of the names of taxa is grouped, in both directions. */
const GROUPED: readonly RenamedTaxon[] = [{ old: OLD, new: NEW, cells: 2 }, { old: NEW, new: OLD, cells: 1 }];

/** Writes a version: its metadata, and its map of names under these two columns unless there are none. */
async function writeVersion(folder: string, rows: Rows, columns?: readonly [string, string]): Promise<void> {
  const write = async (name: string, rows: Rows) =>
    await Deno.writeFile(
      `${folder}/${name}.csv.gz`,
      gzipSync(rows.map((row) => `${csvRow(row)}\n`).join("")),
    );
  await Deno.mkdir(folder);
  await write("registryv1_full_dataset_metadata", rows);
  const [from, to] = columns ?? [];
  const map = NAMES.map(([name, mapped]) => [name, "species", mapped, "equal"]);
  if (from !== undefined && to !== undefined) {
    await write("reftax1_to_reftax2_map", [[from, "Rank", to, "Relation"], ...map]);
  } else await write("registryv1_unique_seqs_metadata", rows.slice(0, 2));
}

const CASES: readonly {
  readonly what: string;
  readonly maps: readonly [old?: readonly [string, string], new?: readonly [string, string]];
  readonly taxa: readonly RenamedTaxon[];
}[] = [
  { what: "both versions have", maps: [["Taxon", "Mapped Taxon"], ["Taxon", "Mapped Taxon"]], taxa: GROUPED },
  { what: "the old version has", maps: [["Reftax1 Name", "Reftax2 Name"]], taxa: GROUPED },
  { what: "the new version has", maps: [undefined, ["reftax1", "reftax2"]], taxa: GROUPED },
  { what: "neither version has", maps: [], taxa: [] },
];

for (const { what, maps: [before, after], taxa } of CASES) {
  Deno.test(`diffLakes() groups the new names of taxa by the taxonomy archive that ${what}`, async () => {
    await inFolder(async (folder) => {
      const [old, now] = [`${folder}/old`, `${folder}/new`];
      await writeVersion(old, BEFORE, before);
      await writeVersion(now, AFTER, after);
      for (const place of [old, now]) await buildLake(place, `${place}-lake`);
      for (const [one, other] of [[old, now], [`${old}-lake`, `${now}-lake`], [`${old}-lake`, now]]) {
        await using diff = await diffLakes(one, other);
        const table = diff.tables.find(({ table }) => table === "full_dataset_metadata")!;
        assertEquals([table.taxa, table.changed, table.fields.Species], [taxa, 4, { value: 4 }]);
        const text = (await Array.fromAsync(diffToText(diff))).join("");
        const line = /renamed taxa, as the taxonomy archive has them: (.*)\n/.exec(text)?.[1];
        const page = await diffToHtml(diff);
        if (taxa.length === 0) {
          assertEquals([line, page.includes("Renamed taxa")], [undefined, false]);
          continue;
        }
        assertEquals(line, `${OLD} → ${NEW} (2 values), ${NEW} → ${OLD} (1 value)`);
        assertStringIncludes(
          page,
          `<p>Renamed taxa, as the taxonomy archive has them: ${OLD} → ${NEW} (2), ${NEW} → ${OLD} (1)</p>`,
        );
      }
    });
  });
}
