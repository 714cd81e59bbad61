/** What a method sends, and what it makes of what comes. */
import { assertEquals, assertRejects } from "@std/assert";
import { RegistryClient, StatusError } from "../../../src/core/client/mod.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";
import { FILE, ID, max, recording } from "./_recording.ts";

Deno.test("each operation sends what the specification says", async (t) => {
  type Row = readonly [
    call: (client: RegistryClient) => Promise<unknown>,
    line: string,
    accept: string,
    body: unknown,
  ];
  const rows: Record<string, Row> = {
    "search": [
      (c) =>
        c.search({
          query: "a:b",
          filter: [{ field: "Country", value: null }],
          pageSize: 2,
          sortColumn: "x",
          sortOrder: "desc",
        }),
      "POST /v2/search",
      "application/json",
      { query: "a:b", filter: [{ field: "Country", value: null }], pageSize: 2, sortColumn: "x", sortOrder: "desc" },
    ],
    "search, the least": [(c) => c.search({ query: "" }), "POST /v2/search", "application/json", { query: "" }],
    "sequence": [(c) => c.sequence({ accessions: [ID] }), "POST /v2/sequence", "application/json", {
      registry_accessions: [ID],
    }],
    "metadata as CSV": [(c) => c.download(max), "POST /v2/download", "text/csv", max],
    "accessions as TSV": [
      (c) =>
        c.download({
          search: { query: "", filter: [{ field: "Country", value: "Peru" }] },
          download: { scope: "max", information: "registry_accessions", fileType: "tsv", keys: "alias" },
        }),
      "POST /v2/download",
      "text/tab-separated-values",
      {
        search: { query: "", filter: [{ field: "Country", value: "Peru" }] },
        download: { scope: "max", information: "registry_accessions", fileType: "tsv", keys: "alias" },
      },
    ],
    "a combination that the specification leaves open": [
      (c) => c.download({ ...max, download: { ...max.download, fileType: "tsv" } }),
      "POST /v2/download",
      "*/*",
      { ...max, download: { ...max.download, fileType: "tsv" } },
    ],
    "definitions": [(c) => c.definitions({ fields: ["Country"] }), "POST /v2/metadata/download", "text/csv", {
      fields: ["Country"],
    }],
    "dataset": [(c) => c.dataset(FILE), `GET /v2/datasets_download?filename=${FILE}`, "*/*", null],
  };
  for (const [name, [call, line, accept, body]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const { client, requests } = recording();
      await call(client);
      const [request] = requests;
      const { pathname, search } = new URL(request.url);
      assertEquals(`${request.method} ${pathname}${search}`, line);
      assertEquals(request.headers.get("accept"), accept);
      const isJson = pathname.endsWith("/search") || pathname.endsWith("/sequence");
      assertEquals(request.headers.get("accept-encoding"), isJson ? "gzip, identity;q=0.5" : "identity");
      assertEquals(request.headers.get("user-agent")?.startsWith("seqreg/"), true);
      assertEquals(request.headers.get("content-type"), body === null ? null : "application/json");
      assertEquals(body === null ? null : await request.json(), body);
    });
  }
});

Deno.test("a naming changes the wire and nothing else", async () => {
  const naming = namingOf({ registry: "genomebank" });
  const { client, requests } = recording({ naming });
  await client.sequence({ accessions: [ID] });
  const { receipt } = await client.search({ query: "" });
  await client.download({ ...max, download: { scope: "max", information: "registry_accessions", fileType: "tsv" } });
  await client.dataset("genomebankv1_unique_seqs_metadata.csv.gz");

  assertEquals(await requests[0].json(), { genomebank_accessions: [ID] });
  assertEquals((await requests[2].json()).download.information, "genomebank_accessions");
  assertEquals(receipt.registry, "http://registry.invalid");
  await assertRejects(() => client.dataset(FILE), RangeError, "genomebankv1_unique_seqs_metadata.sha256");
});

Deno.test("a receipt says what happened on the wire", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const { client } = recording({ now: () => now += 1000 });
  const { receipt, bytes } = await client.sequence({ accessions: [ID] });
  assertEquals(new TextDecoder().decode(bytes), "{}");
  assertEquals(receipt, {
    operation: "sequence",
    registry: "http://registry.invalid",
    method: "POST",
    request: { registry_accessions: [ID] },
    url: "http://registry.invalid/v2/sequence",
    status: 200,
    bytes: 2,
    sha256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    started: "2026-01-01T00:00:01.000Z",
    finished: "2026-01-01T00:00:02.000Z",
    tries: 1,
  });
});

Deno.test("a file's receipt grows with its bytes", async () => {
  const { client } = recording();
  const file = await client.download(max);
  assertEquals([file.receipt().bytes, file.receipt().sha256, file.receipt().finished], [0, null, null]);
  assertEquals(await new Response(file.body).text(), "a,b\n");
  const { bytes, sha256, finished, request } = file.receipt();
  assertEquals([bytes, sha256?.slice(0, 8)], [4, "5be08c96"]);
  assertEquals(request, max);
  assertEquals(typeof finished, "string");
});

Deno.test("sequences are safe from names that mean something to the language", async () => {
  const fetch = () => Promise.resolve(new Response(`{"__proto__": "A", "constructor": "C", "${ID}": "G"}`));
  const { sequences } = await new RegistryClient("http://registry.invalid", { fetch }).sequence({ accessions: [ID] });
  assertEquals([...sequences], [["__proto__", "A"], ["constructor", "C"], [ID, "G"]]);
});

Deno.test("a base URL keeps its prefix and loses its trailing slash", async (t) => {
  const rows: Record<string, string> = {
    "http://127.0.0.1:8080": "http://127.0.0.1:8080",
    "http://127.0.0.1:8080/": "http://127.0.0.1:8080",
    "http://127.0.0.1:8080//": "http://127.0.0.1:8080",
    "https://registry.invalid/api/": "https://registry.invalid/api",
    "https://registry.invalid/api/x%20y": "https://registry.invalid/api/x%20y",
    " HTTPS://Registry.INVALID:443/a/../b ": "https://registry.invalid/b",
    "http://[::1]:80/": "http://[::1]",
  };
  for (const [given, base] of Object.entries(rows)) {
    await t.step(given, async () => {
      const { client, requests } = recording({}, given);
      await client.search({ query: "" });
      assertEquals(client.baseUrl, base);
      assertEquals(requests[0].url, `${base}/v2/search`);
      assertEquals(new RegistryClient(new URL(given.trim())).baseUrl, base);
    });
  }
});

Deno.test("headers of the caller are added, and never win over what the protocol needs", async () => {
  const { client, requests } = recording({
    headers: {
      "User-Agent": "lab/1",
      "X-Mail": "ada@lab.invalid",
      "Accept-Encoding": "gzip",
      "Content-Type": "text/plain",
    },
  });
  await client.search({ query: "" });
  const { headers } = requests[0];
  assertEquals(headers.get("user-agent"), "lab/1");
  assertEquals(headers.get("x-mail"), "ada@lab.invalid");
  assertEquals([headers.get("accept-encoding"), headers.get("content-type")], [
    "gzip, identity;q=0.5",
    "application/json",
  ]);
});

Deno.test("a fetch that ignores its signal is left behind, and what it still brings is cancelled", async () => {
  const late = Promise.withResolvers<Response>();
  const cancelled = Promise.withResolvers<unknown>();
  const controller = new AbortController();
  const client = new RegistryClient("http://registry.invalid", { fetch: () => late.promise });
  const answered = client.search({ query: "" }, { signal: controller.signal }).catch((error: unknown) => error);
  controller.abort("enough");
  assertEquals(await answered, "enough");
  late.resolve(new Response(new ReadableStream({ cancel: (reason) => cancelled.resolve(reason) })));
  await cancelled.promise;
});

Deno.test("a stream of an injected fetch that is longer or shorter than announced is an error", async () => {
  const client = (length: number) =>
    new RegistryClient("http://registry.invalid", {
      retry: { tries: 1 },
      fetch: () => Promise.resolve(new Response("a,b\n", { headers: { "content-length": String(length) } })),
    });
  await assertRejects(
    async () => await new Response((await client(5).download(max)).body).text(),
    Error,
    "4 of 5 bytes",
  );
  await assertRejects(
    async () => await new Response((await client(3).download(max)).body).text(),
    Error,
    "announced 3 bytes",
  );
});

Deno.test("an answer of another shape is shown without what a terminal obeys, and not at length", async () => {
  const fetch = () => Promise.resolve(Response.json({ "\x1b[2J\u202e": 1, ["x".repeat(5000)]: 2 }));
  const client = new RegistryClient("http://registry.invalid", { fetch });
  const error = await assertRejects(
    () => client.sequence({ accessions: [ID] }),
    Error,
    "\\u{1b}[2J\\u{202e}: expected",
  );
  assertEquals(error.message.length < 1000, true);
});

Deno.test("a status is followed by what to do: wait for a busy server, another address for one that is no registry", async () => {
  const adviceOf = async (status: number) => {
    const fetch = () => Promise.resolve(new Response("<html><p>no</p></html>", { status }));
    const client = new RegistryClient("http://registry.invalid", { fetch, retry: { tries: 1 } });
    const { message } = await assertRejects(() => client.search({ query: "" }), StatusError);
    return message.split("; ").at(-1);
  };
  const isNone = "the server does not offer the operation: check that the base URL is that of a registry";
  assertEquals(
    await Promise.all([500, 503, 429, 501, 505, 405, 404, 418].map(adviceOf)),
    [...Array(3).fill("try again later"), ...Array(3).fill(isNone), "check the base URL", "check the base URL"],
  );
});
