import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { NEEDS_LINUX, testNeeding } from "../_needs.ts";
import { runCli } from "../_cli.ts";
import { runInProcess } from "../_program.ts";
import { COMMANDS } from "../../src/cli/_commands.ts";
import { VERSION } from "../../src/core/contract/version.ts";

Deno.test("every command says the same of itself in the list and in its file", async (t) => {
  for (const [name, entry] of COMMANDS) {
    await t.step(name, async () => {
      const command = await entry.load();
      assertEquals(command.name, name);
      assertEquals(command.summary, entry.summary);
      assert(command.examples.some((example) => example.includes(`seqreg ${name}`)));
      for (const permission of command.permissions) assert(permission.startsWith("--allow-"));
      assert("quiet" in command.options, "the contract gives --quiet to every command");
      const [least, most] = command.operandCount;
      assert(least <= most);
    });
  }
});

Deno.test("--help and --version work everywhere and come on standard output", async (t) => {
  const program = await runCli(["--help"]);
  assertEquals([program.code, program.stderr], [0, ""]);
  for (const name of COMMANDS.keys()) assertStringIncludes(program.stdout, `  ${name} `);
  for (const flag of ["--version", "-V"]) {
    assertEquals((await runInProcess([flag])).stdout, `seqreg ${VERSION}\n`);
  }
  for (const line of ["fasta --version", "fasta -V", "search -V", "fasta stats --version", "search x -o - -V"]) {
    await t.step(line, async () => {
      const { code, stdout, stderr } = await runInProcess(line.split(" "));
      assertEquals([code, stdout, stderr], [0, `seqreg ${VERSION}\n`, ""]);
    });
  }
  const helps: Record<string, string> = {
    "help": "Usage: seqreg COMMAND",
    "help search": "Usage: seqreg search ",
    "help fasta stats": "Usage: seqreg fasta stats ",
    "help fasta": "fasta digest",
    "fasta help": "fasta digest",
    "help fasta help": "fasta digest",
    "search -h": "Usage: seqreg search ",
  };
  for (const [line, says] of Object.entries(helps)) {
    await t.step(line, async () => {
      const { code, stdout, stderr } = await runInProcess(line.split(" "));
      assertEquals([code, stderr], [0, ""]);
      assertStringIncludes(stdout, says);
    });
  }
  for (const name of COMMANDS.keys()) {
    await t.step(`${name} --help`, async () => {
      const { code, stdout } = await runInProcess([...name.split(" "), "--help"]);
      assertEquals(code, 0);
      assertStringIncludes(stdout, `Usage: seqreg ${name}`);
      assertStringIncludes(stdout, "Permissions:");
    });
  }
});

Deno.test("help needs neither the caller's folder nor the environment", async (t) => {
  await t.step("a folder that is gone", async () => {
    const env = { SEQREG_CWD: "/no-such-folder" };
    const [version, work] = await Promise.all([
      runCli(["--version"], { env }),
      runCli(["fasta", "stats", "x.fa"], { env }),
    ]);
    assertEquals([version.code, version.stdout], [0, `seqreg ${VERSION}\n`]);
    assertEquals(work.code, 1);
    assertStringIncludes(work.stderr, "seqreg: Cannot work in SEQREG_CWD=/no-such-folder: ");
  });
  const main = new URL("../../src/cli/main.ts", import.meta.url).pathname;
  for (
    const [line, code, says] of [["--help", 0, ""], ["search --help", 0, ""], [
      "serach",
      2,
      "did you mean search?",
    ]] as const
  ) {
    await t.step(`${line} without --allow-env`, async () => {
      const run = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--no-check", "--no-prompt", "--allow-read", main, ...line.split(" ")],
      }).output();
      const stderr = new TextDecoder().decode(run.stderr);
      assertEquals(run.code, code, stderr);
      assertStringIncludes(stderr, says);
    });
  }
});

Deno.test("wrong usage is exit code 2, one line, and says what was meant", async (t) => {
  const lines: Record<string, [args: string[], says: string]> = {
    "an unknown command": [["serach"], "did you mean search?"],
    "an unknown command of a group": [["kernel", "instal"], "did you mean kernel install?"],
    "an unknown option": [["kernel", "install", "--data-dri", "x"], "did you mean --data-dir?"],
    "a short option of nothing": [["doctor", "-o", "x"], "Unknown option -o; see seqreg doctor --help"],
    "an option that is like no other": [
      ["search", "--zzzzzz", "1"],
      "Unknown option --zzzzzz; see seqreg search --help",
    ],
    "the beginning of an option": [["search", "--out", "x"], "did you mean --output?"],
    "an option before a command": [["--versoin"], "did you mean --version?"],
    "a command's option before it": [["--quiet", "search"], 'Unknown option "--quiet" before a command; see'],
    "an option without its hyphen": [["search", "--pagesize", "3"], "did you mean --page-size?"],
    "a command of other programs": [["fields"], 'Unknown command "fields"; did you mean definitions? See'],
    "the version as a command": [["version"], "did you mean --version?"],
    "the version in short": [["-v"], "did you mean --version?"],
    "another word for a command of a group": [["cache", "clean"], "did you mean cache prune?"],
    "a command that is like no other": [["zzzzzz"], 'Unknown command "zzzzzz"; see seqreg --help'],
    "a command of a group that is like no other": [["fasta", "zzzzzz"], "see seqreg fasta --help"],
    "a choice that is like no other": [
      ["search", "--format", "qqqq"],
      "expected one of table, csv, tsv, json, jsonl, parquet\n",
    ],
    "an option without its value": [["kernel", "install", "--data-dir"], "needs a value"],
    "an empty value": [["kernel", "install", "--data-dir", ""], "needs a value"],
    "an empty value after =": [["search", "--output="], "needs a value"],
    "an option instead of a value": [["kernel", "install", "--data-dir", "--quiet"], "needs a value"],
    "a short option instead of a value": [["search", "-o", "-q", "--page-size", "1"], "Option -o needs a value"],
    "short options in a row instead of a value": [["search", "--sort", "-qo"], "Option --sort needs a value"],
    "a name that looks like an option": [["search", "-o", "-x"], "write ./-x"],
    "a long option with its value instead of a value": [
      ["search", "--sort", "--page=2"],
      "Option --sort needs a value",
    ],
    "a query that looks like an option": [["search", "-origin:Kenya"], "seqreg search -- -origin:Kenya"],
    "a value where none goes": [["kernel", "install", "--quiet=yes"], "takes no value"],
    "an option twice": [["kernel", "install", "--data-dir", "a", "--data-dir", "b"], "given 2 times"],
    "an argument too many": [
      ["doctor", "now"],
      'Unexpected argument "now": expected seqreg doctor with options alone; see seqreg doctor --help',
    ],
    "an argument too few": [["init"], "Too few arguments"],
    "a number that is none": [["lab", "--port", "many"], "expected a whole number"],
    "a wait of months": [["search", "--timeout", "9999999"], "expected a number of seconds"],
    "a terminal escape": [["\x1b[2J"], "\\u001b"],
  };
  for (const [fault, [args, says]] of Object.entries(lines)) {
    await t.step(fault, async () => {
      const { code, stdout, stderr } = await runInProcess(args);
      assertEquals([code, stdout], [2, ""]);
      assertStringIncludes(stderr, says);
      assertEquals(stderr.split("\n").length, 2, `more than one line: ${stderr}`);
      assert(stderr.startsWith("seqreg: "));
    });
  }
  await t.step("nothing at all", async () => {
    const { code, stderr } = await runInProcess([]);
    assertEquals(code, 2);
    assertStringIncludes(stderr, "Usage: seqreg COMMAND");
  });
});

Deno.test("SEQREG_DEBUG=1 shows where an error comes from, and nothing else does", async () => {
  const without = await runCli(["lab", "no-such-folder"]);
  const debugging = await runCli(["lab", "no-such-folder"], { env: { SEQREG_DEBUG: "1" } });

  assertEquals([without.code, debugging.code], [1, 1]);
  assert(!without.stderr.includes("    at "));
  assertStringIncludes(debugging.stderr, "    at ");
});

Deno.test("standard output may be called by its names", async (t) => {
  const stdin = ">a\nACGT\n";
  for (const name of ["/dev/stdout", "/dev/fd/1"]) {
    await t.step(name, async () => {
      const { code, stdout } = await runCli(["fasta", "plain", "-", "-q", "-o", name], { stdin });
      assertEquals([code, stdout], [0, stdin]);
    });
  }
});

testNeeding(NEEDS_LINUX, "a folder that Deno keeps for itself is refused without a call for --allow-all", async () => {
  const { code, stderr } = await runCli(["init", "/proc/x"]);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "choose another path");
  assert(!stderr.includes("--allow-all"), stderr);
});
