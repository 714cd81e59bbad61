/** How fast the embedded registry's store imports, opens, finds and reads: the sample of 12,000 records. */
import { join } from "node:path";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { openStore } from "../../src/embedded/service/registry/open_store.ts";
import type { Criteria, RegistryStore } from "../../src/embedded/service/store/store.ts";
import { report, type Row } from "./_report.ts";

const RECORDS = 12_000;
const RUNS = 3;
const SEARCHES = 40;

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function times(runs: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  await work(-1);
  const figures: number[] = [];
  for (let run = 0; run < runs; run++) figures.push(await time(() => work(run)));
  return figures;
}

function everything(query = ""): Criteria {
  return { query, filter: [] };
}

/** Searches with a value that differs each time, so that nothing remembered answers. */
async function searchTimes(store: RegistryStore, query: (run: number) => string, sorted = false): Promise<number[]> {
  const sort = sorted ? { field: "collection_date", order: "desc" } as const : undefined;
  return await times(SEARCHES, (run) => store.search(everything(query(run)), { offset: 0, limit: 50, sort }));
}

const root = await Deno.makeTempDir();
try {
  const folder = join(root, "sample");
  await makeSample(folder, { records: RECORDS, seed: 1 });
  const rows: Row[] = [];

  const imports: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    imports.push(
      await time(async () =>
        await (await openStore(folder, { cacheFolder: join(root, `${run}`) }))[Symbol.asyncDispose]()
      ),
    );
  }
  rows.push({ work: "import and open", ours: imports, unit: "ms", goal: { atMost: 4000 } });
  const opens = await times(
    10,
    async () => await (await openStore(folder, { cacheFolder: join(root, "0") }))[Symbol.asyncDispose](),
  );
  rows.push({ work: "open again", ours: opens, unit: "ms", goal: { atMost: 1000 } });

  await using store = await openStore(folder, { cacheFolder: join(root, "0") });
  const page = (work: string, ours: number[], atMost = 12) => rows.push({ work, ours, unit: "ms", goal: { atMost } });
  page(
    "page of 50 with facets: everything",
    await times(SEARCHES, () => store.search(everything(), { offset: 0, limit: 50 })),
  );
  page("  equality and range", await searchTimes(store, (run) => `country:Germany sequence_length:>=${300 + run}`));
  page("  range, most records", await searchTimes(store, (run) => `sequence_length:>=${300 + run}`));
  page(
    "  range, most records, sorted by date",
    await searchTimes(store, (run) => `sequence_length:>=${400 + run}`, true),
  );
  page("  one word", await searchTimes(store, (run) => `complete -${run}x`));
  page("  wildcard inside", await searchTimes(store, (run) => `sequence_name:*a*${run}*`));
  page(
    "  the same search again",
    await times(SEARCHES, () => store.search(everything("country:France"), { offset: 0, limit: 50 })),
  );
  page("  64 searches at once, each", [
    (await time(() =>
      Promise.all(
        Array.from({ length: 64 }, (_, run) =>
          store.search(everything(`sequence_length:>=${900 + run}`), { offset: 0, limit: 50 })),
      )
    )) / 64,
  ]);

  const scan = async (batches: AsyncIterable<readonly { readonly values: readonly string[] }[]>) => {
    let letters = 0;
    for await (const batch of batches) {
      for (const { values } of batch) for (const value of values) letters += value.length + 1;
    }
    return letters;
  };
  const speed = async (work: () => Promise<number>): Promise<number[]> => {
    let letters = 0;
    const figures = await times(RUNS, async () => letters = await work());
    return figures.map((ms) => letters / 1000 / ms);
  };
  const scanned = (work: string, ours: number[]) => rows.push({ work, ours, unit: "MB/s", goal: { atLeast: 40 } });
  scanned("metadata of all records", await speed(() => scan(store.matching(everything()))));
  scanned("metadata of most records", await speed(() => scan(store.matching(everything("sequence_length:>=300")))));
  scanned(
    "sequences of all records",
    await speed(async () => {
      let letters = 0;
      for await (const batch of store.matchingSequences(everything())) {
        for (const { sequence = "" } of batch) letters += sequence.length;
      }
      return letters;
    }),
  );
  const accessions: string[] = [];
  for await (const batch of store.matching(everything())) for (const { accession } of batch) accessions.push(accession);
  const selected = accessions.toReversed().slice(0, 10_000);
  rows.push({
    work: "10,000 selected records with sequences",
    ours: await times(RUNS, async () => {
      for await (const _ of store.selectedSequences(selected));
    }),
    unit: "ms",
    goal: { atMost: 1000 },
  });
  if (!report(`the embedded registry's store, ${RECORDS} records`, rows)) Deno.exitCode = 1;
} finally {
  await Deno.remove(root, { recursive: true });
}
