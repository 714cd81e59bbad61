/** `seqreg fasta table FILE`: one row for each record. */
import type { FastaBatch, FastaHead } from "@seqreg/core/fasta";
import { readFastaBatches } from "@seqreg/core/fasta/records/read_fasta_batches";
import { OtherResidues } from "@seqreg/core/fasta/stats/other_residues";
import { type TextColumn, textsOf } from "@seqreg/core/fasta/text";
import { extendLedger } from "@seqreg/core/contract/ledger";
import { tsvCell, tsvRow } from "@seqreg/core/io/csv/csv_text";
import { adviseName } from "@seqreg/core/options/nearest";
import { computedNames } from "@seqreg/core/tables/types/computed_names";
import { type Command, UsageError } from "../../support/command.ts";
import { formatShare } from "../../rows/decimals.ts";
import { WasmRows } from "../../rows/number_rows.ts";
import type { RowCell } from "../../rows/row_cell.ts";
import { noteEmpty, readingOptions, RECORD_OPTION, sourceOf } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { type Output, OUTPUT_OPTION, withOutput } from "../../support/output.ts";

/** Rows per batch: few enough that their memory stays in the processor's cache. */
const BATCH_ROWS = 4096;

/** Possible names of the sequence column. */
const SEQUENCE_COLUMN = /^sequence( \(computed( \d+)?\))?$/;

const command: Command = {
  name: "fasta table",
  summary: "Write a FASTA file as a table, one row for each record",
  operands: "FILE",
  operandCount: [1, 1],
  result: "tsv",
  options: {
    "no-sequence": { type: "boolean", describe: "omit the sequence column" },
    columns: {
      type: "string",
      value: "NAME,…",
      describe: "these columns in this order: fields of the headers, id, length, gc, ambiguous, sequence, or " +
        '"length (computed)" and so on where a field has that name',
    },
    ...RECORD_OPTION,
    ...OUTPUT_OPTION,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg fasta table genomes.fasta --no-sequence",
    "seqreg fasta table genomes.fasta.gz --columns id,length,gc",
  ],
  permissions: ["--allow-read", "--allow-write (for -o and --ledger)", "--allow-env"],
  async run(context) {
    const [file] = context.operands;
    const asked = context.flags.text("columns")?.split(",");
    const withoutSequence = context.flags.has("no-sequence");
    // The name of the sequence column is known once the file has been opened.
    const asksSequence = asked?.some((name) => SEQUENCE_COLUMN.test(name));
    if (withoutSequence && asksSequence) {
      throw new UsageError("Cannot use --no-sequence with a column sequence in --columns: give one of them");
    }
    const sequences = asksSequence ?? !withoutSequence;
    const finish = startProvenance("fasta table", { file, columns: asked ?? null, sequences });
    const options = { ...readingOptions(context, file), sequences, batchRows: BATCH_ROWS };
    await using reader = readFastaBatches(sourceOf(context, file), options);
    const others = new OtherResidues();
    await withOutput(context, async (output) => {
      const columns = columnsOf(await reader.head(), asked, sequences);
      await output.write(tsvRow(columns.map(({ name }) => name)) + "\n");
      const isPlain = columns.length > 1 && columns.every(({ plain }) => plain !== null);
      const writer = isPlain ? new WasmRows() : undefined;
      for await (const batch of others.watch(reader)) {
        // Texts that TSV must escape are written otherwise.
        const chunks = writer?.write(batch.rows, columns.map(({ plain }) => plain!(batch)));
        if (chunks === undefined) await writeBatch(output, batch, columns);
        else for (const chunk of chunks) await output.write(chunk);
      }
    });
    noteEmpty(context, file, reader.ledger);
    return await reportLedger(context, extendLedger(reader.ledger, others.entries), finish(reader));
  },
};

export default command;

interface Column {
  readonly name: string;
  /** Its cells for the rows of a batch; empty for the sequence, whose bytes are written unchanged. */
  readonly cells: ((batch: FastaBatch) => string[]) | null;
  /** Its cells if nothing in the headers needs to be escaped. */
  readonly plain: ((batch: FastaBatch) => RowCell) | null;
}

function columnsOf(head: FastaHead, asked: readonly string[] | undefined, sequences: boolean): Column[] {
  const names = computedNames(head.fields);
  const all: Column[] = [
    ...head.fields.map((name, index) => ({
      name,
      cells: (batch: FastaBatch) => index === 0 ? [...batch.ids] : textsOf(batch.columns[index]),
      plain: index === 0 ? idCell : (batch: FastaBatch) => textCell(batch.columns[index]),
    })),
    {
      name: names.length,
      cells: (batch) => Array.from(batch.length, String),
      plain: (batch) => ({ kind: "integer", values: batch.length }),
    },
    {
      name: names.gc,
      cells: (batch) => Array.from(batch.length, (_, row) => formatShare(batch.gc(row))),
      plain: (batch) => ({
        kind: "share",
        parts: batch.gcLetters,
        wholes: batch.length,
        others: batch.ambiguous,
      }),
    },
    {
      name: names.ambiguous,
      cells: (batch) => Array.from(batch.ambiguous, String),
      plain: (batch) => ({ kind: "integer", values: batch.ambiguous }),
    },
  ];
  if (sequences) all.push({ name: names.sequence, cells: null, plain: null });
  if (asked === undefined) return all;
  return asked.map((name) => {
    const found = all.find((column) => column.name === name);
    if (found !== undefined) return found;
    if (name === "id") return { ...all[0], name };
    const known = [...new Set(["id", ...all.map(({ name }) => name), names.sequence])];
    throw new UsageError(
      `Cannot write a column ${JSON.stringify(name)}: the file has none of that name; ` +
        adviseName(name, known, (name) => name),
    );
  });
}

function idCell(batch: FastaBatch): RowCell {
  return { kind: "bytes", data: batch.headers.data, starts: batch.headers.offsets, lengths: batch.idLengths };
}

function textCell({ offsets, data }: TextColumn): RowCell {
  const lengths = Int32Array.from({ length: offsets.length - 1 }, (_, row) => offsets[row + 1] - offsets[row]);
  return { kind: "bytes", data, starts: offsets, lengths };
}

async function writeBatch(output: Output, batch: FastaBatch, columns: readonly Column[]): Promise<void> {
  const cells = columns.map((column) => column.cells?.(batch) ?? null);
  if (!cells.includes(null)) {
    const lines: string[] = [];
    for (let at = 0; at < batch.rows; at++) lines.push(tsvRow(cells.map((column) => column![at])));
    return await output.write(lines.join("\n") + "\n");
  }
  // Bases are written as bytes; only a backslash, which no sequence should contain, needs to be escaped.
  const escapes = batch.sequences!.data.includes(0x5c);
  for (let at = 0; at < batch.rows; at++) {
    for (const [index, column] of cells.entries()) {
      if (index > 0) await output.write("\t");
      const bytes = column === null ? sequenceBytes(batch, at, escapes) : undefined;
      // Alone in its row, no bases would be an empty line.
      const isEmptyRow = cells.length === 1 && bytes?.length === 0;
      await output.write(isEmptyRow ? tsvRow([""]) : bytes ?? tsvCell(column![at]));
    }
    await output.write("\n");
  }
}

function sequenceBytes(batch: FastaBatch, row: number, escapes: boolean): Uint8Array {
  const { offsets, data } = batch.sequences!;
  const bases = data.subarray(offsets[row], offsets[row + 1]);
  if (!escapes) return bases;
  return Uint8Array.from(Array.from(bases).flatMap((base) => base === 0x5c ? [0x5c, 0x5c] : [base]));
}
