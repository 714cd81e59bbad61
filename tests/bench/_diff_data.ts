/** Two versions of metadata in 80 columns, of which one row in a hundred changed, as archives and as lakes. */
import { gunzip } from "../../src/core/io/gzip/gunzip.ts";
import { join } from "node:path";
import { buildLake } from "../../src/core/tables/mod.ts";
import { type EditRow, INTEGER_FIELDS, isThere, writeMetadata } from "./_lake_data.ts";

/** Every so many rows one has another value, is gone, or has a new one after it. */
const CHANGED_EVERY = 100;
const REMOVED_EVERY = 10_000;
const ADDED_EVERY = 20_000;

/** A changed value in the last field. */
const CHANGED = "4321";

/** What a later version has otherwise. */
export const laterRow: EditRow = (text, number) => {
  if (number % REMOVED_EVERY === 7) return "";
  const row = number % CHANGED_EVERY === 3 ? `${text.slice(0, text.lastIndexOf(",") + 1)}${CHANGED}\r\n` : text;
  return number % ADDED_EVERY === 5 ? `${row}${text.replace(/^vj/, "vj9").replace(/^vj9(\d{11})\d/, "vj9$1")}` : row;
};

/** What a comparison of `rows` rows finds. */
export function plantedChanges(
  rows: number,
): { readonly changed: number; readonly added: number; readonly removed: number } {
  const count = (every: number, rest: number) =>
    Math.max(0, Math.floor((rows - rest) / every) + (rows >= rest ? 1 : 0));
  return {
    changed: count(CHANGED_EVERY, 3),
    removed: count(REMOVED_EVERY, 7),
    added: count(ADDED_EVERY, 5),
  };
}

/** Two versions in several forms, the old one first. */
export interface Versions {
  /** CSV as gzip. */
  readonly archives: readonly [string, string];
  readonly lakes: readonly [string, string];
}

/** Makes two versions of `rows` times `copies` records, once. */
export async function makeVersions(folder: string, rows: number, copies: number): Promise<Versions> {
  const places = ["old", "new"].map((name) => join(folder, `${name}-${rows}x${copies}`));
  const archives = places.map((place) => `${place}.csv.gz`);
  for (const [index, lake] of places.entries()) {
    if (!await isThere(archives[index])) {
      const part = `${archives[index]}.part`;
      await writeMetadata(part, rows, copies, index === 0 ? undefined : laterRow);
      await Deno.rename(part, archives[index]);
    }
    if (!await isThere(lake)) await buildLake(archives[index], lake, { definitions: definitions() });
  }
  return { archives: [archives[0], archives[1]], lakes: [places[0], places[1]] };
}

/** Makes the CSV of archives, once. */
export async function makeCsv([before, after]: readonly [string, string]): Promise<readonly [string, string]> {
  const plain = async (archive: string) => {
    const path = archive.replace(/\.gz$/, "");
    if (await isThere(path)) return path;
    const text = ReadableStream.from(gunzip((await Deno.open(archive)).readable, archive));
    await text.pipeTo((await Deno.open(`${path}.part`, { write: true, create: true, truncate: true })).writable);
    await Deno.rename(`${path}.part`, path);
    return path;
  };
  return [await plain(before), await plain(after)];
}

function definitions() {
  return INTEGER_FIELDS.map((name) => ({
    name,
    type: "integer" as const,
    unit: "",
    alias: name.toLowerCase().replaceAll(" ", "_"),
    description: "",
    example: "",
  }));
}
