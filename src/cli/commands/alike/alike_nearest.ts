/** `seqreg alike nearest QUERY --index DIR`: the records of an index that are nearest to each query. */
import type { NearestAnswer, NearHit, QueryPart } from "@seqreg/alike";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { type Command, EXIT, UsageError } from "../../support/command.ts";
import { nameOf, sourceOf } from "../../support/fasta_input.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";

const FORMATS = ["table", "tsv", "jsonl"] as const;

const COLUMNS = [
  "query",
  "query_length",
  "strand",
  "rank",
  "accession",
  "shared",
  "containment",
  "jaccard",
  "ani",
  "ani_low",
  "ani_high",
  "aligned_fraction",
  "note",
] as const;

const command: Command = {
  name: "alike nearest",
  summary: "Find the records of an index that are nearest to queries",
  operands: "QUERY.fasta",
  operandCount: [1, 1],
  options: {
    index: { type: "string", value: "DIR", describe: "folder that seqreg alike index wrote" },
    hits: { type: "string", short: "n", value: "N", describe: "maximum hits of a query (default: 10)" },
    align: { type: "boolean", describe: "align the best hits to the query, and rank them by the bases that match" },
    parts: { type: "boolean", describe: "note the nearest record of each part of a query: a chimera has several" },
    from: {
      type: "string",
      value: "FILE",
      describe: "with --align, the file or lake that was indexed, if it has moved",
    },
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "of the result (default: by the name of --output, else table)",
    },
    ...OUTPUT_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg alike index genomes.fasta.gz -o index && seqreg alike nearest mine.fasta --index index",
    "seqreg alike nearest mine.fasta --index index -n 50 --format tsv -o nearest.tsv",
  ],
  help: [{
    title: "Columns",
    lines: [
      "containment: share of the query's hashes that the record has; jaccard: of the hashes of both. From 0 to 1.",
      "ani, ani_low, ani_high: estimated average nucleotide identity in percent, and its interval at 95 %, of the one",
      "of both with fewer hashes, over its whole length. aligned_fraction is empty without --align.",
      "With --align the records that share most hashes, at least 50, are aligned to the query, on both strands. ani is",
      "then the share of matching bases among the aligned bases of the query, without an interval, and aligned_fraction",
      "the share of its bases that are aligned. One shared hash is enough if 100 bases are aligned at 80 % ANI or more.",
      "--parts compares windows of 1,000 bases, or a twentieth of the query, by their sketches. Where they are nearest",
      "to several records, the note of the first row has them: parts: 1-6000 A 98.12 %, 6001-14000 B 97.03 %.",
      "A hit of the sketches whose aligned bases are below 80 % has a note, and an empty ani.",
      "A hit shares 3 hashes or more at 80 % ANI or more. A query without a hit has one row, whose note says why.",
      "Exit code 4 if a query is beyond reach: shorter than 300 bases, or the nearest record below 80 % ANI; 3 if no",
      "query has a hit.",
    ],
  }],
  permissions: [
    "--allow-read",
    "--allow-write (for -o)",
    "--allow-env",
    "--allow-sys (--align)",
    "--allow-ffi (--align to a lake)",
  ],
  async run(context) {
    const { flags, signal, operands: [file] } = context;
    const format = flags.format(FORMATS, "table");
    const n = flags.integer("hits", { least: 1, most: 1_000_000 });
    const folder = flags.text("index");
    if (folder === undefined || folder === "") {
      throw new UsageError("Cannot search without an index: expected seqreg alike nearest QUERY --index DIR");
    }
    const align = flags.has("align");
    const parts = flags.has("parts");
    const from = flags.text("from");
    if (from !== undefined && !align) throw new UsageError("Cannot use --from without --align");
    const { openAlikeIndex } = await import("@seqreg/alike/index/open_index");
    const { nearest } = await import("@seqreg/alike/nearest/nearest");
    using index = await openAlikeIndex(folder);
    const answers = nearest(sourceOf(context, file), index, {
      name: nameOf(file),
      signal,
      align,
      parts,
      ...from !== undefined && { from: sourceOf(context, from) },
      n,
    });
    const counts = { queries: 0, found: 0, beyond: 0 };
    await withOutput(context, async (output) => {
      for await (const text of render(count(answers, counts), format)) await output.write(text);
    });
    const { queries, found, beyond } = counts;
    context.summary(`alike nearest: ${found} of ${queries} queries have a hit, ${beyond} beyond reach`);
    return beyond > 0 ? EXIT.incomplete : found > 0 ? EXIT.done : EXIT.nothing;
  },
};

export default command;

async function* count(
  answers: AsyncIterable<NearestAnswer>,
  counts: { queries: number; found: number; beyond: number },
): AsyncGenerator<NearestAnswer> {
  for await (const answer of answers) {
    counts.queries += 1;
    if (answer.hits.length > 0) counts.found += 1;
    if (answer.isBeyondReach) counts.beyond += 1;
    yield answer;
  }
}

async function* render(
  answers: AsyncIterable<NearestAnswer>,
  format: typeof FORMATS[number],
): AsyncGenerator<string> {
  if (format === "tsv") yield tsvRow([...COLUMNS]) + "\n";
  const rows: string[][] = [];
  for await (const answer of answers) {
    for (const hit of answer.hits.length > 0 ? answer.hits : [undefined]) {
      if (format === "jsonl") yield JSON.stringify(objectOf(answer, hit)) + "\n";
      else if (format === "tsv") yield tsvRow(cellsOf(answer, hit)) + "\n";
      else rows.push(cellsOf(answer, hit));
    }
  }
  if (format !== "table") return;
  const { layOutTable } = await import("../../support/text_table.ts");
  const table = layOutTable(COLUMNS, rows, TABLE_WIDTH);
  yield table.head;
  for (const row of rows) yield table.row(row);
}

/** Characters of a line of the table: every column is shown. */
const TABLE_WIDTH = 400;

/** The cells of one row; without a hit those of the query and the note. */
function cellsOf({ query, length, note, parts }: NearestAnswer, hit: NearHit | undefined): string[] {
  if (hit === undefined) return [query, String(length), "", "", "", "", "", "", "", "", "", "", note];
  const share = (value: number) => value.toFixed(6);
  const percent = (value: number | null) => value === null ? "" : (value * 100).toFixed(2);
  const { ani, low, high, note: tooFar } = identityOf(hit);
  return [
    query,
    String(length),
    hit.alignment?.strand ?? hit.strand,
    String(hit.rank),
    hit.accession,
    String(hit.shared),
    share(hit.containment),
    share(hit.jaccard),
    percent(ani),
    percent(low),
    percent(high),
    hit.alignment === null ? "" : share(hit.alignment.alignedFraction),
    note || [hit.rank === 1 ? partsNote(parts) : "", tooFar].filter((text) => text !== "").join("; "),
  ];
}

/** The identity by the alignment if there is one, else by the sketches with its interval. */
function identityOf(
  hit: NearHit | undefined,
): { readonly ani: number | null; readonly low: number | null; readonly high: number | null; readonly note: string } {
  if (hit === undefined) return { ani: null, low: null, high: null, note: "" };
  const { ani, aniLow, aniHigh, alignment } = hit;
  if (alignment === null) return { ani, low: aniLow, high: aniHigh, note: "" };
  if (alignment.isTooFar) return { ani: null, low: null, high: null, note: TOO_FAR };
  return { ani: alignment.ani, low: null, high: null, note: "" };
}

/** The parts of a query that is near several records. */
function partsNote(parts: readonly QueryPart[] | null): string {
  const near = (parts ?? []).filter(({ accession }) => accession !== null);
  if (new Set(near.map(({ accession }) => accession)).size < 2) return "";
  const texts = near.map(({ start, end, accession, ani }) =>
    `${start + 1}-${end} ${accession} ${(100 * ani!).toFixed(2)} %`
  );
  return `parts: ${texts.join(", ")}`;
}

const TOO_FAR = "too far: the aligned bases are below 80 % ANI";

/** The same as one object, with the containment and the aligned fraction of the record. */
function objectOf({ query, length, note, parts }: NearestAnswer, hit: NearHit | undefined): Record<string, unknown> {
  const percent = (value: number | null) => value === null ? null : Number((value * 100).toFixed(4));
  const { ani, low, high, note: tooFar } = identityOf(hit);
  return {
    query,
    query_length: length,
    strand: hit?.alignment?.strand ?? hit?.strand ?? null,
    rank: hit?.rank ?? null,
    accession: hit?.accession ?? null,
    shared: hit?.shared ?? null,
    containment: hit?.containment ?? null,
    containment_of_record: hit?.containmentOfRecord ?? null,
    jaccard: hit?.jaccard ?? null,
    ani: percent(ani),
    ani_low: percent(low),
    ani_high: percent(high),
    aligned_fraction: hit?.alignment?.alignedFraction ?? null,
    aligned_fraction_of_record: hit?.alignment?.alignedFractionOfRecord ?? null,
    ...parts !== null && {
      parts: parts.map(({ start, end, accession, ani }) => ({
        from: start + 1,
        to: end,
        accession,
        ani: percent(ani),
      })),
    },
    note: note || tooFar,
  };
}
