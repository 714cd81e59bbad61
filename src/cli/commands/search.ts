/** `seqreg search`: one page of hits, or all of them. */
import type { ExportedRows, Registry, SearchAll } from "@seqreg/core/registry";
import type { ReleaseWatch } from "@seqreg/core/registry/plan/release_watch";
import type { SearchHit } from "@seqreg/core/contract";
import type { FacetValue } from "@seqreg/core/contract/facets";
import { type Command, type CommandContext, EXIT, UsageError } from "../support/command.ts";
import { QUERY_GRAMMAR } from "@seqreg/core/query";
import { readFieldList } from "../exports/field_list.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../support/ledger.ts";
import { type Output, OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { startResultProgress } from "../support/progress.ts";
import { FILTER_OPTION, readFilters } from "../support/records.ts";
import { checkRegistryFlags, openRegistry, REGISTRY_OPTIONS } from "../support/registry.ts";
import { countOf } from "@seqreg/core/contract/count_of";
import { closeLedger, type Ledger, withEntries } from "@seqreg/core/contract/ledger";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";
import { writeFacet, writeHits } from "../support/search_output.ts";

const FORMATS = ["table", "csv", "tsv", "json", "jsonl", "parquet"] as const;
type Format = typeof FORMATS[number];

const OF_HITS = ["fields", "sort", "order", "page", "page-size", "explain"];
const COUNTED = "records are only counted";
/** Options that have no effect with another one, and why. */
const UNUSED: Readonly<Record<string, readonly [options: readonly string[], why: string]>> = {
  count: [["facets", "limit", ...OF_HITS], COUNTED],
  facets: [OF_HITS, COUNTED],
  explain: [["limit", "fields", "ledger"], "only the plan of all records is printed"],
};

const command: Command = {
  name: "search",
  summary: "Search records: one page, or all",
  operands: "[QUERY]",
  operandCount: [0, 1],
  options: {
    ...FILTER_OPTION,
    page: { type: "string", value: "N", describe: "page, counted from 1 (default: 1)" },
    "page-size": { type: "string", value: "N", describe: "results per page (default: 50, with --all 1000)" },
    sort: { type: "string", value: "COLUMN", describe: "field to sort by (default: relevance)" },
    order: { type: "string", value: "asc|desc", describe: "direction of the sort (default: asc)" },
    all: { type: "boolean", describe: "every matching record; beyond 10,000 by an export where possible" },
    explain: { type: "boolean", describe: "with --all: print the plan, run nothing; requests only the first page" },
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "output format; json is the registry's response body (default: by the name of --output, else table)",
    },
    fields: {
      type: "string",
      multiple: true,
      value: "FIELD,…",
      describe: "columns, by public name or alias, in this order (default: all, the accession first)",
    },
    limit: { type: "string", value: "N", describe: "the first N records, over as many pages as needed" },
    count: { type: "boolean", describe: "print only the number of matching records" },
    facets: { type: "string", value: "FIELD", describe: "values of a facet and their counts, as a table" },
    ...OUTPUT_OPTION,
    ...REGISTRY_OPTIONS,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg search country:Germany --page-size 10",
    "seqreg search 'host_species:\"Homo sapiens\"' --sort sequence_length --order desc --format csv -o hits.csv",
    "seqreg search --filter Country=Kenya --all --format tsv",
    "seqreg search country:Kenya --all --explain",
    "seqreg search country:Kenya --count",
    "seqreg search country:Kenya --limit 500 --fields 'Registry Accession,Collection Date' --format jsonl",
    "seqreg search country:Kenya --facets 'Host Species'",
  ],
  help: [{
    title: "Queries of the embedded registry (a live registry may differ beyond field:value):",
    lines: QUERY_GRAMMAR.flatMap(({ written, finds }) =>
      written.map((query, index) => `${query.padEnd(40)}${index === 0 ? finds : ""}`.trimEnd())
    ),
  }],
  permissions: [
    "--allow-read",
    "--allow-write",
    "--allow-net",
    "--allow-env",
    "--allow-ffi",
    "--allow-sys (for --format parquet)",
  ],
  async run(context) {
    const asked = await readArguments(context);
    await checkRegistryFlags(context);
    await using registry = await openRegistry(context);
    if (asked.count || asked.facet !== undefined) return await summarizeMatches(context, registry, asked);
    return asked.all ? await searchAll(context, registry, asked) : await searchPage(context, registry, asked);
  },
};

export default command;

interface SearchArguments {
  readonly query: string;
  readonly filter: ReturnType<typeof readFilters>;
  readonly pageNumber: number | undefined;
  readonly pageSize: number | undefined;
  readonly sort: { readonly column: string; readonly order?: "asc" | "desc" } | undefined;
  readonly all: boolean;
  readonly explain: boolean;
  readonly format: Format;
  readonly fields: readonly string[] | undefined;
  readonly limit: number | undefined;
  readonly count: boolean;
  readonly facet: string | undefined;
}

async function readArguments(context: CommandContext): Promise<SearchArguments> {
  const { flags, operands } = context;
  const limit = flags.integer("limit", { least: 1, most: 1_000_000_000 });
  const all = flags.has("all") || limit !== undefined;
  const fields = await readFieldList("--fields", flags.texts("fields"));
  const format = flags.format(FORMATS, "table");
  if (fields.length > 0 && format === "json") {
    throw new UsageError(
      "Options --fields and --format json cannot be combined: json is the registry's response body; use jsonl",
    );
  }
  if (format === "parquet" && ["-", undefined].includes(flags.text("output"))) {
    throw new UsageError("Cannot print Parquet: use --output FILE");
  }
  const printed = ["count", "explain"].find((name) => flags.has(name));
  if (printed !== undefined && format === "parquet") {
    throw new UsageError(`Option --${printed} prints text, which is not Parquet: choose another format`);
  }
  for (const [name, [options, why]] of Object.entries(UNUSED)) {
    const unused = options.find((option) => flags.isGiven(name) && flags.isGiven(option));
    if (unused !== undefined) throw new UsageError(`Option --${name} cannot be combined with --${unused}: ${why}`);
  }
  const column = flags.text("sort");
  const order = flags.text("order") === undefined ? undefined : flags.choice("order", ["asc", "desc"], "asc");
  if (order !== undefined && column === undefined) {
    throw new UsageError("Option --order needs --sort COLUMN: unsorted hits are ordered by relevance");
  }
  if (all && flags.text("page") !== undefined) {
    throw new UsageError("Option --page cannot be combined with --all or --limit: they start with the first page");
  }
  if (flags.has("explain") && (!all || format === "json")) {
    throw new UsageError("Option --explain needs --all and a format other than json, which only uses pages");
  }
  return {
    query: operands[0] ?? "",
    filter: readFilters(context),
    pageNumber: flags.integer("page", { least: 1, most: 1_000_000_000 }),
    pageSize: flags.integer("page-size", { least: 1, most: all ? 10_000 : 1_000_000_000 }),
    sort: column === undefined ? undefined : { column, order },
    all,
    explain: flags.has("explain"),
    format,
    fields: fields.length === 0 ? undefined : [...new Set(fields)],
    limit,
    count: flags.has("count"),
    facet: flags.text("facets"),
  };
}

async function searchPage(context: CommandContext, registry: Registry, asked: SearchArguments): Promise<number> {
  const { signal } = context;
  const page = await registry.searchPage(asked.query, {
    filter: asked.filter,
    sort: asked.sort,
    pageSize: asked.pageSize,
    pageNumber: asked.pageNumber,
    // Only a single answer can be passed on byte for byte.
    singleAnswer: asked.format === "json",
    signal,
  });
  const { response: body, hits, pageSize } = page;
  const entries: LedgerEntry[] = [];
  await withResult(context, asked, async (output) => {
    if (asked.format === "json") await output.write(page.bytes);
    else if (body.results.length > 0) {
      entries.push(...await writeHits(context, registry, output, { format: asked.format, fields: asked.fields, hits }));
    }
    return { keep: asked.format === "json" || asked.format !== "parquet" && body.results.length > 0 };
  });
  if (asked.format === "json" && page.isReduced) {
    const text = `the registry accepts at most ${pageSize} results per page: use --page-size ${pageSize}, --all or ` +
      "another format";
    entries.push(noteEntry("page-size-limited", text));
  }
  const ledger = await registry.suggest(asked, limited(page.ledger, entries), { signal });
  const code = await reportLedger(context, ledger, page.provenance);
  if (body.results.length > 0 || code === EXIT.incomplete) return code;
  context.note(
    body.total === 0
      ? `nothing matched ${describeQuery(asked)} in ${registry.description}`
      : `page ${asked.pageNumber ?? 1} is empty: only ${countOf(body.total, "record")} ${
        body.total === 1 ? "matches" : "match"
      }`,
  );
  return EXIT.nothing;
}

async function searchAll(context: CommandContext, registry: Registry, asked: SearchArguments): Promise<number> {
  using line = startResultProgress(context);
  const { withinRelease } = await import("@seqreg/core/registry/plan/release_watch");
  return await withinRelease((watch) => searchAllOnce(context, registry, asked, { line, watch }));
}

async function searchAllOnce(
  context: CommandContext,
  registry: Registry,
  asked: SearchArguments,
  { line, watch }: { readonly line: ReturnType<typeof startResultProgress>; readonly watch: ReleaseWatch },
): Promise<number> {
  const { SearchAll } = await import("@seqreg/core/registry/operations/search_all");
  const criteria = { query: asked.query, filter: asked.filter, sort: asked.sort };
  const search = new SearchAll(registry.client, criteria, {
    place: registry.place,
    ...(asked.pageSize ?? asked.limit) !== undefined &&
      { pageSize: Math.min(asked.pageSize ?? 1000, asked.limit ?? Infinity) },
    exportRest: asked.format !== "json",
    watch,
    onProgress: line.onProgress,
    signal: context.signal,
  });
  const plan = await search.begin();
  if (asked.explain) {
    const { explainPlan } = await import("@seqreg/core/registry/plan/search_plan");
    line.clear();
    await withOutput(context, (output) => output.write(`${explainPlan(plan)}\n`));
    return EXIT.done;
  }
  const entries: LedgerEntry[] = [];
  await withResult(context, asked, async (output) => {
    if (asked.format === "json") await writeJson(search, output, { limit: asked.limit, watch });
    else entries.push(...await writeAll(context, registry, search, { output, ...asked, format: asked.format, watch }));
    return { keep: asked.format === "json" || asked.format !== "parquet" && search.ledger().received > 0 };
  });
  line.clear();
  const ledger = limited(search.ledger(), entries, asked.limit);
  const suggested = await registry.suggest(asked, ledger, { signal: context.signal });
  const code = await reportLedger(context, suggested, search.provenance());
  if (ledger.received > 0 || code === EXIT.incomplete) return code;
  context.note(`nothing matched ${describeQuery(asked)} in ${registry.description}`);
  return EXIT.nothing;
}

/** One object: that of the first page, with the results of all pages. */
async function writeJson(
  search: SearchAll,
  output: Output,
  { limit = Infinity, watch }: { readonly limit: number | undefined; readonly watch: ReleaseWatch },
): Promise<void> {
  const { writeJson: jsonOf } = await import("@seqreg/core/contract/json/lossless_json");
  const { results: _, total, totalIsLowerBound: __, ...rest } = search.first;
  const { isOpen = false } = await search.begin();
  const hits = await readHits(search, limit);
  if (hits.length < limit) { for await (const _ of search.rest()); }
  watch.handOut();
  await output.write(isOpen ? `{"results":[` : `{"total":${total},"results":[`);
  for (const [index, hit] of hits.entries()) await output.write(`${index === 0 ? "" : ","}${jsonOf(hit)}`);
  const others = Object.entries(rest).map(([key, value]) => `,${JSON.stringify(key)}:${jsonOf(value ?? null)}`);
  // If the registry does not state a total, the number counted is used.
  await output.write(`]${isOpen ? `,"total":${search.ledger().unique}` : ""}${others.join("")}}\n`);
}

/** Reads the pages until they hold enough. */
async function readHits(search: SearchAll, limit: number): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for await (const { results } of search.pages()) {
    for (const hit of results.slice(0, limit - hits.length)) hits.push(hit);
    if (hits.length >= limit) break;
  }
  return hits;
}

async function writeAll(
  context: CommandContext,
  registry: Registry,
  search: SearchAll,
  { output, format, fields, sort, limit = Infinity, watch }: Pick<SearchArguments, "fields" | "sort" | "limit"> & {
    readonly output: Output;
    readonly format: Exclude<Format, "json">;
    readonly watch: ReleaseWatch;
  },
): Promise<LedgerEntry[]> {
  const hits = await readHits(search, limit);
  const shared = { format, fields, hits };
  if (hits.length >= limit) return await writeHits(context, registry, output, shared);
  const { total, steps } = await search.begin();
  // The first rows of an export are not the next ones of a sorted search.
  if (sort !== undefined && limit < Infinity && steps.some(({ kind }) => kind === "export")) {
    watch.handOut();
    const text =
      `paging of a search in the order of ${sort.column} ends after ${hits.length} records, and no request ` +
      "gives those that follow: use --all, or narrow the search";
    const count = Math.min(limit, total) - hits.length;
    return [...await writeHits(context, registry, output, shared), noteEntry("beyond-paging", text, { count })];
  }
  const rest = search.rest();
  const begin = await rest.next();
  watch.handOut();
  if (begin.done) return hits.length === 0 ? [] : await writeHits(context, registry, output, shared);
  let beyond = 0;
  const rows = (async function* () {
    for (let next: IteratorResult<ExportedRows> = begin; !next.done; next = await rest.next()) {
      for (const cells of next.value.rows) {
        if (hits.length + beyond === limit) return;
        beyond++;
        yield cells;
      }
    }
  })();
  try {
    const entries = await writeHits(context, registry, output, {
      ...shared,
      more: { columns: begin.value.columns, rows },
    });
    // What was read to its end is in the ledger of the search.
    if (search.ledger().entries.some(({ code }) => code === "joined-from-export")) return entries;
    const { noteExported } = await import("@seqreg/core/registry/operations/search_all");
    return [...entries, ...noteExported({ beyond, paged: hits.length, pagedAgain: hits.length, depth: hits.length })];
  } finally {
    await rest.return(undefined);
  }
}

/** Parquet has its own writer, which renames the file when it is complete. */
async function withResult(
  context: CommandContext,
  { format }: SearchArguments,
  work: (output: Output) => Promise<{ readonly keep: boolean }>,
): Promise<void> {
  if (format === "parquet") await work(context.stdout);
  else await withOutput(context, work);
}

/** The ledger of the requested records: the first N. */
function limited(ledger: Ledger, more: readonly LedgerEntry[], limit = Infinity): Ledger {
  const received = Math.min(ledger.received, limit);
  const unique = Math.min(ledger.unique, received);
  // A limit that was asked for is no reason: only errors, and limits, stop a search before its end.
  const entries = [...ledger.entries.filter(({ code }) => code !== "unfinished"), ...more];
  return withEntries({ ...ledger, received, unique, duplicate: received - unique }, entries);
}

/** `--count` and `--facets`: the registry's counts, without the records. */
async function summarizeMatches(context: CommandContext, registry: Registry, asked: SearchArguments): Promise<number> {
  const { provenanceOf } = await import("@seqreg/core/client");
  const { searchRequest } = await import("@seqreg/core/registry/plan/search_criteria");
  const { readFacets } = await import("@seqreg/core/contract/facets");
  const { client } = registry;
  const { body, receipt } = await client.search(searchRequest(asked, { pageSize: 1 }), { signal: context.signal });
  const { facet: field, format } = asked;
  const facets = readFacets(body.facets);
  const entries: LedgerEntry[] = [];
  const { describeFieldMismatch } = await import("@seqreg/core/contract/naming_evidence");
  const mismatch = describeFieldMismatch(body.results.map(({ source }) => source), client.naming);
  if (mismatch !== undefined) entries.push(noteEntry("naming-mismatch", mismatch));
  await withResult(context, asked, async (output) => {
    if (field === undefined) await output.write(`${body.total}\n`);
    else {
      const written = await writeFacet(context, output, {
        facets,
        field,
        format: format === "json" ? "jsonl" : format,
        limit: asked.limit,
      });
      entries.push(...noteFacet(field, written, body.total));
    }
    return { keep: true };
  });
  const open = body.totalIsLowerBound === true;
  const atLeast = `the registry counts at least ${
    countOf(body.total, "record")
  }: search with --all for the exact number`;
  const miscounted = `the registry counts ${countOf(body.total, "record")} and returns ${body.results.length}`;
  if (open) entries.push(noteEntry("total-unknown", atLeast));
  else if (body.results.length > body.total) entries.push(noteEntry("page-long", miscounted));
  const ledger = closeLedger({ promised: open ? null : body.total, received: body.results.length, entries });
  const advised = await registry.suggest(asked, ledger, { signal: context.signal });
  const code = await reportLedger(context, advised, { ...provenanceOf(receipt, "search"), registry: registry.place });
  return body.total === 0 && code === EXIT.done ? EXIT.nothing : code;
}

/** A registry may return only the most frequent values of a facet, and its response does not say so. */
function noteFacet(field: string, values: readonly FacetValue[], total: number): LedgerEntry[] {
  const counted = values.reduce((sum, { count }) => sum + count, 0);
  if (counted >= total) return [];
  const text = `the ${countOf(values.length, "value")} of ${field} are those of ${counted} of ${
    countOf(total, "record")
  }: the others have another value, or no value`;
  return [noteEntry("facet-partial", text, { count: total - counted, field })];
}

function describeQuery({ query, filter }: SearchArguments): string {
  const filters = filter.map(({ field, value }) => `${field}=${value}`).join(", ");
  return `${JSON.stringify(query)}${filters === "" ? "" : ` with ${filters}`}`;
}
