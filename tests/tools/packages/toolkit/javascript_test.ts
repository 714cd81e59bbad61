import { assertEquals } from "@std/assert";
import { rewriteSpecifiers } from "../../../../tools/packages/toolkit/javascript.ts";

const MODULES = new Set(["src/a/b.ts", "src/a/_worker.ts", "src/c.ts"]);
const IMPORTS = {
  "@std/csv": "npm:deno-std@1.4.0/csv/mod.js",
  "linkedom": "npm:linkedom@0.18.12",
  "world-atlas/": "npm:/world-atlas@2.0.2/",
  "read-excel-file": "npm:read-excel-file@9.3.17/node",
  "@seqreg/core": "./src/a/b.ts",
  "@seqreg/core/c": "./src/c.ts",
};

Deno.test("specifiers of a packaged module name JavaScript files and npm packages", async (t) => {
  const cases: Record<string, [code: string, expected: string, packages: readonly string[]]> = {
    "own modules": [
      'import { x } from "../c.ts";\nexport * from "./b.ts";\nimport "./b.ts";',
      'import { x } from "../c.js";\nexport * from "./b.js";\nimport "./b.js";',
      [],
    ],
    "modules loaded later": ['await import("./b.ts")', 'await import("./b.js")', []],
    "workers": [
      'new Worker(new URL("./_worker.ts", import.meta.url))',
      'new Worker(new URL("./_worker.js", import.meta.url))',
      [],
    ],
    "doors of members": [
      'import { x } from "@seqreg/core/c"; await import(import.meta.resolve("@seqreg/core")); await import("@seqreg/core")',
      'import { x } from "../c.js"; await import(import.meta.resolve("./b.js")); await import("./b.js")',
      [],
    ],
    "where a package is": ['import.meta.resolve("linkedom")', 'import.meta.resolve("linkedom")', []],
    "a name of deno.json": ['from "@std/csv"', 'from "deno-std/csv/mod.js"', ["deno-std"]],
    "a file of a package": ['import("linkedom/worker")', 'import("linkedom/worker")', ["linkedom"]],
    "a folder of a package": ['import("world-atlas/land.json")', 'import("world-atlas/land.json")', ["world-atlas"]],
    "a package's entry that is not its main one": [
      'import("read-excel-file")',
      'import("read-excel-file/node")',
      ["read-excel-file"],
    ],
    "what is not ours": [
      'import { y } from "./mine.ts"; import "node:path"; import "seqreg"; "./b.ts"',
      'import { y } from "./mine.ts"; import "node:path"; import "seqreg"; "./b.ts"',
      [],
    ],
  };
  for (const [name, [code, expected, packages]] of Object.entries(cases)) {
    await t.step(name, () => {
      assertEquals(rewriteSpecifiers(code, "src/a/x.ts", MODULES, IMPORTS), { code: expected, packages });
    });
  }
});
