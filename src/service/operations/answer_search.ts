/** Answers `POST /v2/search`. */
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import type { SearchResponse } from "../../contract/search.ts";
import { checkSearchRequest } from "../../contract/validation.ts";
import { checkFilterValues, followed } from "./_criteria.ts";
import { readJsonBody } from "../http/json_body.ts";
import { invalid, jsonResponse, Refusal } from "../http/refusal.ts";
import { withinTime } from "../http/time_limit.ts";
import type { ServiceContext } from "./context.ts";
import { jsonValue } from "./json_value.ts";
import { MAX_PAGE_SIZE } from "../store/limits.ts";
import type { PageRequest, StoredRecord } from "../store/store.ts";

/** Answers a search. An `id` is the record's accession; `query` is the query as it came. */
export async function answerSearch(request: Request, { store, bodies, queryMs }: ServiceContext): Promise<Response> {
  const checked = checkSearchRequest(await readJsonBody(request, bodies));
  if (!checked.ok) throw new Refusal(422, checked.issues);
  const { query, filter = [], sortColumn, sortOrder = "asc", ...paging } = checked.value;
  checkFilterValues(filter, ["body"]);
  const part = partOf(paging.pageSize ?? DEFAULT_PAGE_SIZE, paging.pageNumber ?? DEFAULT_PAGE_NUMBER);
  const sort = sortColumn === undefined ? undefined : { field: sortColumn, order: sortOrder };
  const page = await withinTime(
    { loc: ["body"], signal: request.signal, queryMs },
    (signal) => followed(["body"], () => store.search({ query, filter }, { ...part, sort }, signal)),
  );
  const body: SearchResponse = {
    total: page.total,
    results: page.records.map((record, index) => ({
      id: record.accession,
      score: page.scores[index],
      source: sourceOf(record, store.fields),
    })),
    facets: Object.fromEntries(page.facets.map(({ field, values }) => [field, values])),
    query,
  };
  return jsonResponse(body);
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
