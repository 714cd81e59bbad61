/**
 * Much code as cells: what is valid stays valid, and its tree differs only where an `await` or a value was passed
 * through. Each piece is taken as it is, and with an `await` before each call that may be awaited.
 */
import { assert, assertEquals } from "@std/assert";
import type { Node } from "@babel/types";
// What is imported is downloaded, all of its package.
import "test262-parser-tests/package.json" with { type: "json" };
import { KEEP_NAME, keepValues } from "../../../src/jupyter/kernel/code/kept_values.ts";
import { readCell, visitCell } from "../../../src/jupyter/kernel/code/program.ts";
import { AWAIT_NAME, EACH_NAME, makeStoppable, OUTER_NAME } from "../../../src/jupyter/kernel/code/stoppable_awaits.ts";
import { relative, walk } from "../../_files.ts";

const ROOT = new URL("../../../", import.meta.url);
const TEST262 = new URL("./", import.meta.resolve("test262-parser-tests/package.json"));

/** What a tree says besides where it stands; what was passed through counts as itself. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  const node = value as Node;
  if (node.type === "CallExpression" && node.callee.type === "Identifier") {
    if ([AWAIT_NAME, EACH_NAME, KEEP_NAME, OUTER_NAME].includes(node.callee.name)) return shapeOf(node.arguments[0]);
  }
  const parts = Object.entries(value).filter(([key]) => !["start", "end", "loc", "extra"].includes(key));
  return Object.fromEntries(parts.map(([key, part]) => [key, shapeOf(part)]));
}

/** Where calls begin that may be awaited: outside functions, and in asynchronous ones. */
function callsIn(value: unknown, mayAwait = true): number[] {
  if (Array.isArray(value)) return value.flatMap((each) => callsIn(each, mayAwait));
  if (typeof value !== "object" || value === null || !("type" in value)) return [];
  const node = value as Node;
  const within = "async" in node ? node.async === true : mayAwait && !/^Class.*Property$|^StaticBlock$/.test(node.type);
  const inner = Object.values(node).flatMap((each) => callsIn(each, within));
  const isCall = node.type === "CallExpression" && node.callee.type !== "Super" && node.callee.type !== "Import";
  return isCall && mayAwait ? [node.start!, ...inner] : inner;
}

/** Code with `await` before each such call, except where that would not be valid. */
function withAwaits(code: string): string {
  const write = (places: readonly number[]) => {
    const ends = [0, ...places];
    return ends.map((at, index) => code.slice(at, ends[index + 1])).join("await ");
  };
  const accepted = new Set<number>();
  const add = (places: readonly number[]) => {
    if (places.length === 0) return;
    const all = [...accepted, ...places].sort((a, b) => a - b);
    if (readCell(write(all))?.errors.length === 0) { for (const at of places) accepted.add(at); }
    else if (places.length > 1) {
      add(places.slice(0, places.length / 2));
      add(places.slice(places.length / 2));
    }
  };
  add([...new Set(callsIn(readCell(code)?.program))]);
  return write([...accepted].sort((a, b) => a - b));
}

/** Awaits of valid code that were passed through, after it was checked that nothing else has changed. */
function checkCell(code: string, name: string): number {
  const before = readCell(code);
  assert(before !== undefined, name);
  let awaits = 0;
  visitCell(code, (node) => {
    if (node.type === "AwaitExpression" || node.type === "ForOfStatement" && node.await) awaits++;
  });
  const shape = JSON.stringify(shapeOf(before.program));
  const written = keepValues(makeStoppable(code));
  const after = readCell(written);
  assertEquals(after?.errors.length, before.errors.length, name);
  assert(JSON.stringify(shapeOf(after?.program)) === shape, `${name}: the tree has changed`);
  const passed = (text: string) => text.split(new RegExp(`\\b(?:${AWAIT_NAME}|${EACH_NAME}|${OUTER_NAME})\\(`)).length;
  assertEquals(passed(written) - passed(code), awaits, name);
  return awaits;
}

function checkAll(files: readonly (readonly [name: string, code: string])[]): void {
  let awaits = 0;
  for (const [name, code] of files) {
    awaits += checkCell(code, name) + checkCell(withAwaits(code), `${name} with awaits`);
  }
  console.log(`${files.length} files, ${awaits} awaits`);
  assert(awaits > 0);
}

Deno.test("modules and scripts of test262", async () => {
  const files: (readonly [string, string])[] = [];
  for (const folder of ["pass/", "pass-explicit/"]) {
    for await (const { name } of Deno.readDir(new URL(folder, TEST262))) {
      const code = await Deno.readTextFile(new URL(folder + name, TEST262));
      const cell = readCell(code);
      // Sloppy scripts are no modules.
      if (name.endsWith(".module.js")) assertEquals(cell?.errors, [], name);
      if (cell?.errors.length === 0) files.push([folder + name, code]);
    }
  }
  assert(files.length > 3000);
  checkAll(files);
});

Deno.test("code that is not valid never ends the kernel", async () => {
  for (const folder of ["fail/", "early/"]) {
    for await (const { name } of Deno.readDir(new URL(folder, TEST262))) {
      const code = await Deno.readTextFile(new URL(folder + name, TEST262));
      if (readCell(code) === undefined) assertEquals(makeStoppable(code), code, name);
    }
  }
});

Deno.test("TypeScript of the project, and cells of its lessons", async () => {
  const sources = [...await walk(new URL("src/", ROOT), ".ts"), ...await walk(new URL("tests/", ROOT), ".ts")];
  const files = await Promise.all(
    sources.map(async (file) => [relative(ROOT, file), await Deno.readTextFile(file)] as const),
  );
  const lessons = await walk(new URL("notebooks/", ROOT), ".ipynb");
  const cells = await Promise.all(lessons.map(async (file) => {
    const { cells }: { cells: { cell_type: string; source: string | string[] }[] } = JSON.parse(
      await Deno.readTextFile(file),
    );
    return cells.filter(({ cell_type }) => cell_type === "code")
      .map(({ source }, index) => [`${relative(ROOT, file)} ${index + 1}`, [source].flat().join("")] as const)
      .filter(([, code]) => readCell(code) !== undefined);
  }));
  checkAll([...files.filter(([path]) => !path.endsWith(".as.ts")), ...cells.flat()]);
});
