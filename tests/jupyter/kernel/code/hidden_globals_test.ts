/** Globals that the names of cells hide from modules. */
import { assertEquals, assertMatch } from "@std/assert";
import { findHiddenGlobals } from "../../../../src/jupyter/kernel/code/hidden_globals.ts";

Deno.test("a cell that declares the name of a global is told what it hides", () => {
  const cells: Record<string, string> = {
    "const Map = 1": "Map now hides",
    "function fetch() {}": "fetch now hides",
    "import { Event } from './mine.ts'; class Set {}": "Event, Set now hide",
    "let { a: performance } = b": "performance now hides",
    "import { setTimeout } from 'node:timers/promises'": "setTimeout now hides",
    "import * as process from 'node:process'": "process now hides",
  };
  for (const [code, begin] of Object.entries(cells)) {
    const lines = findHiddenGlobals(code);
    assertEquals(lines.length, 1, code);
    assertMatch(lines[0], new RegExp(`^${begin} .*restart the kernel$`));
  }
});

Deno.test("names within blocks, types, and what is the global itself hide nothing", () => {
  for (
    const code of [
      "{ const Map = 1; }",
      "interface Map {}",
      "import { Buffer } from 'node:buffer'",
      "import { Buffer } from 'buffer'",
      "import process from 'process'",
      "import process from 'node:process'",
      "import { URL, URLSearchParams } from 'url'",
      "import { performance } from 'perf_hooks'",
      "const name = 1, status = 2, onload = 3",
      "declare const Map: unknown",
    ]
  ) assertEquals(findHiddenGlobals(code), [], code);
});
