/**
 * A deviation: what a registry may answer that the specification does not show, and what must come of it, in the
 * command line and in the library alike.
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import type { Ledger } from "../../src/core/contract/ledger.ts";
import { type OpenOptions, Registry } from "../../src/core/registry/mod.ts";
import { answer, type Exchange, json, type Reply, serveFaults } from "../faults/_server.ts";
import { runInProcess } from "../_program.ts";
import { inFolder, namesIn } from "../_files.ts";

export function byBody(reply: (body: Readonly<Record<string, unknown>>, exchange: Exchange) => Reply): Reply {
  return (exchange) => reply(JSON.parse(exchange.request.body), exchange)(exchange);
}

/** What a result of the library shows. */
export interface Outcome {
  readonly ledger: Ledger;
  /** Rows of the frame, where the row of the table says what they must be. */
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
}

/** One row of the table. */
export interface Deviation {
  /** What the registry answers, by the last part of the path: search, download, sequence, datasets_download. */
  readonly answers: Readonly<
    Partial<Record<"search" | "download" | "sequence" | "definitions" | "datasets_download", Reply>>
  >;
  /**
   * The command line, without `--registry`, `--output` and `--ledger`; absent where the command line has no such call.
   */
  readonly cli?: readonly string[];
  /** Standard input of the command line. */
  readonly stdin?: string;
  /** The same call of the library; absent where it has none. */
  readonly library?: (registry: Registry) => Promise<Outcome>;
  /** Options of the library's registry, for what the command line says with flags. */
  readonly open?: OpenOptions;
  /**
   * The exit code. The library corresponds: 0 is complete, 1 rejects, 3 is complete or names all as missing, without a
   * record, 4 is incomplete.
   */
  readonly code: 0 | 1 | 3 | 4;
  /** What standard error says, and the library's error, or its reasons and warnings. */
  readonly says?: readonly string[];
  /** What the file holds; for exit codes 1 and 3 it must be absent. */
  readonly output?: string;
  /** What the ledger holds, both that of `--ledger` and the library's. */
  readonly ledger?: Partial<Ledger>;
  /** Rows of the library's result, or some columns of them. */
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  /** Requests to paths of `answers` that the command line may make at most. */
  readonly requests?: number;
}

export type Deviations = Readonly<Record<string, Deviation>>;

/** Definitions in a shape that the toolkit reads: text fields, as many as are asked for. */
const plainDefinitions = byBody(({ fields }) => {
  const names = Array.isArray(fields) ? fields.map(String) : [];
  return json(names.map((name) => ({ name, alias: name.toLowerCase().replaceAll(" ", "_"), type: "string" })));
});

function replyOf({ answers }: Deviation): Reply {
  const replies = new Map<string, Reply>(Object.entries({ definitions: plainDefinitions, ...answers }));
  return (exchange) => {
    const { pathname } = new URL(exchange.request.path, exchange.url);
    const operation = pathname === "/v2/metadata/download" ? "definitions" : pathname.slice("/v2/".length);
    return (replies.get(operation) ?? answer(404, {}, "not part of this deviation"))(exchange);
  };
}

/** Runs a row through the command line and through the library, against a server on loopback. */
export async function checkDeviation(deviation: Deviation): Promise<void> {
  await using server = await serveFaults(replyOf(deviation));
  if (deviation.cli !== undefined) await checkProgram(deviation, deviation.cli, server.url);
  if (deviation.requests !== undefined) {
    const asked = server.requests.filter(({ path }) => path !== "/v2/metadata/download");
    assert(asked.length <= deviation.requests, `${asked.length} requests, at most ${deviation.requests} expected`);
  }
  if (deviation.library !== undefined) await checkLibrary(deviation, deviation.library, server.url);
}

async function checkProgram(deviation: Deviation, cli: readonly string[], url: string): Promise<void> {
  const { code, says = [], output, ledger = {}, stdin } = deviation;
  await inFolder(async (folder) => {
    const files = { output: join(folder, "result"), ledger: join(folder, "ledger.json") };
    const args = [...cli, "--registry", url, "--output", files.output, "--ledger", files.ledger];
    const run = await runInProcess(args, { ...stdin !== undefined && { stdin } });
    assertEquals({ code: run.code, stdout: run.stdout }, { code, stdout: "" }, run.stderr);
    for (const words of says) assertStringIncludes(run.stderr, words);
    assertEquals(/undefined|\[object|NaN/.test(run.stderr), false, run.stderr);
    if (code === 1) {
      assertEquals(namesIn(folder), [], "something is left of what failed");
      return;
    }
    const written = JSON.parse(await Deno.readTextFile(files.ledger));
    assertHolds(written, ledger);
    if (code === 3) assertEquals(namesIn(folder), ["ledger.json"]);
    if (output !== undefined) assertEquals(await Deno.readTextFile(files.output), output);
  });
}

async function checkLibrary(
  { code, says = [], ledger = {}, rows, open = {} }: Deviation,
  call: (registry: Registry) => Promise<Outcome>,
  url: string,
): Promise<void> {
  await using registry = await Registry.open(url, { retry: { tries: 1 }, ...open });
  if (code === 1) {
    const error = await assertRejects(() => call(registry), Error);
    for (const words of says) assertStringIncludes(error.message, words);
    return;
  }
  const outcome = await call(registry);
  assertHolds(outcome.ledger, ledger);
  const { complete, received, reasons, warnings } = outcome.ledger;
  if (code !== 3) assertEquals(complete, code === 0, [...reasons, ...warnings].join("\n"));
  else assertEquals(received, 0);
  const spoken = [...reasons, ...warnings].join("\n");
  if (code !== 3) { for (const words of says) assertStringIncludes(spoken, words); }
  if (rows !== undefined) {
    assertEquals(outcome.rows?.length, rows.length);
    for (const [index, row] of rows.entries()) assertHolds(outcome.rows?.[index] ?? {}, row);
  }
}

/** Asserts that an object holds these values, whatever else it holds. */
function assertHolds(holder: object, values: object): void {
  const own = new Map(Object.entries(holder));
  assertEquals(Object.fromEntries(Object.keys(values).map((key) => [key, own.get(key)])), { ...values });
}
