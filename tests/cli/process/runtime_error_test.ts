import { assertEquals, assertMatch } from "@std/assert";
import { RegistryError } from "../../../src/core/errors.ts";
import { runProgram } from "../../../src/cli/main.ts";
import { describeRuntimeError } from "../../../src/cli/process/runtime_error.ts";
import { inFolder } from "../../_files.ts";

/** Code that the runtime fails with, and what must be said. */
const FAULTS: Readonly<Record<string, readonly [fault: () => unknown, says: RegExp]>> = {
  "recursion without end": [() => {
    const deeper = (value: unknown): unknown => [deeper(value)];
    return deeper(1);
  }, /nested too deep/],
  "a text that is too long": [() => "x".repeat(2 ** 30), /larger than this program can hold/],
  "a list that is too long": [() => new Array(-1), /larger than this program can hold/],
  "a buffer that is too long": [() => new Uint8Array(2 ** 53), /larger than this program can hold/],
  "bytes that do not fit": [() => new Uint8Array(1).set([1, 2]), /larger than this program can hold/],
  "a property of nothing": [() => Object(JSON.parse("{}")).a.b, /a fault of seqreg/],
  "a call of no function": [() => Object(JSON.parse("{}")).a(), /a fault of seqreg/],
  "a list that is none": [() => [...Object(JSON.parse("{}"))], /a fault of seqreg/],
  "a number and a bigint": [() => Number(1) + Object(1n).valueOf(), /a fault of seqreg/],
  "a sum of nothing": [() => JSON.parse("[]").reduce((sum: number, each: number) => sum + each), /a fault of seqreg/],
};

Deno.test("errors of the runtime are put into words, with the step and its inputs", async (t) => {
  for (const [name, [fault, says]] of Object.entries(FAULTS)) {
    await t.step(name, () => {
      let thrown: unknown;
      try {
        fault();
      } catch (error) {
        thrown = error;
      }
      const text = describeRuntimeError(thrown, { command: "sql", inputs: ["lake", "SELECT 1"] });
      assertMatch(text ?? `not known: ${thrown}`, says);
      assertMatch(text ?? "", /^Cannot finish sql of lake, SELECT 1: /);
    });
  }
});

Deno.test("errors with words of their own keep them", () => {
  const step = { command: "sql", inputs: [] };
  const full = new RegistryError("disk", "Cannot read the tables: Out of Memory Error: failed to offload data block");
  const errors = [new TypeError("Cannot search: expected a query"), new RangeError("Cannot hold"), "text", full];
  for (const error of errors) {
    assertEquals(describeRuntimeError(error, step), undefined);
  }
});

Deno.test("the program never prints the runtime's own words", async () => {
  let printed = "";
  const code = await runProgram(["completions", "bash"], {
    stdout: {
      write: () => Promise.reject(new RangeError("Invalid string length")),
      flush: () => Promise.resolve(),
    },
    isTerminal: false,
    signal: new AbortController().signal,
    stdin: () => new ReadableStream(),
    writeError: (text) => printed += text,
    env: () => undefined,
    allowedEnv: () => undefined,
  });
  assertEquals(code, 1);
  assertMatch(printed, /^seqreg: Cannot finish completions of bash: a single value/);
});

Deno.test("an error of the runtime names the files of options too", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.fasta`, ">a\nAC\n");
    await Deno.writeTextFile(`${folder}/ids.txt`, "a\n");
    let printed = "";
    const code = await runProgram(["fasta", "get", `${folder}/a.fasta`, "--no-index", "--ids", `${folder}/ids.txt`], {
      stdout: {
        write: () => Promise.reject(new RangeError("Invalid string length")),
        flush: () => Promise.resolve(),
      },
      isTerminal: false,
      signal: new AbortController().signal,
      stdin: () => new ReadableStream(),
      writeError: (text) => printed += text,
      env: () => undefined,
      allowedEnv: () => undefined,
    });
    assertEquals(code, 1);
    assertMatch(printed, /^seqreg: Cannot finish fasta get of \S+\/a\.fasta, \S+\/ids\.txt: a single value/);
  }));
