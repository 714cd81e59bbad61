/** Rows of an archive, checked and gathered in parts: what the conversions of metadata and of sequences share. */
import type { Problem } from "../../../contract/ledger.ts";
import type { PartSinkResult } from "./_part_sink.ts";
import type { RowChecker } from "./_row_checker.ts";

/** Unreadable rows that a manifest holds; all are counted. */
const MAX_PROBLEMS = 1000;

/** What ends the parts, or gives them up. */
export interface Parts {
  finish(): Promise<PartSinkResult>;
  abandon(): Promise<void>;
}

/** What is fed. */
export interface FeedOptions {
  readonly checker: RowChecker;
  readonly parts: Parts;
  /** Looks at the part under way after each chunk, and ends it when it is large enough. */
  afterChunk(): Promise<void> | void;
  readonly signal?: AbortSignal;
}

/** Feeds inflated CSV to its end. When it throws, no conversion is under way any more. */
export async function feedParts(
  chunks: AsyncIterable<Uint8Array>,
  { checker, parts, afterChunk, signal }: FeedOptions,
): Promise<PartSinkResult> {
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      checker.push(chunk);
      await afterChunk();
    }
    checker.finish();
    return await parts.finish();
  } catch (error) {
    await parts.abandon();
    throw error;
  }
}

/** Keeps as many problems as a manifest holds. */
export function keepProblems(): { readonly problems: readonly Problem[]; onProblem(problem: Problem): void } {
  const problems: Problem[] = [];
  return {
    problems,
    onProblem(problem) {
      if (problems.length < MAX_PROBLEMS) problems.push(problem);
    },
  };
}
