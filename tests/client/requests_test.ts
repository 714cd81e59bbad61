/** What a method refuses before anything is sent, and what it sends otherwise. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type ClientOptions,
  type DownloadRequest,
  NetworkError,
  parseRetryAfter,
  RegistryClient,
  RetryBudget,
} from "../../src/client/mod.ts";
import { namingOf } from "../../src/spec/naming.ts";

const ID = "vj000000000001";
const FILE = "registryv1_unique_seqs_metadata.sha256";

/** A client whose `fetch` answers with a text that suits every operation, and notes what it was asked. */
function recording(options: ClientOptions = {}, baseUrl: string | URL = "http://registry.invalid") {
  const requests: Request[] = [];
  const client = new RegistryClient(baseUrl, {
    fetch: (request) => {
      requests.push(request.clone());
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/search")) {
        return Promise.resolve(Response.json({ total: 0, results: [], facets: {}, query: "" }));
      }
      return Promise.resolve(pathname.endsWith("/sequence") ? Response.json({}) : new Response("a,b\n"));
    },
    ...options,
  });
  return { client, requests };
}

const max: DownloadRequest = {
  search: { query: "x" },
  download: { scope: "max", information: "metadata", fileType: "csv" },
};
const selection = (selected_ids: unknown) => ({
  search: { query: "" },
  download: { scope: "selection", information: "sequences", fileType: "fasta", selected_ids },
});

Deno.test("a request that breaks the specification is refused before anything is sent", async (t) => {
  type Row = readonly [call: (client: Loose) => Promise<unknown>, type: "TypeError" | "RangeError", says: string];
  /** The methods as a notebook calls them, where no compiler looks. */
  interface Loose {
    search(request: unknown): Promise<unknown>;
    sequence(request: unknown): Promise<unknown>;
    download(request: unknown): Promise<unknown>;
    definitions(request: unknown, options?: unknown): Promise<unknown>;
    dataset(fileName: unknown, options?: unknown): Promise<unknown>;
  }
  const loose = (client: RegistryClient): Loose => ({
    search: (request) => Reflect.apply(client.search, client, [request]),
    sequence: (request) => Reflect.apply(client.sequence, client, [request]),
    download: (request) => Reflect.apply(client.download, client, [request]),
    definitions: (request, options) => Reflect.apply(client.definitions, client, [request, options]),
    dataset: (fileName, options) => Reflect.apply(client.dataset, client, [fileName, options]),
  });
  const rows: Record<string, Row> = {
    "no request": [(c) => c.search(undefined), "TypeError", "request: expected an object, not nothing"],
    "a query in a list": [(c) => c.search({ query: ["a"] }), "TypeError", 'query: expected a string, not ["a"]'],
    "no query": [(c) => c.search({}), "TypeError", "query: expected a string, not nothing"],
    "a page in words": [
      (c) => c.search({ query: "", pageNumber: "2" }),
      "TypeError",
      'pageNumber: expected an integer, not "2"',
    ],
    "page 0": [
      (c) => c.search({ query: "", pageNumber: 0 }),
      "RangeError",
      "pageNumber: expected an integer of at least 1",
    ],
    "half a page": [(c) => c.search({ query: "", pageSize: 0.5 }), "TypeError", "pageSize: expected an integer"],
    "an order of its own": [(c) => c.search({ query: "", sortOrder: "up" }), "RangeError", "expected one of asc, desc"],
    "a filter that is no list": [(c) => c.search({ query: "", filter: {} }), "TypeError", "filter: expected an array"],
    "a filter without value": [
      (c) => c.search({ query: "", filter: [{ field: "a" }] }),
      "TypeError",
      "filter.0.value: expected a value",
    ],
    "a filter of undefined": [
      (c) => c.search({ query: "", filter: [{ field: "a", value: undefined }] }),
      "TypeError",
      "expected a value, not nothing",
    ],
    "a filter of NaN": [(c) => c.search({ query: "", filter: [{ field: "a", value: NaN }] }), "RangeError", "finite"],
    "a filter of bigint": [(c) => c.search({ query: "", filter: [{ field: "a", value: 1n }] }), "TypeError", "bigint"],
    "eleven digits": [
      (c) => c.sequence({ accessions: ["vj00000000001"] }),
      "RangeError",
      'accessions.0: expected an accession: vj followed by 12 digits, not "vj00000000001"',
    ],
    "thirteen digits": [
      (c) => c.sequence({ accessions: [ID, `${ID}1`] }),
      "RangeError",
      "accessions.1: expected an accession",
    ],
    "digits of another script": [
      (c) => c.sequence({ accessions: ["vj00000000000١"] }),
      "RangeError",
      "expected an accession",
    ],
    "a line feed after": [(c) => c.sequence({ accessions: [`${ID}\n`] }), "RangeError", "expected an accession"],
    "one accession, no list": [(c) => c.sequence({ accessions: ID }), "TypeError", "accessions: expected an array"],
    "no accessions": [(c) => c.sequence({}), "TypeError", "accessions: expected an array of accessions, not nothing"],
    "many faults": [(c) => c.sequence({ accessions: Array(9).fill("x") }), "RangeError", "; and 4 more"],
    "an unknown scope": [
      (c) => c.download({ ...max, download: { ...max.download, scope: "all" } }),
      "RangeError",
      "download.scope: expected one of max, selection",
    ],
    "FASTA of metadata": [
      (c) => c.download({ ...max, download: { ...max.download, fileType: "fasta" } }),
      "RangeError",
      "holds sequences only",
    ],
    "JSON": [
      (c) => c.download({ ...max, download: { ...max.download, fileType: "json" } }),
      "RangeError",
      "not valid JSON",
    ],
    "a blank query alone": [
      (c) => c.download({ ...max, search: { query: " " } }),
      "RangeError",
      "neither a query nor a filter",
    ],
    "a selection of nothing": [(c) => c.download(selection([])), "RangeError", "expected at least one accession"],
    "a selection that would be cut": [
      (c) => c.download(selection(Array(10_001).fill(ID))),
      "RangeError",
      "10001 accessions in one selection",
    ],
    "fields in one text": [
      (c) => c.definitions({ fields: "Country" }),
      "TypeError",
      "fields: expected an array of strings",
    ],
    "definitions as XML": [
      (c) => c.definitions({ fields: [] }, { format: "xml" }),
      "RangeError",
      "choose csv, json or xlsx",
    ],
    "definitions as toString": [
      (c) => c.definitions({ fields: [] }, { format: "toString" }),
      "RangeError",
      "choose csv, json or xlsx",
    ],
    "an archive's stem": [(c) => c.dataset("registryv1_unique_seqs_metadata"), "RangeError", "did you mean"],
    "a path": [(c) => c.dataset(`../${FILE}`), "RangeError", `did you mean "${FILE}"`],
    "a range from nothing": [
      (c) => c.dataset(FILE, { range: { start: 0, ifRange: '"a"' } }),
      "RangeError",
      "range.start",
    ],
    "a weak tag": [
      (c) => c.dataset(FILE, { range: { start: 1, ifRange: 'W/"a"' } }),
      "RangeError",
      "strong entity tag",
    ],
    "a tag that breaks the header": [
      (c) => c.dataset(FILE, { range: { start: 1, ifRange: '"a\r\nX: y"' } }),
      "RangeError",
      "strong",
    ],
  };
  for (const [fault, [call, type, says]] of Object.entries(rows)) {
    await t.step(fault, async () => {
      const { client, requests } = recording();
      const error = await assertRejects(() => call(loose(client)), type === "TypeError" ? TypeError : RangeError, says);
      assertEquals(error.name, type);
      assertEquals(requests.length, 0);
    });
  }
});

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
      assertEquals(request.headers.get("accept-encoding"), "identity");
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

Deno.test("a base URL that cannot be one is refused at once", async (t) => {
  const rows: Record<string, string> = {
    "": "it is no URL",
    "registry.example": "it is no URL",
    "localhost:8000": 'did you mean "http://localhost:8000"',
    "ftp://registry.invalid": "write an http or https URL",
    "file:///data": "write an http or https URL",
    "http://": "it is no URL",
    "https://registry.invalid/?a=b": 'has no "?" or "#"',
    "https://registry.invalid/#top": 'has no "?" or "#"',
    "https://ada:secret@registry.invalid": "holds a user name or password",
  };
  for (const [given, says] of Object.entries(rows)) {
    await t.step(given === "" ? "nothing" : given, () => {
      const error = assertThrows(() => new RegistryClient(given), TypeError, says);
      assertEquals(error.message.includes("secret"), false);
    });
  }
});

Deno.test("options that make no sense are refused at once", () => {
  const make = (options: ClientOptions) => () => new RegistryClient("http://registry.invalid", options);
  assertThrows(make({ timeouts: { idleMs: 0 } }), RangeError, "timeouts.idleMs");
  assertThrows(make({ timeouts: { headersMs: NaN } }), RangeError, "timeouts.headersMs");
  assertThrows(make({ timeouts: { connectMs: 2 ** 31 } }), RangeError, "timeouts.connectMs");
  assertThrows(make({ retry: { tries: 0 } }), RangeError, "retry.tries");
  assertThrows(make({ retry: { tries: 1.5 } }), RangeError, "retry.tries");
  assertThrows(make({ retry: { budgetMs: -1 } }), RangeError, "retry.budgetMs");
  assertThrows(make({ headers: { "a b": "c" } }), TypeError);
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
  assertEquals([headers.get("accept-encoding"), headers.get("content-type")], ["identity", "application/json"]);
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

Deno.test("parseRetryAfter() never gives what cannot be waited for", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  for (const value of ["", "x", "-1", "1e3", "0x10", "1 2", "Infinity", "NaN", "2026-01-01", "12:00", "Thu", null]) {
    assertEquals(parseRetryAfter(value, now), undefined, String(value));
  }
  assertEquals(parseRetryAfter(" 3 ", now), 3000);
  assertEquals(parseRetryAfter("Thu Jan  1 00:00:02 2026 GMT", now), 2000);
  assertEquals(Number.isFinite(parseRetryAfter("9".repeat(999), now)), true);
});

Deno.test("RetryBudget counts tries and waiting anew after 1 MiB of progress, and not before", async () => {
  const broken = new NetworkError("Cannot search: broken", "http://registry.invalid/");
  const budget = new RetryBudget({ tries: 2, budgetMs: 700 }, { random: () => 1, sleep: () => Promise.resolve() });
  await budget.pause(broken);
  budget.progress((1 << 20) - 1);
  await assertRejects(() => budget.pause(broken), NetworkError);
  budget.progress(1);
  await budget.pause(broken);
  await assertRejects(() => budget.pause(broken), NetworkError);
});

Deno.test("RetryBudget throws the signal's reason before and after its wait", async () => {
  const controller = new AbortController();
  const budget = new RetryBudget({}, { sleep: () => Promise.resolve(controller.abort("late")) });
  const broken = new NetworkError("Cannot search: broken", "http://registry.invalid/");
  const error = await budget.pause(broken, { signal: controller.signal }).catch((error: unknown) => error);
  assertEquals(error, "late");
  const never = new NetworkError("Cannot search: no", "http://registry.invalid/", { permanent: true });
  assertEquals(await budget.pause(never).catch((error: unknown) => error), never);
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
