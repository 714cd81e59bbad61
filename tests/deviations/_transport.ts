/** Encodings, credentials and redirects. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Deviation, Deviations } from "./_deviation.ts";
import { csv, id } from "./_exports.ts";
import { answer, json, type Reply } from "../faults/_server.ts";

const FIELD = "Registry Accession";
const PAGE = { total: 1, results: [{ id: "1", score: 1, source: { [FIELD]: id(1) } }], facets: {}, query: "x" };
const TABLE = `${FIELD}\n${id(1)}\n`;
const EXPORT = ["download", "x", "--information", "metadata", "--type", "csv"];
const SECRET = "Bearer swordfish-1234";
const zipped = (text: string) => new Uint8Array(gzipSync(text));
const twoMembers = (first: string, second: string) => new Uint8Array([...zipped(first), ...zipped(second)]);

const searched = (search: Reply, more: Partial<Deviation> = {}): Deviation => ({
  answers: { search },
  cli: ["search", "x", "--format", "csv"],
  library: (registry) => registry.search("x"),
  code: 0,
  output: TABLE,
  ledger: { received: 1, complete: true },
  ...more,
});
const exported = (download: Reply, more: Partial<Deviation> = {}): Deviation => ({
  answers: { download },
  cli: EXPORT,
  library: (registry) => registry.metadata({ query: "x" }),
  code: 0,
  output: TABLE,
  ledger: { received: 1, complete: true },
  ...more,
});
const failed = (...says: string[]): Partial<Deviation> => ({ code: 1, says, output: undefined, ledger: undefined });

/** Answers who brings the credentials, and nobody else. */
const guarded: Reply = (exchange) =>
  (exchange.request.headers.get("authorization") === SECRET
    ? json(PAGE)
    : json({ detail: `not ${exchange.request.headers.get("authorization")}` }, 401))(exchange);

/** Answers with a redirect, and what is asked again at the new address with a page. */
const moved = (status: number, location: (url: string) => string): Reply => (exchange) =>
  (exchange.request.path.includes("again") ? json(PAGE) : answer(status, { location: location(exchange.url) }))(
    exchange,
  );

/** Transport of every kind. */
export const TRANSPORT: Deviations = {
  "a search in gzip": searched(
    answer(200, { "content-type": "application/json", "content-encoding": "gzip" }, zipped(JSON.stringify(PAGE))),
  ),
  "a search in x-gzip": searched(answer(200, { "content-encoding": "x-gzip" }, zipped(JSON.stringify(PAGE)))),
  "a search in gzip of two members": searched(
    answer(
      200,
      { "content-type": "application/json", "content-encoding": "gzip" },
      twoMembers(JSON.stringify(PAGE).slice(0, 40), JSON.stringify(PAGE).slice(40)),
    ),
    { requests: 1 },
  ),
  "an export in gzip": exported(answer(200, { "content-type": "text/csv", "content-encoding": "gzip" }, zipped(TABLE))),
  "an export in gzip of two members": exported(
    answer(200, { "content-type": "text/csv", "content-encoding": "gzip" }, twoMembers(`${FIELD}\n`, `${id(1)}\n`)),
  ),
  "an export in gzip of two members, the second cut": exported(
    answer(
      200,
      { "content-type": "text/csv", "content-encoding": "gzip" },
      twoMembers(TABLE, `${id(2)}\n`.repeat(50)).slice(0, -12),
    ),
    failed("all 69 bytes of the answer came, but its gzip data ends early"),
  ),
  "an export in Brotli, which was not asked for": exported(
    answer(200, { "content-type": "text/csv", "content-encoding": "br" }, new Uint8Array(brotliCompressSync(TABLE))),
    failed('encoded as "br"'),
  ),
  "an export that is called gzip and is not": exported(
    answer(200, { "content-type": "text/csv", "content-encoding": "gzip" }, TABLE),
    failed("damaged or not gzip"),
  ),
  "an export in an encoding of its own": exported(
    answer(200, { "content-type": "text/csv", "content-encoding": "compress" }, TABLE),
    failed('encoded as "compress"'),
  ),
  "an export in plain bytes": exported(csv(TABLE)),
  "401 without credentials": searched(guarded, { ...failed("401", "--header", "SEQREG_HEADERS"), requests: 1 }),
  "401 with other credentials": searched(guarded, {
    ...failed("401", "not [hidden]"),
    cli: ["search", "x", "--header", "Authorization: Basic opensesame"],
    open: { headers: { Authorization: "Basic opensesame" } },
  }),
  "a notice that echoes credentials": searched(answer(200, { "content-type": "text/plain" }, `denied: ${SECRET}`), {
    ...failed("first line: denied: [hidden]"),
    cli: ["search", "x", "--header", `Authorization: ${SECRET}`],
    open: { headers: { Authorization: SECRET } },
  }),
  "an export that is a notice and echoes credentials": exported(
    answer(200, { "content-type": "text/plain" }, `${SECRET} is denied\n`),
    {
      ...failed("first line: [hidden] is denied"),
      cli: [...EXPORT, "--header", `Authorization: ${SECRET}`],
      open: { headers: { Authorization: SECRET } },
    },
  ),
  "an export whose accessions echo credentials": exported(
    csv(`${FIELD}\n${id(1)}\n${SECRET}\n`),
    {
      says: ["[hidden]"],
      code: 4,
      output: undefined,
      ledger: { unparsed: 1 },
      cli: [...EXPORT, "--header", `Authorization: ${SECRET}`],
      open: { headers: { Authorization: SECRET } },
    },
  ),
  "a search of all whose accessions echo credentials": {
    answers: { search: json({ ...PAGE, results: [{ id: "1", score: 1, source: { [FIELD]: SECRET } }] }) },
    cli: ["search", "x", "--all", "--format", "csv", "--header", `Authorization: ${SECRET}`],
    library: (registry) => registry.searchAll("x").result(),
    open: { headers: { Authorization: SECRET } },
    says: ["[hidden]"],
    code: 4,
    ledger: { unparsed: 1 },
  },
  "sequences under keys that echo credentials": {
    answers: { sequence: json({ [id(1)]: "ACGT", [SECRET]: "ACGT" }) },
    cli: ["sequence", id(1), "--header", `Authorization: ${SECRET}`],
    library: (registry) => registry.sequences({ ids: [id(1)] }),
    open: { headers: { Authorization: SECRET } },
    says: ["[hidden]"],
    code: 4,
    ledger: { unparsed: 1 },
  },
  "credentials that are taken": searched(guarded, {
    cli: ["search", "x", "--format", "csv", "--header", `Authorization: ${SECRET}`],
    open: { headers: { Authorization: SECRET } },
  }),
  "a search that moved on its host": searched(moved(308, (url) => `${url}/v2/search?again`)),
  "a search that moved to another host": searched(
    moved(307, (url) => `${url.replace("127.0.0.1", "localhost")}/v2/search?again`),
    { ...failed("on another host", "use it as the base URL"), requests: 1 },
  ),
  "an export that moved to another host": exported(
    moved(307, () => "https://store.invalid/again"),
    failed("on another host"),
  ),
};
