/** A lake on a disk that is full: whole, or nothing and a word on it. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import { buildLake, openLake } from "../../../../src/core/tables/mod.ts";
import { testNeeding } from "../../../_needs.ts";
import { needsSmallDisk, onSmallDisk } from "../../../_small_disk.ts";
import { accession, inFolder, namesIn, writeGzip } from "../_lake_files.ts";

/** Letters that hardly compress. */
function noise(seed: number, letters: number): string {
  let state = seed;
  return Array.from({ length: letters }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return "ACGT"[state >>> 30];
  }).join("");
}

const METADATA = ["Registry Accession,Country", ...rows((row) => noise(row, 300))].join("\n");
const SEQUENCES = ["Registry Accession,Sequence", ...rows((row) => noise(row, 40))].join("\n");

function rows(cell: (row: number) => string): string[] {
  return Array.from({ length: 800 }, (_, row) => `${accession(row + 1)},${cell(row + 1)}`);
}

const NAME = "a lake on a full disk is whole or absent, wherever the space ends, and the previous table stays";

testNeeding(needsSmallDisk(), NAME, async (t) => {
  await inFolder((archives) =>
    onSmallDisk(512, async (disk) => {
      await writeGzip(`${archives}/old.csv.gz`, "Registry Accession,Country\nx,Kenya\n");
      for (const [name, csv] of [["metadata", METADATA], ["sequences", SEQUENCES]]) {
        await t.step(name, async () => {
          const lake = `${disk}/${name}`;
          const archive = `${archives}/table.csv.gz`;
          await writeGzip(archive, "Registry Accession,Country\nx,Kenya\n");
          await buildLake([archive, `${archives}/old.csv.gz`], lake);
          await writeGzip(archive, `${csv}\n`);
          let refused = 0;
          for (let left = 4;; left += 12) {
            await Deno.writeFile(`${disk}/ballast`, new Uint8Array(0));
            await fill(`${disk}/ballast`, left);
            try {
              const [{ manifest }] = await buildLake(archive, lake);
              assertEquals(manifest.rows, 800);
              break;
            } catch (error) {
              if (!(error instanceof RegistryError)) throw error;
              assertEquals([error.code, error.message.includes(lake)], ["disk", true], error.message);
              assertStringIncludes(error.message, "the disk is full; free some space");
              refused++;
            }
            assertEquals(namesIn(lake), ["_lake", "old", "table"]);
            await using open = await openLake(lake);
            assertEquals((await open.scan("table").collect()).height, 1);
          }
          assertEquals([refused > 3, namesIn(lake)], [true, ["_lake", "old", "table"]]);
          await Deno.remove(`${disk}/ballast`);
        });
      }
    })
  );
});

/** Fills a disk but for some KiB. */
async function fill(ballast: string, leftKibibytes: number): Promise<void> {
  using file = await Deno.open(ballast, { write: true });
  try {
    for (;;) await file.write(new Uint8Array(4096));
  } catch {
    const { size } = await file.stat();
    await file.truncate(Math.max(0, size - leftKibibytes * 1024));
  }
}

Deno.test("buildLake() rejects a folder whose path leads through a file", () =>
  inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, "Registry Accession\nx\n");
    const error = await assertRejects(() => buildLake(`${folder}/a.csv.gz`, `${folder}/a.csv.gz/lake`), RegistryError);
    assertEquals(error.code, "disk");
    assertStringIncludes(error.message, "the path, or a part of it, is a file, not a folder; choose another name");
  }));
