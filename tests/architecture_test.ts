/** Holds members and rooms of `src/` to who may import whom, and the standard library to its places. */
import { assert, assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { fromFileUrl, relative, walk } from "./_files.ts";

/** Members of the workspace, and those that each may import. `src/README.md` draws the same. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  embedded: ["core"],
  spark: ["core"],
  jupyter: ["core"],
  analysis: ["core", "jupyter"],
  again: ["core", "jupyter", "analysis"],
  curation: ["core", "analysis", "again"],
  alike: ["core", "analysis", "again", "curation"],
  cli: ["core", "embedded", "spark", "jupyter", "analysis", "again", "curation", "alike"],
};

/**
 * Doors that a member below imports when it needs them, never before: `Registry.open()` without an address opens the
 * registry that the toolkit has embedded, which is made of the core.
 */
const LAZY_DOORS: readonly string[] = [
  "core/registry/connect.ts imports @seqreg/embedded/sample",
  "core/registry/connect.ts imports @seqreg/embedded/service",
];

const BELOW_REGISTRY = [
  "errors",
  "options",
  "contract",
  "io",
  "query",
  "fasta",
  "parquet",
  "client",
  "datasets",
  "engine",
  "tables",
];

/** Rooms of a member that hold several, and those of the same member that each may import from, besides itself. */
const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  core: {
    errors: [],
    options: [],
    contract: ["errors", "options"],
    io: ["errors", "options", "contract"],
    query: ["errors", "options", "contract"],
    fasta: ["errors", "options", "contract", "io"],
    parquet: ["errors", "options", "contract", "io"],
    engine: ["errors", "options", "contract", "io", "parquet"],
    client: ["errors", "options", "contract", "io"],
    datasets: ["errors", "options", "contract", "io", "client"],
    tables: ["errors", "options", "contract", "io", "fasta", "parquet", "client", "datasets", "engine"],
    registry: BELOW_REGISTRY,
  },
  embedded: { service: [], sample: [] },
  jupyter: { kernel: [], live: ["kernel"], notebook: ["live"] },
};

/** The five operations, with the files that ask for each and that answer it. */
const OPERATIONS = [
  ["search", "registry/operations/search", "answer_search"],
  ["download", "registry/operations/get_metadata", "answer_download"],
  ["sequence", "registry/operations/get_sequences", "answer_sequence"],
  ["metadata_download", "registry/operations/get_definitions", "answer_definitions"],
  ["datasets_download", "datasets/fetch_archive", "answer_dataset_file"],
] as const;

/** Packages that only some rooms may load. */
const PACKAGE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  "@babel/parser": ["kernel", "cli"],
  "js-tokens": ["kernel", "cli"],
  "nodejs-polars": ["engine", "tables", "registry", "spark", "live", "notebook", "analysis", "cli"],
  "@duckdb/node-api": ["engine", "live"],
  "@duckdb/node-bindings": ["engine"],
  "@connectrpc/connect": ["spark"],
  "@bufbuild/protobuf": ["spark"],
  "aws4fetch": ["io"],
  "hono": ["service"],
  "zod": ["contract", "service", "client", "datasets"],
};

/** Packages that cost start-up or permissions: never imported statically where they are loaded. */
const DYNAMIC_ONLY = [
  "nodejs-polars",
  "@duckdb/node-api",
  "@duckdb/node-bindings",
  "@connectrpc/connect",
  "aws4fetch",
];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly kind: "static" | "dynamic" | "type";
  /** The name as it is written. */
  readonly name: string;
}

const SRC = new URL("../src/", import.meta.url);

/** A member's `deno.json`. */
interface Member {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

const members = new Map<string, Member>();
for (const name of Object.keys(MEMBERS)) {
  members.set(name, JSON.parse(await Deno.readTextFile(new URL(`${name}/deno.json`, SRC))));
}

/** Files of doors by the name under which they are imported. */
const doors = new Map<string, string>();
for (const [member, { name, exports }] of members) {
  for (const [door, path] of Object.entries(exports)) doors.set(name + door.slice(1), `${member}/${path.slice(2)}`);
}

async function readImports(files?: readonly URL[]): Promise<Import[]> {
  const imports: Import[] = [];
  for (const file of files ?? await walk(SRC, ".ts")) {
    const from = relative(SRC, file);
    const code = (await Deno.readTextFile(file)).replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
    for (const [, words, to] of code.matchAll(/^(?:import|export)\s([^;"']*?)from\s+"([^"]+)"/gm)) {
      imports.push({ from, name: to, to: resolve(file, to), kind: /^type\s/.test(words.trim()) ? "type" : "static" });
    }
    for (const [, to] of code.matchAll(/^import\s+"([^"]+)"/gm)) {
      imports.push({ from, name: to, to: resolve(file, to), kind: "static" });
    }
    for (const [, to] of code.matchAll(/\b(?:import|import\.meta\.resolve)\(\s*"([^"]+)"\s*\)/g)) {
      imports.push({ from, name: to, to: resolve(file, to), kind: "dynamic" });
    }
  }
  return imports;
}

function resolve(file: URL, to: string): string {
  return to.startsWith(".") ? relative(SRC, new URL(to, file)) : doors.get(to) ?? to;
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

function memberOf(path: string): string {
  return path.split("/")[0];
}

/** The room of a file: a folder of its member, or the member where that is one room. */
function roomOf(path: string): string {
  const [member, room] = path.split("/");
  return Object.hasOwn(ROOMS, member) ? room.replace(/\.ts$/, "") : member;
}

Deno.test("rooms import only from the rooms below them", async () => {
  const imports = await readImports();
  const faults = imports
    .filter(({ from, to }) => to.endsWith(".ts") && memberOf(from) === memberOf(to) && roomOf(from) !== roomOf(to))
    .filter(({ from, to }) => !(ROOMS[memberOf(from)]?.[roomOf(from)] ?? []).includes(roomOf(to)))
    .map(({ from, to }) => `${from} imports ${to}`);

  assertEquals(faults, []);
  assertEquals(imports.length > 50, true, "the test found hardly any import: it reads the wrong place");
});

Deno.test("members import only the doors of members below them", async () => {
  const crossing = (await readImports()).filter(({ from, to }) =>
    to.endsWith(".ts") && memberOf(from) !== memberOf(to)
  );
  const faults = crossing.filter(({ from, name, to }) =>
    !name.startsWith("@seqreg/") || !MEMBERS[memberOf(from)].includes(memberOf(to))
  ).map(({ from, name }) => `${from} imports ${name}`);

  assertEquals([...new Set(faults)].sort(), LAZY_DOORS);
  assertEquals(
    circlesOf(Object.entries(MEMBERS).flatMap(([from, below]) => below.map((to) => ({ from, to })))),
    [],
  );
});

Deno.test("nothing of a member is reached by a path from outside it", async () => {
  const faults: string[] = [];
  for (const file of await walk(SRC, ".ts")) {
    const from = relative(SRC, file);
    for (const [, path] of (await Deno.readTextFile(file)).matchAll(/["`](\.\.\/[^"`$]*)/g)) {
      const to = new URL(path, file).href;
      const isHere = to.startsWith(SRC.href) && to !== SRC.href;
      if (isHere && memberOf(relative(SRC, new URL(to))) !== memberOf(from)) faults.push(`${from}: ${path}`);
    }
  }

  assertEquals(faults, []);
});

Deno.test("each member has a page and doors that exist, and each door has a user", async () => {
  const root = new URL("../", import.meta.url);
  const imports = [...await readImports(), ...await readImports([new URL("mod.ts", root)])];
  const used = new Set<string>(imports.map(({ name }) => name));
  const isPublic = new Set<string>(Object.values(config.exports));
  const faults: string[] = [];
  for (const [member, { name }] of members) {
    if (name !== `@seqreg/${member}`) faults.push(`${member} is named ${name}`);
    const page = await Deno.readTextFile(new URL(`${member}/README.md`, SRC)).catch(() => "");
    if (page.length < 200) faults.push(`${member} has no page`);
  }
  for (const [name, path] of doors) {
    if (!await Deno.stat(new URL(path, SRC)).then(({ isFile }) => isFile, () => false)) faults.push(`${name}: no file`);
    if (!used.has(name) && !isPublic.has(`./src/${path}`)) faults.push(`${name}: not imported`);
  }

  assertEquals(faults, []);
  assertEquals([...members.keys()].map((name) => `./src/${name}`).sort(), [...config.workspace].sort());
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

Deno.test("who changes an operation has at most 45,000 lines to know, in the client and in the registry", async () => {
  const imported = Map.groupBy(await readImports(), ({ from }) => from);
  for (const [operation, ask, answer] of OPERATIONS) {
    const files = new Set([`core/${ask}.ts`, `embedded/service/operations/${answer}.ts`]);
    for (const file of files) {
      for (const { to } of imported.get(file) ?? []) if (to.endsWith(".ts")) files.add(to);
    }
    let lines = 0;
    for (const file of files) lines += (await Deno.readTextFile(new URL(file, SRC))).split("\n").length - 1;
    assert(lines <= 45_000, `${operation}: ${lines} lines in ${files.size} files`);
  }
});

Deno.test("people's tables are opened by one door", async () => {
  const isReader = (to: string) => to.startsWith("core/io/workbook/") || to.endsWith("/_find_header.ts");
  const faults = (await readImports())
    .filter(({ from, to }) => isReader(to) && !from.startsWith("core/io/workbook/"))
    .filter(({ from }) => !from.startsWith("core/tables/open/"))
    .map(({ from, to }) => `${from} imports ${to}`);

  assertEquals(faults, [], "use openTable() or readTable() of core/tables/open");
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
      const [member, ...rest] = stem.split("/");
      // At the top of a room stand tests of its behaviour.
      const top = Object.hasOwn(ROOMS, member) ? 3 : 2;
      if (rest.length < top || !Object.hasOwn(MEMBERS, member)) return false;
      const ofFolder = `${folderOf(stem)}/${folderOf(stem).split("/").at(-1)}`;
      return ![...stems, ofFolder].some((name) => `${stem}_`.startsWith(`${name}_`));
    });

  assertEquals(faults, []);
});

Deno.test("no file of source or of tests is longer than 400 lines", async () => {
  const root = new URL("../", import.meta.url);
  const long: string[] = [];
  for (const folder of ["src/", "tools/", "tests/", "examples/"]) {
    for (const file of await walk(new URL(folder, root), ".ts")) {
      const lines = (await Deno.readTextFile(file)).split("\n").length - 1;
      if (lines > 400) long.push(`${relative(root, file)}: ${lines} lines`);
    }
  }

  assertEquals(long, []);
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
  const unplanned: string[] = [];
  const look = async (folder: URL, planned: object) => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const room = name.replace(/\.ts$/, "");
      if ((name.endsWith(".ts") || isDirectory) && !Object.hasOwn(planned, room)) unplanned.push(room);
    }
  };
  await look(SRC, MEMBERS);
  for (const [member, rooms] of Object.entries(ROOMS)) await look(new URL(`${member}/`, SRC), rooms);

  assertEquals(unplanned, []);
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
  for (const folder of ["src/", "tools/", "tests/", "examples/", "types/"]) {
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
