/** One row, one fault: what a server sends as a file, and what the client must make of it. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  NetworkError,
  NoResultsError,
  RegistryClient,
  StatusError,
  TimeoutError,
  UnexpectedResponseError,
} from "../../src/core/client/mod.ts";
import { answer, json, raw, rawThenReset, rawThenSilence, type Reply } from "./_server.ts";
import { ARCHIVE, download, ENCODING_FAULTS, FILE_HEAD, HTML, type Row, runTable, withServer } from "./_faults.ts";

Deno.test("download() gives a file to its end, or an error", async (t) => {
  const file = answer(200, { "content-type": "text/csv" }, "a,b\n1,2\n");
  const table: Record<string, Row> = {
    "a file": [file, { gives: "a,b\n1,2\n", tries: 1 }],
    "a file in chunks": [raw(`${FILE_HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\na,b\n\r\n4\r\n1,2\n\r\n0\r\n\r\n`), {
      gives: "a,b\n1,2\n",
    }],
    "an empty file": [answer(200, { "content-type": "text/csv" }), {
      throws: UnexpectedResponseError,
      says: "expected a CSV table, got an empty file (text/csv)",
      tries: 1,
    }],
    "FASTA instead of CSV": [answer(200, { "content-type": "text/csv" }, ">vj000000000001\nACGT\n"), {
      throws: UnexpectedResponseError,
      says: "expected a CSV table, got a FASTA file (text/csv), first line: >vj000000000001",
      tries: 1,
    }],
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
    "a table that calls itself a web page": [answer(200, { "content-type": "text/html" }, "a,b\n1,2\n"), {
      gives: "a,b\n1,2\n",
    }],
    "words that call themselves a web page": [answer(200, { "content-type": "text/html" }, "Down"), {
      throws: UnexpectedResponseError,
      says: "got text (text/html), first line: Down",
    }],
    "an error with 200": [json({ detail: "sorry" }), { throws: UnexpectedResponseError, says: "JSON" }],
    ...ENCODING_FAULTS,
    "gzip that is none": [answer(200, { "content-encoding": "gzip" }, "plain text all along"), {
      throws: UnexpectedResponseError,
      says: "damaged or not gzip",
      tries: 1,
    }],
    "gzip that ends early, although all bytes came": [
      answer(200, { "content-encoding": "gzip" }, new Uint8Array([0x1f, 0x8b, 8])),
      {
        throws: UnexpectedResponseError,
        says: "its gzip data ends early",
        tries: 1,
      },
    ],
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
      says: "although the whole file was requested",
      tries: 1,
    }],
    "a web page": [answer(200, {}, HTML), { throws: UnexpectedResponseError, says: "an HTML page" }],
    "404": [answer(404), { throws: StatusError, says: "base URL", tries: 1 }],
  }, file);
});
