/** What the embedded registry asks of criteria beyond the specification's own checks. */
import type { SearchFilter, ValidationIssue } from "@seqreg/core/contract";
import { Refusal } from "../http/refusal.ts";
import { CriteriaError } from "@seqreg/core/query";

/**
 * Checks that each filter's value can be compared: a string, a finite number, a boolean, or an array of these.
 *
 * @throws {Refusal} 422 that names every value that cannot.
 */
export function checkFilterValues(filter: readonly SearchFilter[], loc: readonly string[]): void {
  const issues: ValidationIssue[] = [];
  for (const [index, { value }] of filter.entries()) {
    const alternatives = Array.isArray(value) ? [...value.entries()] : [[undefined, value] as const];
    for (const [place, alternative] of alternatives) {
      if (isComparable(alternative)) continue;
      issues.push({
        loc: [...loc, "filter", index, "value", ...place === undefined ? [] : [place]],
        msg: place === undefined
          ? "expected a string, a number, a boolean or an array of these"
          : "expected a string, a number or a boolean",
        type: "invalid_type",
      });
    }
  }
  if (issues.length > 0) throw new Refusal(422, issues);
}

function isComparable(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/**
 * Runs work on criteria; what the store cannot follow becomes a 422 that says where in the body.
 *
 * @param loc Where the search object is in the request.
 */
export async function followed<T>(loc: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CriteriaError)) throw error;
    throw new Refusal(422, [{ loc: [...loc, ...error.loc], msg: error.message, type: "criteria" }]);
  }
}
