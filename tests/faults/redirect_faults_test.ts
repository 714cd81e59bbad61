/** Redirects: which are followed, and which never are. */
import { assertEquals, assertRejects } from "@std/assert";
import { RegistryClient, UnexpectedResponseError } from "../../src/core/client/mod.ts";
import { answer, type Reply } from "./_server.ts";
import { good, PAGE, type Row, runTable, search, whole, withServer } from "./_faults.ts";

Deno.test("search() follows redirects to the same host only", async (t) => {
  const to = (location: string, status = 307): Reply => answer(status, { location });
  const table: Record<string, Row> = {
    "307 to another path": [[to("/moved"), good], { gives: whole, tries: 2 }],
    "five in a row": [[to("/1"), to("/2"), to("/3"), to("/4"), to("/5"), good], { gives: whole, tries: 6 }],
    "six in a row": [[to("/1"), to("/2"), to("/3"), to("/4"), to("/5"), to("/6"), good], {
      throws: UnexpectedResponseError,
      says: "which is the limit",
      tries: 6,
    }],
    "a loop of one": [to("/v2/search"), { throws: UnexpectedResponseError, says: "in a loop", tries: 1 }],
    "a loop of two": [[to("/a"), to("/v2/search")], { throws: UnexpectedResponseError, says: "in a loop", tries: 2 }],
    "to another host": [to("http://example.invalid/v2/search"), {
      throws: UnexpectedResponseError,
      says: "on another host",
      tries: 1,
    }],
    "to another port": [to("http://127.0.0.1:9/v2/search"), {
      throws: UnexpectedResponseError,
      says: "on another host",
    }],
    "to a name of the same host": [to("http://localhost/v2/search"), {
      throws: UnexpectedResponseError,
      says: "on another host",
    }],
    "to a file": [to("file:///etc/passwd"), { throws: UnexpectedResponseError, says: "not allowed" }],
    "with a password": [to("http://a:b@127.0.0.1/"), { throws: UnexpectedResponseError, says: "password" }],
    "to nowhere": [answer(302), { throws: UnexpectedResponseError, says: "without an address", tries: 1 }],
    "to no URL": [to("http://[bad"), { throws: UnexpectedResponseError, says: "is not a URL", tries: 1 }],
    "304": [answer(304, { "content-length": null }), { throws: UnexpectedResponseError, says: "got 304", tries: 1 }],
  };
  await runTable(t, table, search);

  await t.step(
    "a signature in the address of a redirect is shown nowhere",
    () =>
      withServer([to("/moved?X-Signature=opensesame"), good], {}, async (client, { server }) => {
        const { receipt } = await client.search({ query: "x" });
        assertEquals(receipt.url, `${server.url}/moved`);
        assertEquals(server.requests[1].path, "/moved?X-Signature=opensesame");
      }),
  );
  const signed = [to("/moved?X-Signature=opensesame"), answer(403)];
  await t.step("nor in an error", () =>
    withServer(signed, {}, async (client, { server }) => {
      const { message } = await assertRejects(() => client.search({ query: "x" }), Error);
      assertEquals([message.includes(`${server.url}/moved `), message.includes("opensesame")], [true, false]);
    }));

  for (const [status, method] of [[301, "POST"], [302, "POST"], [303, "GET"], [307, "POST"], [308, "POST"]] as const) {
    await t.step(
      `${status} is followed by a ${method}`,
      () =>
        withServer([to("/moved", status), good], {}, async (client, { server }) => {
          const { receipt } = await client.search({ query: "x" });
          assertEquals(receipt.url, `${server.url}/moved`);
          assertEquals(server.requests[1].method, method);
          assertEquals(server.requests[1].body, method === "POST" ? '{"query":"x"}' : "");
        }),
    );
  }
});

Deno.test("a redirect from https to plain http is refused, one to https followed", async () => {
  const seen: string[] = [];
  const redirecting = (location: string) => (request: Request) => {
    seen.push(request.url);
    return Promise.resolve(
      seen.length === 1 ? new Response(null, { status: 308, headers: { location } }) : Response.json(PAGE),
    );
  };
  const down = new RegistryClient("https://registry.invalid", {
    fetch: redirecting("http://registry.invalid/v2/search"),
  });
  await assertRejects(() => down.search({ query: "x" }), UnexpectedResponseError, "without encryption");
  assertEquals(seen.splice(0), ["https://registry.invalid/v2/search"]);

  const up = new RegistryClient("http://registry.invalid", {
    fetch: redirecting("https://registry.invalid/v2/search"),
  });
  assertEquals((await up.search({ query: "x" })).body.total, 1);
  assertEquals(seen, ["http://registry.invalid/v2/search", "https://registry.invalid/v2/search"]);
});
