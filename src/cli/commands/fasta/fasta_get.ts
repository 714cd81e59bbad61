/** `seqreg fasta get FILE ID…`: chosen records, in the order asked, without reading the rest. */
import { type FastaFile, openFasta } from "../../../fasta/index/open_fasta.ts";
import { countOf } from "../../../contract/count_of.ts";
import { closeLedger, listSome } from "../../../contract/ledger.ts";
import { type Command, type CommandContext, EXIT, UsageError } from "../../support/command.ts";
import { nameOf, sourceOf, startProvenance } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../../support/ledger.ts";
import { type Output, OUTPUT_OPTION, withOutput } from "../../support/output.ts";
import { findUnindexed, type Unindexed } from "../../support/unindexed.ts";

const command: Command = {
  name: "fasta get",
  summary: "Write selected records of a FASTA file, in the order requested",
  operands: "FILE [ID[:FROM-TO]…]",
  operandCount: [1, Infinity],
  options: {
    ids: {
      type: "string",
      value: "FILE",
      describe: "ids, one per line, plain or gzip, appended to those given as arguments; - is standard input",
    },
    ...OUTPUT_OPTION,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg fasta get genomes.fasta KX369547.1 KY241712.1",
    "seqreg fasta get genomes.fasta --ids chosen.txt -o chosen.fasta",
    "seqreg fasta get genomes.fasta KX369547.1:101-250",
    "seqreg fasta get export.fasta vj000000000007 | seqreg fasta plain -",
  ],
  permissions: ["--allow-read", "--allow-write (for the index, -o and --ledger)", "--allow-env"],
  async run(context) {
    const [file, ...operands] = context.operands;
    if (file === "-") {
      throw new UsageError("Cannot get records from standard input: it has no random access; use a file");
    }
    const list = context.flags.text("ids");
    if (operands.length === 0 && list === undefined) {
      throw new UsageError("Too few arguments: expected seqreg fasta get FILE ID…, or --ids FILE");
    }
    const ids = list === undefined ? operands : [...operands, ...await readIdList(context, list)];
    const finish = startProvenance("fasta get", { file, ids });
    await using fasta = await openFasta(file, { signal: context.signal });
    const wanted = ids.map((text) => readWanted(text, fasta));
    const asked = new Set(wanted.map(({ id }) => id));
    const isMissing = wanted.some(({ id }) => !fasta.has(id));
    const unindexed = await findUnindexed(file, asked, { isMissing, signal: context.signal });
    const emptyHeader = (id: string) => fasta.has(id) ? undefined : unindexed?.empty.get(id);
    const found = wanted.filter(({ id }) => fasta.has(id) || emptyHeader(id) !== undefined);
    const known = new Set(found.map(({ text }) => text));
    const missing = [...new Set(ids)].filter((text) => !known.has(text));
    const { kind, fields } = fasta.head;
    const leftOut = new Set<string>();
    const beyond = new Set<string>();
    let received = 0;
    let bytes = 0;
    await withOutput(context, async (output) => {
      const gathered = new GatheredText(output);
      for (const item of found) {
        context.signal.throwIfAborted();
        const { id, text, range } = item;
        const empty = emptyHeader(id);
        const record = empty === undefined ? await fasta.record(id) : { header: empty, lines: new Uint8Array(0) };
        if (record === undefined) continue;
        if (kind === "registry" && record.header.split("|").length !== fields.length) {
          leftOut.add(text);
          continue;
        }
        const bases = range === undefined ? undefined : await readRange(fasta, item, empty !== undefined);
        if (range !== undefined && bases === undefined) {
          beyond.add(text);
          continue;
        }
        // A registry FASTA stays one: its first line names the values of the headers.
        if (kind === "registry" && received === 0) await gathered.add(`;fields=${fields.join("|")}\n`);
        received += 1;
        const lines = bases === undefined ? record.lines : new TextEncoder().encode(wrapped(bases));
        await gathered.add(`>${range === undefined ? record.header : text + record.header.slice(id.length)}\n`, lines);
        bytes += lines.length;
      }
      await gathered.flush();
      return { keep: received > 0 };
    });
    const ledger = closeLedger({
      asked: ids.length,
      received,
      unique: known.size - leftOut.size - beyond.size,
      missing,
      unparsed: leftOut.size,
      reasons: [
        ...leftOut.size === 0 ? [] : [
          `${countOf(leftOut.size, "record")} left out, because the number of values differs from ;fields=: ${
            listSome([...leftOut], 20)
          }`,
        ],
        ...beyond.size === 0 ? [] : [
          `${countOf(beyond.size, "range")} left out, because the start is after the end of the sequence: ${
            listSome([...beyond], 20)
          }`,
        ],
      ],
      warnings: [...describeUnindexed(fasta, asked, unindexed), ...describeRepeats(found.length - known.size)],
    });
    const code = await reportLedger(context, ledger, finish({ ledger, bytes, sha256: null }));
    return found.length === 0 ? EXIT.nothing : code;
  },
};

/** Characters per line of a range, as in the toolkit's writers. */
const WRAP = 70;

/** What one argument requests. */
interface Wanted {
  /** The argument. */
  readonly text: string;
  readonly id: string;
  /** First and last base, counted from 1, both included. */
  readonly range?: { readonly from: number; readonly to: number };
}

/**
 * Parses `ID` or `ID:FROM-TO`; an id equal to the whole text takes precedence. @throws {UsageError} If the range is
 * invalid.
 */
function readWanted(text: string, fasta: FastaFile): Wanted {
  const match = /^(.+):([0-9]{1,15})-([0-9]{1,15})$/.exec(text);
  if (match === null || fasta.has(text)) return { text, id: text };
  const [, id, from, to] = match;
  if (Number(from) < 1 || Number(from) > Number(to)) {
    throw new UsageError(
      `Cannot get ${JSON.stringify(text)}: expected ID:FROM-TO with bases counted from 1, FROM not after TO`,
    );
  }
  return { text, id, range: { from: Number(from), to: Number(to) } };
}

/** Bases of a range, up to the end of the sequence; `undefined` if it begins after that. */
async function readRange(fasta: FastaFile, { id, range }: Wanted, isEmpty: boolean): Promise<string | undefined> {
  const length = isEmpty ? 0 : fasta.entries.get(id)?.length ?? 0;
  if (range === undefined || range.from > length) return undefined;
  return await fasta.get(id, range.from - 1, Math.min(range.to, length));
}

function wrapped(bases: string): string {
  const lines: string[] = [];
  for (let at = 0; at < bases.length; at += WRAP) lines.push(bases.slice(at, at + WRAP), "\n");
  return lines.join("");
}

/** Warnings about the requested records; for a file that was not read completely, based on its index. */
function describeUnindexed(fasta: FastaFile, asked: ReadonlySet<string>, unindexed: Unindexed | undefined): string[] {
  if (unindexed === undefined) return [...fasta.warnings];
  const { empty, repeated } = unindexed;
  const present = [...asked].filter((id) => empty.has(id) && !fasta.has(id));
  const first = [...repeated].map(([id, count]) => `${id} (${count} records)`);
  return [
    ...fasta.warnings.filter((warning) => !warning.startsWith("not in the index")),
    ...present.length === 0
      ? []
      : [`${countOf(present.length, "record")} without a sequence: ${listSome(present, 20)}`],
    ...first.length === 0 ? [] : [`several records have the same id, and the first was used: ${listSome(first, 20)}`],
  ];
}

function describeRepeats(count: number): string[] {
  return count === 0 ? [] : [`${count} of the ids were requested more than once`];
}

export default command;

/** Collects records, most of which are small, into chunks that are worth a write. */
class GatheredText {
  readonly #encoder = new TextEncoder();
  readonly #buffer = new Uint8Array(1 << 20);
  readonly #output: Output;
  #used = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  async add(header: string, lines?: Uint8Array): Promise<void> {
    const length = lines?.length ?? 0;
    // A UTF-16 unit takes at most three bytes in UTF-8.
    if (this.#used + 3 * header.length + length > this.#buffer.length) await this.flush();
    if (3 * header.length + length > this.#buffer.length) {
      await this.#output.write(header);
      if (lines !== undefined) await this.#output.write(lines);
      return;
    }
    this.#used += this.#encoder.encodeInto(header, this.#buffer.subarray(this.#used)).written;
    if (lines === undefined) return;
    this.#buffer.set(lines, this.#used);
    this.#used += length;
  }

  async flush(): Promise<void> {
    if (this.#used > 0) await this.#output.write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }
}

/** Reads ids, one per line. The decompressor is loaded only if needed. */
async function readIdList(context: CommandContext, file: string): Promise<string[]> {
  const { readLines } = await import("../../../io/bytes/text_lines.ts");
  const ids: string[] = [];
  for await (const line of readLines(sourceOf(context, file), { name: nameOf(file), signal: context.signal })) {
    const id = line.trim();
    if (id !== "") ids.push(id);
  }
  if (ids.length > 0) return ids;
  throw new UsageError(`Cannot use --ids ${file}: it has no ids; expected one per line`);
}
