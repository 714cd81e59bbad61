/** The last lines of a run, and the list of checks. */
import type { Check } from "./check.ts";
import type { CheckResult } from "./run_checks.ts";

/** Counts of checks: `N passed, N failed, N unsteady`. */
export function countLine(results: readonly CheckResult[]): string {
  const count = (verdict: string) => results.filter((result) => result.verdict === verdict).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("unsteady")} unsteady`;
}

/** A line for each check, those that did not pass last, with their logs. */
export function resultLines(results: readonly CheckResult[]): string[] {
  const order = ["passed", "unsteady", "failed"];
  const sorted = results.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  return columns(sorted.map(({ check, verdict, seconds, logs, reason = "" }) => [
    verdict,
    check.name,
    `${seconds.toFixed(0)} s`,
    [reason, ...verdict === "passed" ? [] : logs].filter((text) => text !== "").join("; "),
  ]));
}

/** A line for each check of the table. */
export function listLines(checks: readonly Check[]): string[] {
  return columns(checks.map((check) => [
    check.name,
    `${check.minutes} min`,
    check.alone ? "alone" : check.inTurn ?? "",
    check.seed ? "seed" : "",
    check.shows,
  ]));
}

export function needsOf({ programs = [], packages = [] }: Check): string[] {
  return [...programs.filter((program) => program !== "venv"), ...packages];
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widths, row) => row.map((cell, at) => Math.max(widths[at] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at])).join("  ").trimEnd());
}
