import { assertEquals, assertRejects } from "@std/assert";
import { packArchives } from "../../../../src/embedded/sample/mod.ts";
import { RegistryClient } from "../../../../src/core/client/mod.ts";
import { DefinitionCache } from "../../../../src/core/registry/definitions/definition_cache.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";

Deno.test("what is said of one archive's fields is not said of another's", async () => {
  const cacheFolder = await Deno.makeTempDir();
  const encoder = new TextEncoder();
  const folder = `${cacheFolder}/packed`;
  await packArchives({
    fasta: encoder.encode(">a\nACGT\n>b\nACGGT\n"),
    metadata: encoder.encode("id,Country\na,Kenya\nb,Peru\n"),
    folder,
  });
  {
    await using registry = await Registry.open(folder, { cacheFolder });
    for (const archive of ["reftax1_to_reftax2_map", "votu_cluster_comparison_metrics"]) {
      await (await registry.dataset(archive)).read();
    }
    const metadata = await (await registry.dataset("full_dataset_metadata")).read();
    const hits = await registry.search("country:Kenya");

    assertEquals([metadata.rows.length, metadata.ledger.warnings], [2, []]);
    assertEquals([hits.rows.length, hits.ledger.warnings], [1, []]);
  }
  await Deno.remove(cacheFolder, { recursive: true });
});

Deno.test("a signal ends the question for names of its own call alone", async () => {
  const source = { "Registry Accession": "vj000000000001", Country: "Kenya" };
  const answered = Promise.withResolvers<void>();
  const client = new RegistryClient("http://127.0.0.1", {
    fetch: async () => {
      await answered.promise;
      return Response.json({ total: 1, results: [{ id: "1", score: 1, source }], facets: {}, query: "" });
    },
  });
  const cache = new DefinitionCache(client);
  const [one, two] = [new AbortController(), new AbortController()];
  const stopped = [cache.names(one.signal), cache.names(two.signal)].map((names, index) =>
    assertRejects(() => names, Error, `stopped ${index}`)
  );
  const names = cache.names();
  for (const [index, stop] of [one, two].entries()) stop.abort(new Error(`stopped ${index}`));
  await Promise.all(stopped);
  answered.resolve();

  assertEquals(await names, ["Registry Accession", "Country"]);
});

Deno.test("definitions that have come are not lost to a question that is refused", async () => {
  const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
  let asked = 0;
  const client = new RegistryClient("http://127.0.0.1", {
    retry: { tries: 1 },
    fetch: () => answers[asked++].promise,
  });
  const refused = () => new Response("later", { status: 503 });
  const country = {
    name: "Country",
    alias: "country",
    type: "integer",
    description: "",
    unit: "",
    example: "",
  } as const;
  const cache = new DefinitionCache(client);
  const [one, two] = [cache.find(["Country"]), cache.find(["Country"])];
  answers[0].resolve(Response.json([country]));
  assertEquals((await one).definitions, [country]);
  answers[1].resolve(refused());
  for (const found of [await two, await cache.find(["Country"])]) {
    assertEquals([found.definitions, found.entries], [[country], []]);
  }

  const later = new DefinitionCache(
    new RegistryClient("http://127.0.0.1", { retry: { tries: 1 }, fetch: () => Promise.resolve(refused()) }),
  );
  assertEquals((await later.find(["Country"])).entries.map(({ code }) => code), ["definitions-unavailable"]);
  later.remember([country]);
  assertEquals(await later.find(["Country"]), { definitions: [country], entries: [] });
});

Deno.test("definitions are asked for again some time after the registry failed, and not when it has none", async () => {
  const statuses = [503, 404];
  let asked = 0;
  const client = new RegistryClient("http://127.0.0.1", {
    retry: { tries: 1 },
    fetch: () => Promise.resolve(new Response("no", { status: statuses[asked++] })),
  });
  const patient = new DefinitionCache(client);
  for (let call = 0; call < 2; call++) await patient.find(["Country"]);
  assertEquals(asked, 1);
  asked = 0;
  const cache = new DefinitionCache(client, 0);
  for (const calls of [1, 2, 2]) {
    const { definitions, entries } = await cache.find(["Country"]);
    assertEquals([definitions, entries.map(({ code }) => code), asked], [[], ["definitions-unavailable"], calls]);
  }
});
