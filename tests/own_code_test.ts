/** Holds modules that stand in the place of a library to the table of CONTRIBUTING.md, which has the reasons. */
import { assert, assertEquals } from "@std/assert";
import { relative, walk } from "./_files.ts";

const SOURCE = new URL("../src/", import.meta.url);

interface OwnCode {
  /** Files, and folders with `/` at their end, below `src/`. */
  readonly modules: readonly string[];
  readonly library: string;
  readonly command: string;
  readonly reason: string;
}

async function readTable(): Promise<readonly OwnCode[]> {
  const text = await Deno.readTextFile(new URL("../CONTRIBUTING.md", import.meta.url));
  const [, section] = /^## Own code instead of a library\n([^]*?)^## /m.exec(text) ?? [];
  const rows = (section ?? "").split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((line) => {
    const [modules, library, command, reason] = line.slice(1, -1).split(" | ").map((cell) => cell.trim());
    return { modules: Array.from(modules.matchAll(/`([^`]+)`/g), ([, name]) => name), library, command, reason };
  });
}

/** Files whose comments say that they are own code. */
async function ownFiles(): Promise<readonly string[]> {
  const files: string[] = [];
  for (const url of await walk(SOURCE, ".ts")) {
    if (/^(?:\/\*\*| \*).*\bOwn code\b/m.test(await Deno.readTextFile(url))) files.push(relative(SOURCE, url));
  }
  return files;
}

function covers(name: string, file: string): boolean {
  return name.endsWith("/") ? file.startsWith(name) : file === name;
}

Deno.test("each file that says it is own code is in the table of CONTRIBUTING.md, and each row has one", async () => {
  const [table, files] = [await readTable(), await ownFiles()];
  assert(table.length > 15, "the table is read");

  assertEquals(files.filter((file) => !table.some(({ modules }) => modules.some((name) => covers(name, file)))), []);
  const isBare = ({ modules }: OwnCode) => !files.some((file) => modules.some((name) => covers(name, file)));
  assertEquals(table.filter(isBare), []);
});

Deno.test("a row of own code names modules and a bench that exist, the library and a reason", async () => {
  for (const { modules, library, command, reason } of await readTable()) {
    for (const name of modules) {
      assertEquals((await Deno.stat(new URL(name, SOURCE))).isDirectory, name.endsWith("/"), name);
    }
    assert(library !== "" && reason !== "", modules.join());
    const [, bench] = /^`deno task bench (\w+)(?: \d+)?`$/.exec(command) ?? [];
    assertEquals(bench === undefined, command === "", command);
    if (bench !== undefined) await Deno.stat(new URL(`bench/${bench}.ts`, import.meta.url));
  }
});
