/** How a command reports its ledger, and writes it to a file. */
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { type Ledger, LEDGER_VERSION, listSome, type Provenance } from "@seqreg/core/contract/ledger";
import type { LedgerEntry } from "@seqreg/core/contract/ledger_entries";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { type CommandContext, EXIT } from "./command.ts";
import { writtenFile } from "./output.ts";
import { describePage, isWithoutMatch } from "@seqreg/core/contract/pages/ledger_page";
import { ledgerLine } from "../progress/json_progress.ts";

export const LEDGER_OPTION = {
  ledger: {
    type: "string",
    value: "FILE",
    writes: true,
    describe: "write the ledger and the provenance to FILE as JSON",
  },
} as const;

/** The option that every command with a summary has. */
export const QUIET_OPTION = {
  quiet: { type: "boolean", short: "q", describe: "no progress and no summary; problems are still reported" },
} as const;

/** What is known when work has ended: by default it was work on files, from which more than one answer came. */
export interface FinishedWork extends Pick<Provenance, "bytes" | "addresses"> {
  /** {@linkcode Provenance.sha256}; `null` by default. */
  readonly sha256?: string | null;
  /** {@linkcode Provenance.registry}; `null` by default. */
  readonly registry?: string | null;
  /** {@linkcode Provenance.request}, if it was not known at the start. */
  readonly request?: unknown;
}

/** Begins the provenance of work; call the function that is returned when the work is done. */
export function startProvenance(operation: string, request?: unknown): (work: FinishedWork) => Provenance {
  const started = new Date().toISOString();
  return ({ bytes, addresses, sha256 = null, registry = null, request: known = request }) => ({
    operation,
    registry,
    ...addresses && addresses.length > 0 && { addresses },
    request: known,
    bytes,
    sha256,
    started,
    finished: new Date().toISOString(),
    toolkit: TOOLKIT,
  });
}

/**
 * Reports how complete a result is: a summary line, every reason and warning; writes `--ledger`.
 *
 * @returns The exit code: 0 when complete, 4 when not.
 */
export async function reportLedger(
  context: CommandContext,
  ledger: Ledger,
  provenance: Provenance,
  unit = "records",
): Promise<number> {
  await writeLedger(context, { ...provenance, ...ledger });
  return describeLedger(context, ledger, provenance, unit);
}

/** Writes `--ledger`, if it is given, with the name and the SHA-256 of the file of `--output`. */
export async function writeLedger(context: CommandContext, content: Ledger & Provenance): Promise<void> {
  const file = context.flags.text("ledger");
  if (file === undefined) return;
  const written = writtenFile(context.flags);
  const text = JSON.stringify({ ledger: LEDGER_VERSION, ...content, ...written && { file: written } }, null, 2);
  await writeAtomic(file, `${text}\n`, { signal: context.signal });
}

/**
 * Prints the summary line, every reason and warning, and with `--progress json` the entries; the exit code is 0 when
 * complete, 4 when not.
 */
export function describeLedger(
  context: CommandContext,
  ledger: Ledger,
  provenance: Provenance,
  unit = "records",
): number {
  context.writeProgress?.(ledgerLine(ledger, provenance));
  context.summary(summarize(ledger, provenance, unit));
  for (const reason of ledger.reasons) context.note(`incomplete: ${reason}`);
  for (const warning of ledger.warnings) context.note(`warning: ${warning}`);
  return ledger.complete ? EXIT.done : EXIT.incomplete;
}

/** Prints what was noted about a source; returns the exit code, 4 if any of it could not be read. */
export function reportEntries(context: CommandContext, entries: readonly LedgerEntry[]): number {
  for (const { level, text } of entries) {
    if (level === "warning") context.summary(text);
    else context.note(`incomplete: ${text}`);
  }
  return entries.every(({ level }) => level === "warning") ? EXIT.done : EXIT.incomplete;
}

/** One line: `search: complete, records 1 to 50 of 1234: page 1, 48.0 kB`; `unit` is a plural. */
export function summarize(ledger: Ledger, provenance: Provenance, unit = "records"): string {
  const page = describePage(ledger, provenance);
  const isEmpty = isWithoutMatch(ledger);
  const parts = [
    page ??
      (isEmpty ? "" : `${ledger.received} ${ledger.received === 1 ? unit.replace(/^(\w+)s\b/, "$1") : unit} received`),
    ledger.asked === null ? "" : `${ledger.asked} asked for`,
    ledger.promised === null || page !== undefined || isEmpty ? "" : `${ledger.promised} promised`,
    ledger.duplicate === 0 ? "" : `${ledger.duplicate} duplicate`,
    ledger.missing.length === 0 ? "" : `${ledger.missing.length} missing (${listSome(ledger.missing, 20)})`,
    ledger.unasked.length === 0 ? "" : `${ledger.unasked.length} not asked for`,
    ledger.unparsed === 0 ? "" : `${ledger.unparsed} unparsed`,
    formatBytes(provenance.bytes),
  ].filter((part) => part !== "");
  const state = isEmpty ? "no records match" : ledger.complete ? "complete" : "INCOMPLETE";
  return `${provenance.operation}: ${state}, ${parts.join(", ")}`;
}

/** Formats a number of bytes for people: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) [bytes, unit] = [bytes / 1000, unit + 1];
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}
