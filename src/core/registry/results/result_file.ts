/** Files that results are written to: their default names, and the provenance of each. */
import { basename } from "node:path";
import { writeAtomic } from "../../io/files/atomic_file.ts";
import { isGzipName, type NamedFormat } from "../../io/files/named_format.ts";
import { sha256 } from "../../io/digest/sha256.ts";
import { type Ledger, LEDGER_VERSION, type Provenance } from "../../contract/ledger.ts";
import { dayOf, plainOperation, requestDigest } from "./cite.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";

/** Options that every writer of a result has. */
export interface WriteResultOptions {
  /**
   * `file`, the default, also writes ledger and provenance to `FILE.provenance.json`; `none` writes only the result,
   * and removes the provenance of an earlier one.
   * `beside` is the older name of `file`.
   */
  readonly provenance?: "file" | "none" | "beside";
  /** Ends the writing with the signal's reason; nothing is left under the final name. */
  readonly signal?: AbortSignal;
}

export const WRITE_RESULT_OPTIONS = {
  provenance: rule.oneOf(["file", "none", "beside"]),
  signal: rule.signal,
} satisfies OptionRules<WriteResultOptions>;

/** The signal of some options, for work that takes nothing else. */
export function signalOf({ signal }: { readonly signal?: AbortSignal }): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

export interface WrittenResult {
  /** What was asked and received. */
  readonly ledger: Ledger;
  readonly provenance: Provenance;
}

/** Characters of a query that a file name tells. */
const MOST_LETTERS = 60;

/**
 * Names a file after a result: operation, query, day in UTC, and six digits that tell alike requests apart.
 *
 * Only A-Z, a-z, 0-9, `.`, `_` and `-` are taken from the query, at most 60 characters, so that no query becomes a
 * path, an option or a forbidden file name.
 */
export function fileNameOf(provenance: Provenance, extension: string): string {
  const parts = [
    safe(plainOperation(provenance.operation)),
    safe(subjectOf(provenance.request)).slice(0, MOST_LETTERS),
    dayOf(provenance),
    requestDigest(provenance),
  ];
  return `${parts.filter((part) => part !== "").map(trim).join("-")}.${extension}`;
}

/** Accents go, the characters stay; what no file name should hold is one hyphen. */
function safe(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
  return trim(plain.replace(/[^A-Za-z0-9._]+|\.{2,}/g, "-").replace(/-{2,}/g, "-"));
}

function trim(text: string): string {
  return text.replace(/^[-._]+|[-._]+$/g, "");
}

/** What a request asks about: its query and filters, or how many accessions. */
function subjectOf(request: unknown): string {
  if (typeof request !== "object" || request === null) return "";
  const text = (name: string): unknown => Reflect.get(request, name);
  const inner = text("search") === undefined ? "" : subjectOf(text("search"));
  const [query, filter, selected] = [text("query"), text("filter"), text("accessions") ?? text("registry_accessions")];
  const filters = Array.isArray(filter)
    ? filter.map((each) =>
      typeof each === "object" && each !== null ? `${Reflect.get(each, "field")}-${Reflect.get(each, "value")}` : ""
    )
    : [];
  const count = Array.isArray(selected) ? selected.length : typeof selected === "number" ? selected : undefined;
  const file = text("filename");
  return [
    inner,
    typeof query === "string" ? query : "",
    ...filters,
    count === undefined ? "" : `${count}-accessions`,
    typeof file === "string" ? file : "",
  ].filter((part) => part !== "").join("-");
}

/**
 * Writes a result's file, and its provenance.
 *
 * @param path Final path; named after the result, in the working folder, when absent.
 * @param write Writes the file to a path, atomically.
 * @throws {TypeError} If the path ends as that of another format, before anything is written.
 */
export async function writeResultFile(
  result: WrittenResult,
  file: { readonly path: string | undefined; readonly extension: NamedFormat } & WriteResultOptions,
  write: (path: string) => Promise<unknown>,
): Promise<string> {
  const { path = fileNameOf(result.provenance, file.extension), provenance = "file" } = file;
  if (typeof path !== "string" || path === "") {
    throw new TypeError(
      `Cannot write a file: expected a path, or none for a name of its own, not ${JSON.stringify(path)}`,
    );
  }
  isGzipName(path, file.extension);
  await write(path);
  // The file has its name: a stop comes too late, and would leave it with the provenance of an earlier one, or without.
  if (provenance !== "none") await writeProvenance(path, result);
  // That of an earlier file of this name describes other bytes.
  else await Deno.remove(provenancePath(path)).catch(() => {});
  return path;
}

async function writeProvenance(
  path: string,
  { ledger, provenance }: WrittenResult,
): Promise<void> {
  const { isFile, size } = await Deno.stat(path);
  // A device or a pipe has no folder for a second file, and cannot be read again.
  if (!isFile) return;
  const file = {
    name: basename(path),
    bytes: size,
    sha256: await sha256(path),
  };
  const text = JSON.stringify({ ledger: LEDGER_VERSION, file, ...provenance, ...ledger }, null, 2);
  await writeAtomic(provenancePath(path), `${text}\n`);
}

function provenancePath(path: string): string {
  return `${path}.provenance.json`;
}
