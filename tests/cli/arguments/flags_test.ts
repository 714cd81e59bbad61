import { assertEquals, assertThrows } from "@std/assert";
import { parseFlags } from "../../../src/cli/arguments/flags.ts";
import { UsageError } from "../../../src/cli/arguments/option_specs.ts";

const COMMAND = {
  name: "work",
  options: {
    output: { type: "string", short: "o", value: "FILE", describe: "" },
    filter: { type: "string", multiple: true, value: "FIELD=VALUE", describe: "" },
    least: { type: "string", value: "N", describe: "" },
    quiet: { type: "boolean", short: "q", describe: "" },
    "allow-net": { type: "boolean", inlineValue: true, value: "HOST", describe: "" },
  },
} as const;

function read(line: string, passesArguments = false) {
  const { operands, flags } = parseFlags(line === "" ? [] : line.split(" "), { ...COMMAND, passesArguments });
  return {
    operands,
    output: flags.text("output"),
    filter: flags.texts("filter"),
    least: flags.text("least"),
    quiet: flags.has("quiet"),
    net: flags.text("allow-net") ?? flags.has("allow-net"),
  };
}

const NOTHING = { operands: [], output: undefined, filter: [], least: undefined, quiet: false, net: false };

Deno.test("parseFlags() reads every way to write an option", async (t) => {
  const lines: Readonly<Record<string, Partial<ReturnType<typeof read>>>> = {
    "": {},
    "a b": { operands: ["a", "b"] },
    "--output x a": { output: "x", operands: ["a"] },
    "--output=x": { output: "x" },
    "--output=a=b": { output: "a=b" },
    "--output=--quiet": { output: "--quiet" },
    "-o x": { output: "x" },
    "-ox": { output: "x" },
    "-qox": { quiet: true, output: "x" },
    "-qo x": { quiet: true, output: "x" },
    "-o -": { output: "-" },
    "-o /dev/stdout": { output: "-" },
    "-": { operands: ["-"] },
    "--filter a=1 -q --filter=b=2": { filter: ["a=1", "b=2"], quiet: true },
    "--least -5": { least: "-5" },
    "--least=-5": { least: "-5" },
    "-- --output x": { operands: ["--output", "x"] },
    "a -- -q": { operands: ["a", "-q"] },
    "--allow-net": { net: true },
    "--allow-net=a,b x": { net: "a,b", operands: ["x"] },
    "--allow-net x": { net: true, operands: ["x"] },
  };
  for (const [line, read_] of Object.entries(lines)) {
    await t.step(line, () => assertEquals(read(line), { ...NOTHING, ...read_ }));
  }
});

Deno.test("parseFlags() leaves everything behind the first operand to a command that passes it on", () => {
  assertEquals(read("-q x.ts --output -z --help", true), {
    ...NOTHING,
    quiet: true,
    operands: ["x.ts", "--output", "-z", "--help"],
  });
  assertEquals(read("-q -- x.ts -- a", true).operands, ["x.ts", "--", "a"]);
  assertEquals(read("-q", true).operands, []);
});

Deno.test("parseFlags() refuses a wrong line and says what was meant", async (t) => {
  const lines: Readonly<Record<string, string>> = {
    "--outptu x": "did you mean --output?",
    "-x": "Unknown option -x; see seqreg work --help",
    "--toString": "Unknown option --toString",
    "-country:Kenya": "seqreg work -- -country:Kenya",
    "--output": "Option --output needs a value: --output FILE",
    "--output=": "needs a value",
    "-o -q": "needs a value",
    "-o -x": "write ./-x for a name",
    "--least --quiet": "needs a value",
    "--least --": "needs a value",
    "--quiet=yes": 'takes no value, got "yes"',
    "--allow-net=": "takes no value",
    "-o a -o b": "given 2 times",
  };
  for (const [line, says] of Object.entries(lines)) {
    await t.step(line, () => void assertThrows(() => read(line), UsageError, says));
  }
});

Deno.test("format() is what --format asks for, else what the name of the output promises", () => {
  const options = {
    format: { type: "string", value: "csv|tsv|parquet", describe: "" },
    output: { type: "string", value: "FILE", describe: "" },
  } as const;
  const formatOf = (...args: string[]) =>
    parseFlags(args, { name: "work", options }).flags.format(["table", "csv", "parquet"], "table");
  assertEquals(formatOf(), "table");
  assertEquals(formatOf("--output", "-"), "table");
  assertEquals(formatOf("--output", "a.txt"), "table");
  assertEquals(formatOf("--output", "a.b/c.CSV"), "csv");
  assertEquals(formatOf("--output", "a.csv.gz"), "csv");
  assertEquals(formatOf("--output", "A.CSV.GZ"), "csv");
  assertEquals(formatOf("--output", "a.parquet"), "parquet");
  assertEquals(formatOf("--output", "a.tsv", "--format", "csv"), "csv");
  assertThrows(() => formatOf("--output", "a.parquet.gz"), UsageError, "leave .gz out of the name");
  assertThrows(() => formatOf("--output", "a.xlsx"), UsageError, "Cannot write .xlsx to a.xlsx: the formats are table");
  assertThrows(() => formatOf("--help=1"), UsageError, "takes no value");
});
