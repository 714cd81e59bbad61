/** Looks for sequences of a FASTA that are no nucleotide sequences, while its bytes go by. */
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { NucleotideCounter } from "../text/nucleotides.ts";

const LF = 10;
const RECORD = 62;
const COMMENT = 59;
/** Bytes of a header that are kept for its id, and of a line that are quoted. */
const MAX_ID_BYTES = 200;
const QUOTED_BYTES = 60;
/** Bytes of a record that are held back until its end; of a larger one the rest is judged by what has come so far. */
const MAX_HELD = 64 << 20;

export interface ExaminedRecord {
  /** The header up to the first blank or `|`. */
  readonly id: string;
  /** Line of the header, counted from 1. */
  readonly line: number;
}

/** A record whose text is no nucleotide sequence. */
export interface MessageRecord extends ExaminedRecord {
  /** The beginning of the line that is a message; of the sequence where no single line is one. */
  readonly text: string;
  /** That line, counted from 1. */
  readonly textLine: number;
}

/** What {@linkcode watchNucleotides} reports, and how. */
export interface WatchNucleotidesOptions {
  /** Called at the end of each record whose text is no nucleotide sequence. */
  readonly onMessage: (record: MessageRecord) => void;
  /** Called at the end of each other record with residues that are no nucleotide codes. */
  readonly onResidues: (record: ExaminedRecord, residues: readonly string[]) => void;
  /**
   * Whether records that are no nucleotide sequences are left out of the bytes; their lines stay, empty, so that later
   * lines keep their numbers. False by default.
   */
  readonly leavesOut?: boolean;
}

/**
 * Passes a FASTA on and reports the records that hold something else than nucleotides, such as an error message.
 *
 * @param chunks Bytes of the FASTA; its owner may reuse a chunk when the next one is requested.
 * @returns The same bytes, unless records are left out.
 * @see Not shown in the specification: chosen because a server that fails writes its message where it is.
 */
export async function* watchNucleotides(
  chunks: AsyncIterable<Uint8Array>,
  { onMessage, onResidues, leavesOut = false }: WatchNucleotidesOptions,
): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  const passed: Uint8Array[] = [];
  const scan = new RecordScan(onMessage, onResidues);
  const release = (isGood: boolean) => {
    for (const piece of held.splice(0)) passed.push(isGood ? piece : emptyLines(piece));
    heldBytes = 0;
  };
  const hold = (piece: Uint8Array) => {
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes > MAX_HELD) release(!scan.hasMessage);
  };
  for await (const chunk of chunks) {
    if (!leavesOut) {
      scan.push(chunk, () => {});
      yield chunk;
      continue;
    }
    let from = 0;
    scan.push(chunk, (at, isGood) => {
      hold(chunk.slice(from, at));
      release(isGood);
      from = at;
    });
    hold(chunk.slice(from));
    if (passed.length > 0) yield joinBytes(passed.splice(0));
  }
  release(scan.end());
  if (passed.length > 0) yield joinBytes(passed);
}

function emptyLines(piece: Uint8Array): Uint8Array {
  return piece.filter((byte) => byte === LF);
}

/** Divides bytes into records and examines their sequences. */
class RecordScan {
  readonly #counter = new NucleotideCounter();
  readonly #onMessage: WatchNucleotidesOptions["onMessage"];
  readonly #onResidues: WatchNucleotidesOptions["onResidues"];
  #line = 1;
  #kind: "start" | "header" | "comment" | "sequence" = "start";
  #headerLine = 0;
  #header: number[] = [];
  /** The beginning of the present line, where it came in an earlier chunk. */
  #lineHead: Uint8Array | undefined;
  #firstLine: { readonly text: Uint8Array; readonly line: number } | undefined;
  #message: { readonly text: Uint8Array; readonly line: number } | undefined;

  constructor(onMessage: WatchNucleotidesOptions["onMessage"], onResidues: WatchNucleotidesOptions["onResidues"]) {
    this.#onMessage = onMessage;
    this.#onResidues = onResidues;
  }

  /** Whether a line of the present record is a message. */
  get hasMessage(): boolean {
    return this.#message !== undefined;
  }

  /** Takes the next bytes; `onRecord` is called where a record begins, with the verdict on the one before. */
  push(chunk: Uint8Array, onRecord: (at: number, isGood: boolean) => void): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#kind === "start") this.#startLine(chunk, at, onRecord);
      const feed = chunk.indexOf(LF, at);
      const end = feed === -1 ? chunk.length : feed;
      if (this.#kind === "header") this.#keepHeader(chunk, at, end);
      else if (this.#kind === "sequence") this.#addSequence(chunk, at, end, feed !== -1);
      if (feed !== -1) {
        this.#kind = "start";
        this.#line++;
      }
      at = end + 1;
    }
  }

  /** Ends the last record; returns the verdict on it. */
  end(): boolean {
    if (this.#kind === "sequence") this.#endLine(() => this.#lineHead ?? new Uint8Array(0));
    this.#kind = "start";
    return this.#endRecord();
  }

  #startLine(chunk: Uint8Array, at: number, onRecord: (at: number, isGood: boolean) => void): void {
    this.#lineHead = undefined;
    if (chunk[at] === RECORD) {
      onRecord(at, this.#endRecord());
      this.#kind = "header";
      this.#headerLine = this.#line;
    } else this.#kind = chunk[at] === COMMENT ? "comment" : "sequence";
  }

  #keepHeader(chunk: Uint8Array, at: number, end: number): void {
    const most = Math.min(end, at + MAX_ID_BYTES - this.#header.length);
    for (let index = at; index < most; index++) this.#header.push(chunk[index]);
  }

  #addSequence(chunk: Uint8Array, at: number, end: number, isWhole: boolean): void {
    this.#counter.add(chunk, at, end);
    const head = () => {
      const before = this.#lineHead ?? new Uint8Array(0);
      return joinBytes([before, chunk.slice(at, Math.min(end, at + QUOTED_BYTES - before.length))]);
    };
    if (isWhole) this.#endLine(head);
    else if ((this.#lineHead?.length ?? 0) < QUOTED_BYTES) this.#lineHead = head();
  }

  #endLine(head: () => Uint8Array): void {
    const text = () => ({ text: head(), line: this.#line });
    this.#firstLine ??= text();
    if (this.#counter.endLine()) this.#message ??= text();
  }

  /** Judges the record that has ended; text before the first header is the reader's to judge. */
  #endRecord(): boolean {
    const { isSequence, residues } = this.#counter.result();
    const isRecord = this.#headerLine > 0;
    const isGood = isSequence || !isRecord;
    if (isRecord && (!isSequence || residues.length > 0)) {
      const [id] = decode(Uint8Array.from(this.#header.slice(1))).split(/[|\s]/, 1);
      const record = { id, line: this.#headerLine };
      const at = this.#message ?? this.#firstLine;
      if (isSequence) this.#onResidues(record, residues);
      else this.#onMessage({ ...record, text: decode(at?.text).trim(), textLine: at?.line ?? this.#headerLine });
    }
    this.#counter.reset();
    this.#header = [];
    this.#firstLine = this.#message = undefined;
    return isGood;
  }
}

function decode(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}
