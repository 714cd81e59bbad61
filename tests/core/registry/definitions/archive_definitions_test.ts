import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { sampleFolder, serveFolder } from "../_archives.ts";

Deno.test("an archive is typed by the definitions that were kept, whatever keeps the registry from returning them", async (t) => {
  await using folder = await sampleFolder(40);
  const cacheFolder = join(folder.cacheFolder, "live");
  await using server = await serveFolder(folder);
  {
    await using registry = await Registry.open(server.url, { cacheFolder, offline: false });
    await (await registry.dataset("unique_seqs_metadata")).read();
  }
  const answers: Record<string, () => Promise<Response>> = {
    "no answer": () => Promise.withResolvers<Response>().promise,
    "too many requests": () =>
      Promise.resolve(new Response("later", { status: 429, headers: { "retry-after": "3600" } })),
    "an error": () => Promise.resolve(new Response("broken", { status: 503 })),
    "a page": () => Promise.resolve(new Response("<html>", { headers: { "content-type": "text/html" } })),
  };
  for (const [what, fetch] of Object.entries(answers)) {
    await t.step(what, async () => {
      const options = { cacheFolder, offline: false, retry: { tries: 1 }, timeouts: { headersMs: 50 }, fetch };
      await using registry = await Registry.open(server.url, options);
      const archive = await registry.dataset("unique_seqs_metadata", { mode: "prefer-cache" });
      const table = await archive.read({ columns: ["Sequence Length"] });
      assertEquals(table.columns.map(({ dtype }) => dtype), ["Int64"]);
      assertStringIncludes(table.ledger.warnings.join(), "since the registry does not return them now");
      assertEquals(table.ledger.complete, true);
    });
  }
});
