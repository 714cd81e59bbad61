/** Answers `POST /v2/search`. */
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, MAX_SEARCH_DEPTH } from "@seqreg/core/contract/limits";
import type { FieldDefinition, SearchHit } from "@seqreg/core/contract";
import { checkSearchRequest } from "@seqreg/core/contract/validation";
import { closing } from "@seqreg/core/io/bytes";
import { spend } from "./_batches.ts";
import { checkFilterValues, followed } from "./_criteria.ts";
import { readJsonBody } from "../http/json_body.ts";
import { COMMON_HEADERS, invalid, jsonTextResponse, Refusal } from "../http/refusal.ts";
import { streamTexts } from "../http/text_stream.ts";
import { withinTime } from "../http/time_limit.ts";
import type { ServiceContext } from "./context.ts";
import { jsonValue } from "./json_value.ts";
import { MAX_PAGE_SIZE } from "../store/limits.ts";
import type { OpenPage, PageRequest, StoredRecord } from "../store/store.ts";

/** Characters of an answer up to which it is sent at once, with its length; more stream as fast as they are read. */
const WHOLE_CHARACTERS = 1 << 18;

/** Answers a search. An `id` is the record's accession; `query` is the query as it came. */
export async function answerSearch(
  request: Request,
  { store, bodies, queryMs, waitMs, onFault }: ServiceContext,
): Promise<Response> {
  const checked = checkSearchRequest(await readJsonBody(request, bodies));
  if (!checked.ok) throw new Refusal(422, checked.issues);
  const { query, filter = [], sortColumn, sortOrder = "asc", ...paging } = checked.value;
  checkFilterValues(filter, ["body"]);
  const part = partOf(paging.pageSize ?? DEFAULT_PAGE_SIZE, paging.pageNumber ?? DEFAULT_PAGE_NUMBER);
  const sort = sortColumn === undefined ? undefined : { field: sortColumn, order: sortOrder };
  const page = await withinTime(
    { loc: ["body"], signal: request.signal, queryMs, waitMs },
    (signal) => followed(["body"], () => store.openPage({ query, filter }, { ...part, sort }, signal)),
  );
  const texts = pageJson(page, query, store.fields);
  const begun: string[] = [];
  for (let characters = 0; characters < WHOLE_CHARACTERS;) {
    const { done, value } = await texts.next();
    if (done) return jsonTextResponse(begun.join(""));
    begun.push(value);
    characters += value.length;
  }
  // A reader that leaves before the first byte ends them, too.
  const all = closing(() => continued(begun, texts), () => texts.return(undefined));
  return new Response(streamTexts(all, { onFault }), {
    headers: { ...COMMON_HEADERS, "content-type": "application/json" },
  });
}

/** Writes a page, its records batch by batch. */
async function* pageJson(
  { total, facets, scores, batches }: OpenPage,
  query: string,
  fields: readonly FieldDefinition[],
): AsyncGenerator<string> {
  yield `{"total":${total},"results":[`;
  let written = 0;
  for await (const records of batches) {
    yield spend(records, (record) => {
      const hit: SearchHit = { id: record.accession, score: scores[written], source: sourceOf(record, fields) };
      return (written++ === 0 ? "" : ",") + JSON.stringify(hit);
    });
  }
  const counts = Object.fromEntries(facets.map(({ field, values }) => [field, values]));
  yield `],"facets":${JSON.stringify(counts)},"query":${JSON.stringify(query)}}`;
}

async function* continued(begun: string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  while (begun.length > 0) yield begun.shift()!;
  yield* rest;
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
