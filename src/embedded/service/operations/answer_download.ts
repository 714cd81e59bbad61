/** Answers `POST /v2/download`. */
import { downloadMediaType, type FileType, type Information } from "@seqreg/core/contract/enumerations";
import type { DownloadOptions, DownloadRequest, Naming } from "@seqreg/core/contract";
import { MAX_SELECTION } from "@seqreg/core/contract/limits";
import { adviseName } from "@seqreg/core/options/nearest";
import { checkDownloadRequest } from "@seqreg/core/contract/validation";
import { openBatches } from "./_batches.ts";
import type { ServiceContext } from "./context.ts";
import { checkFilterValues, followed } from "./_criteria.ts";
import { readJsonBody } from "../http/json_body.ts";
import { COMMON_HEADERS, Refusal } from "../http/refusal.ts";
import { type ExportColumn, metadataCsv } from "./export_csv.ts";
import { sequencesFasta } from "./export_fasta.ts";
import { accessionsTsv } from "./export_tsv.ts";
import { accessionsXml, metadataXml } from "./export_xml.ts";
import type { Criteria, SequenceRecord, StoredRecord } from "../store/store.ts";
import { streamTexts } from "../http/text_stream.ts";
import { withinTime } from "../http/time_limit.ts";

/** Makes an export's texts of batches of records. */
type Writer<T extends StoredRecord> = (batches: AsyncIterable<T[]>) => AsyncGenerator<string>;

/**
 * Answers with an export. Its status is sent when the first records are there: nothing found is a 404, and what cannot
 * be exported a 400 or a 422. After that the export streams, as fast as it is read.
 */
export async function answerDownload(request: Request, context: ServiceContext): Promise<Response> {
  const { naming } = context;
  const checked = checkDownloadRequest(await readJsonBody(request, context.bodies), naming);
  if (!checked.ok) throw new Refusal(422, checked.issues);
  const { download } = checked.value;
  const mediaType = checkCombination(download.information, download.fileType, naming.accessionsKey);
  const records = recordsOf(checked.value);
  const columns = chooseColumns(download, context);
  const beginning = download.information === "sequences"
    ? beginSequences(records, columns, request, context)
    : beginRecords(records, chooseWriter(download, columns, naming), request, context);
  const body = await beginning;
  if (body === undefined) {
    throw new Refusal(404, download.scope === "max" ? "No records match the criteria" : "No record has a selected ID");
  }
  const file =
    { metadata: "metadata", registry_accessions: "accessions", sequences: "sequences" }[download.information];
  return new Response(body, {
    headers: {
      ...COMMON_HEADERS,
      "content-type": mediaType,
      "content-disposition": `attachment; filename="${file}.${download.fileType}"`,
    },
  });
}

/** Begins an export of sequences with their fields. */
function beginSequences(
  records: Selected | Criteria,
  columns: readonly ExportColumn[],
  request: Request,
  context: ServiceContext,
): Promise<TextStream | undefined> {
  const { store, naming } = context;
  const write: Writer<SequenceRecord> = (batches) => sequencesFasta(batches, naming.accessionAlias, columns);
  const start = (signal: AbortSignal) =>
    "accessions" in records
      ? store.selectedSequences(records.accessions, signal)
      : store.matchingSequences(records, signal);
  // A FASTA record needs a sequence: without sequences the export is empty.
  return begin(start, write, request, { ...context, counts: ({ sequence }) => sequence !== undefined });
}

/** Begins an export of metadata or of accessions. */
function beginRecords(
  records: Selected | Criteria,
  write: Writer<StoredRecord>,
  request: Request,
  context: ServiceContext,
): Promise<TextStream | undefined> {
  const { store } = context;
  const start = (signal: AbortSignal) =>
    "accessions" in records ? store.selected(records.accessions, signal) : store.matching(records, signal);
  return begin(start, write, request, context);
}

/** The writer of metadata or of accessions, by their format. */
function chooseWriter(
  { information, fileType, keys }: DownloadOptions,
  columns: readonly ExportColumn[],
  naming: Naming,
): Writer<StoredRecord> {
  if (information === "metadata") {
    return (batches) => fileType === "csv" ? metadataCsv(batches, columns) : metadataXml(batches, columns);
  }
  const name = keys === "alias" || keys === "id" ? naming.accessionAlias : naming.accessionField;
  return (batches) => fileType === "tsv" ? accessionsTsv(batches, name) : accessionsXml(batches, name);
}

/** The body of an export. */
type TextStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Waits for the first records, then writes them and what follows as fast as it is read; `undefined` without any. */
async function begin<T extends StoredRecord>(
  start: (signal: AbortSignal) => AsyncGenerator<T[]>,
  write: Writer<T>,
  { signal }: Request,
  { onFault, queryMs, waitMs, counts }: ServiceContext & { readonly counts?: (record: T) => boolean },
): Promise<TextStream | undefined> {
  const loc = ["body", "search"];
  const open = await withinTime(
    { loc, signal, queryMs, waitMs },
    (signal) => followed(loc, () => openBatches(start, { signal, counts })),
  );
  return open && streamTexts(write(open.batches), { onCancel: open.close, onFault });
}

function checkCombination(information: Information, fileType: FileType, accessionsKey: string): string {
  const mediaType = downloadMediaType(information, fileType);
  if (mediaType !== undefined) return mediaType;
  throw new Refusal(
    400,
    `Unsupported file type: ${fileType} for ${information === "registry_accessions" ? accessionsKey : information}; ` +
      `expected metadata as csv or xml, ${accessionsKey} as tsv or xml, or sequences as fasta`,
  );
}

interface Selected {
  readonly accessions: readonly string[];
}

/** A selection ignores query and filter; a `max` export needs one of them. */
function recordsOf({ search, download }: DownloadRequest): Selected | Criteria {
  if (download.scope === "selection") return { accessions: (download.selected_ids ?? []).slice(0, MAX_SELECTION) };
  const { query, filter = [] } = search;
  checkFilterValues(filter, ["body", "search"]);
  if (query.trim() === "" && filter.length === 0) {
    throw new Refusal(400, 'Empty search term: a max download needs a query or a filter; "*" matches every record');
  }
  return { query, filter };
}

/** Fields asked for, each once, in the order asked; all when none are. Accession lists have no use for them. */
function chooseColumns(
  { information, metadata, keys }: DownloadOptions,
  { store, naming }: ServiceContext,
): ExportColumn[] {
  if (information === "registry_accessions") return [];
  const indices = new Map(store.fields.map(({ name }, index) => [name, index]));
  const asked = metadata === null || metadata === undefined || metadata.length === 0
    ? indices.keys()
    : new Set(metadata);
  const byAlias = information === "sequences" && (keys === "alias" || keys === "id");
  const columns: ExportColumn[] = [];
  for (const field of asked) {
    const index = indices.get(field);
    if (index === undefined) throw unknownField(field, [...indices.keys()]);
    // The accession begins every FASTA header anyway.
    if (information === "sequences" && field === naming.accessionField) continue;
    columns.push({ name: byAlias ? store.fields[index].alias : field, index });
  }
  return columns;
}

function unknownField(field: string, names: readonly string[]): Refusal {
  return new Refusal(
    400,
    `Invalid parameter download.metadata: ${JSON.stringify(field.slice(0, 200))} is no public field; ` +
      adviseName(field, names),
  );
}
