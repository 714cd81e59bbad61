/**
 * The body of status 422, and the checks of the five requests that fill it.
 *
 * The client calls the checks before any I/O, the embedded registry when a body has arrived: one set of rules, tied to
 * the public types by the compiler.
 */
import type { DownloadRequest } from "./download.ts";
import type { DefinitionsRequest } from "./metadata.ts";
import { type Naming, SPECIFICATION_NAMING } from "./naming.ts";
import type { SearchRequest, SearchResponse } from "./search.ts";
import type { SequenceRequest, SequenceResponse } from "./sequence.ts";
import type { ValidationBody, ValidationIssue } from "./validation_body.ts";
import {
  definitionsRequestSchema,
  downloadRequestSchema,
  searchRequestSchema,
  searchResponseSchema,
  sequenceRequestSchema,
  sequenceResponseSchema,
  validationBodySchema,
} from "./_schema.ts";

export type { ValidationBody, ValidationIssue };

/** A value that passed a check, or what is wrong with it. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** The part of a schema that a check uses. */
interface Validator<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  /** For an element of a list: its own code. */
  readonly params?: Readonly<Record<string, unknown>>;
}

export function check<T>(schema: Validator<T>, value: unknown): Checked<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.map(({ path, message, code, params }) => ({
    loc: ["body", ...path.map((key) => typeof key === "number" ? key : String(key))],
    msg: message,
    type: typeof params?.type === "string" ? params.type : code ?? "invalid",
  }));
  return { ok: false, issues };
}

/** Checks the body of a search; defaults are not filled in. Source: Specification 4.4. */
export function checkSearchRequest(value: unknown): Checked<SearchRequest> {
  return check(searchRequestSchema, value);
}

/** Checks the body of a search's answer; unknown fields are kept. Source: Specification 2.2 and 2.3. */
export function checkSearchResponse(value: unknown): Checked<SearchResponse> {
  return check(searchResponseSchema, value);
}

/** Checks the body of a sequence request, as sent under a naming. Source: Specification 4.3. */
export function checkSequenceRequest(value: unknown, naming: Naming = SPECIFICATION_NAMING): Checked<SequenceRequest> {
  return check(sequenceRequestSchema(naming.accessionsKey), value);
}

/** Checks the body of a sequence answer: an object of texts. Source: Specification 4.3. */
export function checkSequenceResponse(value: unknown): Checked<SequenceResponse> {
  return check(sequenceResponseSchema, value);
}

/**
 * Checks the body of a download, as sent under a naming; `information` is translated to the specification's spelling. A
 * selection lists records: its `selected_ids` must not be empty. Source: Specification 4.2.
 */
export function checkDownloadRequest(value: unknown, naming: Naming = SPECIFICATION_NAMING): Checked<DownloadRequest> {
  return check(downloadRequestSchema(naming.accessionsKey), value);
}

/** Checks the body of a definitions export. Source: Specification 4.5. */
export function checkDefinitionsRequest(value: unknown): Checked<DefinitionsRequest> {
  return check(definitionsRequestSchema, value);
}

/** Checks the body of status 422. Source: Specification 2.8. */
export function checkValidationBody(value: unknown): Checked<ValidationBody> {
  return check(validationBodySchema, value);
}

/**
 * Writes issues as one line: `body.pageSize: expected an integer`. Equal faults are written once, with their number.
 *
 * @param most Different faults that are written; more are counted.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { describeIssues } from "./validation.ts";
 *
 * assertEquals(describeIssues([{ loc: ["body", "filter", 0], msg: "expected an object", type: "x" }]),
 *   "body.filter.0: expected an object");
 * ```
 */
export function describeIssues(issues: readonly ValidationIssue[], most = Infinity): string {
  const groups = new Map<string, { readonly first: ValidationIssue; count: number }>();
  for (const issue of issues) {
    const group = groups.get(issue.msg);
    if (group === undefined) groups.set(issue.msg, { first: issue, count: 1 });
    else group.count++;
  }
  const shown = [...groups.values()].slice(0, most).map(({ first: { loc, msg }, count }) =>
    `${loc.join(".")}: ${msg}${count === 1 ? "" : `, likewise ${count - 1} more`}`
  );
  const left = [...groups.values()].slice(most).reduce((sum, { count }) => sum + count, 0);
  return [...shown, ...left === 0 ? [] : [`and ${left} more`]].join("; ");
}
