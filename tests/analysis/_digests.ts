/** Digests of what every analysis returns for the same small data; as a program it prints them. */
import { createHash } from "node:crypto";
import pl from "nodejs-polars";
import { RECIPES } from "./_recipes.ts";

const ROWS = 400;
const TEXT_FIELDS = [
  ...["Registry Accession", "Molecule Type", "Genome Completeness", "Species", "Family", "Host Species", "Country"],
  ...["Collection Date", "Release Date", "Submitter Country", "Segment", "Isolate", "Cluster", "Data Source"],
];

function valueOf(field: string, row: number): string {
  if (field.endsWith("Date")) return `${2000 + row % 20}-0${1 + row % 9}-11`;
  if (field.includes("Country")) return ["Kenya", "Türkiye", "USSR"][row % 3];
  return field === "Registry Accession" ? String(row) : `ÄI ${row % 7}`;
}

const each = <T>(make: (row: number) => T) => Array.from({ length: ROWS }, (_, row) => make(row));
const frame = pl.DataFrame([
  ...TEXT_FIELDS.map((field) => pl.Series(field, each((row) => valueOf(field, row)), pl.String)),
  ...["Sequence Length", "GC Content", "Ambiguous Bases"].map((field) =>
    pl.Series(field, each((row) => 1000 + row * 7), pl.Int64)
  ),
]);

/** A line for each analysis: its name, and a digest of its chart, notes and numbers. */
export async function digestAll(): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, analyse] of Object.entries(RECIPES)) {
    const { chart, notes, frame: numbers } = await analyse(frame, "2026-01-31");
    const all = JSON.stringify([chart?.svg, notes, numbers.toRecords()]);
    lines.push(`${name} ${createHash("sha256").update(all).digest("hex")}`);
  }
  return lines;
}

if (import.meta.main) console.log((await digestAll()).join("\n"));
