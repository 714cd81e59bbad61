/** Ledgers in files: `FILE.provenance.json` next to a result, or what `--ledger` wrote. */
import { isRecord } from "@seqreg/core/options/is_record";
import type { Ledger, Provenance } from "@seqreg/core/contract";

/** A ledger in a file, with the digest of the file that it describes, if it describes one. */
export type LedgerFile = Ledger & Provenance & { readonly file?: { readonly name: string; readonly sha256: string } };

/** A larger file is not read as a ledger: a million accessions take less. */
const MOST_BYTES = 64 << 20;

/** Reads a ledger; `undefined` if the file is absent, or anything else. */
export async function readLedgerFile(path: string): Promise<LedgerFile | undefined> {
  const info = await Deno.stat(path).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw cause;
  });
  if (!info?.isFile || info.size > MOST_BYTES) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(await Deno.readTextFile(path));
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
  return isLedgerFile(value) ? value : undefined;
}

function isLedgerFile(value: unknown): value is LedgerFile {
  return isRecord(value) && [value.operation, value.toolkit].every(isText) &&
    [value.started, value.finished].every(isInstant) && [value.registry, value.sha256].every(isTextOrNull) &&
    Number.isSafeInteger(value.received) && typeof value.complete === "boolean" &&
    areTexts(value.reasons) &&
    Array.isArray(value.entries) && value.entries.every(isRecord) &&
    [value.asked, value.promised].every((count) => count === null || Number.isSafeInteger(count)) &&
    (value.file === undefined || isRecord(value.file) && [value.file.name, value.file.sha256].every(isText));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isInstant(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
}
