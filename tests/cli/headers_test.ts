/** Credentials of a private deployment, addresses without a scheme, and time limits, on the command line. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runInProcess } from "../_program.ts";
import { answer, json, serveFaults } from "../faults/_server.ts";
import { inFolder } from "../_files.ts";

const SECRET = "Bearer swordfish-1234";
const PAGE = json({
  total: 1,
  results: [{ id: "1", score: 1, source: { "Registry Accession": "vj000000000001" } }],
  facets: {},
  query: "",
});

Deno.test("SEQREG_HEADERS gives one origin its header fields, and --header wins", async (t) => {
  await inFolder(async (folder) => {
    await using server = await serveFaults(PAGE);
    const file = join(folder, "headers.json");
    const ledger = join(folder, "ledger.json");
    const origins = {
      [server.url]: { Authorization: SECRET, "X-Lab": "a" },
      "https://other.invalid": { "X-Other": "b" },
    };
    await Deno.writeTextFile(file, JSON.stringify(origins));
    const args = ["search", "x", "--registry", server.url, "--ledger", ledger];
    await t.step("those of the origin are sent, and no others", async () => {
      const run = await runInProcess(args, { env: { SEQREG_HEADERS: file } });
      assertEquals(run.code, 0, run.stderr);
      const { headers } = server.requests[0];
      assertEquals([headers.get("authorization"), headers.get("x-lab"), headers.get("x-other")], [SECRET, "a", null]);
      assertEquals(/swordfish/.test(run.stdout + run.stderr + await Deno.readTextFile(ledger)), false);
    });
    await t.step("--header wins", async () => {
      await runInProcess([...args, "--header", "X-Lab: c: d", "--header", "X-More: e"], {
        env: { SEQREG_HEADERS: file },
      });
      const { headers } = server.requests[1];
      assertEquals([headers.get("authorization"), headers.get("x-lab"), headers.get("x-more")], [SECRET, "c: d", "e"]);
    });
    await t.step("a byte order mark of the file is ignored", async () => {
      await Deno.writeTextFile(file, `\uFEFF${JSON.stringify(origins)}`);
      const run = await runInProcess(args, { env: { SEQREG_HEADERS: file } });
      assertEquals([run.code, server.requests[2].headers.get("authorization")], [0, SECRET], run.stderr);
    });
    await t.step("a file of another form is wrong usage, and shows nothing of what it holds", async () => {
      for (
        const text of [
          `{"${server.url}": {"Authorization": "sword\\nfish"}}`,
          '{"swordfish"',
          "[]",
          '{"swordfish.invalid": {}}',
        ]
      ) {
        await Deno.writeTextFile(file, text);
        const run = await runInProcess(args, { env: { SEQREG_HEADERS: file } });
        assertEquals([run.code, run.stderr.trim().split("\n").length], [2, 1], run.stderr);
        assertEquals(run.stderr.includes("sword\nfish") || run.stderr.includes("sword\\nfish"), false);
      }
      const run = await runInProcess(args, { env: { SEQREG_HEADERS: join(folder, "absent.json") } });
      assertEquals(run.code, 2);
      assertStringIncludes(run.stderr, "SEQREG_HEADERS");
    });
    await t.step("nothing of that was asked of the registry", () => assertEquals(server.requests.length, 3));
  });
});

Deno.test("wrong header fields, addresses and times are wrong usage", async (t) => {
  const rows: Record<string, readonly [args: readonly string[], says: string]> = {
    "a header without a colon": [["--header", "swordfish"], "'Name: value'"],
    "a header of the protocol": [["--header", "Host: swordfish"], "host"],
    "a header name with a blank": [["--header", "X Key: swordfish"], '"X Key"'],
    "a header twice": [["--header", "X-Lab: swordfish", "--header", "x-lab: a"], 'the header field "x-lab" twice'],
    "an address without a scheme": [["--registry", "registry.invalid:8080"], "https://registry.invalid:8080"],
    "no time for an export": [["--export-timeout", "0"], "--export-timeout"],
    "a naming that is no JSON": [["--naming", '{"registry"'], "--naming"],
    "a naming with an unknown key": [["--naming", '{"registri": "x"}'], "registri"],
  };
  for (const [name, [args, says]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const registry = args.includes("--registry") ? [] : ["--registry", "http://127.0.0.1:1"];
      const { code, stdout, stderr } = await runInProcess(["search", "x", ...args, ...registry]);
      assertEquals([code, stdout], [2, ""], stderr);
      assertStringIncludes(stderr, says);
      assertEquals(stderr.includes("swordfish"), false, stderr);
    });
  }
});

Deno.test("localhost:PORT is a registry on this machine", async () => {
  await using server = await serveFaults(PAGE);
  const { code } = await runInProcess([
    "search",
    "x",
    "--registry",
    server.url.replace("http://127.0.0.1", "localhost"),
  ]);
  assertEquals([code, server.requests.length], [0, 1]);
  const bare = await runInProcess(["search", "x", "--registry", server.url.replace("http://", "")]);
  assertEquals([bare.code, server.requests.length], [0, 2]);
});

Deno.test("an export that is late is an error that names its own limit", async () => {
  await using server = await serveFaults(async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await answer(200, { "content-type": "text/csv" }, "Registry Accession\nvj000000000001\n")(exchange);
  });
  const args = ["download", "x", "--information", "metadata", "--type", "csv", "--registry", server.url];
  const late = await runInProcess([...args, "--export-timeout", "0.05", "--retries", "1"]);
  assertEquals(late.code, 1);
  assertStringIncludes(late.stderr, "--export-timeout");
  assertEquals((await runInProcess([...args, "--timeout", "0.05"])).code, 0);
});
