/** Input never makes the library fail with an error message of the runtime. */
import { assert, assertEquals } from "@std/assert";
import { citeSource, diffLakes, schemaOf } from "../src/again/mod.ts";
import { curate } from "../src/curation/mod.ts";
import { describeRuntimeError } from "../src/cli/process/runtime_error.ts";
import { checkSearchResponse, parseNaming } from "../src/core/contract/mod.ts";
import { openFasta } from "../src/core/fasta/mod.ts";
import { Registry } from "../mod.ts";
import {
  openLake,
  readDefinitions,
  tableFromCsv,
  tableFromHits,
  tableFromXml,
  verifyLake,
} from "../src/core/tables/mod.ts";
import { inFolder } from "./_files.ts";

const DEPTH = 100_000;
const ID = "vj000000000001";
const LISTS = `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`;
const OBJECTS = `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`;
const ELEMENTS = `${"<a>".repeat(DEPTH)}${"</a>".repeat(DEPTH)}`;

/** A live registry whose every answer is the same text. */
async function ask(text: string, use: (registry: Registry) => Promise<unknown>): Promise<void> {
  const headers = { "content-type": "application/json" };
  const fetch = () => Promise.resolve(new Response(text, { headers }));
  await using registry = await Registry.open("http://127.0.0.1:1", { fetch });
  await use(registry);
}

/** Functions with a text from elsewhere, and those with a file or a folder of it. */
const OF_TEXT: Readonly<Record<string, (text: string) => unknown>> = {
  "parseNaming()": parseNaming,
  "tableFromCsv()": (text) => tableFromCsv(new TextEncoder().encode(`a,b\n${text.slice(0, DEPTH)},1\n`)),
  "tableFromXml()": (text) => tableFromXml(new TextEncoder().encode(text)),
  "a search": (text) => ask(`{"total":1,"results":[{"id":"${ID}","source":{"x":${text}}}]}`, (it) => it.search("*")),
  "a search with facets": (text) => ask(`{"total":1,"results":[],"facets":${text}}`, (it) => it.search("*")),
  "sequences": (text) => ask(text, (it) => it.sequences({ ids: [ID] })),
  "definitions": (text) => ask(text, (it) => it.definitions(["x"])),
};
const OF_VALUE: Readonly<Record<string, (value: unknown) => unknown>> = {
  "tableFromHits()": (x) => tableFromHits([{ id: ID, score: 1, source: { x } }]),
  "checkSearchResponse()": (x) => checkSearchResponse({ total: 1, results: [{ id: ID, score: 1, source: { x } }] }),
  "readDefinitions()": (x) => readDefinitions([{ name: x }] as never, ["x"]),
};
const OF_PATH: Readonly<Record<string, (path: string) => unknown>> = {
  "schemaOf()": (path) => schemaOf(`${path}/manifest.json`),
  "citeSource()": (path) => citeSource(`${path}/manifest.json`),
  "curate()": (path) => curate(`${path}/manifest.json`),
  "diffLakes()": (path) => diffLakes(path, path),
  "openFasta()": (path) => openFasta(`${path}/manifest.json`),
  "openLake()": openLake,
  "verifyLake()": verifyLake,
};

/** Calls a function, and fails if it fails in the runtime's own words. */
async function check(name: string, call: () => unknown): Promise<void> {
  try {
    await call();
  } catch (error) {
    assert(error instanceof Error, name);
    // What a sentence of ours passes on counts as well.
    for (const message of error.message.split(": ")) {
      assertEquals(describeRuntimeError(new Error(message), { command: name, inputs: [] }), undefined, error.stack);
    }
  }
}

for (const [shape, text] of Object.entries({ lists: LISTS, objects: OBJECTS, elements: ELEMENTS })) {
  Deno.test(`${shape} within each other 100,000 times never give an error of the runtime's own`, async (t) => {
    await inFolder(async (folder) => {
      await Deno.writeTextFile(`${folder}/manifest.json`, text);
      for (const [name, call] of Object.entries(OF_TEXT)) await t.step(name, () => check(name, () => call(text)));
      for (const [name, call] of Object.entries(OF_PATH)) await t.step(name, () => check(name, () => call(folder)));
      if (shape === "elements") return;
      const value = JSON.parse(text);
      for (const [name, call] of Object.entries(OF_VALUE)) await t.step(name, () => check(name, () => call(value)));
    });
  });
}
