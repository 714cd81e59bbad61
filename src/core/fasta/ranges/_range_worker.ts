/** The worker that scans ranges of a file in parallel with the main thread: see `ranges.ts`. */
import { type RangeFile, type RangePart, RangeScan, type TextRange } from "./range_scan.ts";
import type { ScannedRows } from "../scan/scanner.ts";
import type { TextColumn } from "../text/text_column.ts";

/** What the main thread asks for. */
export interface RangeTask {
  readonly index: number;
  readonly range: TextRange;
}

/** What it gets: lines are counted from 0, since the worker does not know how many came before. */
export interface RangeAnswer {
  readonly index: number;
  /** Absent when the range could not be scanned, or has too many records to be handed over: the main thread tries. */
  readonly parts?: readonly RangePart[];
  readonly lines: number;
}

/**
 * Milliseconds without a task after which the worker ends. An abandoned read sends no more tasks; an idle worker would
 * keep the process alive.
 */
const IDLE_MS = 1000;

/**
 * Records of an answer at most: some 50 MB of columns. Ranges of genomes have far fewer; one of empty records has more.
 */
const MOST_ROWS = 1 << 19;

addEventListener("message", (event) => {
  if (!(event instanceof MessageEvent)) return;
  const [port] = event.ports;
  const file: RangeFile = event.data;
  const scan = RangeScan.open(file);
  const leave = () => {
    port.postMessage("gone");
    self.close();
  };
  let idle = setTimeout(leave, IDLE_MS);
  port.onmessage = ({ data: { index, range } }: MessageEvent<RangeTask>) => {
    clearTimeout(idle);
    const buffers: ArrayBuffer[] = [];
    try {
      const parts: RangePart[] = [];
      const ranges = scan.scan(range, 0);
      let rows = 0;
      let next = ranges.next();
      for (; !next.done; next = ranges.next()) {
        if (next.value === undefined) continue;
        rows += next.value.rows.rows;
        if (rows > MOST_ROWS) throw new RangeError(`Cannot hand over more than ${MOST_ROWS} records at once`);
        parts.push({ rows: copyRows(next.value.rows, buffers), remarks: next.value.remarks });
      }
      port.postMessage({ index, parts, lines: next.value } satisfies RangeAnswer, buffers);
    } catch {
      // The scanner stopped somewhere: it is of no use for another range.
      port.postMessage({ index, lines: 0 } satisfies RangeAnswer);
      return leave();
    }
    idle = setTimeout(leave, IDLE_MS);
  };
  port.postMessage("ready");
});

/** Copies rows out of the scanner's memory, into memory that can be handed over. */
function copyRows(rows: ScannedRows, buffers: ArrayBuffer[]): ScannedRows {
  const handed = <T extends Uint8Array | Int32Array | Float64Array>(copy: T): T => {
    if (copy.buffer instanceof ArrayBuffer) buffers.push(copy.buffer);
    return copy;
  };
  const texts = ({ offsets, data }: TextColumn) => ({ offsets: handed(offsets.slice()), data: handed(data.slice()) });
  return {
    rows: rows.rows,
    headers: texts(rows.headers),
    idLengths: handed(rows.idLengths.slice()),
    idHashes: handed(rows.idHashes.slice()),
    valueCounts: handed(rows.valueCounts.slice()),
    headerMarks: handed(rows.headerMarks.slice()),
    sequences: rows.sequences === null ? null : texts(rows.sequences),
    length: handed(rows.length.slice()),
    gcBases: handed(rows.gcBases.slice()),
    ambiguous: handed(rows.ambiguous.slice()),
    line: handed(rows.line.slice()),
    byte: handed(rows.byte.slice()),
    invalidBase: handed(rows.invalidBase.slice()),
    invalidLine: handed(rows.invalidLine.slice()),
    invalidByte: handed(rows.invalidByte.slice()),
  };
}
