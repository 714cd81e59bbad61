import { assertEquals, assertStringIncludes } from "@std/assert";
import { MAX_BODIES_BYTES, MAX_BODY_BYTES } from "../../../../src/embedded/service/store/limits.ts";
import type { RegistryService } from "../../../../src/embedded/service/mod.ts";
import { openFixture } from "../../../core/contract/_registry.ts";

/** A request whose body comes and does not end until it is told to. */
function holding(bytes: number) {
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const { promise: come, resolve: arrive } = Promise.withResolvers<void>();
  const text = `{"query": "", "pageSize": 1, "x": "${"a".repeat(bytes)}`;
  let part = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (part++ === 0) return controller.enqueue(new TextEncoder().encode(text));
      arrive();
      await held;
      controller.enqueue(new TextEncoder().encode('"}'));
      controller.close();
    },
  }, { highWaterMark: 0 });
  return { request: post("/v2/search", body), come, end };
}

function post(path: string, body: BodyInit): Request {
  return new Request(`http://embedded${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
}

async function search(service: RegistryService, padding: number) {
  const body = JSON.stringify({ query: "", pageSize: 1, x: "a".repeat(padding) });
  const response = await service(post("/v2/search", body));
  return { status: response.status, retry: response.headers.get("retry-after"), text: await response.text() };
}

Deno.test("bodies are bounded together, and small ones are never refused for large ones", async () => {
  await using registry = await openFixture(20);
  const { service } = registry;
  const large = MAX_BODY_BYTES - 100_000;
  const many = Array.from({ length: Math.floor(MAX_BODIES_BYTES / large) }, () => holding(large));
  const answers = many.map(({ request }) => service(request));
  await Promise.all(many.map(({ come }) => come));

  const refused = await search(service, large);
  assertEquals([refused.status, refused.retry], [503, "1"]);
  assertStringIncludes(JSON.parse(refused.text).detail, "no room");
  assertEquals((await search(service, 50_000)).status, 200);

  for (const { end } of many) end();
  for (const answer of answers) assertEquals((await (await answer).json()).total, 20);
  assertEquals((await search(service, large)).status, 200);
});

Deno.test("a body is given back when its answer is read, cancelled or refused", async (t) => {
  await using registry = await openFixture(400);
  const { service, records } = registry;
  // One long text is as large as half a million names, and read in no time.
  const body = JSON.stringify({
    registry_accessions: records.map(({ accession }) => accession),
    x: "a".repeat(MAX_BODY_BYTES - 100_000),
  });
  const ends: Record<string, (response: Response) => Promise<unknown>> = {
    read: async (response) => assertEquals(Object.keys(await response.json()).length, records.length),
    cancelled: async (response) => await response.body?.cancel(),
  };
  for (const [name, end] of Object.entries(ends)) {
    await t.step(name, async () => {
      for (let round = 0; round < 12; round++) {
        const response = await service(post("/v2/sequence", body));
        assertEquals(response.status, 200);
        await end(response);
      }
    });
  }
  await t.step("refused", async () => {
    for (let round = 0; round < 12; round++) {
      assertEquals((await service(post("/v2/search", `[${"1,".repeat(3_000_000)}1]`))).status, 422);
    }
  });
  await t.step("held while an answer is not read", async () => {
    const open: Response[] = [];
    let refused: Response | undefined;
    for (let round = 0; round < 12 && refused === undefined; round++) {
      const response = await service(post("/v2/sequence", body));
      if (response.status === 200) open.push(response);
      else refused = response;
    }
    assertEquals([refused?.status, open.length], [503, Math.floor(MAX_BODIES_BYTES / (body.length - 65_536))]);
    await refused?.body?.cancel();
    for (const response of open) await response.body?.cancel();
    assertEquals((await search(service, 1_000_000)).status, 200);
  });
});
