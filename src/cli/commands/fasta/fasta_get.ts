/** `seqreg fasta get FILE ID…`: chosen records, in the order asked, without reading the rest. */
import { openFasta } from "@seqreg/core/fasta/index";
import { countOf } from "@seqreg/core/contract/count_of";
import { closeLedger, listSome } from "@seqreg/core/contract/ledger";
import { type Command, type CommandContext, EXIT, UsageError } from "../../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";
import { readRegion, REGION_FORMS } from "../../arguments/fasta_region.ts";
import { nameOf, sourceOf } from "../../support/fasta_input.ts";
import { type FastaRecords, pickRecords, wrapBases } from "./_picked_records.ts";
import { findUnindexed, type Unindexed } from "./_unindexed.ts";
import { FastaError } from "@seqreg/core/fasta/text";
import { RegistryError } from "@seqreg/core/errors";
import type { LedgerCode } from "@seqreg/core/contract";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/** The list is read only if there is one. */
async function idsOf(context: CommandContext, file: string): Promise<string[]> {
  const { readIdList } = await import("../../support/id_list.ts");
  const ids = await readIdList(context, { option: "--ids", file });
  if (ids.length === 0) throw new UsageError(`Cannot use --ids ${file}: it has no ids; expected one per line`);
  return ids.map(({ id }) => id);
}

const command: Command = {
  name: "fasta get",
  summary: "Write selected records of a FASTA file, in the order requested",
  operands: "FILE [ID[:FROM-TO]…]",
  operandCount: [1, Infinity],
  result: "fasta",
  options: {
    ids: {
      type: "string",
      value: "FILE",
      describe:
        "ids, one per line, plain, gzip or Zstandard, appended to those given as arguments; - is standard input",
    },
    "no-index": {
      type: "boolean",
      describe: "neither read nor write FILE.fai: find the records by reading the file, which may be gzip or a pipe",
    },
    ...OUTPUT_OPTION,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg fasta get genomes.fasta KX369547.1 KY241712.1",
    "seqreg fasta get genomes.fasta --ids chosen.txt -o chosen.fasta",
    "seqreg fasta get genomes.fasta KX369547.1:101-250 KX369547.1:10,001-",
    "seqreg fasta get export.fasta vj000000000007 | seqreg fasta plain -",
  ],
  permissions: ["--allow-read", "--allow-write (for the index, -o and --ledger)", "--allow-env"],
  async run(context) {
    const [file, ...operands] = context.operands;
    const list = context.flags.text("ids");
    if (operands.length === 0 && list === undefined) {
      throw new UsageError("Too few arguments: expected seqreg fasta get FILE ID…, or --ids FILE");
    }
    const ids = list === undefined ? operands : [...operands, ...await idsOf(context, list)];
    const finish = startProvenance("fasta get", { file, ids });
    await using opened = await openRecords(context, file, ids);
    const { fasta } = opened;
    if (fasta.written.length > 0) {
      context.note(`wrote ${fasta.written.join(" and ")}, by which records are found; --no-index works without it`);
    }
    const wanted = ids.map((text) => readRegion(text, (id) => fasta.has(id)));
    const malformed = wanted.find(({ isMalformed }) => isMalformed);
    if (malformed !== undefined) {
      throw new UsageError(`Cannot read the range of ${JSON.stringify(malformed.text)}: expected ${REGION_FORMS}`);
    }
    const asked = new Set(wanted.map(({ id }) => id));
    const isMissing = wanted.some(({ id }) => !fasta.has(id));
    const unindexed = opened.unindexed ?? await findUnindexed(file, asked, { isMissing, signal: context.signal });
    const emptyHeader = (id: string) => fasta.has(id) ? undefined : unindexed?.empty.get(id);
    const found = wanted.filter(({ id }) => fasta.has(id) || emptyHeader(id) !== undefined);
    const known = new Set(found.map(({ text }) => text));
    const missing = [...new Set(ids)].filter((text) => !known.has(text));
    const { kind, fields } = fasta.head;
    const leftOut = new Set<string>();
    const beyond = new Set<string>();
    /** Ranges that end after their sequence, with the last base that there is. */
    const cut = new Map<string, number>();
    let received = 0;
    let bytes = 0;
    await withOutput(context, async (output) => {
      for (const { id, text, range } of found) {
        context.signal.throwIfAborted();
        const empty = emptyHeader(id);
        const length = empty === undefined ? fasta.length(id) ?? 0 : 0;
        const last = Math.min(range?.to ?? length, length);
        const isBeyond = range !== undefined && range.from > length;
        const record = empty !== undefined
          ? { header: empty, lines: new Uint8Array(0) }
          : range === undefined || isBeyond
          ? await fasta.record(id)
          : await readRange(fasta, id, { from: range.from, last });
        if (record === undefined) continue;
        if (kind === "registry" && record.header.split("|").length !== fields.length) {
          leftOut.add(text);
          continue;
        }
        if (isBeyond) {
          beyond.add(text);
          continue;
        }
        if (range !== undefined && Number.isFinite(range.to) && last < range.to) cut.set(text, last);
        // A registry FASTA stays one: its first line names the values of the headers.
        if (kind === "registry" && received === 0) await output.write(`;fields=${fields.join("|")}\n`);
        received += 1;
        await output.write(`>${record.header}\n`);
        await output.write(record.lines);
        bytes += record.lines.length;
      }
      return { keep: received > 0 };
    });
    const ledger = closeLedger({
      asked: ids.length,
      received,
      unique: known.size - leftOut.size - beyond.size,
      missing,
      unparsed: leftOut.size,
      entries: [
        ...noteLeftOut("value-count", leftOut, {
          unit: "record",
          why: "the number of values differs from ;fields=",
        }),
        ...noteLeftOut("range-outside", beyond, {
          unit: "range",
          why: "the start is after the end of the sequence",
        }),
        ...noteUnindexed(fasta, asked, unindexed),
        ...noteRepeats(found.length - known.size),
        ...noteCut(cut),
      ],
    });
    const code = await reportLedger(context, ledger, finish({ bytes }));
    return found.length === 0 ? EXIT.nothing : code;
  },
};

/** Opens a file by its index, or reads it where that was asked for and it cannot be indexed. */
async function openRecords(
  context: CommandContext,
  file: string,
  ids: readonly string[],
): Promise<AsyncDisposable & { readonly fasta: FastaRecords; readonly unindexed?: Unindexed }> {
  const { signal } = context;
  const isRead = file === "-" || context.flags.has("no-index");
  try {
    if (file !== "-") {
      const fasta = await openFasta(file, { index: isRead ? "ignore" : "save", signal });
      return { fasta, [Symbol.asyncDispose]: () => fasta[Symbol.asyncDispose]() };
    }
  } catch (cause) {
    if (!isRead || !mayBeRead(cause)) throw cause;
  }
  const wanted = new Set(ids.flatMap((text) => [text, text.slice(0, Math.max(0, text.lastIndexOf(":")))]));
  const fasta = await pickRecords(sourceOf(context, file), wanted, { name: nameOf(file), signal });
  return { fasta, unindexed: fasta.unindexed, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Whether a file has no offsets to go to, and may be a FASTA all the same. */
function mayBeRead(cause: unknown): boolean {
  return cause instanceof FastaError || cause instanceof RegistryError && /is a pipe or a device/.test(cause.message);
}

/** Reads bases of a range, under a header that names the range. */
async function readRange(
  fasta: FastaRecords,
  id: string,
  { from, last }: { readonly from: number; readonly last: number },
): Promise<{ readonly header: string; readonly lines: Uint8Array } | undefined> {
  const header = await fasta.header(id);
  const bases = await fasta.get(id, from - 1, last);
  if (header === undefined || bases === undefined) return undefined;
  // Blanks may stand before the id.
  const rest = header.slice(header.indexOf(id) + id.length);
  return { header: `${id}:${from}-${last}${rest}`, lines: wrapBases(bases) };
}

/** Warnings about the requested records; for a file that was not read completely, based on its index. */
function noteUnindexed(
  fasta: FastaRecords,
  asked: ReadonlySet<string>,
  unindexed: Unindexed | undefined,
): LedgerEntry[] {
  if (unindexed === undefined) return [...fasta.remarks];
  const { empty, repeated } = unindexed;
  const present = [...asked].filter((id) => empty.has(id) && !fasta.has(id));
  const first = [...repeated].map(([id, count]) => `${id} (${count} records)`);
  const without = `${countOf(present.length, "record")} without a sequence: ${listSome(present, 20)}`;
  const same = `several records have the same id, and the first was used: ${listSome(first, 20)}`;
  return [
    ...fasta.remarks.filter(({ code }) => code !== "not-indexed"),
    ...present.length === 0 ? [] : [noteEntry("sequence-empty", without, { ids: present })],
    ...first.length === 0 ? [] : [noteEntry("duplicates", same, { ids: [...repeated.keys()] })],
  ];
}

function noteRepeats(count: number): LedgerEntry[] {
  if (count === 0) return [];
  return [noteEntry("requested-twice", `${count} of the ids were requested more than once`, { count })];
}

/** The reason if requested records or ranges were left out. */
function noteLeftOut(
  code: LedgerCode,
  names: ReadonlySet<string>,
  { unit, why }: { readonly unit: string; readonly why: string },
): LedgerEntry[] {
  if (names.size === 0) return [];
  const ids = [...names];
  return [noteEntry(code, `${countOf(ids.length, unit)} left out, because ${why}: ${listSome(ids, 20)}`, { ids })];
}

/** The warning about ranges that were cut at the end of their sequence. */
function noteCut(cut: ReadonlyMap<string, number>): LedgerEntry[] {
  if (cut.size === 0) return [];
  const named = listSome([...cut].map(([text, last]) => `${text} (to ${last})`), 20);
  const text = `${countOf(cut.size, "range")} cut, because the end is after the end of the sequence: ${named}`;
  return [noteEntry("range-cut", text, { ids: [...cut.keys()] })];
}

export default command;
