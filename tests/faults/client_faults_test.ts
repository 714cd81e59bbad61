/** One row, one fault: what a server sends, and what the client must make of it. */
import { assert, assertEquals, assertInstanceOf, assertRejects, assertStringIncludes } from "@std/assert";
import { RegistryError } from "../../src/errors.ts";
import {
  BusyError,
  type ClientOptions,
  InvalidRequestError,
  NetworkError,
  NoResultsError,
  RegistryClient,
  StatusError,
  TimeoutError,
  UnexpectedResponseError,
} from "../../src/client/mod.ts";
import {
  answer,
  type FaultServer,
  json,
  raw,
  rawThenDrip,
  rawThenReset,
  rawThenSilence,
  type Reply,
  serveFaults,
} from "./_server.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const PAGE = { total: 1, results: [{ id: "1", score: null, source: { Country: "Peru" } }], facets: {}, query: "x" };
const HTML = "<!doctype html><title>Sign in</title>";
const JSON_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const FILE_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n";
const ARCHIVE = "registryv1_unique_seqs_metadata.csv.gz";

/** What a row may look at when all is over. */
interface Aftermath {
  readonly server: FaultServer;
  /** Waits between tries, in milliseconds. */
  readonly waits: readonly number[];
}

/** What must happen: an error of this class whose message holds this text, or a result of this text. */
type Must =
  // deno-lint-ignore no-explicit-any
  | { readonly throws: new (...args: any[]) => RegistryError; readonly says?: string; readonly tries?: number }
  | { readonly gives: string; readonly tries?: number };

type Row = readonly [sends: Reply | readonly Reply[], must: Must, options?: ClientOptions];

/** Runs work against a scripted server; time is not spent but noted. */
async function withServer(
  sends: Reply | readonly Reply[],
  options: ClientOptions,
  work: (client: RegistryClient, aftermath: Aftermath) => Promise<void>,
): Promise<void> {
  await using server = await serveFaults(sends);
  const waits: number[] = [];
  const client = new RegistryClient(server.url, {
    now: () => NOW,
    random: () => 1,
    sleep: (ms) => Promise.resolve(void waits.push(ms)),
    ...options,
  });
  await work(client, { server, waits });
}

async function runTable(
  t: Deno.TestContext,
  table: Readonly<Record<string, Row>>,
  work: (client: RegistryClient) => Promise<string>,
): Promise<void> {
  for (const [fault, [sends, must, options = {}]] of Object.entries(table)) {
    await t.step(fault, () =>
      withServer(sends, options, async (client, { server }) => {
        if ("gives" in must) assertEquals(await work(client), must.gives);
        else {
          const error = await assertRejects(() => work(client), must.throws, must.says ?? "");
          assertEquals(/undefined|\[object/.test(error.message), false, error.message);
          assertEquals(error.message.startsWith("Cannot "), true, error.message);
        }
        if (must.tries !== undefined) assertEquals(server.requests.length, must.tries);
      }));
  }
}

const search = async (client: RegistryClient) => JSON.stringify((await client.search({ query: "x" })).body);
const good = json(PAGE);
const whole = JSON.stringify(PAGE);

Deno.test("search() survives what can mend and names what cannot", async (t) => {
  const table: Record<string, Row> = {
    "a good answer": [good, { gives: whole, tries: 1 }],
    "500 then 200": [[answer(500), good], { gives: whole, tries: 2 }],
    "429, 503, 504, then 200": [[answer(429), answer(503), answer(504), good], { gives: whole, tries: 4 }],
    "408 then 200": [[answer(408), good], { gives: whole, tries: 2 }],
    "502 four times": [answer(502, {}, "bad gateway"), { throws: StatusError, says: "bad gateway", tries: 4 }],
    "501 is final": [answer(501), { throws: StatusError, says: "501", tries: 1 }],
    "400 is final": [json({ detail: "empty term" }, 400), {
      throws: InvalidRequestError,
      says: "empty term",
      tries: 1,
    }],
    "403 is final": [answer(403), { throws: StatusError, says: "credentials", tries: 1 }],
    "404 is not an empty result": [json({ detail: "Not Found" }, 404), {
      throws: StatusError,
      says: "base URL",
      tries: 1,
    }],
    "413": [answer(413), { throws: StatusError, says: "ask for less", tries: 1 }],
    "422 with its body": [
      json({ detail: [{ loc: ["body", "pageSize"], msg: "must be positive", type: "x" }] }, 422),
      { throws: InvalidRequestError, says: "body.pageSize: must be positive", tries: 1 },
    ],
    "422 with a strange body": [json({ fault: [1] }, 422), {
      throws: InvalidRequestError,
      says: '{"fault":[1]}',
      tries: 1,
    }],
    "422 with a web page": [answer(422, {}, HTML), { throws: InvalidRequestError, says: "an HTML page", tries: 1 }],
    "422 with nothing": [answer(422), { throws: InvalidRequestError, says: "422", tries: 1 }],
    "an error that controls terminals": [json({ detail: "a\x1b[2Jb" }, 400), {
      throws: InvalidRequestError,
      says: "\\u{1b}",
    }],
    "an error whose body breaks": [
      raw("HTTP/1.1 400 Bad\r\nContent-Length: 100\r\n\r\nbecause"),
      { throws: InvalidRequestError, says: "400", tries: 1 },
    ],
    "an error whose body never ends": [
      rawThenDrip("HTTP/1.1 400 Bad\r\nConnection: close\r\n\r\n", "because ".repeat(1000)),
      { throws: InvalidRequestError, says: "because", tries: 1 },
    ],
    "an error whose body drips for ever": [
      rawThenDrip("HTTP/1.1 400 Bad\r\nConnection: close\r\n\r\n", "b"),
      { throws: InvalidRequestError, says: "bbb", tries: 1 },
      { timeouts: { headersMs: 1500 } },
    ],
    "204": [raw("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"), {
      throws: UnexpectedResponseError,
      says: "got 204",
      tries: 1,
    }],
    "206 nobody asked for": [json(PAGE, 206), { throws: UnexpectedResponseError, says: "got 206", tries: 1 }],
    "a web page with 200": [answer(200, { "content-type": "text/html" }, HTML), {
      throws: UnexpectedResponseError,
      says: "an HTML page",
      tries: 1,
    }],
    "nothing with 200": [answer(200), { throws: UnexpectedResponseError, says: "an empty file", tries: 1 }],
    "invalid JSON": [answer(200, {}, '{"total": 1,'), { throws: UnexpectedResponseError, says: "damaged or cut JSON" }],
    "bytes that are not UTF-8": [answer(200, {}, new Uint8Array([0x7b, 0xff, 0x7d])), {
      throws: UnexpectedResponseError,
      says: "not UTF-8",
    }],
    "JSON of another shape": [json({ total: "1", results: {} }), {
      throws: UnexpectedResponseError,
      says: "total: expected",
    }],
    "JSON that is a list": [json([]), { throws: UnexpectedResponseError, says: "the whole: expected an object" }],
    "fields that nobody named": [
      answer(200, {}, '{"total":0,"results":[],"facets":null,"query":"","__proto__":{"a":1},"new":2}'),
      { gives: '{"total":0,"results":[],"facets":null,"query":"","__proto__":{"a":1},"new":2}' },
    ],
    "gzip nobody asked for": [answer(200, { "content-encoding": "gzip" }, new Uint8Array([0x1f, 0x8b, 8])), {
      throws: UnexpectedResponseError,
      says: 'coded as "gzip"',
    }],
    "a short body": [[raw(`${JSON_HEAD}Content-Length: 500\r\n\r\n{"total"`), good], { gives: whole, tries: 2 }],
    "a short body, always": [raw(`${JSON_HEAD}Content-Length: 500\r\n\r\n{"total"`), {
      throws: NetworkError,
      says: "after 8 of 500 bytes",
      tries: 4,
    }],
    "chunks cut short": [[raw(`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n8\r\n{"total"\r\n`), good], {
      gives: whole,
      tries: 2,
    }],
    "closed instead of a length": [raw(`${JSON_HEAD}\r\n${whole}`), { gives: whole, tries: 1 }],
    "closed too early instead of a length": [raw(`${JSON_HEAD}\r\n${whole.slice(0, 9)}`), {
      throws: UnexpectedResponseError,
      says: "cut JSON",
    }],
    "more than announced": [raw(`${JSON_HEAD}Content-Length: ${whole.length}\r\n\r\n${whole}rubbish`), {
      gives: whole,
      tries: 1,
    }],
    "less announced than a whole": [raw(`${JSON_HEAD}Content-Length: 9\r\n\r\n${whole}`), {
      throws: UnexpectedResponseError,
      says: "cut JSON",
    }],
    "larger than allowed": [good, { throws: UnexpectedResponseError, says: "larger than 10 bytes" }, {
      maxAnswerBytes: 10,
    }],
    "a drip without end": [
      rawThenDrip(`${JSON_HEAD}Connection: close\r\n\r\n`, " ".repeat(100)),
      { throws: UnexpectedResponseError, says: "larger than 5000 bytes", tries: 1 },
      { maxAnswerBytes: 5000 },
    ],
    "no header": [
      rawThenSilence(),
      { throws: TimeoutError, says: "no answer from", tries: 2 },
      { timeouts: { headersMs: 40 }, retry: { tries: 2 } },
    ],
    "a header that drips": [
      rawThenDrip("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"),
      { throws: TimeoutError, says: "no answer from", tries: 1 },
      { timeouts: { headersMs: 40 }, retry: { tries: 1 } },
    ],
    "silence in the body": [
      [rawThenSilence(`${JSON_HEAD}Content-Length: 500\r\n\r\n{"total"`), good],
      { gives: whole, tries: 2 },
      { timeouts: { idleMs: 500 } },
    ],
    "silence in the body, always": [
      rawThenSilence(`${JSON_HEAD}Content-Length: 500\r\n\r\n{"total"`),
      { throws: TimeoutError, says: "nothing came", tries: 2 },
      { timeouts: { idleMs: 500 }, retry: { tries: 2 } },
    ],
    "closed without a word": [[raw(), good], { gives: whole, tries: 2 }],
    "a reset without a word": [[rawThenReset(), good], { gives: whole, tries: 2 }],
    "no HTTP at all": [raw("SSH-2.0-OpenSSH_9.6\r\n"), { throws: NetworkError, says: "does not speak HTTP", tries: 4 }],
  };
  await runTable(t, table, search);
});

Deno.test("search() follows redirects to the same host only", async (t) => {
  const to = (location: string, status = 307): Reply => answer(status, { location });
  const table: Record<string, Row> = {
    "307 to another path": [[to("/moved"), good], { gives: whole, tries: 2 }],
    "five in a row": [[to("/1"), to("/2"), to("/3"), to("/4"), to("/5"), good], { gives: whole, tries: 6 }],
    "six in a row": [[to("/1"), to("/2"), to("/3"), to("/4"), to("/5"), to("/6"), good], {
      throws: UnexpectedResponseError,
      says: "too many",
      tries: 6,
    }],
    "a loop of one": [to("/v2/search"), { throws: UnexpectedResponseError, says: "in a circle", tries: 1 }],
    "a loop of two": [[to("/a"), to("/v2/search")], { throws: UnexpectedResponseError, says: "in a circle", tries: 2 }],
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
    "to a file": [to("file:///etc/passwd"), { throws: UnexpectedResponseError, says: "never followed" }],
    "with a password": [to("http://a:b@127.0.0.1/"), { throws: UnexpectedResponseError, says: "password" }],
    "to nowhere": [answer(302), { throws: UnexpectedResponseError, says: "does not say where to", tries: 1 }],
    "to no URL": [to("http://[bad"), { throws: UnexpectedResponseError, says: "is no URL", tries: 1 }],
    "304": [answer(304, { "content-length": null }), { throws: UnexpectedResponseError, says: "got 304", tries: 1 }],
  };
  await runTable(t, table, search);

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

Deno.test("Retry-After is obeyed, within the budget", async (t) => {
  const after = (value: string, status = 503): Reply => answer(status, { "retry-after": value });
  const rows: Record<string, readonly [value: string, waits: readonly number[]]> = {
    "seconds": ["7", [7000]],
    "nothing": ["0", [500]],
    "a date": ["Thu, 01 Jan 2026 00:00:09 GMT", [9000]],
    "an old form of date": ["Thursday, 01-Jan-26 00:00:09 GMT", [9000]],
    "a date that has passed": ["Wed, 01 Jan 2020 00:00:00 GMT", [500]],
    "negative": ["-30", [500]],
    "a fraction": ["1.5", [500]],
    "rubbish": ["soon", [500]],
    "empty": ["", [500]],
  };
  for (const [form, [value, waits]] of Object.entries(rows)) {
    await t.step(form, () =>
      withServer([after(value), good], {}, async (client, seen) => {
        await client.search({ query: "x" });
        assertEquals(seen.waits, waits);
      }));
  }

  const beyond: Record<string, readonly [value: string, at: string]> = {
    "31 seconds": ["31", "2026-01-01T00:00:31.000Z"],
    "a date tomorrow": ["Fri, 02 Jan 2026 00:00:00 GMT", "2026-01-02T00:00:00.000Z"],
    "more than a number holds": ["9".repeat(400), "2035-12-30T00:00:00.000Z"],
    "the year 9999": ["Fri, 31 Dec 9999 23:59:59 GMT", "2035-12-30T00:00:00.000Z"],
  };
  for (const [form, [value, at]] of Object.entries(beyond)) {
    await t.step(
      `beyond the budget: ${form}`,
      () =>
        withServer(after(value, 429), {}, async (client, { server, waits }) => {
          const error = await assertRejects(() => client.search({ query: "x" }), BusyError, at);
          assertEquals([error.code, error.status, error.retryAt.toISOString()], ["busy", 429, at]);
          assertEquals([server.requests.length, waits.length], [1, 0]);
        }),
    );
  }

  await t.step(
    "several that fit alone but not together",
    () =>
      withServer(after("12"), {}, async (client, { waits }) => {
        await assertRejects(() => client.search({ query: "x" }), BusyError, "12 seconds");
        assertEquals(waits, [12_000, 12_000]);
      }),
  );

  await t.step(
    "when tries end it says when to come back",
    () =>
      withServer(after("2"), { retry: { tries: 1 } }, async (client, { server }) => {
        await assertRejects(() => client.search({ query: "x" }), BusyError, "come back in 2 seconds");
        assertEquals(server.requests.length, 1);
      }),
  );
});

Deno.test("waits grow, are jittered, and end with the budget", async (t) => {
  await t.step("growth", () =>
    withServer(answer(500), {}, async (client, { waits }) => {
      await assertRejects(() => client.search({ query: "x" }), StatusError);
      assertEquals(waits, [500, 1000, 2000]);
    }));
  await t.step(
    "jitter goes down to nothing",
    () =>
      withServer(answer(500), { random: () => 0 }, async (client, { waits }) => {
        await assertRejects(() => client.search({ query: "x" }), StatusError);
        assertEquals(waits, [0, 0, 0]);
      }),
  );
  await t.step(
    "the budget ends tries early",
    () =>
      withServer(answer(500), { retry: { tries: 9, budgetMs: 3000 } }, async (client, { waits, server }) => {
        await assertRejects(() => client.search({ query: "x" }), StatusError);
        assertEquals(waits, [500, 1000]);
        assertEquals(server.requests.length, 3);
      }),
  );
  await t.step("each failed try is told", async () => {
    const told: string[] = [];
    const onRetry: ClientOptions["onRetry"] = ({ error, tries, waitMs }) =>
      told.push(`${tries} ${error.code} ${waitMs}`);
    await withServer([raw(), answer(500), good], { onRetry }, async (client) => {
      const { receipt } = await client.search({ query: "x" });
      assertEquals(receipt.tries, 3);
    });
    assertEquals(told, ["1 network 500", "2 status 1000"]);
  });
});

const SELECTION = {
  search: { query: "x" },
  download: { scope: "max", information: "metadata", fileType: "csv" },
} as const;

const download = async (client: RegistryClient) => await new Response((await client.download(SELECTION)).body).text();

Deno.test("download() gives a file to its end, or an error", async (t) => {
  const file = answer(200, { "content-type": "text/csv" }, "a,b\n1,2\n");
  const table: Record<string, Row> = {
    "a file": [file, { gives: "a,b\n1,2\n", tries: 1 }],
    "a file in chunks": [raw(`${FILE_HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\na,b\n\r\n4\r\n1,2\n\r\n0\r\n\r\n`), {
      gives: "a,b\n1,2\n",
    }],
    "an empty file": [answer(200, { "content-type": "text/csv" }), { gives: "" }],
    "404 means nothing matched": [json({ detail: "No results" }, 404), {
      throws: NoResultsError,
      says: "No results",
      tries: 1,
    }],
    "404 of a web server means the wrong address": [answer(404, {}, HTML), { throws: StatusError, says: "base URL" }],
    "a web page with 200": [answer(200, { "content-type": "text/html" }, HTML), {
      throws: UnexpectedResponseError,
      says: "an HTML page",
    }],
    "a web page that calls itself a table": [answer(200, { "content-type": "text/csv" }, HTML), {
      throws: UnexpectedResponseError,
      says: "an HTML page",
    }],
    "an error with 200": [json({ detail: "sorry" }), { throws: UnexpectedResponseError, says: "JSON" }],
    "gzip nobody asked for": [answer(200, { "content-encoding": "gzip" }, new Uint8Array([0x1f, 0x8b, 8])), {
      throws: UnexpectedResponseError,
      says: 'coded as "gzip"',
    }],
    "a break before enough has come": [[rawThenReset(`${FILE_HEAD}Content-Length: 900\r\n\r\na,b\n`), file], {
      gives: "a,b\n1,2\n",
      tries: 2,
    }],
    "short of its length, past the begin": [raw(`${FILE_HEAD}Content-Length: 900\r\n\r\n${"a,b\n".repeat(200)}`), {
      throws: NetworkError,
      says: "after 800 of 900 bytes",
      tries: 1,
    }],
    "chunks cut short, past the begin": [
      raw(`${FILE_HEAD}Transfer-Encoding: chunked\r\n\r\n320\r\n${"a,b\n".repeat(200)}\r\n`),
      { throws: NetworkError, says: "after 800 bytes", tries: 1 },
    ],
    "silence past the begin": [
      rawThenSilence(`${FILE_HEAD}Content-Length: 900\r\n\r\n${"a,b\n".repeat(200)}`),
      { throws: TimeoutError, says: "after 800 of 900 bytes" },
      { timeouts: { idleMs: 500 } },
    ],
    "206 nobody asked for": [answer(206, { "content-type": "text/csv" }, "a"), {
      throws: UnexpectedResponseError,
      says: "206",
    }],
  };
  await runTable(t, table, download);
});

Deno.test("a reset at a random byte of a file is always an error", async () => {
  const body = "a,b\n".repeat(5000);
  const bytes = `${FILE_HEAD}Content-Length: ${body.length}\r\n\r\n${body}`;
  let seed = 7;
  for (let round = 0; round < 60; round++) {
    seed = (seed * 48271) % 2147483647;
    const cut = seed % bytes.length;
    await withServer(rawThenReset(bytes.slice(0, cut)), { retry: { tries: 1 } }, async (client) => {
      await assertRejects(() => download(client), NetworkError, "Cannot download");
    });
  }
});

Deno.test("dataset() demands the part it asked for", async (t) => {
  const range = { start: 4, ifRange: '"v1"' };
  const rest = async (client: RegistryClient) => {
    const file = await client.dataset(ARCHIVE, { range });
    return `${file.status} from ${file.start} of ${file.totalBytes}: ${await new Response(file.body).text()}`;
  };
  const part = (contentRange: string | null, body = "efgh", headers: Record<string, string> = {}): Reply =>
    answer(206, { "content-range": contentRange, etag: '"v1"', ...headers }, body);
  const table: Record<string, Row> = {
    "the rest": [part("bytes 4-7/8"), { gives: "206 from 4 of 8: efgh" }],
    "the rest of who knows how much": [part("bytes 4-7/*"), { gives: "206 from 4 of 8: efgh" }],
    "the whole instead": [answer(200, { etag: '"v2"' }, "ABCDEFGH"), { gives: "200 from 0 of 8: ABCDEFGH" }],
    "from a wrong start": [part("bytes 0-3/8"), { throws: UnexpectedResponseError, says: "from 4 on", tries: 1 }],
    "not up to the end": [part("bytes 4-6/8", "efg"), { throws: UnexpectedResponseError, says: "from 4 on" }],
    "without Content-Range": [part(null), { throws: UnexpectedResponseError, says: "without Content-Range" }],
    "in other units": [part("lines 4-7/8"), { throws: UnexpectedResponseError, says: "lines 4-7/8" }],
    "of another length": [part("bytes 4-7/8", "efghi"), { throws: UnexpectedResponseError, says: "from 4 on" }],
    "of another version": [part("bytes 4-7/8", "efgh", { etag: '"v2"' }), {
      throws: UnexpectedResponseError,
      says: "another version",
    }],
    "416": [answer(416, { "content-range": "bytes */4" }), { throws: StatusError, says: "416", tries: 1 }],
  };
  await runTable(t, table, rest);

  await t.step("the request says so", () =>
    withServer(part("bytes 4-7/8"), {}, async (client, { server }) => {
      await rest(client);
      const [{ method, path, headers }] = server.requests;
      assertEquals([method, path], ["GET", `/v2/datasets_download?filename=${ARCHIVE}`]);
      assertEquals(headers.get("range"), "bytes=4-");
      assertEquals(headers.get("if-range"), '"v1"');
      assertEquals(headers.get("accept-encoding"), "identity");
      assertEquals(headers.get("cookie"), null);
    }));

  await t.step(
    "416 carries its header",
    () =>
      withServer(answer(416, { "content-range": "bytes */4" }), {}, async (client) => {
        const error = await assertRejects(() => rest(client), StatusError);
        assertEquals([error.status, error.headers.get("content-range")], [416, "bytes */4"]);
      }),
  );
});

Deno.test("dataset() gives bytes as they travel", async (t) => {
  const file = async (client: RegistryClient) => {
    const { body } = await client.dataset(ARCHIVE);
    return Array.from(new Uint8Array(await new Response(body).arrayBuffer())).join();
  };
  const gzip = new Uint8Array([0x1f, 0x8b, 8, 0]);
  await runTable(t, {
    "an archive": [answer(200, { "content-type": "application/gzip" }, gzip), { gives: "31,139,8,0" }],
    "an archive that is called coded": [answer(200, { "content-encoding": "gzip" }, gzip), { gives: "31,139,8,0" }],
    "a part nobody asked for": [answer(206, { "content-range": "bytes 0-3/8" }, gzip), {
      throws: UnexpectedResponseError,
      says: "though all of it was asked for",
      tries: 1,
    }],
    "a web page": [answer(200, {}, HTML), { throws: UnexpectedResponseError, says: "an HTML page" }],
    "404": [answer(404), { throws: StatusError, says: "base URL", tries: 1 }],
  }, file);
});

Deno.test("a signal ends everything at once, with its reason", async (t) => {
  const stages: Record<string, Reply> = {
    "before the header": rawThenSilence(),
    "in the body of an answer": rawThenSilence(`${JSON_HEAD}Content-Length: 500\r\n\r\n{`),
    "in a body that drips": rawThenDrip(`${JSON_HEAD}Connection: close\r\n\r\n`, " "),
    "in the body of an error": rawThenSilence("HTTP/1.1 400 Bad\r\nContent-Length: 500\r\n\r\n{"),
  };
  for (const [stage, reply] of Object.entries(stages)) {
    await t.step(stage, async () => {
      const controller = new AbortController();
      const reason = new Error("stopped by the reader");
      const arrived = Promise.withResolvers<void>();
      const replyAndTell: Reply = (exchange) => {
        arrived.resolve();
        return reply(exchange);
      };
      await withServer(replyAndTell, {}, async (client, { server }) => {
        const answered = client.search({ query: "x" }, { signal: controller.signal });
        arrived.promise.then(() => setTimeout(() => controller.abort(reason), 5));
        assertEquals(await answered.catch((error: unknown) => error), reason);
        await server.closed(1);
      });
    });
  }

  await t.step("during a wait between tries, with real timers", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped in the wait");
    await using server = await serveFaults(answer(503, { "retry-after": "25" }));
    const client = new RegistryClient(server.url, { onRetry: () => queueMicrotask(() => controller.abort(reason)) });
    const error = await client.search({ query: "x" }, { signal: controller.signal }).catch((error: unknown) => error);
    assertEquals(error, reason);
    assertEquals(server.requests.length, 1);
  });

  await t.step("before anything is sent", () =>
    withServer(good, {}, async (client, { server }) => {
      const signal = AbortSignal.abort("no");
      assertEquals(await client.search({ query: "x" }, { signal }).catch((error: unknown) => error), "no");
      assertEquals(server.requests.length, 0);
    }));

  await t.step("while a file streams", async () => {
    const controller = new AbortController();
    const head = `${FILE_HEAD}Content-Length: 9000\r\n\r\n${"a,b\n".repeat(200)}`;
    await withServer(rawThenSilence(head), {}, async (client, { server }) => {
      const { body } = await client.download(SELECTION, { signal: controller.signal });
      const reader = body.getReader();
      await reader.read();
      const next = reader.read().catch((error: unknown) => error);
      controller.abort("enough");
      assertEquals(await next, "enough");
      await server.closed(1);
    });
  });
});

Deno.test("a consumer that stops early cancels upstream", async () => {
  const head = `${FILE_HEAD}Content-Length: 9000000\r\n\r\n`;
  await withServer(rawThenDrip(head, "a,b\n".repeat(500)), {}, async (client, { server }) => {
    const { body, receipt } = await client.download(SELECTION);
    for await (const chunk of body) {
      assert(chunk.length > 0);
      break;
    }
    await server.closed(1);
    assertEquals([receipt().sha256, receipt().finished], [null, null]);
  });
});

Deno.test("a slow consumer is not a silent registry", async () => {
  const reply: Reply = async (exchange) => {
    await exchange.send(`${FILE_HEAD}Content-Length: 1200\r\n\r\n${"a,b\n".repeat(150)}`);
    await exchange.send("a,b\n".repeat(150));
  };
  await withServer(reply, { timeouts: { idleMs: 1000 } }, async (client) => {
    const { body } = await client.download(SELECTION);
    const reader = body.getReader();
    let bytes = (await reader.read()).value?.length ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 1300));
    for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
    assertEquals(bytes, 1200);
  });
});

Deno.test("a slow registry is not a silent one", async () => {
  const reply: Reply = async (exchange) => {
    await exchange.send(`${JSON_HEAD}Content-Length: ${whole.length}\r\n\r\n`);
    const step = Math.ceil(whole.length / 30);
    for (let start = 0; start < whole.length; start += step) {
      await exchange.send(whole.slice(start, start + step));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await withServer(reply, { timeouts: { idleMs: 1000 } }, async (client, { server }) => {
    assertEquals((await client.search({ query: "x" })).body.total, 1);
    assertEquals(server.requests.length, 1);
  });
});

Deno.test("a budget is shared, and counted anew after 1 MiB of progress", async () => {
  await withServer(
    [answer(500), answer(500), answer(500), good, answer(500), answer(500), good],
    {},
    async (client, { server }) => {
      const retries = client.startRetries();
      await client.search({ query: "x" }, { retries });
      await assertRejects(() => client.search({ query: "x" }, { retries }), StatusError);
      assertEquals(server.requests.length, 5);
      retries.progress(1 << 20);
      await client.search({ query: "x" }, { retries });
      assertEquals(server.requests.length, 7);
    },
  );
});

Deno.test("a host that takes no connection is given up after connectMs", async () => {
  if (Deno.build.os !== "linux") {
    console.log("not run: a host that takes no connection (needs Linux)");
    return;
  }
  // A queue of one that nobody empties: the system drops every further connection, as a dead host would.
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog: 1 });
  const { port } = listener.addr;
  const fillers: Deno.Conn[] = [];
  for (let full = false; !full && fillers.length < 8;) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 1000);
    await Deno.connect({ hostname: "127.0.0.1", port, signal: controller.signal })
      .then((connection) => fillers.push(connection), () => full = true);
    clearTimeout(timer);
  }
  try {
    const client = new RegistryClient(`http://127.0.0.1:${port}`, {
      timeouts: { connectMs: 100, headersMs: 20_000 },
      retry: { tries: 1 },
    });
    const error = await assertRejects(() => client.search({ query: "x" }), TimeoutError, "no connection to");
    assertEquals(error.timeoutMs, 100);
  } finally {
    for (const filler of fillers) filler.close();
  }
});

Deno.test("a slow answer is not an absent host", async () => {
  const reply: Reply = async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await good(exchange);
  };
  await withServer(reply, { timeouts: { connectMs: 1000 } }, async (client, { server }) => {
    assertEquals((await client.search({ query: "x" })).body.total, 1);
    assertEquals(server.requests.length, 1);
  });
});

Deno.test("nobody listens", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const client = new RegistryClient(`http://127.0.0.1:${port}`, { sleep: () => Promise.resolve() });
  const error = await assertRejects(() => client.search({ query: "x" }), NetworkError, "refused");
  assertInstanceOf(error, RegistryError);
  assertStringIncludes(error.message, "check that the registry is running");
});
