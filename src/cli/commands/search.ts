/** `seqreg search`: one page of hits, or all of them. */
import { csvRow, tsvRow } from "../../io/csv/csv_text.ts";
import type { SearchAll } from "../../registry/operations/search_all.ts";
import type { SearchHit } from "../../contract/search.ts";
import { type Command, type CommandContext, EXIT, UsageError } from "../support/command.ts";
import { QUERY_GRAMMAR } from "../../service/query/grammar.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../support/ledger.ts";
import { type Output, OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { startResultProgress } from "../support/progress.ts";
import { FILTER_OPTION, readFilters } from "../support/records.ts";
import { checkRegistryFlags, type OpenClient, openClient, REGISTRY_OPTIONS } from "../support/registry.ts";
import { layOutTable, lineWidth } from "../support/text_table.ts";
import { warnOfNoMatch } from "../support/no_match.ts";

const FORMATS = ["table", "csv", "tsv", "json"] as const;
type Format = typeof FORMATS[number];

/** Rows by which the widths of a table's columns are chosen. */
const SAMPLED_ROWS = 200;

const command: Command = {
  name: "search",
  summary: "Search records: one page, or all",
  operands: "[QUERY]",
  operandCount: [0, 1],
  options: {
    ...FILTER_OPTION,
    page: { type: "string", value: "N", describe: "page, counted from 1; 1" },
    "page-size": { type: "string", value: "N", describe: "results in a page; 50, with --all 1000" },
    sort: { type: "string", value: "COLUMN", describe: "field to sort by; by relevance without it" },
    order: { type: "string", value: "asc|desc", describe: "direction of the sort; asc" },
    all: { type: "boolean", describe: "every matching record; past 10,000 by an export where that can be done" },
    explain: {
      type: "boolean",
      describe: "with --all: say how it would be done, and do not; takes the first page alone",
    },
    format: { type: "string", value: FORMATS.join("|"), describe: "table is for people; json is the registry's body" },
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
  ],
  help: [{
    title: "Queries of the embedded registry (a live one may read more than field:value otherwise):",
    lines: QUERY_GRAMMAR.flatMap(({ written, finds }) =>
      written.map((query, index) => `${query.padEnd(40)}${index === 0 ? finds : ""}`.trimEnd())
    ),
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-net", "--allow-env", "--allow-ffi"],
  async run(context) {
    const wish = readWish(context);
    await checkRegistryFlags(context);
    await using registry = await openClient(context);
    return wish.all ? await searchAll(context, registry, wish) : await searchPage(context, registry, wish);
  },
};

export default command;

interface Wish {
  readonly query: string;
  readonly filter: readonly SearchFilterText[];
  readonly pageNumber: number | undefined;
  readonly pageSize: number | undefined;
  readonly sort: { readonly column: string; readonly order?: "asc" | "desc" } | undefined;
  readonly all: boolean;
  readonly explain: boolean;
  readonly format: Format;
}

type SearchFilterText = ReturnType<typeof readFilters>[number];

function readWish(context: CommandContext): Wish {
  const { flags, operands } = context;
  const all = flags.has("all");
  const column = flags.text("sort");
  const order = flags.text("order") === undefined ? undefined : flags.choice("order", ["asc", "desc"], "asc");
  if (order !== undefined && column === undefined) {
    throw new UsageError("Option --order needs --sort COLUMN: without it hits come by relevance");
  }
  if (all && flags.text("page") !== undefined) {
    throw new UsageError("Options --all and --page exclude each other: --all gives every page");
  }
  if (flags.has("explain") && (!all || flags.text("format") === "json")) {
    throw new UsageError("Option --explain needs --all, and a format other than json, which has the pages alone");
  }
  return {
    query: operands[0] ?? "",
    filter: readFilters(context),
    pageNumber: flags.integer("page", { least: 1, most: 1_000_000_000 }),
    pageSize: flags.integer("page-size", { least: 1, most: all ? 10_000 : 1_000_000_000 }),
    sort: column === undefined ? undefined : { column, ...order !== undefined && { order } },
    all,
    explain: flags.has("explain"),
    format: flags.choice("format", FORMATS, "table"),
  };
}

async function searchPage(context: CommandContext, registry: OpenClient, wish: Wish): Promise<number> {
  const { readPage } = await import("../../registry/plan/page_reader.ts");
  const { ProvenanceLog } = await import("../../registry/results/provenance_log.ts");
  const { pageHits, pageLedger, searchRequest } = await import("../../registry/plan/search_criteria.ts");
  const request = searchRequest(wish, wish);
  const { accessionField } = registry.naming;
  const { body, answers, pageSize, isReduced } = await readPage(registry.client, wish, wish, {
    nameOf: ({ source, id }) => String(source[accessionField] ?? id),
    // The registry's own bytes are those of one answer.
    firstOnly: wish.format === "json",
    signal: context.signal,
  });
  const log = new ProvenanceLog("search", registry.place);
  for (const { receipt } of answers) log.add(receipt);
  await withOutput(context, async (output) => {
    if (wish.format === "json") await output.write(answers[0].bytes);
    else if (body.results.length > 0) {
      const { columns, rows } = await textsOf(pageHits(body, request), registry);
      await writeRows(context, output, wish.format, { columns, rows });
    }
    return { keep: wish.format === "json" || body.results.length > 0 };
  });
  const ledger = pageLedger(body, request, {
    naming: registry.naming,
    reasons: wish.format === "json" && isReduced
      ? [
        `the registry takes at most ${pageSize} results in a page: use --page-size ${pageSize}, --all or another format`,
      ]
      : [],
  });
  const provenance = log.close(answers.length === 1 ? undefined : { ...request, pages: answers.length });
  const code = await reportLedger(context, await warnOfNoMatch(context, registry, wish, ledger), provenance);
  if (body.results.length > 0) return code;
  context.note(
    body.total === 0
      ? `nothing matched ${describeQuery(wish)} in ${registry.describe}`
      : `page ${wish.pageNumber ?? 1} is empty: ${body.total} records match, and they end before it`,
  );
  return EXIT.nothing;
}

async function searchAll(context: CommandContext, registry: OpenClient, wish: Wish): Promise<number> {
  const { SearchAll } = await import("../../registry/operations/search_all.ts");
  using line = startResultProgress(context);
  const search = new SearchAll(registry.client, wish, {
    ...wish.pageSize !== undefined && { pageSize: wish.pageSize },
    beyondPages: wish.format !== "json",
    place: registry.place,
    onProgress: line.onProgress,
    signal: context.signal,
  });
  const plan = await search.begin();
  if (wish.explain) {
    const { explainPlan } = await import("../../registry/plan/search_plan.ts");
    line.clear();
    await withOutput(context, (output) => output.write(`${explainPlan(plan)}\n`));
    return EXIT.done;
  }
  await withOutput(context, async (output) => {
    if (wish.format === "json") await writeJson(search, output);
    else await writeAll(context, registry, search, { output, format: wish.format });
    return { keep: wish.format === "json" || search.ledger().received > 0 };
  });
  line.clear();
  const ledger = search.ledger();
  const code = await reportLedger(context, await warnOfNoMatch(context, registry, wish, ledger), search.provenance());
  if (ledger.received > 0) return code;
  context.note(`nothing matched ${describeQuery(wish)} in ${registry.describe}`);
  return EXIT.nothing;
}

/** One object: the first page's, with the results of all pages. */
async function writeJson(search: SearchAll, output: Output): Promise<void> {
  const { writeJson: jsonOf } = await import("../../contract/lossless_json.ts");
  const { results: _, total, totalIsLowerBound: __, ...rest } = search.first;
  const { isOpen = false } = await search.begin();
  await output.write(isOpen ? `{"results":[` : `{"total":${total},"results":[`);
  let first = true;
  for await (const { results } of search.pages()) {
    for (const hit of results) {
      await output.write(`${first ? "" : ","}${jsonOf(hit)}`);
      first = false;
    }
  }
  for await (const _ of search.rest());
  const others = Object.entries(rest).map(([key, value]) => `,${JSON.stringify(key)}:${jsonOf(value ?? null)}`);
  // A total that the registry does not state is what was counted in the end.
  await output.write(`]${isOpen ? `,"total":${search.ledger().unique}` : ""}${others.join("")}}\n`);
}

async function writeAll(
  context: CommandContext,
  registry: OpenClient,
  search: SearchAll,
  { output, format }: { readonly output: Output; readonly format: Exclude<Format, "json"> },
): Promise<void> {
  const hits: SearchHit[] = [];
  for await (const { results } of search.pages()) for (const hit of results) hits.push(hit);
  const paged = await textsOf(hits, registry);
  const rest = search.rest();
  const begin = await rest.next();
  const columns = begin.done ? paged.columns : [...new Set([...paged.columns, ...begin.value.columns])];
  if (columns.length === 0) return;
  const exported = (async function* () {
    for (let next = begin; !next.done; next = await rest.next()) {
      const places = columns.map((column) => next.value!.columns.indexOf(column));
      for (const cells of next.value.rows) yield places.map((place) => cells[place] ?? "");
    }
  })();
  try {
    await writeRows(context, output, format, { columns, rows: paged.rows, more: exported });
  } finally {
    await rest.return(undefined);
  }
}

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly more?: AsyncIterable<readonly string[]>;
}

async function writeRows(
  context: CommandContext,
  output: Output,
  format: Exclude<Format, "json">,
  { columns, rows, more }: Rows,
): Promise<void> {
  const table = layOutTable(columns, rows.slice(0, SAMPLED_ROWS), lineWidth(context.env));
  const write = format === "csv"
    ? (cells: readonly string[]) => `${csvRow(cells)}\n`
    : format === "tsv"
    ? (cells: readonly string[]) => `${tsvRow(cells)}\n`
    : table.row;
  await output.write(format === "table" ? table.head : write(columns));
  for (const cells of rows) await output.write(write(cells));
  for await (const cells of more ?? []) await output.write(write(cells));
  const hidden = columns.length - table.shown.length;
  if (format === "table" && hidden > 0) {
    context.summary(`${hidden} of ${columns.length} columns are not shown: --format csv or tsv gives all`);
  }
}

/** Values as the texts that stand for them in an archive, the accession first. */
async function textsOf(hits: readonly SearchHit[], { naming }: OpenClient): Promise<Rows> {
  const { tableFromHits } = await import("../../tables/from/from_hits.ts");
  const table = await tableFromHits(hits, { naming });
  const columns = table.columns.map(({ field }) => field);
  const texts = columns.map((column) => table.texts(column));
  return {
    columns,
    rows: Array.from({ length: table.rows }, (_, row) => texts.map((column) => column[row] ?? "")),
  };
}

function describeQuery({ query, filter }: Wish): string {
  const filters = filter.map(({ field, value }) => `${field}=${value}`).join(", ");
  return `${JSON.stringify(query)}${filters === "" ? "" : ` with ${filters}`}`;
}
