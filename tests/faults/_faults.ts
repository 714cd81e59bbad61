/** What the tables of faults share: a client whose time is noted instead of spent, and how a row is judged. */
import { assertEquals, assertRejects } from "@std/assert";
import { type ClientOptions, RegistryClient, UnexpectedResponseError } from "../../src/core/client/mod.ts";
import type { RegistryError } from "../../src/core/errors.ts";
import { answer, type FaultServer, json, type Reply, serveFaults } from "./_server.ts";

/** The time that every client here believes it is. */
const NOW = Date.parse("2026-01-01T00:00:00Z");
export const PAGE = {
  total: 1,
  results: [{ id: "1", score: null, source: { Country: "Peru" } }],
  facets: {},
  query: "x",
};
/** A page that a proxy may send instead of anything else. */
export const HTML = "<!doctype html><title>Sign in</title>";
/** Begins of answers whose rest is up to the row. */
export const JSON_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
export const FILE_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n";
export const ARCHIVE = "registryv1_unique_seqs_metadata.csv.gz";

/** What a row may look at when all is over. */
export interface Aftermath {
  readonly server: FaultServer;
  /** Waits between tries, in milliseconds. */
  readonly waits: readonly number[];
}

/** What must happen: an error of this class whose message holds this text, or a result of this text. */
export type Must =
  // deno-lint-ignore no-explicit-any
  | { readonly throws: new (...args: any[]) => RegistryError; readonly says?: string; readonly tries?: number }
  | { readonly gives: string; readonly tries?: number };

/** One case: what the server sends, reply by reply, what must happen, and what the client is told. */
export type Row = readonly [sends: Reply | readonly Reply[], must: Must, options?: ClientOptions];

/** Content codings that no client can read, whatever was asked for. */
export const ENCODING_FAULTS: Readonly<Record<string, Row>> = {
  "an encoding that is not understood": [answer(200, { "content-encoding": "compress" }, "x"), {
    throws: UnexpectedResponseError,
    says: 'encoded as "compress"',
    tries: 1,
  }],
};

/** Runs work against a scripted server; time is not spent but noted. */
export async function withServer(
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

/** Runs each row of a table as a step of a test. */
export async function runTable(
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

/** Searches, and gives the answer's body as text. */
export const search = async (client: RegistryClient) => JSON.stringify((await client.search({ query: "x" })).body);
/** The answer of a registry without a fault, and its body. */
export const good = json(PAGE);
export const whole = JSON.stringify(PAGE);

export const SELECTION = {
  search: { query: "x" },
  download: { scope: "max", information: "metadata", fileType: "csv" },
} as const;

/** Exports, and gives the file as text. */
export const download = async (client: RegistryClient) =>
  await new Response((await client.download(SELECTION)).body).text();
