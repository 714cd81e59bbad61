/** A lenient reader of search answers, whose shape varies between deployments, into the shape of the specification. */
import { isRecord } from "../../options/is_record.ts";
import type { SearchHit, SearchResponse } from "../search.ts";
import type { Checked } from "../validation.ts";
import type { ValidationIssue } from "../validation_body.ts";

/** Number of matching records as a registry states it. */
interface StatedTotal {
  readonly total: number;
  /** Whether `total` is a lower bound rather than exact. */
  readonly isLowerBound: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a search's answer.
 *
 * `total` may be a string, a float without a fraction, or `{ value, relation }`; any relation but `eq` means a lower
 * bound, and so does a missing total. A hit's `id` may be a number or absent, its `score` a string or absent. `facets`
 * and `query` may be absent. Keys that the specification does not define are kept.
 *
 * @returns The answer in the shape of the specification (the same object if nothing had to change), or what is wrong.
 * @see Specification 2.2 and 2.3. Not shown in the specification: chosen because search engines answer in these shapes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readSearchResponse } from "./search_answer.ts";
 *
 * const read = readSearchResponse({ total: { value: 7, relation: "gte" }, results: [{ id: 5, source: {} }] });
 *
 * assertEquals(read.ok && [read.value.total, read.value.totalIsLowerBound], [7, true]);
 * assertEquals(read.ok && read.value.results, [{ id: "5", score: null, source: {} }]);
 * ```
 */
export function readSearchResponse(value: unknown): Checked<SearchResponse> {
  if (!isRecord(value)) return { ok: false, issues: [issue([], "expected an object")] };
  const issues: ValidationIssue[] = [];
  const { total: given, totalIsLowerBound: _, results, facets, query, ...rest } = value;
  if (!Array.isArray(results)) issues.push(issue(["results"], "expected an array"));
  const stated = readTotal(given, Array.isArray(results) ? results.length : 0);
  if (stated === undefined) issues.push(issue(["total"], "expected an integer of at least 0"));
  const hits = Array.isArray(results) ? readHits(results, issues) : [];
  if (issues.length > 0 || stated === undefined) return { ok: false, issues };
  return {
    ok: true,
    value: {
      total: stated.total,
      ...stated.isLowerBound && { totalIsLowerBound: true },
      results: hits,
      facets: facets ?? null,
      query: query ?? null,
      ...rest,
    },
  };
}

function readHits(results: readonly unknown[], issues: ValidationIssue[]): SearchHit[] {
  const hits: SearchHit[] = [];
  let faulty = 0;
  let first = 0;
  for (const [index, hit] of results.entries()) {
    const read = readHit(hit);
    if (read !== undefined) hits.push(read);
    else if (faulty++ === 0) first = index;
  }
  if (faulty > 0) {
    const others = faulty === 1 ? "" : `, likewise ${faulty - 1} more of ${results.length}`;
    issues.push(issue(["results", first], `expected an object with an object source${others}`));
  }
  return hits;
}

function readHit(hit: unknown): SearchHit | undefined {
  if (!isRecord(hit)) return undefined;
  const { id, score, source } = hit;
  if (!isRecord(source ?? {})) return undefined;
  if (isHit(hit)) return hit;
  return { ...hit, id: textOf(id), score: scoreOf(score), source: isRecord(source) ? source : {} };
}

function isHit(hit: Json): hit is Json & SearchHit {
  const { id, score, source } = hit;
  return typeof id === "string" && (score === null || typeof score === "number") && isRecord(source);
}

function textOf(id: unknown): string {
  return typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? String(id) : "";
}

function scoreOf(score: unknown): number | null {
  if (typeof score === "number" || typeof score === "bigint") return Number(score);
  if (typeof score !== "string" || score.trim() === "") return null;
  const number = Number(score);
  return Number.isFinite(number) ? number : null;
}

function readTotal(given: unknown, received: number): StatedTotal | undefined {
  if (given === undefined || given === null) return { total: received, isLowerBound: true };
  if (!isRecord(given)) {
    const total = countOf(given);
    return total === undefined ? undefined : { total, isLowerBound: false };
  }
  const total = countOf(given.value);
  const isExact = given.relation === undefined || given.relation === null || given.relation === "eq";
  return total === undefined ? undefined : { total, isLowerBound: !isExact };
}

function countOf(given: unknown): number | undefined {
  const text = typeof given === "string" ? given.trim() : undefined;
  const number = text === undefined ? given : /^[0-9]{1,15}(\.0*)?$/.test(text) ? Number(text) : undefined;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function issue(path: readonly (string | number)[], msg: string): ValidationIssue {
  return { loc: ["body", ...path], msg, type: "invalid_type" };
}
