/**
 * What checking page headers and footers costs when a lake is opened: `deno task bench lake_open`.
 *
 * One part of 50,000 rows × 80 columns is built and copied 327 times, which has as many files, pages and bytes to
 * compare as a lake of 15 million records.
 */
import { join } from "node:path";
import { buildLake, openLake } from "../../src/core/tables/mod.ts";
import { type LakeManifest, readManifest, writeManifest } from "../../src/core/tables/lake/build/lake_manifest.ts";
import { report } from "./_report.ts";

const ROWS = 50_000;
const COLUMNS = 80;
const PARTS = 327;
const RUNS = 15;

const scratch = await Deno.makeTempDir();
try {
  const lake = join(scratch, "lake");
  await writeCsv(join(scratch, "records.csv"));
  await buildLake(join(scratch, "records.csv"), lake);
  const rows = await repeatPart(join(lake, "records"));
  const figures: number[] = [];
  let equal = true;
  for (let run = 0; run <= RUNS; run++) {
    const begun = performance.now();
    await using opened = await openLake(lake);
    // The first run loads polars.
    if (run > 0) figures.push(performance.now() - begun);
    equal &&= opened.tables.get("records")?.rows === rows;
  }
  const work =
    `open a lake of ${rows} rows × ${COLUMNS} columns in ${PARTS} parts, every page header and footer compared`;
  const met = report("opening a lake", [{ work, ours: figures, unit: "ms", goal: { atMost: 100 }, equal }]);
  if (!met) Deno.exitCode = 1;
} finally {
  await Deno.remove(scratch, { recursive: true });
}

/** Writes rows whose columns have from 2 to 100,000 distinct values, texts and integers in turn. */
async function writeCsv(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  const names = Array.from({ length: COLUMNS - 1 }, (_, index) => `Field ${index}`);
  const lines = [`Registry Accession,${names.join(",")}\n`];
  for (let row = 0; row < ROWS; row++) {
    const cells = names.map((_, index) => {
      const value = Math.imul(row + 1, 2654435761 + index) >>> 8;
      const distinct = value % [2, 200, 3000, 100_000][index % 4];
      return index % 2 === 0 ? `value ${distinct}` : distinct;
    });
    lines.push(`vj${String(row).padStart(12, "0")},${cells.join(",")}\n`);
    if (row % 5000 === 4999 || row === ROWS - 1) {
      await new Blob([lines.splice(0).join("")]).stream().pipeTo(file.writable, { preventClose: true });
    }
  }
}

/** Copies the only part of a table until there are `PARTS` of them; returns the rows that the manifest then states. */
async function repeatPart(folder: string): Promise<number> {
  const { checksum: _, ...manifest } = await readManifest(folder) as LakeManifest;
  const [part] = manifest.files;
  const files = [part];
  for (let number = manifest.files.length; number < PARTS; number++) {
    const name = `part-9${String(number).padStart(4, "0")}.parquet`;
    await Deno.copyFile(join(folder, part.name), join(folder, name));
    files.push({ ...part, name });
  }
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  await writeManifest(folder, { ...manifest, files, rows, unique: rows });
  return rows;
}
