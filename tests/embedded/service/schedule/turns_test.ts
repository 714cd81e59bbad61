/**
 * Long work yields: after each unit of it, a batch or a block, the time is looked at. With slices of no time at all
 * each unit waits for a slice of its own, so that slices can be counted, whatever the machine is doing.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { inspectArchiveSet } from "../../../../src/embedded/service/import/archive_set.ts";
import { readArchive } from "../../../../src/embedded/service/import/_read_archive.ts";
import { slices } from "../../../../src/embedded/service/schedule/time_slices.ts";
import { openIndex, startIndex } from "../../../../src/embedded/service/index/mod.ts";
import { allOf } from "../../../../src/core/query/query_ast.ts";
import { readFilters } from "../../../../src/core/query/query_filter.ts";
import { parseQuery } from "../../../../src/core/query/query_parser.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { SPECIFICATION_NAMING } from "../../../../src/core/contract/naming.ts";
import { makeArchives } from "../_archives.ts";
import { LOOKUP } from "../_random_queries.ts";

/** Counts the slices that were waited for. */
function countTurns(): { readonly turns: number } {
  const before = slices.dealt;
  return {
    get turns() {
      return slices.dealt - before;
    },
  };
}

Deno.test("an index that writes a field again has turns while it does", async () => {
  const folder = await Deno.makeTempDir();
  const count = 20_000;
  const [field, accession] = [LOOKUP.fields[1], LOOKUP.fields[0]];
  const rows = Array.from({ length: count }, (_, row) => [formatAccession(row), `value ${row}`]);
  {
    const options = { accessionField: 0, bounds: { dictionaryValues: count - 1 }, turnMs: 0 };
    const writer = await startIndex(folder, [accession, field], options);
    const counted = countTurns();
    await writer.add(rows);
    assert(counted.turns >= 2 * Math.floor(count / 4096), `${counted.turns} turns`);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("readArchive() has a turn before each batch, however many come of few bytes, and ends in it", async () => {
  const rows = "Registry Accession,Country\n" + `${formatAccession(1)},Kenya\n`.repeat(200_000);
  await using world = await makeArchives({ columns: ["Country"], rows: [], replace: { full_dataset_metadata: rows } });
  const { archives: { full_dataset_metadata: archive } } = await inspectArchiveSet(world.folder, SPECIFICATION_NAMING);
  assert(archive.bytes < 100_000, "one piece of the file is all of it");
  let batches = 0;
  let pieces = 0;
  const stop = new AbortController();
  const counted = countTurns();
  const reading = async () => {
    for await (
      const _ of readArchive(archive, { turnMs: 0, signal: stop.signal, onBytes: () => pieces++ })
    ) {
      assert(counted.turns > batches, `${counted.turns} turns before batch ${batches}`);
      if (++batches === 4) stop.abort(new Error("enough"));
    }
  };
  await assertRejects(reading, Error, "enough");
  assertEquals([batches, pieces], [4, 1]);
});

const BLOCK_ROWS = 32;
const BLOCKS = 20;
const RECORDS = Array.from({ length: BLOCK_ROWS * BLOCKS }, (_, row) => [
  formatAccession(row + 1),
  ["Kenya", "Peru"][row % 2],
  `Homo sapiens ${row % 97} zika`,
  String(row % 50),
  String(row % 7 / 7),
  `20${10 + row % 10}`,
  `a${row % 3};b`,
  "x",
]);

for (const [name, values] of [["codes", 1000], ["texts", 0]] as const) {
  Deno.test(`an index of ${name} has a turn for each block of its building and of its searches`, async (t) => {
    const folder = await Deno.makeTempDir();
    const { fields } = LOOKUP;
    {
      const bounds = {
        dictionaryValues: values,
        allValues: values * 10,
        blockRows: BLOCK_ROWS,
        textBytes: 256,
        listedRows: 4,
        tableRecords: 1e9,
        tokens: 256,
        readValues: 0,
      };
      const writer = await startIndex(folder, fields, { accessionField: 0, bounds });
      await writer.add(RECORDS);
      await writer.seal();
      const counted = countTurns();
      await writer.finish({ turnMs: 0 });
      assert(counted.turns >= BLOCKS * (values > 0 ? fields.length - 1 : 1), `${counted.turns} turns to build`);
    }
    await using finder = openIndex(folder, {
      fields,
      rowsOf: () => [],
      valuesOf: (rows) => rows.map((row) => RECORDS[row]),
      turnMs: 0,
    });
    const sort = { field: LOOKUP.find("sequence_length")!, order: "desc" } as const;
    const works: Record<string, (node: ReturnType<typeof parseQuery>) => Promise<unknown>> = {
      "counted": (node) => finder.find(node, { offset: 0, limit: 0 }),
      "by relevance": (node) => finder.find(node, { offset: 0, limit: RECORDS.length + 1 }),
      "sorted": (node) => finder.find(node, { offset: 0, limit: RECORDS.length + 1, sort }),
      "all": (node) => Array.fromAsync(finder.rows(node)),
    };
    for (
      const query of ["zika", "homo -kenya", "country:Peru", "host_species:*sapiens*", "gc:>=0.2", '"homo sapiens"']
    ) {
      for (const [kind, work] of Object.entries(works)) {
        await t.step(`${query}, ${kind}`, async () => {
          const counted = countTurns();
          await work(parseQuery(query, LOOKUP));
          assert(counted.turns >= (kind === "sorted" ? 1 : BLOCKS - 1), `${counted.turns} turns`);
        });
      }
    }
    await t.step("many alternatives", async () => {
      const value = Array.from({ length: 500 }, (_, number) => number + 1000);
      const nodes = [
        readFilters([{ field: "sequence_length", value }], LOOKUP),
        readFilters([{ field: "host_species", value: value.map(String) }], LOOKUP),
      ];
      const counted = countTurns();
      await finder.find(allOf(nodes), { offset: 0, limit: 0 });
      assert(counted.turns >= 2 * value.length, `${counted.turns} turns`);
    });
    await Deno.remove(folder, { recursive: true });
  });
}
