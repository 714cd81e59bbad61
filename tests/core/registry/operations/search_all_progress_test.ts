/** Progress of what yields has an end, however its reader leaves it. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { ProgressEvent } from "../../../../src/core/io/tasks/mod.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { sampleFolder } from "../_archives.ts";

/** Reads something that yields, as a reader does. */
const READERS: Readonly<Record<string, (yielded: AsyncGenerator<unknown>) => Promise<unknown>>> = {
  "a loop left by break": async (yielded) => {
    let count = 0;
    for await (const _ of yielded) if (++count === 3) break;
  },
  "a loop whose body throws": async (yielded) =>
    await assertRejects(async () => {
      for await (const _ of yielded) throw new Error("no");
    }),
  "next(), then return()": async (yielded) => {
    await yielded.next();
    await yielded.return(undefined);
  },
};

Deno.test("the last state of work that is left early is that it stopped, and of whole work that it finished", async (t) => {
  await using sample = await sampleFolder(100);
  const { folder, cacheFolder } = sample;
  await using registry = await Registry.open(folder, { cacheFolder });
  const everyone = (await registry.search("", { pageSize: 100 })).accessions;
  const events: ProgressEvent[] = [];
  const onProgress = (event: ProgressEvent) => void events.push(event);
  const all = () => registry.searchAll("", { pageSize: 10, onProgress });
  const lists = { batchSize: 10, onProgress, information: "sequences" } as const;
  const yielding: Readonly<Record<string, () => Promise<AsyncGenerator<unknown>> | AsyncGenerator<unknown>>> = {
    "searchAll()": () => all()[Symbol.asyncIterator](),
    "searchAll().pages()": () => all().pages(),
    "download().bytes()": async () =>
      (await registry.download({ ids: everyone }, { ...lists, fileType: "fasta" })).bytes(),
    "download().bytes() of CSV": async () =>
      (await registry.download({ ids: everyone }, { ...lists, information: "metadata", fileType: "csv" })).bytes(),
  };
  for (const [name, begin] of Object.entries(yielding)) {
    for (const [how, read] of Object.entries(READERS)) {
      await t.step(`${name}: ${how}`, async () => {
        events.length = 0;
        await read(await begin());

        assertEquals(events.filter(({ stopped }) => stopped).length, 1);
        const { stopped, finished = false, done, total } = events.at(-1)!;
        assertEquals([stopped, finished, total], [true, false, 100]);
        assert(done < 100, `${done}`);
      });
    }
    await t.step(`${name} to its end`, async () => {
      events.length = 0;
      for await (const _ of await begin());

      assertEquals(events.filter(({ finished, stopped }) => finished || stopped).length, 1);
      assertEquals([events.at(-1)?.finished, events.at(-1)?.done], [true, 100]);
    });
  }
});

Deno.test("a search that receives fewer records than promised is finished all the same", async () => {
  await using sample = await sampleFolder(30);
  await using whole = await Registry.open(sample.folder, { cacheFolder: sample.cacheFolder });
  const events: ProgressEvent[] = [];
  const { body } = await whole.client.search({ query: "", pageSize: 30, pageNumber: 1 });
  await using registry = await Registry.open("http://registry.test", {
    offline: false,
    fetch: async (request) => {
      const { pageNumber = 1 } = request.url.endsWith("/v2/search") ? await request.json() : {};
      return Response.json({ ...body, total: 31, results: pageNumber === 1 ? body.results : [] });
    },
  });
  const matches = registry.searchAll("country:*", { pageSize: 30, onProgress: (event) => void events.push(event) });
  for await (const _ of matches.pages());
  for await (const _ of matches.rest());

  const ends = events.filter(({ finished, stopped }) => finished || stopped);
  assertEquals(ends.map(({ done, total, finished }) => [done, total, finished]), [[30, 31, true]]);
});
