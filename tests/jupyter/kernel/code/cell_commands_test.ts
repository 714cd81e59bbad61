import { assertEquals, assertStringIncludes } from "@std/assert";
import { rewriteCommands } from "../../../../src/jupyter/kernel/code/cell_commands.ts";

const COMMANDS = 'globalThis[Symbol.for("seqreg.commands")]';
const LOOK = 'globalThis[Symbol.for("seqreg.look")]';

function rewrite(code: string, declared: readonly string[] = []): string {
  return rewriteCommands(code, { declared }).replaceAll(COMMANDS, "C").replaceAll(LOOK, "L");
}

Deno.test("questions and commands become calls on the same line", async (t) => {
  const cases: Record<string, string> = {
    "registry.search?": 'await L("help? registry.search", () => registry, ["search"]);',
    "??a": 'await L("help?? a", () => a, []);',
    "help(a.b)": 'await L("help? a.b", () => a, ["b"]);',
    "const a = 1\na??": 'const a = 1\nawait L("help?? a", () => a, []);',
    "%time await f()": "C.start(); await f()",
    "%%time\na\nb": "C.start(); \na\nb",
    "%time a = f(\n  1,\n)\nb": "C.start(); a = f(\n  1,\n) ;C.stop();\nb",
    '%sh echo "it\'s"': 'await C.sh("echo \\"it\'s\\"");',
    "%%sh\necho a\necho b": 'await C.sh("echo a\\necho b");',
    "1;\n%sh ls": '1;\nawait C.sh("ls");',
  };
  for (const [code, expected] of Object.entries(cases)) {
    await t.step(code, () => assertEquals(rewrite(code), expected));
  }
  assertEquals(rewrite("%who", ["a"]), 'await C.who({ "a": () => a });');
});

Deno.test("TypeScript stays as it is", async (t) => {
  const cells = [
    "a\n  % b",
    "a?\n1 : 2",
    "const a = b?.c ?? d",
    "`\n%sh ls\n`",
    "f(\n%time\n)",
    "/*\nhelp(x)\n*/",
    "x % time",
    "class?",
    "const help = (x) => x;\nhelp(1)",
  ];
  for (const code of cells) await t.step(code, () => assertEquals(rewrite(code), code));
  assertEquals(rewrite("help(a)", ["help"]), "help(a)");
});

Deno.test("an unknown command says which there are", () => {
  assertStringIncludes(rewrite("%timeit f()"), "unknown command %timeit; the commands are %time,");
});
