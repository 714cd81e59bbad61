import { assertEquals, assertStringIncludes } from "@std/assert";
import { runInProcess } from "../../_program.ts";

Deno.test("search --count does not call records none where the registry counts none and returns one", async () => {
  const body = JSON.stringify({
    total: 0,
    results: [{ id: "1", score: 1, source: { "Registry Accession": "vj000000000001" } }],
    facets: {},
    query: "",
  });
  const started = Promise.withResolvers<string>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: ({ port }) => started.resolve(`http://127.0.0.1:${port}`) },
    () => new Response(body, { headers: { "content-type": "application/json" } }),
  );
  const url = await started.promise;
  const { code, stdout, stderr } = await runInProcess(["search", "x", "--count", "--registry", url], {
    env: { SEQREG_OFFLINE: "" },
  });
  assertEquals([code, stdout], [4, "0\n"]);
  assertStringIncludes(stderr, "counts 0 records and returns 1");
  await server.shutdown();
});
