import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createRegistryService, openStore, type RegistryService } from "../../../../src/embedded/service/mod.ts";
import { fixtureRecords, writeFixture } from "../../../core/contract/_archives.ts";
import { openFixture } from "../../../core/contract/_registry.ts";

async function withStore(
  count: number,
  work: (service: RegistryService, world: { readonly faults: unknown[] }) => Promise<void>,
): Promise<void> {
  await using world = await openFixture(count);
  await work(world.service, world);
}

const request = (path: string, body: unknown, signal?: AbortSignal) =>
  new Request(`http://anything.example:1234${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    signal,
    headers: { "content-type": "application/json" },
  });

const EVERYTHING = { search: { query: "*" }, download: { scope: "max", information: "metadata", fileType: "csv" } };

Deno.test("a service rejects as fetch does when its request is aborted", async () => {
  await withStore(20, async (service, { faults }) => {
    const reason = new Error("changed my mind");
    const error = await assertRejects(() => service(request("/v2/search", { query: "" }, AbortSignal.abort(reason))));
    assertEquals(error, reason);
    const controller = new AbortController();
    const pending = service(request("/v2/search", { query: "" }, controller.signal));
    controller.abort(reason);
    // The answer may have been on its way already; if not, the reason comes out.
    await pending.then((response) => response.body?.cancel(), (error) => assertEquals(error, reason));
    assertEquals(faults, []);
  });
});

Deno.test("a reader that stops early ends the store's work, and the next request is answered", async (t) => {
  const downloads = {
    "metadata as CSV": EVERYTHING,
    "metadata as XML": { ...EVERYTHING, download: { ...EVERYTHING.download, fileType: "xml" } },
    "sequences": { ...EVERYTHING, download: { ...EVERYTHING.download, information: "sequences", fileType: "fasta" } },
  };
  await withStore(5000, async (service, { faults }) => {
    for (const [name, body] of Object.entries(downloads)) {
      await t.step(`${name}: cancelled before the first byte`, async () => {
        const response = await service(request("/v2/download", body));
        await response.body?.cancel();
      });
      await t.step(`${name}: cancelled after some`, async () => {
        const reader = (await service(request("/v2/download", body))).body!.getReader();
        assert(!(await reader.read()).done);
        await reader.cancel();
      });
      await t.step(`${name}: aborted after some`, async () => {
        const controller = new AbortController();
        const reader = (await service(request("/v2/download", body, controller.signal))).body!.getReader();
        await reader.read();
        controller.abort();
        await assertRejects(async () => {
          while (!(await reader.read()).done);
        }, DOMException);
      });
    }
    await t.step("sequences by accession: cancelled before the first byte", async () => {
      const registry_accessions = fixtureRecords(5000).map(({ accession }) => accession);
      await (await service(request("/v2/sequence", { registry_accessions }))).body?.cancel();
    });
    const response = await service(request("/v2/search", { query: "country:Kenya" }));
    assertEquals((await response.json()).total, 3);
    assertEquals(faults, []);
  });
});

Deno.test("a fault of the store is a 500 that says nothing of the cause, and is reported", async () => {
  const folder = await Deno.makeTempDir();
  const cacheFolder = await Deno.makeTempDir();
  await writeFixture(folder, fixtureRecords(20));
  const store = await openStore(folder, { cacheFolder });
  const faults: unknown[] = [];
  const service = createRegistryService(store, { onFault: (fault) => faults.push(fault) });
  await store[Symbol.asyncDispose]();
  for (const [path, body] of [["/v2/search", { query: "" }], ["/v2/download", EVERYTHING]] as const) {
    const response = await service(request(path, body));
    const text = await response.text();
    assertEquals(response.status, 500, text);
    assertEquals(JSON.parse(text), {
      detail: "The registry failed to answer; try again, or report it to its operator",
    });
  }
  assertEquals(faults.length, 2);
  await Deno.remove(folder, { recursive: true });
  await Deno.remove(cacheFolder, { recursive: true });
});

Deno.test("only path and query of an address count", async () => {
  await withStore(20, async (service) => {
    const response = await service(
      new Request("https://user@elsewhere.example/v2/datasets_download?filename=reftax1_to_reftax2_map.sha256#x"),
    );
    assertStringIncludes(await response.text(), "reftax1_to_reftax2_map.csv.gz");
  });
});
