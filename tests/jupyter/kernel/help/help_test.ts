/** Help without a kernel: what declarations and the index say. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Help } from "../../../../src/jupyter/kernel/help/help.ts";

const DECLARED = `import { Registry } from "seqreg"; import { recordsInTime, show } from "seqreg/analysis";
const registry = await Registry.open();
const page = await registry.search("x"), waiting = registry.search("y");
const lake = await registry.lake();
/** Doubles a number. */
function twice(n: number): number { return 2 * n; }`;

function helper(): Help {
  const help = new Help({ look: () => Promise.resolve(undefined), askValues: () => undefined });
  help.learnCell(DECLARED);
  return help;
}

async function complete(code: string, help = helper()): Promise<unknown> {
  const content = { code, cursor_pos: [...code].length };
  return Object(await help.answer({ type: "complete_request", id: "1", content })).matches;
}

async function inspect(code: string): Promise<string> {
  const content = { code, cursor_pos: [...code].length };
  return String(
    Object(Object(await helper().answer({ type: "inspect_request", id: "1", content })).data)["text/plain"],
  );
}

Deno.test("options and their values complete where they belong", async (t) => {
  const cases: Record<string, unknown> = {
    'registry.search("x", { pa': ["pageSize", "pageNumber"],
    'registry.search("x", { pageSize: 3, pa': ["pageNumber"],
    'registry.search("x", { sort: { order: "': ["asc", "desc"],
    'registry.search("x", { sort: { order: ': ['"asc"', '"desc"'],
    'registry.search("x", { all: ': ["true", "false"],
    'recordsInTime(lake, { by: "': ["year", "month", "isoweek", "epiweek"],
    'registry.dataset("full': ["full_dataset_sequence", "full_dataset_metadata"],
    'registry.lake({ archives: ["unique': ["unique_seqs_sequence", "unique_seqs_metadata"],
    "registry.lake({ archives: [], mode: 'pre": ["prefer-cache"],
    'const own = { by: "': undefined,
    'own({ by: "': undefined,
    'import { x } from "seqreg/f': ["seqreg/fasta"],
    "// registry.search('x', { pa": undefined,
    "registry.se": undefined,
  };
  for (const [code, expected] of Object.entries(cases)) {
    await t.step(code, async () => assertEquals(await complete(code), expected));
  }
});

Deno.test("values of fields complete behind their name in a query, quoted where they must be", async () => {
  const help = helper();
  help.values.learn({ values: { country: ["Kenya", "South Africa", 'no "quote', "${x}"], other: "no list" } });

  assertEquals(await complete('registry.search("country:Ke', help), ["Kenya"]);
  assertEquals(await complete('registry.search("host:x AND country:so', help), ['\\"South Africa\\"']);
  assertEquals(await complete("registry.search('country:so", help), ['"South Africa"']);
  assertEquals(await complete("registry.search('country:\"So", help), ['South Africa"']);
  assertEquals(await complete('registry.search("country:', help), ["Kenya", '\\"South Africa\\"']);
  assertEquals(await complete('registry.search("city:Ke', help), undefined);
  help.values.forget();
  assertEquals(await complete('registry.search("country:Ke', help), undefined);
});

Deno.test("values of a field are asked for once, when no cell runs", async () => {
  let isRunning = true;
  let asked = 0;
  const help: Help = new Help({
    look: () => Promise.resolve(undefined),
    askValues: () => {
      if (isRunning) return undefined;
      asked++;
      help.values.learn({ values: { country: ["Kenya"] } });
      return Promise.resolve();
    },
  });
  help.learnCell(DECLARED);
  const values = (field: string) => complete(`registry.search("${field}:`, help);

  assertEquals(await values("country"), undefined);
  isRunning = false;
  assertEquals(await values("country"), ["Kenya"]);
  for (let time = 0; time < 2; time++) assertEquals(await values("city"), undefined);
  assertEquals(asked, 2);
});

Deno.test("help says signature, sentence, options, errors and an example", async () => {
  const text = await inspect("registry.search");

  assertStringIncludes(text, "registry.search(terms: SearchTerms, options?: SearchOptions): Promise<SearchResult>");
  assertStringIncludes(text, "Searches for one page of hits, typed.");
  assertStringIncludes(text, "pageSize?  a whole number from 1. Results in a page; 50 by default");
  assertStringIncludes(text, 'sort.order?  "asc", "desc"');
  assertStringIncludes(text, "TypeError | RangeError  If an option cannot be followed");
  assertStringIncludes(text, 'const page = await registry.search("sequence_length:>500"');
  assertEquals(await inspect('registry.search("a", '), text);
});

Deno.test("help is on exports, members, results of calls, options, and not on what is the user's own", async () => {
  assertStringIncludes(await inspect("recordsInTime"), 'by?  "year", "month", "isoweek" or "epiweek"');
  assertStringIncludes(await inspect("Registry.open"), "Opens a registry.");
  assertStringIncludes(await inspect("page.ledger"), "What was asked, promised and received");
  assertStringIncludes(await inspect("page.ledger.complete"), "page.ledger.complete: boolean");
  assertStringIncludes(await inspect("lake.sql"), "Runs one SQL statement that only reads");
  assertStringIncludes(await inspect('registry.search("x", { pageSize'), "pageSize?: number");
  assertEquals(await inspect("twice"), "undefined");
  assertEquals(await inspect("no.such"), "undefined");
});

Deno.test("what the kernel offers is put in order, explained, and without what nobody means", async () => {
  const help = helper();
  const content = { code: "page.", cursor_pos: 5 };
  assertEquals(await help.answer({ type: "complete_request", id: "7", content }), undefined);
  const reply = { status: "ok", matches: ["__defineGetter__", "toString", "ledger"], cursor_start: 5, cursor_end: 5 };
  const explained = await help.explain(reply, "7");

  assertEquals(explained.matches, ["toString", "ledger"]);
  assertStringIncludes(JSON.stringify(explained.metadata), "What was asked, promised and received");
});

Deno.test("what is written and not run is no name of a cell", async () => {
  const help = helper();
  help.learnCell("const n = 5;");
  await complete('const twise = 1, n = pl.col("n");\nn.', help);

  assertEquals(help.ownNames.includes("twise"), false);
  assertEquals(await help.adviseOn("twise is not defined"), "did you mean twice?");
  assertEquals(await help.hintsOn("n > 3"), undefined);
});

Deno.test("a promise that is taken for its result is told", async () => {
  const help = helper();
  const told = async (code: string) => await help.hintsOn(code) ?? "";

  assertStringIncludes(await told("waiting.rows"), 'waiting is a promise and has no \\"rows\\"');
  assertStringIncludes(await told('registry.search("x").rows'), "write (await registry.search(…)).rows");
  for (const code of ["page.rows", "waiting.then(f)", '(await registry.search("x")).rows', "twice(2).toFixed()"]) {
    assertEquals(await told(code), "");
  }
});
