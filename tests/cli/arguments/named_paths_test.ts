import { assertEquals } from "@std/assert";
import { parseFlags } from "../../../src/cli/arguments/flags.ts";
import { namedPaths } from "../../../src/cli/arguments/named_paths.ts";
import { runInProcess } from "../../_program.ts";

const COMMAND = {
  name: "work",
  operands: "TABLE [ID…]",
  options: {
    ids: { type: "string", value: "FILE", describe: "" },
    result: { type: "string", multiple: true, value: "FILE", describe: "" },
    output: { type: "string", value: "DIR", writes: "into", describe: "" },
    lock: { type: "string", value: "FILE", variable: "WORK_LOCK", describe: "" },
    format: { type: "string", value: "csv|tsv", describe: "" },
  },
} as const;

Deno.test("namedPaths() lists operands, options and variables that are files or folders", () => {
  const of = (line: string, env: Record<string, string> = {}) => {
    const { operands, flags } = parseFlags(line.split(" "), COMMAND);
    return namedPaths(COMMAND, operands, flags, (name) => env[name]).map(({ path, what, writes }) =>
      `${path} ${what} ${writes}`
    );
  };
  const variables = { WORK_LOCK: "w.lock" };

  assertEquals(of("a.csv x --ids i --result r --result s --output o --format csv"), [
    "i --ids false",
    "r --result false",
    "s --result false",
    "o --output into",
    "a.csv argument 1 false",
  ]);
  assertEquals(of("a.csv", variables), ["w.lock WORK_LOCK false", "a.csv argument 1 false"]);
  assertEquals(of("a.csv --lock l", variables), ["l --lock false", "a.csv argument 1 false"]);
  assertEquals(of("a.csv", { WORK_LOCK: "" }), ["a.csv argument 1 false"]);
});

Deno.test("an empty path or address, as of an unset variable, is wrong usage", async (t) => {
  const lines: readonly [args: readonly string[], says: string][] = [
    [["naming", ""], "Argument 1 is empty: expected URL"],
    [["serve", ""], "Argument 1 is empty: expected DIR|zika"],
    [["init", ""], "Argument 1 is empty: expected DIR"],
    [["lake", "verify", ""], "Argument 1 is empty: expected LAKE"],
    [["diff", "a", ""], "Argument 2 is empty: expected NEW"],
    [["fasta", "stats", "a", "b", ""], "Argument 3 is empty: expected FILE…"],
    [["chart", "worldMap", ""], "Argument 2 is empty: expected LAKE|FILE"],
  ];
  for (const [args, says] of lines) {
    await t.step(args.join(" "), async () => {
      const { code, stdout, stderr } = await runInProcess(args);
      assertEquals([code, stdout, stderr], [2, "", `seqreg: ${says}\n`]);
    });
  }
  await t.step("an empty query is one", async () => {
    const args = ["search", "", "--registry", "http://127.0.0.1:1", "--retries", "1"];
    assertEquals((await runInProcess(args)).code, 1);
  });
});

Deno.test("standard input that is named twice is wrong usage of every command", async (t) => {
  const lines = [
    "fasta stats - -",
    "fasta get - --ids -",
    "verify - -",
    "diff - /dev/stdin",
    "pack --fasta - --metadata - -o out",
    "subsample - --by country --total 1 --exclude - -o out",
    "subsample lake --by country --total 1 --include - --exclude=- -o out",
    "alike nearest - --index index --align --from -",
  ];
  for (const line of lines) {
    await t.step(line, async () => {
      const { code, stdout, stderr } = await runInProcess(line.split(" "), { stdin: "a\n" });
      assertEquals([code, stdout, stderr], [2, "", "seqreg: Cannot read standard input twice: use - once\n"]);
    });
  }
  await t.step("once, and standard output, stay allowed", async () => {
    const { code, stdout } = await runInProcess(["fasta", "plain", "-", "-o", "-"], { stdin: ">a\nAC\n" });
    assertEquals([code, stdout], [0, ">a\nAC\n"]);
  });
});
