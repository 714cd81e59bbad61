import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runCli } from "../../_cli.ts";
import { UsageError } from "../../../src/cli/support/command.ts";
import { Flags } from "../../../src/cli/arguments/flags.ts";
import { LEDGER_OPTION, summarize } from "../../../src/cli/support/ledger.ts";
import { checkLedgerPlace } from "../../../src/cli/support/ledger_place.ts";
import { OUTPUT_OPTION } from "../../../src/cli/support/output.ts";
import { closeLedger, type LedgerCounts, type Provenance } from "../../../src/contract/ledger.ts";

const PROVENANCE: Provenance = {
  operation: "search",
  registry: null,
  request: {},
  bytes: 1500,
  sha256: null,
  started: "2026-01-31T23:59:59.000Z",
  finished: "2026-01-31T23:59:59.500Z",
  toolkit: "seqreg 0.1.0",
};

Deno.test("the summary of a ledger is one line that counts what there is", () => {
  const cases: [counts: LedgerCounts, unit: string | undefined, line: string][] = [
    [{ received: 2, promised: 2 }, undefined, "search: complete, 2 records received, 2 promised, 1.5 kB"],
    [{ received: 1 }, undefined, "search: complete, 1 record received, 1.5 kB"],
    [{ received: 1 }, 'records joined by "id"', 'search: complete, 1 record joined by "id" received, 1.5 kB'],
    [
      { received: 1, asked: 2, missing: ["vj000000000002"] },
      "sequences",
      "search: INCOMPLETE, 1 sequence received, 2 asked for, 1 missing (vj000000000002), 1.5 kB",
    ],
  ];

  for (const [counts, unit, line] of cases) {
    assertEquals(summarize(closeLedger(counts), PROVENANCE, unit), line);
  }
});

Deno.test("a ledger is written over neither the result nor what was read", async (t) => {
  const folder = await Deno.makeTempDir();
  try {
    const input = join(folder, "in.fa");
    await Deno.writeTextFile(input, ">a\nACGT\n");
    await Deno.symlink(input, join(folder, "link.fa"));
    await Deno.link(input, join(folder, "hard.fa"));
    await Deno.symlink(folder, join(folder, "again"));
    await Deno.symlink("out", join(folder, "link.out"));
    await Deno.symlink("loop", join(folder, "loop"));
    const ids = { type: "string", value: "FILE", describe: "ids" } as const;
    const command = { operands: "FILE [ID…]", options: { ...OUTPUT_OPTION, ...LEDGER_OPTION, ids } };
    const of = (path: string) => `${folder}/${path}`;
    const check = (operands: string[], flags: Record<string, string>) =>
      checkLedgerPlace(command, operands, new Flags(flags));
    const refused: Readonly<Record<string, [operands: string[], flags: Record<string, string>]>> = {
      "the result": [[], { output: of("out"), ledger: of("out") }],
      "the result by another spelling": [[], { output: of("out"), ledger: of("x/.././out") }],
      "the result through a linked folder": [[], { output: of("again/out"), ledger: of("out") }],
      "a link to the result that is still to come": [[], { output: of("out"), ledger: of("link.out") }],
      "the input": [[input], { ledger: input }],
      "the input by a link": [[of("link.fa")], { ledger: input }],
      "a link to the input": [[input], { ledger: of("link.fa") }],
      "a second name of the input": [[input], { ledger: of("hard.fa") }],
      "a file of an option": [[of("other.fa")], { ids: input, ledger: of("link.fa") }],
    };
    for (const [what, [operands, flags]] of Object.entries(refused)) {
      await t.step(what, async () => {
        await assertRejects(() => check(operands, flags), UsageError, "choose another file for --ledger");
      });
    }
    for (const stream of ["-", "/dev/stdout", "/dev/stderr", "/dev/fd/2"]) {
      await t.step(`the stream ${stream}`, async () => {
        await assertRejects(() => check([], { ledger: stream }), UsageError, "use a file");
      });
    }
    await t.step("other files, devices and what is no file stay allowed", async () => {
      await check([input], { output: of("out"), ledger: of("out.json") });
      await check([input], { output: of("out"), ledger: of("loop") });
      await check(["-"], { output: "-", ledger: of("-") });
      await check([input, of("out")], { ledger: of("out") });
      await check([], { output: "/dev/null", ledger: "/dev/null" });
    });
    await t.step("every command asks, before any work", async () => {
      const { code, stderr } = await runCli(["fasta", "stats", "in.fa", "--ledger", "./in.fa"], { cwd: folder });
      assertEquals(code, 2);
      assertStringIncludes(stderr, "argument 1 already uses this file");
      assertEquals(await Deno.readTextFile(input), ">a\nACGT\n");
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
