/** Segments that each isolate has, and those that each species has. */
import type { DataFrame } from "nodejs-polars";
import type { Role } from "../source/roles.ts";
import { KeyNumbers } from "./_key_numbers.ts";
import { hashedKeys, keyedRows, keyName } from "./keyed_rows.ts";
import type { Run } from "./run.ts";

/** Isolates that have as many segments, of species that have as many. */
export interface SetCount {
  /** Different segments of the species. */
  readonly whole: number;
  /** Different segments of the isolate. */
  readonly segments: number;
  readonly isolates: number;
}

/** Roles whose texts identify a segment of an isolate. */
type SetRole = "species" | "isolate" | "segment";

/** Counts isolates by number of segments of theirs and of their species, of the rows that have all three. */
export async function countSegmentSets(
  run: Run<SetRole, Role>,
): Promise<{ readonly sets: readonly SetCount[]; readonly rows: number }> {
  const roles: readonly SetRole[] = ["species", "isolate", "segment"];
  if (!run.abilities.hashes) return await groupedSets(run, roles);
  const hashes = await hashedKeys(run, roles);
  const sets = countSets(hashes).flatMap(({ segments: whole, isolates }) =>
    [...isolates].map(([segments, isolates]) => ({ whole, segments, isolates }))
  );
  return { sets, rows: hashes.height };
}

/** Has the engine count them. */
async function groupedSets(
  run: Run<SetRole, Role>,
  roles: readonly SetRole[],
): Promise<{ readonly sets: readonly SetCount[]; readonly rows: number }> {
  const { pl } = run;
  const [species, isolate, segment] = roles.map((_, at) => keyName(at));
  const [ROWS, WHOLE, SEGMENTS, ISOLATES] = ["seqreg_rows", "whole", "segments", "isolates"];
  const parts = (await keyedRows(run, roles)).groupBy([species, isolate, segment]).agg(pl.len().alias(ROWS));
  const kinds = parts.groupBy([species, segment]).agg(pl.len().alias(ROWS))
    .groupBy(species).agg(pl.len().alias(WHOLE));
  const counted = parts.groupBy([species, isolate]).agg(pl.len().alias(SEGMENTS), pl.col(ROWS).sum().alias(ROWS))
    .join(kinds, { on: species, how: "inner" })
    .groupBy([WHOLE, SEGMENTS]).agg(pl.len().alias(ISOLATES), pl.col(ROWS).sum().alias(ROWS));
  const found = (await run.collect(counted)).toRecords();
  const sets = found.map((row) => ({
    whole: Number(row[WHOLE]),
    segments: Number(row[SEGMENTS]),
    isolates: Number(row[ISOLATES]),
  }));
  return { sets, rows: found.reduce((sum, row) => sum + Number(row[ROWS]), 0) };
}

export interface SpeciesSets {
  /** Different segments of the species. */
  segments: number;
  /** Isolates by their number of different segments. */
  readonly isolates: Map<number, number>;
}

/** Rows, on average, that are looked at together: so many that their isolates fit into the memory that is near. */
const ROWS_TOGETHER = 1 << 15;
/** Words of a row that is dealt out: both halves of the key of its isolate, and its kind. */
const WORDS = 3;
/** An odd number: products of it with different numbers differ. */
const ODD = 0x9e3779b1;

/**
 * Counts isolates by species and number of different segments.
 *
 * @param hashes Rows × species, isolate, segment in this order, each a 64-bit hash of its own kind: equal texts in two
 * of the columns have different hashes, so that the combination of two hashes identifies a pair.
 */
export function countSets(hashes: DataFrame): SpeciesSets[] {
  const [species, isolate, segment] = hashes.columns.map((name) => halves(hashes, name));
  const rows = hashes.height;
  const sets: SpeciesSets[] = [];
  // A kind is a segment of a species.
  const setOfKind: SpeciesSets[] = [];
  const [speciesNumbers, kinds, isolates, parts] = [0, 1, 2, 3].map(() => new KeyNumbers());
  const kindOf = (at: number): number => {
    const [low, high] = [species[at], species[at + 1]];
    const kind = kinds.number((low ^ segment[at]) >>> 0, (high ^ segment[at + 1]) >>> 0);
    if (kind === setOfKind.length) {
      const number = speciesNumbers.number(low, high);
      if (number === sets.length) sets.push({ segments: 0, isolates: new Map() });
      setOfKind.push(sets[number]);
      sets[number].segments++;
    }
    return kind;
  };

  // Rows are dealt out by their isolate: a table of all isolates would be slow, since it lies in memory that is far.
  const bits = Math.min(16, Math.max(0, Math.ceil(Math.log2(rows / ROWS_TOGETHER))));
  const partOf = (at: number) => bits === 0 ? 0 : (species[at + 1] ^ isolate[at + 1]) >>> 32 - bits;
  const ends = new Uint32Array((1 << bits) + 1);
  for (let at = 0; at < 2 * rows; at += 2) ends[partOf(at) + 1]++;
  for (let part = 1; part < ends.length; part++) ends[part] += ends[part - 1];
  const dealt = new Uint32Array(WORDS * rows);
  for (let at = 0; at < 2 * rows; at += 2) {
    const to = WORDS * ends[partOf(at)]++;
    dealt[to] = species[at] ^ isolate[at];
    dealt[to + 1] = species[at + 1] ^ isolate[at + 1];
    dealt[to + 2] = kindOf(at);
  }

  for (let part = 0, at = 0; part < 1 << bits; part++) {
    const kindsOf: number[] = [];
    const segmentsOf: number[] = [];
    for (const end = WORDS * ends[part]; at < end; at += WORDS) {
      const [low, high, kind] = [dealt[at], dealt[at + 1], dealt[at + 2]];
      const one = isolates.number(low, high);
      const known = parts.size;
      if (parts.number((low ^ Math.imul(kind, ODD)) >>> 0, high) < known) continue;
      if (one === segmentsOf.length) {
        kindsOf.push(kind);
        segmentsOf.push(1);
      } else segmentsOf[one]++;
    }
    for (const [one, segments] of segmentsOf.entries()) {
      const { isolates } = setOfKind[kindsOf[one]];
      isolates.set(segments, (isolates.get(segments) ?? 0) + 1);
    }
    isolates.clear();
    parts.clear();
  }
  return sets;
}

/** Numbers of 64 bits as pairs of 32: whole ones would be BigInts, each an object. */
function halves(frame: DataFrame, column: string): Uint32Array {
  const { buffer, byteOffset, length } = frame.getColumn(column).toTypedArray();
  return new Uint32Array(buffer, byteOffset, 2 * length);
}
