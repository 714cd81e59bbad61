/** What a crate is about: a notebook, a script or a lock, recognised by its content. */
import { basename, extname } from "node:path";
import { isRecord } from "@seqreg/core/options/is_record";
import { messageOf, ParseError, RegistryError } from "@seqreg/core/errors";
import { parseLock } from "@seqreg/core/registry/lock";

export interface CrateSource {
  readonly path: string;
  readonly kind: "notebook" | "script" | "lock";
  /** Its first heading, or its file name. */
  readonly title: string;
  /** Language of its code, where a notebook has it with its version. */
  readonly language?: { readonly name: string; readonly version: string };
}

/** A larger file is refused. */
const MOST_BYTES = 256 << 20;

/** Longest title, in characters. */
const MOST_LETTERS = 200;

/** Ends of the names of scripts. */
const SCRIPT_ENDINGS = [".ts", ".js", ".mjs", ".py", ".r", ".sh"];

/**
 * Reads what a crate is about.
 *
 * @throws {RegistryError} With code `disk` if it cannot be read. @throws {ParseError} If it is anything else.
 */
export async function readCrateSource(path: string): Promise<CrateSource> {
  const name = basename(path);
  const expected = `expected a notebook (.ipynb), a script (${SCRIPT_ENDINGS.join(", ")}) or a lock`;
  const info = await Deno.stat(path).catch((cause) => {
    const why = cause instanceof Deno.errors.NotFound ? "it does not exist" : messageOf(cause);
    throw new RegistryError("disk", `Cannot make a crate of ${path}: ${why}; check its name`, { cause });
  });
  if (!info.isFile) throw new ParseError(`Cannot make a crate of ${path}: ${expected}, not a folder`);
  if (SCRIPT_ENDINGS.includes(extname(name).toLowerCase())) return { path, kind: "script", title: name };
  const text = info.size > MOST_BYTES ? undefined : await Deno.readTextFile(path);
  const value = text === undefined ? undefined : parseJson(text);
  // It names what is wrong with a lock.
  if (text !== undefined && value === undefined && extname(name) === ".lock") parseLock(text, path);
  if (isRecord(value) && "seqreg-lock" in value) return { path, kind: "lock", title: name };
  if (isRecord(value) && typeof value.nbformat === "number" && Array.isArray(value.cells)) {
    const language = languageOf(value.metadata);
    const title = headingOf(value.cells) ?? name;
    return { path, kind: "notebook", title, ...language !== undefined && { language } };
  }
  throw new ParseError(`Cannot make a crate of ${path}: ${expected}; name one of these`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

function languageOf(metadata: unknown): CrateSource["language"] {
  const info = isRecord(metadata) && isRecord(metadata.language_info) ? metadata.language_info : {};
  const { name, version } = info;
  return typeof name === "string" && typeof version === "string" && version !== "" ? { name, version } : undefined;
}

/** The first heading of the first cells of text. */
function headingOf(cells: readonly unknown[]): string | undefined {
  for (const cell of cells) {
    if (!isRecord(cell) || cell.cell_type !== "markdown") continue;
    const text = Array.isArray(cell.source) ? cell.source.join("") : String(cell.source);
    const heading = /^#+[ \t]+(.+)$/m.exec(text)?.[1].trim();
    if (heading !== undefined) return heading.slice(0, MOST_LETTERS).toWellFormed();
  }
  return undefined;
}
