/**
 * Examples for this registry's description: requests that work when they are sent, with the answers that it gave.
 *
 * Nothing is made up: each request is put to the registry itself. An answer that is too long to read is left out.
 */
import {
  DEFINITION_MEDIA_TYPES,
  downloadMediaType,
  type FileType,
  type Information,
} from "@seqreg/core/contract/enumerations";
import { archiveFiles } from "@seqreg/core/contract/datasets";
import { ENDPOINTS, type Operation } from "@seqreg/core/contract/paths";
import type { ServiceContext } from "../operations/context.ts";

export type AnswerOperation = (operation: Operation, request: Request) => Promise<Response>;

/** A request and its answer. */
export interface Example {
  /** Short name, such as `metadata_csv`. */
  readonly name: string;
  readonly summary: string;
  readonly operation: Operation;
  /** Path, with a query where the operation has one. */
  readonly target: string;
  /** JSON body of a `POST`. */
  readonly body: unknown;
  /** `Accept` header. */
  readonly accept?: string;
  readonly status: number;
  readonly mediaType: string;
  /** The answer: parsed when it is JSON, else its text; `undefined` when it is long, or no text. */
  readonly answer: unknown;
}

/** Longest answer that is shown. */
const MAX_ANSWER_BYTES = 16_384;
/** Sequences in longer records make no readable example. */
const MAX_SEQUENCE_LETTERS = 4000;
/** Records among which a short one is looked for. */
const LOOKED_THROUGH = 200;

type Draft = Pick<Example, "name" | "summary" | "operation" | "body" | "accept"> & { readonly query?: string };

/** Asks the registry everything that its description shows. */
export async function makeExamples(context: ServiceContext, ask: AnswerOperation): Promise<Example[]> {
  const examples: Example[] = [];
  for (const draft of await draftsOf(context)) {
    const example = await run(draft, ask);
    if (example !== undefined) examples.push(example);
  }
  return examples;
}

async function draftsOf({ store, naming }: ServiceContext): Promise<Draft[]> {
  const { facets } = await store.search({ query: "", filter: [] }, { offset: 0, limit: 0 });
  const facet = facets.find(({ field, values }) => field === "Country" && values.length > 0) ??
    facets.find(({ values }) => values.length > 0);
  const alias = store.fields.find(({ name }) => name === facet?.field)?.alias;
  const value = facet?.values[0].value;
  const query = alias === undefined || value === undefined ? "" : `${alias}:${queryText(value)}`;
  const accession = await findShortRecord(store);
  const some = store.fields.slice(0, 3).map(({ name }) => name);
  const download = (information: Information, fileType: FileType): Draft => ({
    name: `${information === "registry_accessions" ? "accessions" : information}_${fileType}`,
    summary: `${DOWNLOAD_WORDS[information]} of one record as ${fileType.toUpperCase()}`,
    operation: "download",
    body: {
      search: { query: "" },
      download: {
        scope: "selection",
        information: information === "registry_accessions" ? naming.accessionsKey : information,
        fileType,
        ...information === "registry_accessions" ? {} : { metadata: some },
        selected_ids: accession,
      },
    },
  });
  return [
    { name: "search", summary: "One record of those with a value", operation: "search", body: { query, pageSize: 1 } },
    {
      name: "filtered",
      summary: "The same by a facet filter, in an order",
      operation: "search",
      body: {
        query: "",
        filter: facet === undefined || value === undefined ? [] : [{ field: facet.field, value }],
        pageSize: 1,
        pageNumber: 1,
        sortColumn: naming.accessionField,
        sortOrder: "desc",
      },
    },
    { name: "invalid", summary: "A query that is not a string", operation: "search", body: { query: ["a", "b"] } },
    {
      name: "sequence",
      summary: "The sequence of one record",
      operation: "sequence",
      body: { [naming.accessionsKey]: accession },
    },
    {
      name: "invalid",
      summary: "An invalid accession",
      operation: "sequence",
      body: { [naming.accessionsKey]: ["vj1"] },
    },
    download("metadata", "csv"),
    download("metadata", "xml"),
    download("registry_accessions", "tsv"),
    download("registry_accessions", "xml"),
    download("sequences", "fasta"),
    {
      name: "matching",
      summary: "The accessions of all records that match",
      operation: "download",
      body: {
        search: { query: query === "" ? "*" : query },
        download: { scope: "max", information: naming.accessionsKey, fileType: "tsv" },
      },
    },
    { ...download("metadata", "fasta"), name: "unsupported", summary: "An unsupported combination" },
    {
      name: "nothing",
      summary: "Criteria that no record meets",
      operation: "download",
      body: {
        search: { query: `-${naming.accessionAlias}:*` },
        download: { scope: "max", information: "metadata", fileType: "csv" },
      },
    },
    { name: "invalid", summary: "Neither search nor download", operation: "download", body: {} },
    ...(["csv", "json", "xlsx"] as const).map((format): Draft => ({
      name: format,
      summary: `Two definitions as ${format.toUpperCase()}`,
      operation: "metadata_download",
      body: { fields: some.slice(0, 2) },
      accept: DEFINITION_MEDIA_TYPES[format],
    })),
    { name: "invalid", summary: "No array of names", operation: "metadata_download", body: { fields: "Country" } },
    {
      name: "checksum",
      summary: "The checksum file of an archive",
      operation: "datasets_download",
      body: undefined,
      query: `?filename=${encodeURIComponent(archiveFiles("full_dataset_metadata", naming).checksum)}`,
    },
    {
      name: "invalid",
      summary: "A name that is not one of the sixteen",
      operation: "datasets_download",
      body: undefined,
      query: "?filename=full_dataset_metadata",
    },
  ];
}

const DOWNLOAD_WORDS: Readonly<Record<Information, string>> = {
  metadata: "Three fields",
  registry_accessions: "The accession",
  sequences: "The sequence, three fields in its header,",
};

/** Finds a record whose sequence a person can read, else the first. */
async function findShortRecord(store: ServiceContext["store"]): Promise<string[]> {
  const { records } = await store.search({ query: "", filter: [] }, { offset: 0, limit: LOOKED_THROUGH });
  const accessions = records.map(({ accession }) => accession);
  for await (const batch of store.selectedSequences(accessions)) {
    const short = batch.find(({ sequence = "" }) => sequence.length > 0 && sequence.length <= MAX_SEQUENCE_LETTERS);
    if (short !== undefined) return [short.accession];
  }
  return accessions.slice(0, 1);
}

/** Writes a value as a query's text: quoted, so that every character is a character. */
export function queryText(value: string): string {
  return /^[\p{L}\p{N}]+$/u.test(value) && !/^(?:AND|OR|NOT|TO)$/.test(value)
    ? value
    : `"${value.replace(/["\\]/g, "\\$&")}"`;
}

async function run(draft: Draft, ask: AnswerOperation): Promise<Example | undefined> {
  const { operation, body, accept, query = "", ...words } = draft;
  const { method, path } = ENDPOINTS[operation];
  const response = await ask(
    operation,
    new Request(`http://embedded${path}${query}`, {
      method,
      headers: { "content-type": "application/json", ...accept !== undefined && { accept } },
      ...body !== undefined && { body: JSON.stringify(body) },
    }),
  );
  const mediaType = response.headers.get("content-type")?.split(";")[0] ?? "";
  const example = { ...words, operation, target: `${path}${query}`, body, accept, status: response.status, mediaType };
  const text = await readShort(response);
  if (text === undefined || mediaType === DEFINITION_MEDIA_TYPES.xlsx) return { ...example, answer: undefined };
  return { ...example, answer: mediaType === "application/json" ? JSON.parse(text) : text };
}

async function readShort({ body }: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) return undefined;
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("");
}

/** Media types of downloads, each once. */
export const DOWNLOAD_TYPES: readonly string[] = [
  ...new Set(
    (["metadata", "registry_accessions", "sequences"] as const).flatMap((information) =>
      (["csv", "fasta", "json", "tsv", "xml"] as const).map((fileType) => downloadMediaType(information, fileType))
    ).filter((type) => type !== undefined),
  ),
];
