/** Holds the rooms of `src/` to who may import whom, and the standard library to its places. */
import { assertEquals } from "@std/assert";
import { fromFileUrl, relative, walk } from "./_files.ts";

/** Rooms that each room may import from, besides itself. `src/README.md` draws the same. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  contract: ["errors"],
  io: ["errors", "contract"],
  fasta: ["errors", "contract", "io"],
  client: ["errors", "contract", "io"],
  service: ["errors", "contract", "io"],
  datasets: ["errors", "contract", "io", "client"],
  sample: ["errors", "contract", "io", "fasta"],
  tables: ["errors", "contract", "io", "fasta", "client", "datasets"],
  notebook: ["errors", "contract", "io", "fasta", "client", "datasets", "tables"],
  registry: ["errors", "contract", "io", "fasta", "client", "service", "datasets", "sample", "tables", "notebook"],
  analysis: ["errors", "contract", "io", "fasta", "client", "datasets", "tables", "notebook", "registry"],
  cli: [
    "errors",
    "contract",
    "io",
    "fasta",
    "client",
    "service",
    "datasets",
    "sample",
    "tables",
    "notebook",
    "registry",
    "analysis",
    "kernel",
  ],
  kernel: [],
};

/** Packages that only some rooms may load. */
const PACKAGE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  "nodejs-polars": ["tables", "notebook", "registry", "analysis", "cli"],
  "@duckdb/node-api": ["tables", "cli"],
  "hono": ["service"],
  "zod": ["contract", "service", "client", "datasets"],
};

/** Packages that cost start-up or permissions: never imported statically where they are loaded. */
const DYNAMIC_ONLY = ["nodejs-polars", "@duckdb/node-api"];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly kind: "static" | "dynamic" | "type";
}

const SRC = new URL("../src/", import.meta.url);

async function readImports(): Promise<Import[]> {
  const imports: Import[] = [];
  for (const file of await walk(SRC, ".ts")) {
    const from = relative(SRC, file);
    const code = (await Deno.readTextFile(file)).replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
    for (const [, words, to] of code.matchAll(/^(?:import|export)\s([^;"']*?)from\s+"([^"]+)"/gm)) {
      imports.push({ from, to: resolve(file, to), kind: /^type\s/.test(words.trim()) ? "type" : "static" });
    }
    for (const [, to] of code.matchAll(/^import\s+"([^"]+)"/gm)) {
      imports.push({ from, to: resolve(file, to), kind: "static" });
    }
    for (const [, to] of code.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)) {
      imports.push({ from, to: resolve(file, to), kind: "dynamic" });
    }
  }
  return imports;
}

function resolve(file: URL, to: string): string {
  return to.startsWith(".") ? relative(SRC, new URL(to, file)) : to;
}

function roomOf(path: string): string {
  return path.includes("/") ? path.split("/")[0] : path.replace(/\.ts$/, "");
}

Deno.test("rooms import only from the rooms below them", async () => {
  const imports = await readImports();
  const faults = imports
    .filter(({ to }) => to.endsWith(".ts"))
    .filter(({ from, to }) => roomOf(from) !== roomOf(to))
    .filter(({ from, to }) => !(MAY_IMPORT[roomOf(from)] ?? []).includes(roomOf(to)))
    .map(({ from, to }) => `${from} imports ${to}`);

  assertEquals(faults, []);
  assertEquals(imports.length > 50, true, "the test found hardly any import: it reads the wrong place");
});

Deno.test("what begins with _ is private to its folder", async () => {
  const faults = (await readImports())
    .filter(({ to }) => to.endsWith(".ts") && to.split("/").at(-1)!.startsWith("_"))
    .filter(({ from, to }) => !from.startsWith(to.slice(0, to.lastIndexOf("/") + 1)))
    .map(({ from, to }) => `${from} imports ${to}`);

  assertEquals(faults, []);
});

Deno.test("no files import each other in a circle", async () => {
  const graph = new Map<string, string[]>();
  for (const { from, to, kind } of await readImports()) {
    if (kind === "static" && to.endsWith(".ts")) graph.set(from, [...graph.get(from) ?? [], to]);
  }
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    else if (!done.has(file)) {
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    }
  };
  for (const file of graph.keys()) visit(file, []);

  assertEquals(circles, []);
});

Deno.test("costly packages are loaded where they belong, when they are needed", async () => {
  const faults = (await readImports()).flatMap(({ from, to, kind }) => {
    const name = Object.keys(PACKAGE_ROOMS).find((name) => to === name || to.startsWith(`${name}/`));
    if (name === undefined || kind === "type") return [];
    if (!PACKAGE_ROOMS[name].includes(roomOf(from))) return [`${from} imports ${name}`];
    return kind === "static" && DYNAMIC_ONLY.includes(name) ? [`${from} imports ${name} statically`] : [];
  });

  assertEquals(faults, []);
});

Deno.test("the standard library is used under its own names in what ships", async () => {
  const used = new Set((await readImports()).filter(({ to }) => to.startsWith("@std/")).map(({ to }) => to));

  assertEquals([...used].sort(), ["@std/crypto", "@std/csv", "@std/streams"]);
});

Deno.test("every folder of src is a room of the plan", async () => {
  const rooms = [];
  for await (const entry of Deno.readDir(SRC)) {
    if (entry.name.endsWith(".ts") || entry.isDirectory) rooms.push(roomOf(entry.name));
  }

  assertEquals(rooms.filter((room) => !Object.hasOwn(MAY_IMPORT, room)), []);
});

Deno.test("nothing in the project holds an absolute path of a machine", async () => {
  const root = new URL("../", import.meta.url);
  const faults: string[] = [];
  for (const file of await walk(root, /\.(ts|md|json|ipynb)$/)) {
    const text = await Deno.readTextFile(file);
    if (/["'`\s(](\/root\/|\/work\/|\/home\/(?!ada\b)\w+\/)/.test(text)) faults.push(relative(root, file));
  }

  assertEquals(faults, []);
  assertEquals(fromFileUrl(root).endsWith("/"), true);
});
