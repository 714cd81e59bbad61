/** Answers `POST /v2/search`. */
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import type { SearchHit } from "../../contract/search.ts";
import { checkSearchRequest } from "../../contract/validation.ts";
import { checkFilterValues, followed } from "./_criteria.ts";
import { readJsonBody } from "../http/json_body.ts";
import { invalid, jsonTextResponse, Refusal } from "../http/refusal.ts";
import { withinTime } from "../http/time_limit.ts";
import { Turns } from "../schedule/turns.ts";
import type { ServiceContext } from "./context.ts";
import { jsonValue } from "./json_value.ts";
import { MAX_PAGE_SIZE } from "../store/limits.ts";
import type { Page, PageRequest, StoredRecord } from "../store/store.ts";

/** Results that are written before the time is looked at. */
const RESULTS_AT_ONCE = 50;

/** Answers a search. An `id` is the record's accession; `query` is the query as it came. */
export async function answerSearch(
  request: Request,
  { store, bodies, queryMs, waitMs }: ServiceContext,
): Promise<Response> {
  const checked = checkSearchRequest(await readJsonBody(request, bodies));
  if (!checked.ok) throw new Refusal(422, checked.issues);
  const { query, filter = [], sortColumn, sortOrder = "asc", ...paging } = checked.value;
  checkFilterValues(filter, ["body"]);
  const part = partOf(paging.pageSize ?? DEFAULT_PAGE_SIZE, paging.pageNumber ?? DEFAULT_PAGE_NUMBER);
  const sort = sortColumn === undefined ? undefined : { field: sortColumn, order: sortOrder };
  const page = await withinTime(
    { loc: ["body"], signal: request.signal, queryMs, waitMs },
    (signal) => followed(["body"], () => store.search({ query, filter }, { ...part, sort }, signal)),
  );
  const facets = Object.fromEntries(page.facets.map(({ field, values }) => [field, values]));
  const results = await writeResults(page, store.fields, request.signal);
  const rest = `"facets":${JSON.stringify(facets)},"query":${JSON.stringify(query)}`;
  return jsonTextResponse(`{"total":${page.total},"results":[${results.join(",")}],${rest}}`);
}

/** Writes the results a few at a time: ten thousand take half a second, in which others are served. */
async function writeResults(
  { records, scores }: Page,
  fields: readonly FieldDefinition[],
  signal: AbortSignal,
): Promise<string[]> {
  const turns = new Turns(signal);
  const texts: string[] = [];
  for (const [index, record] of records.entries()) {
    if (index % RESULTS_AT_ONCE === 0 && turns.over) await turns.next();
    const hit: SearchHit = { id: record.accession, score: scores[index], source: sourceOf(record, fields) };
    texts.push(JSON.stringify(hit));
  }
  return texts;
}

/** A page must begin within the first 10,000 matching records; one that crosses the end is cut there. */
function partOf(pageSize: number, pageNumber: number): PageRequest {
  if (pageSize > MAX_PAGE_SIZE) {
    throw invalid(["body", "pageSize"], `expected an integer from 1 to ${MAX_PAGE_SIZE}`, "too_big");
  }
  const offset = (pageNumber - 1) * pageSize;
  if (offset >= MAX_SEARCH_DEPTH) {
    throw invalid(
      ["body", "pageNumber"],
      `page ${pageNumber} of ${pageSize} begins past record ${MAX_SEARCH_DEPTH}, where paging ends; ` +
        "narrow the query or the filter, or use a download",
      "too_big",
    );
  }
  return { offset, limit: Math.min(pageSize, MAX_SEARCH_DEPTH - offset) };
}

function sourceOf({ values }: StoredRecord, fields: readonly FieldDefinition[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, type }, index) => [name, jsonValue(values[index], type)]));
}
