/** What a method refuses before anything is sent. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type ClientOptions, RegistryClient } from "../../../src/core/client/mod.ts";
import { FILE, ID, max, recording } from "./_recording.ts";

const selection = (selected_ids: unknown) => ({
  search: { query: "" },
  download: { scope: "selection", information: "sequences", fileType: "fasta", selected_ids },
});

Deno.test("a request that breaks the specification is refused before anything is sent", async (t) => {
  type Row = readonly [call: (client: Loose) => Promise<unknown>, type: "TypeError" | "RangeError", says: string];
  /** The methods as a notebook calls them, where no compiler looks. */
  interface Loose {
    search(request: unknown): Promise<unknown>;
    sequence(request: unknown): Promise<unknown>;
    download(request: unknown): Promise<unknown>;
    definitions(request: unknown, options?: unknown): Promise<unknown>;
    dataset(fileName: unknown, options?: unknown): Promise<unknown>;
  }
  const loose = (client: RegistryClient): Loose => ({
    search: (request) => Reflect.apply(client.search, client, [request]),
    sequence: (request) => Reflect.apply(client.sequence, client, [request]),
    download: (request) => Reflect.apply(client.download, client, [request]),
    definitions: (request, options) => Reflect.apply(client.definitions, client, [request, options]),
    dataset: (fileName, options) => Reflect.apply(client.dataset, client, [fileName, options]),
  });
  const rows: Record<string, Row> = {
    "no request": [(c) => c.search(undefined), "TypeError", "request: expected an object, not nothing"],
    "a query in a list": [(c) => c.search({ query: ["a"] }), "TypeError", 'query: expected a string, not ["a"]'],
    "no query": [(c) => c.search({}), "TypeError", "query: expected a string, not nothing"],
    "a page in words": [
      (c) => c.search({ query: "", pageNumber: "2" }),
      "TypeError",
      'pageNumber: expected an integer, not "2"',
    ],
    "page 0": [
      (c) => c.search({ query: "", pageNumber: 0 }),
      "RangeError",
      "pageNumber: expected an integer of at least 1",
    ],
    "half a page": [(c) => c.search({ query: "", pageSize: 0.5 }), "TypeError", "pageSize: expected an integer"],
    "an order of its own": [(c) => c.search({ query: "", sortOrder: "up" }), "RangeError", "expected one of asc, desc"],
    "a key in other letters": [
      (c) => c.search({ query: "", pagesize: 3 }),
      "TypeError",
      'unknown option "pagesize" of client.search(), did you mean "pageSize"?',
    ],
    "a filter with an operator": [
      (c) => c.search({ query: "", filter: [{ field: "a", value: 1, operator: ">" }] }),
      "TypeError",
      'unknown option "operator" of client.search(), filter',
    ],
    "a sort of a download": [
      (c) => c.download({ ...max, search: { query: "a", sortColumn: "Country" } }),
      "TypeError",
      'unknown option "sortColumn" of client.download(), search',
    ],
    "fields of a download": [
      (c) => c.download({ ...max, download: { ...max.download, fields: ["Country"] } }),
      "TypeError",
      'unknown option "fields" of client.download(), download',
    ],
    "accessions by the registry's key": [
      (c) => c.sequence({ accessions: [ID], registry_accessions: [ID] }),
      "TypeError",
      'unknown option "registry_accessions" of client.sequence()',
    ],
    "a name of definitions": [
      (c) => c.definitions({ fields: [], names: [] }),
      "TypeError",
      'unknown option "names" of client.definitions()',
    ],
    "a signal that is none": [
      (c) => c.definitions({ fields: [] }, { signal: new AbortController() }),
      "TypeError",
      'option "signal" of client.definitions() must be an AbortSignal',
    ],
    "a filter that is no list": [(c) => c.search({ query: "", filter: {} }), "TypeError", "filter: expected an array"],
    "a filter without value": [
      (c) => c.search({ query: "", filter: [{ field: "a" }] }),
      "TypeError",
      "filter.0.value: expected a value",
    ],
    "a filter of undefined": [
      (c) => c.search({ query: "", filter: [{ field: "a", value: undefined }] }),
      "TypeError",
      "expected a value, not nothing",
    ],
    "a filter of NaN": [(c) => c.search({ query: "", filter: [{ field: "a", value: NaN }] }), "RangeError", "finite"],
    "a filter of bigint": [(c) => c.search({ query: "", filter: [{ field: "a", value: 1n }] }), "TypeError", "bigint"],
    "a filter of a Date": [
      (c) => c.search({ query: "", filter: [{ field: "a", value: new Date("2013-12-05") }] }),
      "TypeError",
      'filter.0.value: expected what JSON can carry, not a Date; write the day as it is recorded, such as "2013-12-05"',
    ],
    "a filter of a list with NaN": [
      (c) => c.download({ ...max, search: { query: "", filter: [{ field: "a", value: [1, NaN] }] } }),
      "RangeError",
      "filter.0.value.1: expected a finite number, not NaN",
    ],
    "a filter of a list with a hole": [
      // deno-lint-ignore no-sparse-arrays -- the hole is the case
      (c) => c.search({ query: "", filter: [{ field: "a", value: ["x", , "y"] }] }),
      "TypeError",
      "filter.0.value.1: expected what JSON can carry, not undefined",
    ],
    "a filter of a set": [
      (c) => c.search({ query: "", filter: [{ field: "a", value: new Set(["x"]) }] }),
      "TypeError",
      "expected what JSON can carry, not a Set",
    ],
    "a filter of an object with a bigint": [
      (c) => c.search({ query: "", filter: [{ field: "a", value: { from: 1n } }] }),
      "TypeError",
      "filter.0.value.from: expected what JSON can carry, not bigint",
    ],
    "eleven digits": [
      (c) => c.sequence({ accessions: ["vj00000000001"] }),
      "RangeError",
      'accessions.0: expected an accession: vj followed by 12 digits, not "vj00000000001"',
    ],
    "thirteen digits": [
      (c) => c.sequence({ accessions: [ID, `${ID}1`] }),
      "RangeError",
      "accessions.1: expected an accession",
    ],
    "digits of another script": [
      (c) => c.sequence({ accessions: ["vj00000000000١"] }),
      "RangeError",
      "expected an accession",
    ],
    "a line feed after": [(c) => c.sequence({ accessions: [`${ID}\n`] }), "RangeError", "expected an accession"],
    "one accession, no list": [(c) => c.sequence({ accessions: ID }), "TypeError", "accessions: expected an array"],
    "no accessions": [(c) => c.sequence({}), "TypeError", "accessions: expected an array of accessions, not nothing"],
    "many faults": [(c) => c.sequence({ accessions: Array(9).fill("x") }), "RangeError", ", likewise 8 more"],
    "an unknown scope": [
      (c) => c.download({ ...max, download: { ...max.download, scope: "all" } }),
      "RangeError",
      "download.scope: expected one of max, selection",
    ],
    "FASTA of metadata": [
      (c) => c.download({ ...max, download: { ...max.download, fileType: "fasta" } }),
      "RangeError",
      "is for sequences only",
    ],
    "JSON": [
      (c) => c.download({ ...max, download: { ...max.download, fileType: "json" } }),
      "RangeError",
      "not valid JSON",
    ],
    "a blank query alone": [
      (c) => c.download({ ...max, search: { query: " " } }),
      "RangeError",
      "without a query or a filter",
    ],
    "a selection of nothing": [(c) => c.download(selection([])), "RangeError", "expected at least one accession"],
    "a selection that would be cut": [
      (c) => c.download(selection(Array(10_001).fill(ID))),
      "RangeError",
      "10001 accessions in one selection",
    ],
    "fields in one text": [
      (c) => c.definitions({ fields: "Country" }),
      "TypeError",
      "fields: expected an array of strings",
    ],
    "definitions as XML": [
      (c) => c.definitions({ fields: [] }, { format: "xml" }),
      "RangeError",
      'must be "csv", "json" or "xlsx"',
    ],
    "definitions as toString": [
      (c) => c.definitions({ fields: [] }, { format: "toString" }),
      "RangeError",
      'must be "csv", "json" or "xlsx"',
    ],
    "an archive's stem": [(c) => c.dataset("registryv1_unique_seqs_metadata"), "RangeError", "did you mean"],
    "a path": [(c) => c.dataset(`../${FILE}`), "RangeError", `did you mean "${FILE}"`],
    "a range from nothing": [
      (c) => c.dataset(FILE, { range: { start: 0, ifRange: '"a"' } }),
      "RangeError",
      "range.start",
    ],
    "a weak tag": [
      (c) => c.dataset(FILE, { range: { start: 1, ifRange: 'W/"a"' } }),
      "RangeError",
      "strong entity tag",
    ],
    "a tag that breaks the header": [
      (c) => c.dataset(FILE, { range: { start: 1, ifRange: '"a\r\nX: y"' } }),
      "RangeError",
      "strong",
    ],
  };
  for (const [fault, [call, type, says]] of Object.entries(rows)) {
    await t.step(fault, async () => {
      const { client, requests } = recording();
      const error = await assertRejects(() => call(loose(client)), type === "TypeError" ? TypeError : RangeError, says);
      assertEquals(error.name, type);
      assertEquals(requests.length, 0);
    });
  }
});

Deno.test("a base URL that cannot be one is refused at once", async (t) => {
  const rows: Record<string, string> = {
    "": "it is not a URL",
    "registry.example": "it is not a URL",
    "localhost:8000": 'did you mean "http://localhost:8000"',
    "ftp://registry.invalid": "write an http or https URL",
    "file:///data": "write an http or https URL",
    "http://": "it is not a URL",
    "https://registry.invalid/?a=b": 'must not contain "?" or "#"',
    "https://registry.invalid/#top": 'must not contain "?" or "#"',
    "https://ada:secret@registry.invalid": "has a user name or password",
  };
  for (const [given, says] of Object.entries(rows)) {
    await t.step(given === "" ? "nothing" : given, () => {
      const error = assertThrows(() => new RegistryClient(given), TypeError, says);
      assertEquals(error.message.includes("secret"), false);
    });
  }
});

Deno.test("options that make no sense are refused at once", () => {
  const make = (options: ClientOptions) => () => new RegistryClient("http://registry.invalid", options);
  assertThrows(make({ timeouts: { idleMs: 0 } }), RangeError, "timeouts.idleMs");
  assertThrows(make({ timeouts: { headersMs: NaN } }), RangeError, "timeouts.headersMs");
  assertThrows(make({ timeouts: { connectMs: 2 ** 31 } }), RangeError, "timeouts.connectMs");
  assertThrows(make({ retry: { tries: 0 } }), RangeError, "retry.tries");
  assertThrows(make({ retry: { tries: 1.5 } }), RangeError, "retry.tries");
  assertThrows(make({ retry: { budgetMs: -1 } }), RangeError, "retry.budgetMs");
  assertThrows(make({ headers: { "a b": "c" } }), TypeError);
});
