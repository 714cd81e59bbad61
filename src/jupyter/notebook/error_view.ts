/**
 * An error under a cell: what failed first, what to do next second, then its causes. The faults that a registry names
 * in an answer with status 422 are a small table.
 *
 * A notebook shows an error's name, message and stack and nothing else: so the stack is where all of this is written.
 */
import { ParseError, RegistryError } from "@seqreg/core/errors";
import type { ValidationIssue } from "@seqreg/core/contract";
import { cut, DATA_CLASS, escapeHtml, type MediaBundle, visible } from "@seqreg/core/io/display";
import { tableView } from "./table_view.ts";

/** Causes that are shown at most. */
const MOST_CAUSES = 4;
/** Lines of the user's own code that are shown at most. */
const MOST_FRAMES = 5;
/** A next step is one short clause; what is longer belongs to the message. */
const MOST_NEXT_LETTERS = 250;

export function isToolkitError(value: unknown): value is RegistryError | ParseError {
  return value instanceof RegistryError || value instanceof ParseError;
}

/**
 * Writes an error for a notebook.
 *
 * @returns HTML in which every value is escaped, and plain text.
 */
export function errorView(error: Error): MediaBundle {
  const [message, next] = readMessage(error);
  const lines = [next === "" ? "" : `next: ${next}`, ...causesOf(error).map((cause) => `cause: ${cause}`)].filter((
    line,
  ) => line !== "");
  const head = `${error.name}: ${message}`;
  const faults = faultsView(error);
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("");
  return {
    "text/plain": [head, ...lines.map((line) => `  ${line}`), ...faults === undefined ? [] : [faults["text/plain"]]]
      .map(
        visible,
      ).join("\n"),
    "text/html":
      `<div class="seqreg-error ${DATA_CLASS}" role="note" style="border-left:4px solid #c62828;padding:2px 8px;margin:4px 0">` +
      `<span>✗ ${escapeHtml(cut(head, 2000))}</span>` +
      (items === "" ? "" : `<ul style="margin:2px 0;padding-left:1em;list-style:none">${items}</ul>`) +
      `</div>${faults?.["text/html"] ?? ""}`,
  };
}

/** Writes the faults that a registry named as a table; `undefined` where it named none. */
export function faultsView(error: unknown): MediaBundle | undefined {
  const issues = issuesOf(error);
  if (issues.length === 0) return undefined;
  return tableView({
    caption: "what the registry refuses",
    columns: ["where", "what is wrong", "kind"],
    rows: issues.map(({ loc, msg, type }) => [loc.join(" › "), msg, type]),
  });
}

/**
 * Writes what a notebook shows as an error's stack: message, next step, causes, then the lines of the user's own code.
 *
 * @param stack Its stack as the platform wrote it.
 */
export function writeStack(error: Error, stack: string): string {
  const [message, next] = readMessage(error);
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  const own = frames.filter((line) =>
    !line.includes(TOOLKIT) && !/\((?:ext|node|npm):|at (?:ext|node):|\/node_modules\//.test(line)
  );
  return [
    `${error.name}: ${message}`,
    ...next === "" ? [] : [`  next: ${next}`],
    ...causesOf(error).map((cause) => `  cause: ${cause}`),
    ...own.slice(0, MOST_FRAMES),
  ].map(visible).join("\n");
}

/** Where the toolkit's own modules are: a user's mistake is never there. */
export const TOOLKIT = new URL("../../", import.meta.url).href;

/** A refusal as the client words it: what was done, the status, what the registry said. */
const REFUSAL = /^(Cannot [^:]+: the registry refused the request \(\d{3}[^)]*\))(?:: ([^]*?))?; ([^;]+)$/;

/**
 * Message and next step of an error. A refusal begins with what is wrong in the request, as the registry says it; what
 * was being done comes behind.
 */
function readMessage(error: Error): readonly [message: string, next: string] {
  const [, refused, said = "", next] = REFUSAL.exec(error.message) ?? [];
  const [first, ...others] = issuesOf(error);
  if (refused === undefined || first === undefined && said === "") return splitNext(error.message);
  const place = first?.loc.filter((step) => step !== "body").join(" › ") ?? "";
  const sentence = sentenceOf(first?.msg ?? said.replace(/^Invalid parameter [\w.]+: /, ""), place);
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return [`${sentence}${more}\n  ${refused}`, next === "correct the request" ? "" : next];
}

/** `query, column 1: no field is called "contry"; did you mean …?` as sentences. */
function sentenceOf(said: string, where: string): string {
  const [, column, rest] = /^query, column (\d+): ([^]*)$/.exec(said) ?? [, undefined, said];
  const place = column !== undefined ? `column ${column} of the query` : where;
  const [first, ...behind] = rest.split(/; (?=did you mean)/);
  const named = first.replace(/^no field is called /, "Unknown field ");
  const head = `${named[0]?.toUpperCase() ?? ""}${named.slice(1)}${place === "" ? "" : ` (${place})`}.`;
  return [head, ...behind.map((text) => `${text[0].toUpperCase()}${text.slice(1)}`)].join(" ");
}

/** By the house rule a message ends with what to do next, behind a semicolon. */
function splitNext(message: string): [message: string, next: string] {
  const at = message.lastIndexOf("; ");
  const next = at < 0 ? "" : message.slice(at + 2);
  return next === "" || next.length > MOST_NEXT_LETTERS || next.includes("\n")
    ? [message, ""]
    : [message.slice(0, at), next];
}

function causesOf(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause !== undefined && causes.length < MOST_CAUSES;) {
    if (!(cause instanceof Error)) {
      causes.push(cut(String(cause), 300));
      break;
    }
    causes.push(cut(`${cause.name}: ${cause.message}`, 500));
    cause = cause.cause;
  }
  return causes;
}

function issuesOf(error: unknown): readonly ValidationIssue[] {
  const { issues }: { readonly issues?: unknown } = Object(error);
  return Array.isArray(issues) ? issues.filter(isIssue) : [];
}

function isIssue(value: unknown): value is ValidationIssue {
  const { loc, msg, type } = Object(value);
  return Array.isArray(loc) && typeof msg === "string" && typeof type === "string";
}
