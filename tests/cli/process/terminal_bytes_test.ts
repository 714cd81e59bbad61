import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { TerminalBytes } from "../../../src/cli/process/terminal_bytes.ts";
import { CLI_PERMISSIONS, RUN_QUIETLY, runCli } from "../../_cli.ts";
import { NEEDS_LINUX, needsPrograms, testNeeding } from "../../_needs.ts";
import { inFolder } from "../../_files.ts";

const MAIN = new URL("../../../src/cli/main.ts", import.meta.url);
const encoder = new TextEncoder();

function show(text: string, size: number): string {
  const visible = new TerminalBytes();
  const bytes = encoder.encode(text);
  let shown = "";
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length; start += size) {
    shown += decoder.decode(visible.push(bytes.subarray(start, start + size)), { stream: true });
  }
  return shown;
}

Deno.test("TerminalBytes shows what a terminal would obey, and nothing else", () => {
  const cases: Record<string, string> = {
    "plain, äöü, 汉字, 🧬\tand a tab\n": "plain, äöü, 汉字, 🧬\tand a tab\n",
    "\x1b]0;title\x07\x1b[2J": "\\u{1b}]0;title\\u{7}\\u{1b}[2J",
    "a\r\nb\r\n": "a\r\nb\r\n",
    "over\rwritten": "over\\u{d}written",
    "not at the end\r": "not at the end",
    "\x9b31m\u202eevil": "\\u{9b}31m\\u{202e}evil",
  };
  for (const [text, shown] of Object.entries(cases)) {
    for (const size of [1, 2, 3, 100]) assertEquals(show(text, size), shown);
  }
});

Deno.test("TerminalBytes lets no control character through, however the bytes are cut", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 9 }), (text, size) => {
    // deno-lint-ignore no-control-regex
    assertEquals(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e]|\r(?!\n)/.test(show(text, size)), false);
    assertEquals(show(text, size), show(text, 1));
  }));
});

testNeeding(
  { ...NEEDS_LINUX, ...needsPrograms("script") },
  "results show control characters on a terminal, and keep them in a pipe",
  async () => {
    await inFolder(async (folder) => {
      const file = `${folder}/a.fa`;
      await Deno.writeTextFile(file, ">v1 a\x1b[2Jb\nACGT\n");
      const args = ["fasta", "table", file, "--no-sequence"];
      const piped = await runCli(args);
      assertStringIncludes(piped.stdout, "a\x1b[2Jb");
      const command = [Deno.execPath(), ...RUN_QUIETLY, ...CLI_PERMISSIONS, MAIN.pathname, ...args];
      const { stdout } = await new Deno.Command("script", {
        args: ["-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"],
        stdin: "null",
      }).output();
      const shown = new TextDecoder().decode(stdout);
      assertMatch(shown, /v1\ta\\u\{1b\}\[2Jb/);
      assertEquals(shown.includes("\x1b"), false);
    });
  },
);
