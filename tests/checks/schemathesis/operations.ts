/**
 * Each operation put to the test by schemathesis, a tool that we did not write, from the description that the registry
 * gives of itself. Run by `deno task checks schemathesis`, which installs it; `SCHEMATHESIS`
 * names another one.
 *
 * It makes requests that fit their schema, requests that break it, and requests by other methods; no answer may be 500
 * or above, have a status, media type, header or body that is not described, or accept what the schema refuses. That
 * every request that fits is accepted is not asked for: the grammar of queries is more than a schema can say.
 */
import { assert, assertEquals } from "@std/assert";
import { ENDPOINTS } from "../../../src/core/contract/paths.ts";
import { cliCommand, runCli } from "../../_cli.ts";
import { needsPrograms, testNeeding } from "../../_needs.ts";

const TOOL = Deno.env.get("SCHEMATHESIS") ?? "schemathesis";
/** Random cases of each operation, besides the examples and the tool's own list of edge cases. */
const CASES = Number(Deno.env.get("SCHEMATHESIS_CASES") ?? "2000");
const RECORDS = 300;
/** Of the registry: it outlives all cases, also while other checks have the processor. */
const LIMIT_MS = 60 * 60_000;
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "missing_required_header",
  "unsupported_method",
  "allow_header_conformance",
];

interface Verdict {
  readonly code: number;
  readonly output: string;
}

/** All operations at once, since the tool keeps one core busy for each. */
async function start(): Promise<{ readonly verdicts: ReadonlyMap<string, Promise<Verdict>>; end(): Promise<void> }> {
  const folder = await Deno.makeTempDir();
  const world = { cwd: folder, env: { SEQREG_CACHE: `${folder}/cache` } };
  const made = await runCli(["sample", "-o", "archives", "--records", String(RECORDS), "--quiet"], world);
  assertEquals(made.code, 0, made.stderr);
  const written = await runCli(["serve", "archives", "--openapi", "openapi.json", "--quiet"], world);
  assertEquals(written.code, 0, written.stderr);
  const server = cliCommand(["serve", "archives", "--quiet"], { ...world, limitMs: LIMIT_MS }).spawn();
  const faults = new Response(server.stderr).text();
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = (await reader.read()).value?.trim();
  if (url === undefined) throw new Error(`the registry did not start: ${await faults}`);
  const verdicts = new Map(Object.keys(ENDPOINTS).map((operation) => [operation, run(operation, url, folder)]));
  return {
    verdicts,
    async end() {
      await Promise.allSettled(verdicts.values());
      try {
        server.kill("SIGTERM");
      } catch (cause) {
        throw new Error(`the registry ended before it was asked to: ${await faults}`, { cause });
      }
      await reader.cancel();
      const { code } = await server.status;
      assertEquals([code, await faults], [0, ""]);
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function run(operation: string, url: string, folder: string): Promise<Verdict> {
  const cwd = await Deno.makeTempDir({ dir: folder });
  const { code, stdout, stderr } = await new Deno.Command(TOOL, {
    args: [
      "run",
      `${folder}/openapi.json`,
      "--url",
      url,
      "--include-operation-id",
      operation,
      "--phases",
      "examples,coverage,fuzzing",
      "--max-examples",
      String(CASES),
      "--seed",
      "1",
      "--checks",
      CHECKS.join(","),
      "--continue-on-failure",
      "--warnings",
      "off",
    ],
    cwd,
    env: { NO_COLOR: "1", COLUMNS: "120" },
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

let running: ReturnType<typeof start> | undefined;

// The processes outlive the test that starts them and end with the last.
for (const operation of Object.keys(ENDPOINTS)) {
  testNeeding(
    needsPrograms(TOOL),
    `schemathesis finds no fault in ${operation}`,
    async () => {
      const { verdicts } = await (running ??= start());
      const { code, output } = await verdicts.get(operation)!;
      const generated = Number(/^ *(\d+) generated/m.exec(output)?.[1]);
      console.log(`${operation}: ${generated} cases`);
      assertEquals(code, 0, output);
      // A parameter with few values has few cases.
      assert(generated >= (operation === "datasets_download" ? 20 : CASES), output);
    },
    { sanitizeOps: false, sanitizeResources: false },
  );
}

Deno.test(
  { name: "the registry lives on and reports no fault", sanitizeOps: false, sanitizeResources: false },
  async () => {
    await (await running)?.end();
  },
);
