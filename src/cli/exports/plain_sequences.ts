/** Sequences of an export as plain FASTA, with headers from a template. */
import type { RegistryClient } from "@seqreg/core/client";
import { adviseName } from "@seqreg/core/options/nearest";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { type Ledger, listSome } from "@seqreg/core/contract/ledger";
import type { Naming } from "@seqreg/core/contract";
import { peekBytes } from "@seqreg/core/io/bytes";
import { RegistryError } from "@seqreg/core/errors";
import type { HeaderTemplate } from "@seqreg/core/fasta";
import type { ExportRun } from "@seqreg/core/registry";
import { type CommandContext, readGiven, UsageError } from "../support/command.ts";
import type { Output } from "../support/output.ts";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/** The options of a command that writes sequences with its own headers. */
export const SEQUENCES_OPTIONS = {
  sequences: {
    type: "string",
    value: "FILE",
    writes: true,
    describe: "also write the sequences of the same records to FILE, as plain FASTA; gzip if FILE ends with .gz",
  },
  "fasta-header": {
    type: "string",
    value: "TEMPLATE",
    describe: "template for sequence headers, such as {registry_accession}|{Country}|{Collection Date} (default: " +
      "the accession)",
  },
} as const;

export interface SequencesRequest {
  /** File of `--sequences`; `undefined` if the sequences are the export itself. */
  readonly path: string | undefined;
  /** Header template; the accession alone when absent. */
  readonly template?: HeaderTemplate;
}

/**
 * Reads `--sequences` and `--fasta-header`.
 *
 * @returns `undefined` if neither is given.
 * @throws {UsageError} If they conflict with each other, the export or its output.
 */
export async function readSequencesFlags(
  { flags }: CommandContext,
  information: string,
): Promise<SequencesRequest | undefined> {
  const path = flags.text("sequences");
  const header = flags.text("fasta-header");
  if (path === undefined && header === undefined) return undefined;
  if (path !== undefined && information === "sequences") {
    throw new UsageError(
      "Option --sequences needs --information metadata or registry_accessions: this export already consists of sequences; " +
        "use --output FILE",
    );
  }
  if (path === undefined && information !== "sequences") {
    throw new UsageError(
      "Option --fasta-header applies to sequences: add --sequences FILE, or use --information sequences",
    );
  }
  if (header !== undefined && path === undefined && flags.text("keys") !== undefined) {
    throw new UsageError("Option --fasta-header cannot be combined with --keys: the template names the fields");
  }
  if (path === "-" && (flags.text("output") ?? "-") === "-") {
    throw new UsageError("Cannot write both files to standard output: choose another file for --sequences");
  }
  if (header === undefined) return { path };
  const { parseHeaderTemplate } = await import("@seqreg/core/fasta/write/header_template");
  return { path, template: readGiven(() => parseHeaderTemplate(header)) };
}

/**
 * Finds the public fields to request in an export of sequences, so that headers can be built from a template.
 *
 * @returns Public names; the accession's if the template names no other, since an empty list means all fields.
 * @throws {UsageError} If the template names a field that the registry does not have.
 */
export async function headerFields(
  client: RegistryClient,
  template: HeaderTemplate | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { isAccessionColumn } = await import("@seqreg/core/registry/exports");
  const { accessionField } = client.naming;
  const wanted = [...new Set(template?.fields ?? [])]
    .filter((field) => field !== "id" && !isAccessionColumn(field, client.naming));
  if (template === undefined || wanted.length === 0) return [accessionField];
  const { publicNames } = await import("@seqreg/core/client");
  const names = await publicNames(client, signal);
  // A registry without records does not show which fields it has.
  if (names.length <= 1) return wanted;
  return wanted.map((field) => {
    const found = names.find((name) => name === field) ?? names.find((name) => fieldAlias(name) === fieldAlias(field));
    if (found !== undefined) return found;
    throw new UsageError(
      `Cannot use the header template ${JSON.stringify(template.text)}: the registry has no field ` +
        `${JSON.stringify(field)}; ${adviseName(field, names, (name) => `{${name}}`)}`,
    );
  });
}

/**
 * Writes an export of sequences as plain FASTA.
 *
 * @throws {RegistryError} If the registry did not send a field that the template needs.
 */
export async function writePlainSequences(
  run: ExportRun,
  output: Output,
  { template, naming, onBytes }: {
    readonly template: HeaderTemplate | undefined;
    readonly naming: Naming;
    readonly onBytes: (bytes: number) => void;
  },
): Promise<void> {
  const { plainFasta } = await import("@seqreg/core/fasta/write/plain_fasta");
  let text = "";
  const { head, chunks } = await peekBytes(run.bytes(), (bytes, last) => {
    text += new TextDecoder("latin1").decode(last);
    return bytes >= MAX_HEAD_BYTES || /(^|\n)>/.test(text);
  });
  try {
    // Without an answer there are neither fields nor sequences.
    if (head.length === 0) return;
    const all = (async function* () {
      for await (const chunk of chunks) {
        onBytes(chunk.length);
        yield chunk;
      }
    })();
    const name = "the export";
    let header: string | undefined;
    if (template !== undefined) {
      await using reader = plainFasta(head, { name });
      header = await templateFor(template, (await reader.head()).fields, naming);
    }
    await using reader = plainFasta(all, { name, header });
    for await (const chunk of reader) await output.write(chunk);
  } finally {
    await chunks.return(undefined);
  }
}

/** Bytes that are searched for the first header of an export. */
const MAX_HEAD_BYTES = 1 << 20;

/** The template with the field names of the export: public names or aliases, the accession by its position. */
async function templateFor(
  { text, fields, literals }: HeaderTemplate,
  came: readonly string[],
  naming: Naming,
): Promise<string> {
  const { isAccessionColumn } = await import("@seqreg/core/registry/exports");
  const escaped = literals.map((literal) => literal.replace(/[{}]/g, "$&$&"));
  return fields.reduce((header, field, index) => {
    const found = came.find((name) => name === field) ??
      (field === "id" || isAccessionColumn(field, naming)
        ? came[0]
        : came.find((name) => fieldAlias(name) === fieldAlias(field)));
    if (found !== undefined) return `${header}{${found}}${escaped[index + 1]}`;
    throw new RegistryError(
      "unexpected-response",
      `Cannot write headers by the template ${JSON.stringify(text)}: the registry did not send ` +
        `${JSON.stringify(field)}, but ${listSome(came, 20)}; use other fields, or report it to the registry`,
    );
  }, escaped[0]);
}

/** A reason if the same query returned different numbers of records and sequences. */
export function noteDifference(records: Ledger, sequences: Ledger): LedgerEntry[] {
  if (sequences.asked !== null || records.unique === sequences.unique) return [];
  const text =
    `${sequences.unique} sequences came for ${records.unique} records of the same query: the registry changed ` +
    "in between, or does not hold all sequences";
  return [noteEntry("counts-differ", text, { count: Math.abs(records.unique - sequences.unique) })];
}
