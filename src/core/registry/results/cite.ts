/**
 * How to cite a result: a methods sentence and entries for reference managers, built from its ledger and provenance
 * alone.
 */
import { basename } from "node:path";
import { isRecord } from "../../options/is_record.ts";
import { sha256Of } from "../../io/digest/sha256.ts";
import { type Citation, signatureOf, writeCitation } from "./citation.ts";
import { SAMPLE_PLACE, ZIKA_PLACE } from "./embedded_places.ts";
import { cut, visible } from "../../io/display/html.ts";
import { countOf } from "../../contract/count_of.ts";
import { type Ledger, listSome, type Provenance } from "../../contract/ledger.ts";
import { describePage, isWithoutMatch } from "../../contract/pages/ledger_page.ts";

/**
 * Writes a citation of a result.
 *
 * An incomplete result says so, with its reasons: a reader of the paper must know. A local folder is named by its last
 * part only. Where the digest of the bytes is known, the sentence ends in it: `hash://sha256/…`.
 *
 * @param unit What the ledger counts, one of them; `record` by default.
 */
export function cite(ledger: Ledger, provenance: Provenance, unit = "record"): Citation {
  const { operation, registry, toolkit, sha256 } = provenance;
  const day = dayOf(provenance);
  const request = describeRequest(provenance.request);
  const what = `${plainOperation(operation)}${request === "" ? "" : `, ${request}`}`;
  const sentence = [
    `Data were retrieved from ${describePlace(registry)} on ${day} (${what}) with ${toolkit}: ${
      describeCount(ledger, provenance, unit)
    }.`,
    ledger.complete ? "" : `The result is incomplete: ${tidy(listSome(ledger.reasons, 3), 600)}.`,
    sha256 === null ? "" : `Bytes received: ${signatureOf(sha256)}`,
  ].filter((part) => part !== "").join(" ");
  const key = `registry-${plainOperation(operation).replace(/[^A-Za-z0-9]+/g, "-")}-${day}-${
    requestDigest(provenance)
  }`;
  return writeCitation({
    sentence,
    key,
    title: `Records of a sequence registry: ${what}`,
    place: describePlace(registry),
    ...isWeb(registry) && { url: registry },
    day,
    note: `${describeCount(ledger, provenance, unit)}; retrieved with ${toolkit}`,
    sha256,
    toolkit,
  });
}

/** The day a result was retrieved, in UTC: `2026-01-31`. */
export function dayOf({ finished }: Pick<Provenance, "finished">): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(finished)?.[0];
  if (day === undefined) throw new TypeError(`Cannot tell the day of ${JSON.stringify(finished)}: expected ISO 8601`);
  return day;
}

/** An operation without the part in brackets. */
export function plainOperation(operation: string): string {
  return tidy(operation.replace(/ \(.*$/s, ""), 60);
}

/** Six hexadecimal digits that tell requests apart whose words look alike. */
export function requestDigest({ operation, registry, request }: Provenance): string {
  return sha256Of(JSON.stringify([operation, registry, request])).slice(0, 6);
}

/** A request in words, 300 characters at most: its query, filters, accessions, fields, page. */
export function describeRequest(request: unknown): string {
  const parts = [...partsOf(request)];
  return tidy(
    parts.length > 0 ? parts.join(", ") : request === null || request === undefined ? "" : "see provenance",
    300,
  );
}

function* partsOf(request: unknown): Generator<string> {
  if (!isRecord(request)) return;
  const { query, filter, search, download, scope, accessions, information, filename, fields, sort, export: more } =
    request;
  if (isRecord(search)) yield* partsOf(search);
  if (typeof query === "string") yield query === "" ? "all records" : `query ${JSON.stringify(query)}`;
  if (Array.isArray(filter)) {
    for (const each of filter) {
      if (isRecord(each)) yield `${String(each.field)} = ${JSON.stringify(each.value)}`;
    }
  }
  if (isRecord(download)) yield* partsOf(download);
  if (typeof information === "string") yield information.replaceAll("_", " ");
  if (Array.isArray(request.selected_ids)) yield countOf(request.selected_ids.length, "accession");
  if (typeof accessions === "number") yield countOf(accessions, "accession");
  if (Array.isArray(request.registry_accessions)) yield countOf(request.registry_accessions.length, "accession");
  if (scope === "max" && isRecord(more)) yield "exported";
  if (typeof filename === "string") yield `file ${filename}`;
  if (typeof request.archive === "string") yield `archive ${request.archive}`;
  if (Array.isArray(fields)) yield countOf(fields.length, "field");
  if (typeof request.pageNumber === "number") yield `page ${request.pageNumber}`;
  if (isRecord(sort) && typeof sort.column === "string") yield `sorted by ${sort.column}`;
  if (typeof request.sortColumn === "string") yield `sorted by ${request.sortColumn}`;
}

function describePlace(registry: string | null): string {
  if (registry === null) return "a local file";
  if (registry.startsWith(SAMPLE_PLACE) || registry.startsWith(ZIKA_PLACE)) {
    return `${tidy(registry, 100)}, served by the toolkit itself`;
  }
  return isWeb(registry)
    ? `the sequence registry at ${tidy(registry, 300)}`
    : `the archives in the folder ${JSON.stringify(tidy(basename(registry), 100))}, served by the toolkit itself`;
}

function describeCount(ledger: Ledger, provenance: Provenance, unit: string): string {
  const { received, promised, asked, complete } = ledger;
  if (isWithoutMatch(ledger)) return "no records match";
  const page = describePage(ledger, provenance);
  if (page !== undefined) return `${page}, ${complete ? "complete" : "incomplete"}`;
  const of = promised ?? asked;
  const count = of === null || of < received ? countOf(received, unit) : `${received} of ${countOf(of, unit)}`;
  return `${count}, ${complete ? "complete" : "incomplete"}`;
}

function isWeb(place: string | null): place is string {
  return place !== null && /^https?:/.test(place) && URL.canParse(place);
}

/** One line without control characters, of bounded length. */
function tidy(text: string, most: number): string {
  return cut(visible(text.replace(/\s+/g, " ")), most);
}
