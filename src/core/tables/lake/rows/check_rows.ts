/** A CSV that streams, checked row by row. */
import type { Problem } from "../../../contract/ledger.ts";
import { releaseFrames } from "../../types/release_frames.ts";
import type { CheckedRows } from "./checked_rows.ts";
import { RowChecker } from "./row_checker.ts";

/** Memory that is kept: a longer row's is released when the row has been taken. */
const KEPT_BYTES = 64 * 1024 * 1024;

export interface CheckRowsOptions {
  /** What errors call the CSV. */
  readonly name: string;
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The rows of one CSV, batch by batch, and what is known of them so far; disposed of, it closes the source. */
export interface RowReader extends AsyncIterable<CheckedRows>, AsyncDisposable {
  readonly header: readonly string[];
  /** Rows left out so far. */
  readonly unparsed: number;
  /** Whether the rows so far stand in the CSV as they came out, one after the other. */
  readonly isVerbatim: boolean;
  /** The first 1,000 faults so far. */
  readonly problems: readonly Problem[];
  /** Sets the kind of each column, before the first batch or between two; see {@linkcode RowChecker.setKinds}. */
  setKinds(kinds: readonly number[]): void;
}

/**
 * Reads the header of a CSV and returns a reader of its rows.
 *
 * @param chunks Decompressed CSV with commas.
 * @throws {ParseError} If it has no header; while rows are read, as {@linkcode RowChecker.take}.
 */
export async function checkRows(
  chunks: AsyncIterable<Uint8Array>,
  { name, signal }: CheckRowsOptions,
): Promise<RowReader> {
  const source = chunks[Symbol.asyncIterator]();
  const checker = new RowChecker(name);
  /** Reads the next bytes; false at the end. */
  const readMore = async () => {
    const { done, value } = await source.next();
    signal?.throwIfAborted();
    if (done) checker.end();
    else checker.push(value);
    return !done;
  };
  const close = async () => void await source.return?.();
  const batches = async function* () {
    try {
      do {
        yield* checker.take();
        if (checker.heldBytes > KEPT_BYTES && checker.shrink()) await releaseFrames();
      } while (await readMore());
      yield* checker.take();
    } finally {
      await close();
    }
  };
  try {
    let header = checker.readHeader();
    for (; header === undefined; header = checker.readHeader()) await readMore();
    return {
      header,
      get unparsed() {
        return checker.unparsed;
      },
      get isVerbatim() {
        return checker.isVerbatim;
      },
      get problems() {
        return checker.problems;
      },
      setKinds: (kinds) => checker.setKinds(kinds),
      [Symbol.asyncIterator]: batches,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
