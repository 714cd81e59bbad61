/** Requests before they are sent: checked, and translated to the deployment's spellings. */
import { datasetFileNames } from "../contract/datasets.ts";
import type { DownloadRequest } from "../contract/download.ts";
import { MAX_SELECTION } from "../contract/limits.ts";
import type { DefinitionsRequest } from "../contract/metadata.ts";
import { type Naming, SPECIFICATION_NAMING } from "../contract/naming.ts";
import { nearest } from "../options/nearest.ts";
import type { SearchFilter, SearchRequest } from "../contract/search.ts";
import type { SequenceRequest } from "../contract/sequence.ts";
import {
  checkDefinitionsRequest,
  checkDownloadRequest,
  type Checked,
  checkSearchRequest,
  checkSequenceRequest,
  describeIssues,
} from "../contract/validation.ts";
import { checkKeys } from "../options/check_options.ts";

/** Maximum issues in an error; more are counted. */
const SHOWN_ISSUES = 5;

const SEARCH_KEYS = {
  query: true,
  filter: true,
  pageSize: true,
  pageNumber: true,
  sortColumn: true,
  sortOrder: true,
} as const;

const DOWNLOAD_KEYS = {
  scope: true,
  information: true,
  fileType: true,
  keys: true,
  metadata: true,
  selected_ids: true,
} as const;

/** A checked request: the body as sent. */
export interface WireRequest {
  /** For provenance. */
  readonly request: unknown;
  readonly body: string;
}

export function searchBody(request: SearchRequest): WireRequest {
  checkKeys("client.search()", request, SEARCH_KEYS);
  checkFilterKeys("client.search(), filter", request?.filter);
  const checked = demand("search", request, checkSearchRequest(request));
  demandFilterValues("search", checked.filter);
  return wire(checked);
}

/** Prepares the body of a sequence request; its one key is spelled as the deployment does. */
export function sequenceBody(request: SequenceRequest, naming: Naming): WireRequest {
  checkKeys("client.sequence()", request, { accessions: true });
  const key = SPECIFICATION_NAMING.accessionsKey;
  const body = isObject(request) ? { [key]: request.accessions } : request;
  const { accessions } = demand("get sequences", body, checkSequenceRequest(body), [key, "accessions"]);
  return wire({ [naming.accessionsKey]: accessions });
}

/**
 * Prepares the body of a download; `information` is spelled as the deployment does.
 *
 * Also rejects requests that the registry would refuse or misinterpret: FASTA of anything but sequences, JSON (which is
 * not valid JSON), `max` without term or filter, a selection that the registry would silently truncate.
 */
export function downloadBody(request: DownloadRequest, naming: Naming): WireRequest {
  checkKeys("client.download()", request, { search: true, download: true });
  checkKeys("client.download(), search", request?.search, { query: true, filter: true });
  checkFilterKeys("client.download(), filter", request?.search?.filter);
  checkKeys("client.download(), download", request?.download, DOWNLOAD_KEYS);
  const { search, download } = demand("download", request, checkDownloadRequest(request));
  demandFilterValues("download", search.filter);
  if (download.fileType === "json") {
    throw new RangeError('Cannot download: the registry\'s "json" is not valid JSON; choose csv, tsv, xml or fasta');
  }
  if (download.fileType === "fasta" && download.information !== "sequences") {
    throw new RangeError('Cannot download: "fasta" is for sequences only; choose the information "sequences"');
  }
  const selected = download.selected_ids?.length ?? 0;
  if (download.scope === "selection" && selected > MAX_SELECTION) {
    throw new RangeError(
      `Cannot download: ${selected} accessions in one selection, of which the registry would ignore all but the first ` +
        `${MAX_SELECTION}; send them in batches`,
    );
  }
  if (download.scope === "max" && search.query.trim() === "" && (search.filter?.length ?? 0) === 0) {
    throw new RangeError("Cannot download without a query or a filter: the registry rejects an empty search term");
  }
  const information = download.information === "registry_accessions" ? naming.accessionsKey : download.information;
  return wire({ search, download: { ...download, information } });
}

export function definitionsBody(request: DefinitionsRequest): WireRequest {
  return checkedBody("client.definitions()", "get definitions", request, { fields: true }, checkDefinitionsRequest);
}

/** Prepares a body that is sent as it was checked. */
export function checkedBody<T extends object>(
  method: string,
  task: string,
  request: T,
  keys: Readonly<Record<keyof T, true>>,
  check: (value: unknown) => Checked<T>,
): WireRequest {
  checkKeys(method, request, keys);
  return wire(demand(task, request, check(request)));
}

/** Checks that a name is one of the sixteen. */
export function demandFileName(fileName: string, naming: Naming): void {
  const names = datasetFileNames(naming);
  if (names.includes(fileName)) return;
  throw new RangeError(
    `Cannot get the dataset file ${JSON.stringify(fileName)}: it is not one of the sixteen; ` +
      `did you mean "${nearest(String(fileName), names)}"?`,
  );
}

function demand<T>(task: string, value: unknown, checked: Checked<T>, rename?: readonly [string, string]): T {
  if (checked.ok) return checked.value;
  const issues = checked.issues.map((issue) => {
    const path = issue.loc.slice(1);
    const loc = path.map((key, index) => index === 0 && key === rename?.[0] ? rename[1] : key);
    return { ...issue, loc: loc.length === 0 ? ["request"] : loc, msg: `${issue.msg}, not ${show(value, path)}` };
  });
  const message = `Cannot ${task}: ${describeIssues(issues, SHOWN_ISSUES)}`;
  throw issues.every(({ type }) => type === "invalid_type") ? new TypeError(message) : new RangeError(message);
}

/** Formats the value at fault, cut at 60 characters. */
function show(value: unknown, path: readonly (string | number)[]): string {
  let at = value;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  if (at === undefined) return "nothing";
  if (typeof at === "bigint" || typeof at === "function" || typeof at === "symbol") return `a ${typeof at}`;
  const text = JSON.stringify(at) ?? String(at);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function checkFilterKeys(caller: string, filter: SearchRequest["filter"]): void {
  if (!Array.isArray(filter)) return;
  for (const each of filter) checkKeys<SearchFilter>(caller, each, { field: true, value: true });
}

function demandFilterValues(task: string, filter: SearchRequest["filter"]): void {
  for (const [index, { value }] of (filter ?? []).entries()) demandJson(task, value, `filter.${index}.value`);
}

/** JSON would silently drop or change other values: a `Date` becomes a time of day, which no record has. */
function demandJson(task: string, value: unknown, path: string): void {
  if (value === null || ["string", "boolean"].includes(typeof value)) return;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return;
    throw new RangeError(`Cannot ${task}: ${path}: expected a finite number, not ${value}`);
  }
  if (Array.isArray(value) || isPlainObject(value)) {
    // An array's entries() includes its holes, which become null.
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, item] of entries) demandJson(task, item, `${path}.${key}`);
    return;
  }
  const type = typeof value === "object" ? `a ${value.constructor.name}` : typeof value;
  const advice = value instanceof Date ? '; write the day as it is recorded, such as "2013-12-05"' : "";
  throw new TypeError(`Cannot ${task}: ${path}: expected what JSON can carry, not ${type}${advice}`);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function wire(request: object): WireRequest {
  return { request, body: JSON.stringify(request) };
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === "object" && value !== null;
}
