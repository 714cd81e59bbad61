/** Answers with status 200, and whether they are what was asked for. */
import { isAccession } from "../contract/accession.ts";
import { isRecord } from "../options/is_record.ts";
import { describeBytes, firstLineOf } from "../io/bytes/describe_bytes.ts";
import { terminalText } from "../io/bytes/terminal_text.ts";
import { parseJson } from "../contract/json/lossless_json.ts";
import { ParseError } from "../errors.ts";
import type { DefinitionFormat } from "../contract/enumerations.ts";
import type { SearchResponse } from "../contract/search.ts";
import type { SequenceResponse } from "../contract/sequence.ts";
import { readSearchResponse } from "../contract/answers/search_answer.ts";
import { checkSequenceResponse, describeIssues } from "../contract/validation.ts";
import type { Checked, ValidationIssue } from "../contract/validation.ts";
import { shorten, wordsOf } from "./_answer_words.ts";
import { announcedBytes } from "./_content_coding.ts";
import { UnexpectedResponseError } from "./errors.ts";
import type { FileRange } from "./options.ts";

/** Origin of an answer, for errors. */
export interface AnswerOrigin {
  readonly task: string;
  /** Address that answered. */
  readonly url: string;
}

export interface UnexpectedOptions {
  /** What to do next. */
  readonly advice?: string;
  readonly cause?: unknown;
  /** Maximum bytes of an answer, if this one is larger. */
  readonly maxBytes?: number;
}

const SHOWN_ISSUES = 5;
const SHOWN_LETTERS = 600;

export function readJsonBody<T>(
  bytes: Uint8Array,
  check: (value: unknown) => Checked<T>,
  expected: string,
  origin: AnswerOrigin,
): T {
  const value = readJson(bytes, origin);
  const checked = check(value);
  if (checked.ok) return checked.value;
  throw otherShape(value, { issues: checked.issues, expected }, origin);
}

/** Reads the body of a search in any understood shape; unknown keys are kept. An error without hits is refused. */
export function readSearchBody(bytes: Uint8Array, origin: AnswerOrigin): SearchResponse {
  const expected = "a search's answer with total, results, facets and query";
  const answer = readJsonBody(bytes, readSearchResponse, expected, origin);
  const faults = Object.fromEntries(Object.entries(answer).filter(([key]) => key === "error" || key === "errors"));
  if (answer.total === 0 && answer.results.length === 0 && wordsOf(faults) !== undefined) {
    throw otherShape(faults, { issues: [], expected }, origin);
  }
  return answer;
}

export interface SequenceBody {
  /** Sequences by accession: a map, so that no key has a special meaning. */
  readonly sequences: ReadonlyMap<string, string>;
  /** Accessions with `null` for a sequence. */
  readonly nulls: readonly string[];
}

export function readSequenceBody(bytes: Uint8Array, origin: AnswerOrigin): SequenceBody {
  const all = readJson(bytes, origin);
  const entries = isRecord(all) ? Object.entries(all) : undefined;
  const nulls = entries?.filter(([, sequence]) => sequence === null).map(([accession]) => accession) ?? [];
  const value: unknown = nulls.length === 0 || entries === undefined
    ? all
    : Object.fromEntries(entries.filter(([, sequence]) => sequence !== null));
  let issues: readonly ValidationIssue[] = [];
  const isSequenceResponse = (value: unknown): value is SequenceResponse => {
    const checked = checkSequenceResponse(value);
    if (!checked.ok) issues = checked.issues;
    return checked.ok;
  };
  const isMessage = entries !== undefined && !entries.some(([key]) => isAccession(key)) && wordsOf(all) !== undefined;
  if (!isMessage && isSequenceResponse(value)) return { sequences: new Map(Object.entries(value)), nulls };
  throw otherShape(all, { issues, expected: "an object of accessions and sequences" }, origin);
}

/** Rejects definitions that are clearly in another format. The specification does not show their columns or keys. */
export function checkDefinitionsBody(
  bytes: Uint8Array,
  format: DefinitionFormat,
  mediaType: string,
  origin: AnswerOrigin,
): void {
  if (format === "json") {
    readJson(bytes, origin);
    return;
  }
  const what = describeBytes(bytes);
  const fits = format === "xlsx" ? what.startsWith("a ZIP archive") : !isPage(what, mediaType);
  if (!fits) throw unexpected(`expected definitions as ${format}, got ${what}`, origin);
}

/** File types that are recognised by their first bytes. */
export type CheckedFileType = "csv" | "tsv" | "xml" | "fasta";

const FILE_TYPE_NAMES: Readonly<Record<CheckedFileType, string>> = {
  csv: "a CSV table",
  tsv: "an accession list",
  xml: "XML",
  fasta: "a FASTA file",
};

/** Possible kinds of the beginning of a text or table. */
const TABLE_LOOKS = ["text", "a CSV table", "a table separated by tabs", "binary data"];

/** Rejects a web page or JSON instead of a file, and, for known file types, files of another type. */
export function checkFileHead(
  head: Uint8Array,
  mediaType: string,
  origin: AnswerOrigin,
  fileType?: CheckedFileType,
): void {
  const what = describeBytes(head);
  if (!isPage(what, mediaType) && (fileType === undefined || mayBe(fileType, what, head))) return;
  const expected = fileType === undefined ? "a file" : FILE_TYPE_NAMES[fileType];
  const advice = head.length === 0 ? "try again later" : "check the base URL, or try again later";
  throw unexpected(`expected ${expected}, got ${what} (${mediaType || "no media type"})${firstLine(head)}`, origin, {
    advice,
  });
}

/** The first line of an answer as the end of a sentence; empty for an empty answer. */
function firstLine(bytes: Uint8Array): string {
  return bytes.length === 0 ? "" : `, first line: ${firstLineOf(bytes)}`;
}

function mayBe(fileType: CheckedFileType, what: string, head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).trimStart();
  switch (fileType) {
    case "csv":
    case "tsv":
      return TABLE_LOOKS.includes(what);
    case "xml":
      return text.startsWith("<");
    case "fasta":
      return /^[>;]/.test(text);
  }
}

export interface AnswerRange {
  /** Offset of its first byte. */
  readonly start: number;
  /** Bytes of the whole file; `null` if the answer does not state it. */
  readonly totalBytes: number | null;
}

/** Checks that an answer is the whole file, or exactly the requested range. */
export function checkFilePart(response: Response, range: FileRange | undefined, origin: AnswerOrigin): AnswerRange {
  const lengthBytes = announcedBytes(response.headers);
  if (response.status !== 206) return { start: 0, totalBytes: lengthBytes };
  if (range === undefined) {
    throw unexpected("received a part of the file (206), although the whole file was requested", origin, {
      advice: "try again, without any proxy",
    });
  }
  const stated = response.headers.get("content-range");
  const shown = stated === null
    ? "without Content-Range"
    : `with Content-Range ${JSON.stringify(stated.slice(0, 100))}`;
  const match = /^bytes ([0-9]{1,15})-([0-9]{1,15})\/([0-9]{1,15}|\*)$/i.exec(stated?.trim() ?? "");
  const refuse = () =>
    unexpected(`received a part (206) ${shown}; expected all bytes from ${range.start} on`, origin, {
      advice: "request the whole file",
    });
  if (match === null) throw refuse();
  const [first, last] = [Number(match[1]), Number(match[2])];
  const totalBytes = match[3] === "*" ? null : Number(match[3]);
  if (first !== range.start || last < first || (totalBytes !== null && last !== totalBytes - 1)) throw refuse();
  if (lengthBytes !== null && lengthBytes !== last - first + 1) throw refuse();
  const tag = response.headers.get("etag");
  if (tag !== null && tag !== range.ifRange) {
    throw unexpected(`received a part of another version (${tag.slice(0, 100)}, expected ${range.ifRange})`, origin, {
      advice: "request the whole file",
    });
  }
  return { start: first, totalBytes: totalBytes ?? last + 1 };
}

/** Media type in lower case, without parameters. */
export function mediaTypeOf(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0].trim().toLowerCase();
}

/** Makes the error for unexpected content. */
export function unexpected(
  what: string,
  { task, url }: AnswerOrigin,
  options: UnexpectedOptions = {},
): UnexpectedResponseError {
  const { advice = "check the base URL", cause, maxBytes } = options;
  const shown = terminalText(what.length > SHOWN_LETTERS ? `${what.slice(0, SHOWN_LETTERS)}…` : what);
  return new UnexpectedResponseError(`Cannot ${task}: ${url}: ${shown}; ${advice}`, url, {
    cause,
    maxBytes,
  });
}

function readJson(bytes: Uint8Array, origin: AnswerOrigin): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const got = `${describe(bytes)} that is not UTF-8${firstLine(bytes)}`;
    throw unexpected(`expected JSON, got ${got}`, origin, { cause });
  }
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof ParseError) {
      throw unexpected(`expected JSON, got JSON whose ${cause.message}`, origin, { cause });
    }
    const what = describeBytes(bytes);
    if (what !== "JSON") {
      throw unexpected(`expected JSON, got ${what} of ${bytes.length} bytes${firstLine(bytes)}`, origin, { cause });
    }
    const why = cause instanceof Error ? ` (${shorten(cause.message)})` : "";
    throw unexpected(`expected JSON, got damaged or cut JSON of ${bytes.length} bytes${why}`, origin, {
      advice: "try again, then report it to the registry",
      cause,
    });
  }
}

function describe(bytes: Uint8Array): string {
  const what = describeBytes(bytes);
  return what === "JSON" || what.includes("text") ? "text" : what;
}

interface OtherShape {
  readonly issues: readonly ValidationIssue[];
  readonly expected: string;
}

function otherShape(value: unknown, { issues, expected }: OtherShape, origin: AnswerOrigin): UnexpectedResponseError {
  const words = isRecord(value) ? wordsOf(value) : undefined;
  if (words !== undefined) {
    return unexpected(`expected ${expected}, got a message: ${JSON.stringify(shorten(words))}`, origin, {
      advice: "try again later, or check the base URL",
    });
  }
  const shown = issues.map((issue) => ({ ...issue, loc: issue.loc.slice(1) }))
    .map((issue) => issue.loc.length === 0 ? { ...issue, loc: ["the whole"] } : issue);
  const described = describeIssues(shown, SHOWN_ISSUES);
  return unexpected(`expected ${expected}, got other JSON (${described})`, origin, {
    advice: "check the base URL and the naming, then report it to the registry",
  });
}

/** What may be a page if its media type is that of one: its bytes do not identify another format. */
const MAY_BE_PAGE = ["text", "JSON", "an empty file"];

/** HTML is recognised by its bytes or media type; JSON only by its media type, since a CSV may begin with a bracket. */
function isPage(what: string, mediaType: string): boolean {
  return what === "an HTML page" ||
    /^(text\/html|application\/xhtml\+xml)$/.test(mediaType) && MAY_BE_PAGE.includes(what) ||
    what === "JSON" && /^application\/(.*\+)?json$/.test(mediaType);
}
