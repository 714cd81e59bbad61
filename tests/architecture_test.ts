/** Holds the rooms of `src/` to who may import whom, and the standard library to its places. */
import { assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { fromFileUrl, relative, walk } from "./_files.ts";

const BELOW_REGISTRY = [
  "errors",
  "contract",
  "io",
  "fasta",
  "client",
  "service",
  "datasets",
  "sample",
  "engine",
  "tables",
  "notebook",
];

/** Rooms that each room may import from, besides itself. `src/README.md` draws the same. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  contract: ["errors"],
  io: ["errors", "contract"],
  fasta: ["errors", "contract", "io"],
  parquet: ["errors", "contract", "io"],
  engine: ["errors", "contract", "io", "parquet"],
  client: ["errors", "contract", "io"],
  service: ["errors", "contract", "io"],
  datasets: ["errors", "contract", "io", "client"],
  sample: ["errors", "contract", "io", "fasta"],
  tables: ["errors", "contract", "io", "fasta", "parquet", "client", "datasets", "engine"],
  notebook: ["errors", "contract", "io", "fasta", "parquet", "client", "datasets", "engine", "tables"],
  registry: BELOW_REGISTRY,
  analysis: [
    "errors",
    "contract",
    "io",
    "fasta",
    "parquet",
    "client",
    "datasets",
    "engine",
    "tables",
    "notebook",
    "registry",
  ],
  cli: [...BELOW_REGISTRY, "registry", "analysis", "kernel"],
  kernel: [],
  packages: ["cli"],
};

/** Packages that only some rooms may load. */
const PACKAGE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  "nodejs-polars": ["engine", "tables", "notebook", "registry", "analysis", "cli"],
  "@duckdb/node-api": ["engine"],
  "@connectrpc/connect": ["engine"],
  "@bufbuild/protobuf": ["engine"],
  "aws4fetch": ["io"],
  "hono": ["service"],
  "zod": ["contract", "service", "client", "datasets"],
};

/** Packages that cost start-up or permissions: never imported statically where they are loaded. */
const DYNAMIC_ONLY = [
  "nodejs-polars",
  "@duckdb/node-api",
  "@connectrpc/connect",
  "aws4fetch",
];

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

/** Circles of a graph: each as the path that comes back to its beginning. */
function circlesOf(edges: readonly { readonly from: string; readonly to: string }[]): string[] {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(" -> "));
    else if (!done.has(node)) {
      for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
      done.add(node);
    }
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
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

Deno.test("no files import each other in a circle, types included", async () => {
  const imports = (await readImports()).filter(({ to, kind }) => kind !== "dynamic" && to.endsWith(".ts"));

  assertEquals(circlesOf(imports), []);
});

Deno.test("no folders import each other in a circle, doors aside", async () => {
  const imports = (await readImports())
    .filter(({ from, to }) => to.endsWith(".ts") && !from.endsWith("mod.ts") && !to.endsWith("mod.ts"))
    .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
    .filter(({ from, to }) => from !== to);

  assertEquals(circlesOf(imports), []);
});

Deno.test("no folder of src holds more than 25 files", async () => {
  const counts = new Map<string, number>();
  for (const file of await walk(SRC, ".ts")) {
    const folder = folderOf(relative(SRC, file));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }

  assertEquals([...counts].filter(([, count]) => count > 25), []);
});

Deno.test("tests stand in the folder of their module, and begin with its name", async () => {
  const tests = new URL("./", import.meta.url);
  const stems = (await walk(SRC, ".ts")).map((file) => relative(SRC, file).replace(/\.ts$/, "").replace("/_", "/"));
  const faults = (await walk(tests, "_test.ts")).map((file) => relative(tests, file).replace(/_test\.ts$/, ""))
    .filter((stem) => {
      const [room, ...rest] = stem.split("/");
      // At the top of a room stand tests of its behaviour.
      if (rest.length < 2 || !Object.hasOwn(MAY_IMPORT, room)) return false;
      const ofFolder = `${folderOf(stem)}/${folderOf(stem).split("/").at(-1)}`;
      return ![...stems, ofFolder].some((name) => `${stem}_`.startsWith(`${name}_`));
    });

  assertEquals(faults, []);
});

Deno.test("no file of source or of tests is longer than 400 lines", async () => {
  const root = new URL("../", import.meta.url);
  const long: string[] = [];
  for (const folder of ["src/", "tests/", "examples/"]) {
    for (const file of await walk(new URL(folder, root), ".ts")) {
      const lines = (await Deno.readTextFile(file)).split("\n").length - 1;
      if (lines > 400) long.push(`${relative(root, file)}: ${lines} lines`);
    }
  }

  assertEquals(long, []);
});

Deno.test("the map of the rooms names files that exist", async () => {
  const files = (await walk(SRC, ".ts")).map((file) => `/${relative(SRC, file)}`);
  const named = (await Deno.readTextFile(new URL("README.md", SRC))).matchAll(/`([a-z_/]+(?:\.as)?\.ts)`/g);
  const absent = Array.from(named, ([, name]) => name).filter((name) => !name.startsWith("tests/"))
    .filter((name) => !files.some((file) => file.endsWith(`/${name}`)));

  assertEquals(absent.filter((name) => name !== "_name.ts" && name !== "mod.ts"), []);
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

Deno.test("node:http2, which can end the process while a server closes a connection, is loaded nowhere", async () => {
  const sources = [...await walk(SRC, ".ts"), ...await walk(new URL("./", import.meta.url), ".ts")];
  const found: string[] = [];
  for (const file of sources) {
    if (/(?:from|import\()\s*"node:http2"/.test(await Deno.readTextFile(file))) found.push(file.pathname);
  }
  assertEquals(found, []);
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

Deno.test("comments keep to the line width; rows of tables in them may be longer", async () => {
  const root = new URL("../", import.meta.url);
  const faults: string[] = [];
  for (const folder of ["src/", "tests/", "examples/", "types/"]) {
    for (const file of await walk(new URL(folder, root), /(?<!_wasm)\.ts$/)) {
      for (const [index, line] of (await Deno.readTextFile(file)).split("\n").entries()) {
        if (line.length > config.fmt.lineWidth && /^\s*(\/\/|\/\*|\* (?!\|))/.test(line)) {
          faults.push(`${relative(root, file)}:${index + 1}`);
        }
      }
    }
  }

  assertEquals(faults, []);
});
