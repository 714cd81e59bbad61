import { assert, assertEquals } from "@std/assert";
import { type RegistryStore } from "../../../../src/embedded/service/store/store.ts";
import { createRegistryService, openStore } from "../../../../src/embedded/service/mod.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { fixtureRecords, writeFixture } from "../../../core/contract/_archives.ts";

const RECORDS = 2000;
const EXPORTS: readonly (readonly [information: string, fileType: string])[] = [
  ["metadata", "csv"],
  ["metadata", "xml"],
  ["registry_accessions", "tsv"],
  ["registry_accessions", "xml"],
  ["sequences", "fasta"],
];
const ASKED: Readonly<Record<string, readonly [path: string, body: unknown]>> = {
  ...Object.fromEntries(EXPORTS.map(([information, fileType]) => [
    `${information} as ${fileType}`,
    ["/v2/download", { search: { query: "*" }, download: { information, fileType, scope: "max" } }],
  ])),
  "sequences as JSON": [
    "/v2/sequence",
    { registry_accessions: Array.from({ length: 50 }, (_, at) => formatAccession(at + 1)) },
  ],
  "a page of many records": ["/v2/search", { query: "*", pageSize: RECORDS }],
};

/** A store that keeps every batch that it gave. */
function keepBatches(store: RegistryStore, given: unknown[][]): RegistryStore {
  const kept = async function* <T extends unknown[]>(batches: AsyncGenerator<T>): AsyncGenerator<T> {
    for await (const batch of batches) {
      given.push(batch);
      yield batch;
    }
  };
  return {
    ...store,
    async openPage(...asked) {
      const open = await store.openPage(...asked);
      return { ...open, batches: kept(open.batches) };
    },
    matching: (...asked) => kept(store.matching(...asked)),
    matchingSequences: (...asked) => kept(store.matchingSequences(...asked)),
    selected: (...asked) => kept(store.selected(...asked)),
    selectedSequences: (...asked) => kept(store.selectedSequences(...asked)),
  };
}

Deno.test("an answer that waits for its reader holds no record", async (t) => {
  const folder = await Deno.makeTempDir();
  const cacheFolder = await Deno.makeTempDir();
  try {
    await writeFixture(folder, fixtureRecords(RECORDS));
    await using store = await openStore(folder, { cacheFolder });
    const given: unknown[][] = [];
    const service = createRegistryService(keepBatches(store, given));
    for (const [name, [path, body]] of Object.entries(ASKED)) {
      await t.step(name, async () => {
        given.length = 0;
        const headers = { "content-type": "application/json" };
        const response = await service(
          new Request(`http://embedded${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
        );
        assertEquals(response.status, 200);
        const reader = response.body!.getReader();
        // The head needs no record; the first batch is there, since it chose the status.
        await reader.read();
        while (!(await reader.read()).done) {
          assert(given.every(({ length }) => length === 0), "records are held");
        }
        assert(given.length > 0);
      });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
    await Deno.remove(cacheFolder, { recursive: true });
  }
});
