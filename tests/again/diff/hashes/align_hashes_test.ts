import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { alignHashes } from "../../../../src/again/diff/hashes/align_hashes.ts";
import { GatheredFile } from "../../../../src/again/diff/hashes/hash_file.ts";
import { type RecordLayout, RowSet } from "../../../../src/again/diff/hashes/hash_record.ts";
import { joinHashes } from "../../../../src/again/diff/hashes/join_hashes.ts";
import { inFolder } from "../../../_files.ts";

/** A row: its key, 0 without one, and the hash of its cells. */
type Row = readonly [key: number, cells: number];

/** A key, cells, and a word that is not compared. */
const LAYOUT: RecordLayout = { words: 4, keyWords: 2, comparedWords: 3 };

interface Found {
  readonly kept: readonly [number[], number[]];
  readonly same: number;
  readonly openRows: readonly [number, number];
}

async function find(
  versions: readonly [readonly Row[], readonly Row[]],
  { sample = 0, mayRepeat = [true, true], keysAtOnce, threads = 1 }: {
    readonly sample?: number;
    readonly mayRepeat?: readonly [boolean, boolean];
    readonly keysAtOnce?: number;
    readonly threads?: number;
  } = {},
): Promise<Found> {
  return await inFolder(async (folder) => {
    const [files, open] = ["file", "open"].map((name) => [`${folder}/${name}0`, `${folder}/${name}1`] as const);
    versions.forEach((rows, version) => {
      using file = new GatheredFile(files[version]);
      rows.forEach(([key, cells], row) =>
        file.append(new Uint8Array(Uint32Array.of(Math.imul(key, 0x9E3779B1), key, cells, row).buffer))
      );
      file.flush();
    });
    const options = { files, rows: [versions[0].length, versions[1].length], layout: LAYOUT, sample } as const;
    const aligned = await alignHashes({ ...options, open, mayRepeat });
    const kept = aligned.kept.map((bits) => new RowSet(bits));
    let { same } = aligned;
    for (let thread = 0; thread < threads; thread++) {
      const joined = await joinHashes({
        ...options,
        files: open,
        openRows: aligned.openRows[0],
        thread,
        threads,
        ...keysAtOnce !== undefined && { keysAtOnce },
      });
      same += joined.same;
      kept.forEach((set, version) => set.addAll(joined.kept[version]));
    }
    const numbers = (version: number) => versions[version].map((_, row) => row).filter((row) => kept[version].has(row));
    return { kept: [numbers(0), numbers(1)], same, openRows: aligned.openRows };
  });
}

/** What is kept, by counting keys. */
function expected(versions: readonly [readonly Row[], readonly Row[]], sample = 0): Omit<Found, "openRows"> {
  const places = versions.map((rows) => Map.groupBy(rows.keys(), (row) => rows[row][0]));
  const isSame = (key: number) => {
    const [old, now] = places.map((rows) => rows.get(key) ?? []);
    return key !== 0 && old.length === 1 && now.length === 1 && old[0] >= sample &&
      versions[0][old[0]][1] === versions[1][now[0]][1];
  };
  const kept = versions.map((rows) => [...rows.keys()].filter((row) => !isSame(rows[row][0])));
  return { kept: [kept[0], kept[1]], same: versions[0].length - kept[0].length };
}

/** A later version: rows that change, go, come, stand twice, lose their key, or are elsewhere. */
function edit(rows: readonly Row[], edits: readonly (readonly [at: number, kind: number])[]): Row[] {
  const later = [...rows];
  for (const [place, kind] of edits) {
    const at = place % (later.length + 1);
    const [key, cells] = later[at] ?? [7, 7];
    if (kind === 0) later[at] = [key, cells + 1];
    if (kind === 1) later.splice(at, 1);
    if (kind === 2) later.splice(at, 0, [10_000 + place, kind]);
    if (kind === 3) later.splice(at, 0, later[0] ?? [1, 1]);
    if (kind === 4) later[at] = [0, cells];
    if (kind === 5) later.push(...later.splice(0, at));
    if (kind === 6) {
      later.splice(at, 0, ...Array.from({ length: 100 }, (_, row): Row => [20_000 + 100 * place + row, 1]));
    }
  }
  return later;
}

const EDITS = fc.array(fc.tuple(fc.nat(400), fc.nat(6)), { maxLength: 12 });

Deno.test("rows that are the same are left out, wherever they stand, and no others", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(300), EDITS, EDITS, fc.nat(3), async (count, before, after, sample) => {
      const rows = Array.from({ length: count }, (_, row): Row => [row + 1, row % 5]);
      const versions = [edit(rows, before), edit(rows, after)] as const;
      const { kept, same } = await find(versions, { sample });
      assertEquals({ kept, same }, expected(versions, sample));
      const parts = await find(versions, { sample, keysAtOnce: 10, threads: 2 });
      assertEquals({ kept: parts.kept, same: parts.same }, { kept, same });
    }),
    { seed: 27, numRuns: 60 },
  );
});

Deno.test("versions in the same order leave nothing to be joined", async () => {
  const rows = Array.from({ length: 40_000 }, (_, row): Row => [row + 1, row]);
  const later = rows.filter((_, row) => row % 1000 !== 7).map((
    [key, cells],
  ): Row => [key, key % 100 === 3 ? -1 : cells]);
  const { kept, same, openRows } = await find([rows, later], { mayRepeat: [false, false] });
  assertEquals({ kept, same }, expected([rows, later]));
  assertEquals(openRows, [40, 0]);
});

Deno.test("of versions whose keys may repeat few rows are joined", async () => {
  const rows = Array.from({ length: 40_000 }, (_, row): Row => [row + 1, row]);
  const { same, openRows } = await find([rows, [...rows, rows[5]]]);
  assertEquals(same, 39_999);
  assert(openRows[0] < 4000, `${openRows[0]} rows are joined`);
});
