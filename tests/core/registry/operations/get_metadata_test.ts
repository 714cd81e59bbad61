import { assertEquals, assertRejects } from "@std/assert";
import { NetworkError } from "../../../../src/core/client/mod.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";

Deno.test("metadata() ends the export when the definitions of its fields cannot be requested", async () => {
  const rows = new TextEncoder().encode(`Registry Accession,Country\n${"vj000000000001,Kenya\n".repeat(50)}`);
  let cancelled = 0;
  const endless = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.enqueue(rows),
      cancel: () => void cancelled++,
    }, { highWaterMark: 0 });
  await using registry = await Registry.open("http://registry.test", {
    offline: false,
    retry: { tries: 1 },
    fetch: ({ url }) =>
      url.endsWith("/v2/download")
        ? Promise.resolve(new Response(endless(), { headers: { "content-type": "text/csv" } }))
        : Promise.reject(new TypeError("connection reset")),
  });
  await assertRejects(() => registry.metadata({ query: "country:Kenya" }), NetworkError);
  assertEquals(cancelled, 1);
});
