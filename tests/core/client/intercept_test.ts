import { assertEquals, assertRejects } from "@std/assert";
import { RegistryError } from "../../../src/core/errors.ts";
import { type BodyObserver, type Intercept, RegistryClient } from "../../../src/core/client/mod.ts";
import { FILE, max } from "./_recording.ts";

/** More than the first bytes of a file, which are checked before it is returned. */
const ROWS = `a,b\n${"1,2\n".repeat(1000)}`;

/** A client whose answers are observed; `seen` is what the observer receives. */
function observed(observer: Partial<BodyObserver> = {}, headers: HeadersInit = {}) {
  const seen: string[] = [];
  const intercept: Intercept = async (_call, send) => ({
    ...await send(),
    observer: {
      take: (chunk) => {
        seen.push(new TextDecoder().decode(chunk));
        observer.take?.(chunk);
      },
      end: (sha256) => {
        seen.push(sha256);
        return observer.end?.(sha256);
      },
      drop: () => void seen.push("dropped"),
    },
  });
  const client = new RegistryClient("http://registry.invalid", {
    intercept,
    retry: { tries: 1 },
    fetch: ({ url }) =>
      Promise.resolve(
        url.endsWith("/search")
          ? Response.json({ total: 0, results: [], facets: {}, query: "" })
          : new Response(ROWS, { headers }),
      ),
  });
  return { seen, client };
}

Deno.test("an observer of a call receives the body, and its digest when it has ended", async () => {
  const { seen, client } = observed();
  const { receipt } = await client.search({ query: "" });
  const [text, ...digests] = seen.splice(0);
  assertEquals([JSON.parse(text).total, digests], [0, [receipt.sha256]]);
  const file = await client.download(max);
  assertEquals([seen.join(), file.receipt().sha256], [ROWS, null]);
  await new Response(file.body).text();
  const digest = file.receipt().sha256!;
  assertEquals(seen.splice(0), [ROWS, digest]);
  // The receipt of an archive has no digest: its checksum file has.
  const archive = await client.dataset(FILE);
  await new Response(archive.body).text();
  assertEquals([seen, archive.receipt().sha256], [[ROWS, digest], null]);
});

Deno.test("an observer learns that a body was not read to its end", async () => {
  const cut = observed({}, { "content-length": String(ROWS.length + 1) });
  const { body } = await cut.client.download(max);
  await assertRejects(() => new Response(body).text(), RegistryError);
  assertEquals(cut.seen, [ROWS, "dropped"]);
  const left = observed();
  await (await left.client.download(max)).body.cancel();
  assertEquals(left.seen, [ROWS, "dropped"]);
});

Deno.test("a client waits for its observer at the end, and what it throws is the error of the call", async () => {
  const begun = Promise.withResolvers<void>();
  const kept = Promise.withResolvers<void>();
  const end = () => {
    begun.resolve();
    return kept.promise;
  };
  let isAnswered = false;
  const answering = observed({ end }).client.search({ query: "" }).then(() => isAnswered = true);
  await begun.promise;
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(isAnswered, false);
  kept.resolve();
  await answering;
  const full = new RegistryError("disk", "Cannot write: the disk is full");
  const fail = () => {
    throw full;
  };
  for (const observer of [{ take: fail }, { end: fail }, { end: () => Promise.reject(full) }]) {
    const error = await assertRejects(() => observed(observer).client.search({ query: "" }), RegistryError);
    assertEquals([error.code, error.message], ["disk", full.message]);
  }
});
