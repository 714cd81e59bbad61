import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { rewriteCommands } from "../../../../src/jupyter/kernel/code/cell_commands.ts";

const COMMANDS = "__seqreg_commands";
const LOOK = "__seqreg_look";

function rewrite(code: string, declared: readonly string[] = []): string {
  return rewriteCommands(code, { declared }).replaceAll(COMMANDS, "C").replaceAll(LOOK, "L");
}

Deno.test("questions and commands become calls on the same line", async (t) => {
  const cases: Record<string, string> = {
    "registry.search?": 'await L("help? registry.search", () => registry, ["search"]);',
    "eval?": 'await L("help? eval", () => eval, []);',
    "undefined??": 'await L("help?? undefined", () => undefined, []);',
    "??a": 'await L("help?? a", () => a, []);',
    "help(a.b)": 'await L("help? a.b", () => a, ["b"]);',
    "const a = 1\na??": 'const a = 1\nawait L("help?? a", () => a, []);',
    "%time await f()": "C.start(); await f()",
    "%%time\na\nb": "C.start(); \na\nb",
    "%time a = f(\n  1,\n)\nb": "C.start(); a = f(\n  1,\n) ;C.stop();\nb",
    '%sh echo "it\'s"': 'await C.sh("echo \\"it\'s\\"");',
    "%%sh\necho a\necho b": 'await C.sh("echo a\\necho b");',
    "%time 1+1\r\nb": "C.start(); 1+1 ;C.stop();\r\nb",
    "%%sh\r\necho a\r\necho b\r\n": 'await C.sh("echo a\\necho b\\n");',
    "z\nz ?": 'z\nawait L("help? z", () => z, []);',
    "f() // said\n%time g()\n.h()\ni": "f() // said\nC.start(); g()\n.h() ;C.stop();\ni",
    "x\n%who": "x\nawait C.who({  });",
    "export default class extends A {}\n%who": "export default class extends A {}\nawait C.who({  });",
    "const a = 1, b = f();\n%who": 'const a = 1, b = f();\nawait C.who({ "a": () => a, "b": () => b });',
    "const help = f\nhelp(1)\n%sh ls": 'const help = f\nhelp(1)\nawait C.sh("ls");',
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
    "null?",
    "this?",
    "static?",
    "const help = (x) => x;\nhelp(1)",
    "import { help } from 'x';\nhelp(a)",
    "help(a)\nfunction help() {}",
    "help(a)\n  .then(b)",
    "const x = a\n  ?b\n  : c",
    "/x/.test(y) ? 1 :\nhelp(a)",
    "<p>\n%who\n</p>",
    "a +\n%who",
  ];
  for (const code of cells) await t.step(code, () => assertEquals(rewrite(code), code));
  assertEquals(rewrite("help(a)", ["help"]), "help(a)");
});

Deno.test("a cell is rewritten in a time that grows with its length", () => {
  const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join("\n");
  const cells = [
    `${lines(5000, "const { a } = await f(1, [2, 3], `x ${y}`);")}\nz?`,
    `${lines(5000, "f(x);")}\n${lines(2000, "%time g(x)")}`,
    `const script = \`\n${lines(5000, "%sh ls")}`,
    lines(20_000, ""),
    "(".repeat(20_000) + "\nz?",
  ];
  for (const cell of cells) {
    // A busy machine takes its time, but not each time; what grew with the square took minutes.
    const isSoon = [1, 2, 3].some(() => {
      const start = performance.now();
      rewrite(cell);
      return performance.now() - start < 5000;
    });
    assert(isSoon, cell.slice(0, 40));
  }
});

Deno.test("an unknown command says which there are", () => {
  assertStringIncludes(rewrite("%timeit f()"), "unknown command %timeit; the commands are %time,");
  const other = rewrite("\n%%bash\necho 'it is'\n");
  assertStringIncludes(other, '\nthrow C.unknown("unknown command %%bash; ');
  assertEquals(other.includes("echo"), false);
});
