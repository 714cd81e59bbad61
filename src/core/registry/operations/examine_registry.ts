/**
 * Examines a registry with a handful of small questions: what it answers, how, and what of the toolkit will not work.
 */
import { countOf } from "../../contract/count_of.ts";
import { findDefinitions, type Receipt, type RegistryClient, StatusError } from "../../client/mod.ts";
import { RegistryError } from "../../errors.ts";
import { archiveFiles } from "../../contract/datasets.ts";
import { describeMismatch, namingArgument } from "../../contract/naming_evidence.ts";
import type { RegistryFinding } from "./registry_finding.ts";
import { findNaming } from "./find_naming.ts";
import { limitsOf } from "../plan/learned_limits.ts";
import { formatAccession, MAX_ACCESSION_NUMBER } from "../../contract/accession.ts";

/** Results that are asked for in one page, to learn whether there is a limit: as many as paging reaches. */
const LARGE_PAGE = 10_000;

/** Seconds by which clocks may differ before it is worth a word. */
const CLOCK_SECONDS = 60;

export type { RegistryFinding };

/** Header fields of an answer that the examination looks at. */
export interface SeenAnswer {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Milliseconds to the header. */
  readonly ms: number;
}

export interface ExamineOptions {
  /** Answers as they were seen on the wire: filled while questions are asked. */
  readonly seen: readonly SeenAnswer[];
  /** Ends the questions with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number;
}

/** Examines a registry. @throws {RegistryError} If it cannot be reached at all. */
export async function examineRegistry(given: RegistryClient, options: ExamineOptions): Promise<RegistryFinding[]> {
  const { seen, signal, now = Date.now } = options;
  const findings: RegistryFinding[] = [];
  const add = (subject: string, state: string, advice?: string, isProblem = advice !== undefined) =>
    void findings.push({ subject, state, ...advice !== undefined && { advice }, isProblem });
  const ask = { signal };
  const receipts: Receipt[] = [];

  const { body, receipt } = await given.search({ query: "", pageSize: 1 }, ask);
  receipts.push(receipt);
  const count = `${body.totalIsLowerBound ? "at least " : ""}${countOf(body.total, "record")}`;
  add("reachable", `${given.baseUrl} answers a search for everything: ${count}`);

  const naming = await findNaming(given, ask);
  const mismatch = describeMismatch(naming.identifiers, given.naming);
  const client = given.withNaming(naming.naming);
  if (mismatch !== undefined) {
    add("naming", JSON.stringify(naming.spellings), `run with ${namingArgument(naming.spellings)}`);
  } else add("naming", "fits");
  for (const unknown of naming.unknown) add("naming", "not found out", unknown);

  const accession = body.results[0]?.source[naming.naming.accessionField];
  const id = typeof accession === "string" ? accession : undefined;
  const query = `${naming.naming.accessionAlias}:${id ?? ""}`;
  const limits = limitsOf(client);
  findings.push(await examinePaging(client, body.total, ask));
  let came = 0;
  const page = await attempt(async () =>
    came = (await client.search({ query, pageSize: LARGE_PAGE }, ask)).body.results.length
  );
  if (page === undefined) {
    add("page limit", `a page of ${LARGE_PAGE} results is not refused; ${came} came, so a lower limit may show later`);
  } else {
    const most = limits.learnFrom(page, "pageSize", LARGE_PAGE, ["pageSize"]);
    if (most === undefined) add("page limit", page.message, "searches are tried with smaller pages", false);
    else add("page limit", `at most ${most} results in a page, as the refusal of ${LARGE_PAGE} says`);
  }

  const selection = { search: { query: "" } };
  const chosen = { scope: "selection", selected_ids: [id ?? ""] } as const;
  const download =
    (information: "metadata" | "registry_accessions" | "sequences", fileType: "csv" | "xml" | "tsv" | "fasta") =>
    async () => {
      const answer = await client.download({ ...selection, download: { ...chosen, information, fileType } }, ask);
      await answer.body.cancel();
      receipts.push(answer.receipt());
    };
  const questions: readonly (readonly [string, string, () => Promise<unknown>])[] = id === undefined ? [] : [
    ["sequence", "seqreg sequence, registry.sequences of few", async () => {
      receipts.push((await client.sequence({ accessions: [id] }, ask)).receipt);
    }],
    ["metadata as CSV", "seqreg download, registry.metadata", download("metadata", "csv")],
    ["metadata as XML", "metadata as XML", download("metadata", "xml")],
    ["accessions as TSV", "seqreg download of accessions, registry.accessions", download("registry_accessions", "tsv")],
    ["sequences as FASTA", "seqreg download of sequences, registry.sequences of many", download("sequences", "fasta")],
  ];
  const broken: string[] = id === undefined ? ["everything that needs an accession: none was found"] : [];
  if (id !== undefined) findings.push(await examineUnknown(client, id, ask));
  for (const [what, commands, question] of questions) {
    const error = await attempt(question);
    if (error !== undefined) broken.push(`${commands} (${what}: ${error.message})`);
  }
  const checksum = archiveFiles("unique_seqs_metadata", client.naming).checksum;
  const datasets = await attempt(async () => {
    const answer = await client.dataset(checksum, ask);
    await answer.body.cancel();
    receipts.push(answer.receipt());
  });
  if (datasets !== undefined) broken.push(`seqreg dataset, mirror and lakes of archives (${datasets.message})`);

  const fields = Object.keys(body.results[0]?.source ?? {});
  const definitions = await attempt(async () => {
    const found = await findDefinitions(client, fields, ask);
    // Without a column of names every field is text.
    const defined = found.recognised?.name === undefined ? 0 : found.definitions.length;
    if (defined > 0) add("definitions", `${defined} of ${fields.length} fields of a record are defined`);
    else {add(
        "definitions",
        found.entries.map(({ text }) => text).join("; ") || "none came",
        "every field is taken as text",
      );}
  });
  if (definitions !== undefined) add("definitions", definitions.message, "every field is taken as text");

  const types = new Set(
    seen.filter(({ status }) => status === 200).map(({ path, headers }) =>
      `${path.slice(path.lastIndexOf("/v2/") + 4)} ${(headers.get("content-type") ?? "none").split(";", 1)[0]}`
    ),
  );
  add("media types", [...types].join(", "));
  const codings = new Set(
    seen.map(({ headers }) => headers.get("content-encoding") ?? "").filter((each) => each !== ""),
  );
  const coding = codings.size === 0 ? "plain bytes" : [...codings].join(", ");
  add("encodings", `${coding}; searches and sequences accept gzip, files are asked for as plain bytes`);
  const moved = seen.filter(({ status }) => status >= 300 && status < 400);
  add(
    "redirects",
    moved.length === 0 ? "none" : `${moved.length} of ${seen.length} answers; the last to ${receipts.at(-1)?.url}`,
  );
  const times = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  add(
    "latency",
    `${Math.round(times[Math.floor(times.length / 2)] ?? 0)} ms to the header, median of ${times.length} requests`,
  );
  const date = seen.map(({ headers }) => Date.parse(headers.get("date") ?? "")).findLast((time) => !Number.isNaN(time));
  if (date === undefined) add("clock", "the registry does not say its time");
  else {
    const seconds = Math.round((now() - date) / 1000);
    const differs = Math.abs(seconds) > CLOCK_SECONDS;
    add(
      "clock",
      `differs by ${Math.abs(seconds)} s`,
      differs ? "check this machine's clock: Retry-After may be a date" : undefined,
    );
  }
  for (const what of broken) add("will not work", what, "tell the registry's operators, or see the advice in brackets");
  if (broken.length === 0) add("will not work", "nothing that was tried");
  return findings;
}

async function attempt(question: () => Promise<unknown>): Promise<RegistryError | undefined> {
  try {
    await question();
    return undefined;
  } catch (error) {
    if (error instanceof RegistryError) return error;
    throw error;
  }
}

interface Asking {
  readonly signal?: AbortSignal;
}

/** Whether page 2 holds other records than page 1. */
async function examinePaging(client: RegistryClient, total: number, ask: Asking): Promise<RegistryFinding> {
  const subject = "paging";
  if (total < 2) return { subject, state: "not tried: it takes two records", isProblem: false };
  const { accessionField } = client.naming;
  const names: string[] = [];
  try {
    for (const pageNumber of [1, 2]) {
      const { body } = await client.search({ query: "", pageSize: 1, pageNumber }, ask);
      const [hit] = body.results;
      names.push(hit === undefined ? "" : String(hit.source[accessionField] ?? hit.id));
    }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const advice = "searches of all records will not work";
    return { subject, state: `page ${names.length + 1} is refused: ${error.message}`, advice, isProblem: true };
  }
  if (names[1] === "") return { subject, state: "page 2 is empty", advice: "only page 1 can be read", isProblem: true };
  if (names[0] !== names[1]) return { subject, state: "page 2 has another record than page 1", isProblem: false };
  const advice = "searches of all records are incomplete: the registry seems to ignore pageNumber, or to count from 0";
  return { subject, state: "page 2 has the record of page 1", advice, isProblem: true };
}

/** What becomes of a request for sequences of which one accession is unknown. */
async function examineUnknown(client: RegistryClient, known: string, ask: Asking): Promise<RegistryFinding> {
  const subject = "unknown ids";
  const unknown = formatAccession(MAX_ACCESSION_NUMBER);
  if (known === unknown) return { subject, state: "not tried", isProblem: false };
  try {
    const { sequences } = await client.sequence({ accessions: [known, unknown] }, ask);
    if (sequences.has(known)) {
      return { subject, state: "a request with one is answered with the others", isProblem: false };
    }
    const advice = "ask for known accessions alone";
    return { subject, state: "a request with one is answered without the others", advice, isProblem: true };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const isNamed = error instanceof StatusError && `${error.detail} ${error.excerpt}`.includes(unknown);
    const advice = isNamed ? "the others are requested again, without it" : "ask for known accessions alone";
    return { subject, state: `a request with one is refused: ${error.message}`, advice, isProblem: !isNamed };
  }
}
