/** One row, one fault: what a server sends to a search, and what the client must make of it. */
import { assertInstanceOf, assertRejects, assertStringIncludes } from "@std/assert";
import { RegistryError } from "../../src/core/errors.ts";
import {
  InvalidRequestError,
  NetworkError,
  RegistryClient,
  StatusError,
  TimeoutError,
  UnexpectedResponseError,
} from "../../src/core/client/mod.ts";
import { answer, json, raw, rawThenDrip, rawThenReset, rawThenSilence } from "./_server.ts";
import { ENCODING_FAULTS, good, HTML, JSON_HEAD, PAGE, type Row, runTable, search, whole } from "./_faults.ts";

Deno.test("search() survives what can mend and names what cannot", async (t) => {
  const table: Record<string, Row> = {
    "a good answer": [good, { gives: whole, tries: 1 }],
    "500 then 200": [[answer(500), good], { gives: whole, tries: 2 }],
    "520, 522, 524 of a network in front, then 200": [[answer(520), answer(522), answer(524), good], { gives: whole }],
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
    "413": [answer(413), { throws: StatusError, says: "request less", tries: 1 }],
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
      says: "sent no content (204)",
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
    "JSON with NaN": [answer(200, {}, '{"total": NaN}'), {
      throws: UnexpectedResponseError,
      says: "is not valid JSON); try again, then report",
    }],
    "bytes that are not UTF-8": [answer(200, {}, new Uint8Array([0x7b, 0xff, 0x7d])), {
      throws: UnexpectedResponseError,
      says: "not UTF-8",
    }],
    "JSON of another shape": [json({ total: "1", results: {} }), {
      throws: UnexpectedResponseError,
      says: "results: expected an array",
    }],
    "JSON that is a list": [json([]), { throws: UnexpectedResponseError, says: "the whole: expected an object" }],
    "fields that nobody named": [
      answer(200, {}, '{"total":0,"results":[],"facets":null,"query":"","__proto__":{"a":1},"new":2}'),
      { gives: '{"total":0,"results":[],"facets":null,"query":"","__proto__":{"a":1},"new":2}' },
    ],
    ...ENCODING_FAULTS,
    "gzip that ends early, although all bytes came": [
      answer(200, { "content-encoding": "gzip" }, new Uint8Array([0x1f, 0x8b, 8])),
      { throws: UnexpectedResponseError, says: "its gzip data ends early", tries: 1 },
    ],
    "gzip that is none": [answer(200, { "content-encoding": "gzip" }, "plain text all along"), {
      throws: UnexpectedResponseError,
      says: "first line: plain text all along",
      tries: 1,
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
      { throws: TimeoutError, says: "no data from", tries: 2 },
      { timeouts: { idleMs: 500 }, retry: { tries: 2 } },
    ],
    "closed without a word": [[raw(), good], { gives: whole, tries: 2 }],
    "a reset without a word": [[rawThenReset(), good], { gives: whole, tries: 2 }],
    "no HTTP at all": [raw("SSH-2.0-OpenSSH_9.6\r\n"), { throws: NetworkError, says: "does not speak HTTP", tries: 4 }],
  };
  await runTable(t, table, search);
});

Deno.test("a refused connection is a network error", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const client = new RegistryClient(`http://127.0.0.1:${port}`, { sleep: () => Promise.resolve() });
  const error = await assertRejects(() => client.search({ query: "x" }), NetworkError, "refused");
  assertInstanceOf(error, RegistryError);
  assertStringIncludes(error.message, "check that the registry is running");
});
