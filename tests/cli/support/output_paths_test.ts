import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runInFolder } from "../../_program.ts";
import { UsageError } from "../../../src/cli/support/command.ts";
import { Flags } from "../../../src/cli/arguments/flags.ts";
import { namedPaths } from "../../../src/cli/arguments/named_paths.ts";
import { LEDGER_OPTION } from "../../../src/cli/support/ledger.ts";
import { checkOutputPaths } from "../../../src/cli/support/output_paths.ts";
import { outputOption } from "../../../src/cli/arguments/output_option.ts";
import { OUTPUT_OPTION } from "../../../src/cli/support/output.ts";
import { inFolder } from "../../_files.ts";

Deno.test("a ledger is written over neither the result nor what was read", async (t) => {
  await inFolder(async (folder) => {
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
      checkOutputPaths(namedPaths(command, operands, new Flags(flags), () => undefined));
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
    await t.step("a file beside those that a folder consists of stays allowed", async () => {
      await Deno.mkdir(of("lake/t"), { recursive: true });
      await Deno.writeTextFile(of("lake/t/part-0.parquet"), "");
      await Deno.writeTextFile(of("lake/map.svg"), "");
      const folders = { operands: "LAKE", options: { ...OUTPUT_OPTION, ...LEDGER_OPTION } };
      for (const path of ["lake/map.svg", "lake/new.csv", "lake/ledger.json"]) {
        await checkOutputPaths(namedPaths(folders, [of("lake")], new Flags({ output: of(path) }), () => undefined));
      }
    });
    await t.step("every command asks, before any work", async () => {
      const { code, stderr } = await runInFolder(folder, ["fasta", "stats", "./in.fa", "--ledger", "./in.fa"]);
      assertEquals(code, 2);
      assertStringIncludes(stderr, "argument 1 already uses this file");
      assertEquals(await Deno.readTextFile(input), ">a\nACGT\n");
    });
  });
});

Deno.test("a result is not written over what the command reads, nor to a folder", async (t) => {
  const text = ">a\nACGT\n";
  await inFolder(async (folder) => {
    await Deno.mkdir(join(folder, "results"));
    await Deno.writeTextFile(join(folder, "in.fa"), text);
    await Deno.writeTextFile(join(folder, "ids.txt"), "vj000000000001\n");
    await Deno.symlink("in.fa", join(folder, "link.fa"));
    await Deno.mkdir(join(folder, "lake", "_lake"), { recursive: true });
    await Deno.mkdir(join(folder, "lake", "t"));
    await Deno.writeTextFile(join(folder, "lake", "t", "part-0.parquet"), text);
    await Deno.mkdir(join(folder, "set"));
    await Deno.writeTextFile(join(folder, "set", "definitions.json"), text);
    const cases: readonly [args: readonly string[], says: string][] = [
      [["diff", "set", "set", "-o", "set/definitions.json"], 'it is a part of "set", which is read'],
      [["sql", "lake", "SELECT 1", "-o", "lake/t/x.csv"], 'it is a part of "lake", which is read'],
      [["sql", "lake", "SELECT 1", "-o", "lake/t/part-0.parquet"], 'it is a part of "lake", which is read'],
      [["alike", "nearest", "in.fa", "--index", "set", "-o", "set/definitions.json"], 'a part of "set", which is read'],
      [
        ["fasta", "stats", "in.fa", "-o", "in.fa"],
        "argument 1 already uses this file; choose another file for --output",
      ],
      [["fasta", "stats", "in.fa", "-o", "link.fa"], "argument 1 already uses this file"],
      [["fasta", "plain", "in.fa", "-o", "./in.fa"], "argument 1 already uses this file"],
      [["fasta", "get", "in.fa", "a", "-o", "results/../in.fa"], "argument 1 already uses this file"],
      [["sequence", "--ids", "ids.txt", "-o", "ids.txt"], "--ids already uses this file"],
      [["alike", "clusters", "in.fa", "--ani", "99", "-o", "in.fa"], "argument 1 already uses this file"],
      [["alike", "nearest", "in.fa", "--index", "i", "-o", "in.fa"], "argument 1 already uses this file"],
      [["diff", "old.csv", "in.fa", "-o", "in.fa"], "argument 2 already uses this file"],
      [["schema", "in.fa", "-o", "in.fa"], "argument 1 already uses this file"],
      [["replay", "in.fa", "-o", "in.fa"], "argument 1 already uses this file"],
      [["fasta", "stats", "in.fa", "-o", "results"], "it is a folder; name a file in it"],
      [["fasta", "stats", "in.fa", "-o", "absent/"], "it is a folder; name a file in it"],
      [["fasta", "stats", "in.fa", "--ledger", "results/"], "it is a folder; name a file in it"],
    ];
    for (const [args, says] of cases) {
      await t.step(args.join(" "), async () => {
        const { code, stdout, stderr } = await runInFolder(
          folder,
          args.map((arg) => /[./]|^(lake|set|results)$/.test(arg) ? `./${arg}` : arg),
        );
        assertEquals([code, stdout], [2, ""]);
        assertStringIncludes(stderr, says);
        assertEquals(await Deno.readTextFile(join(folder, "in.fa")), text);
        assertEquals(await Deno.readTextFile(join(folder, "ids.txt")), "vj000000000001\n");
      });
    }
  });
});

Deno.test("an address is refused as what is written, but for the lake that a store can hold", async () => {
  const command = (value: "FILE" | "DIR") => ({
    operands: "LAKE",
    options: { ...outputOption(value, "result"), ...LEDGER_OPTION },
  });
  const check = (value: "FILE" | "DIR", flags: Record<string, string>) =>
    checkOutputPaths(namedPaths(command(value), ["s3://bucket/lake"], new Flags(flags), () => undefined));
  for (const address of ["gs://bucket/a", "https://host/a", "file:///tmp/a"]) {
    for (const value of ["FILE", "DIR"] as const) {
      await assertRejects(() => check(value, { output: address }), UsageError, "an address, not a path");
    }
  }
  await assertRejects(() => check("FILE", { output: "s3://bucket/a.csv" }), UsageError, "an address, not a path");
  await assertRejects(() => check("DIR", { ledger: "s3://bucket/a.json" }), UsageError, "an address, not a path");
  await check("DIR", { output: "s3://bucket/lake" });
});
