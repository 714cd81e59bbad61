/** Progress of long work, as reported to callers. */

/** One state of a piece of work. */
export interface ProgressEvent {
  /** What is being done, in a few words, such as `downloading registryv1_unique_seqs_metadata.csv.gz`. */
  readonly task: string;
  /** How much is done, in `unit`s. */
  readonly done: number;
  /** How much there is in all, where known. */
  readonly total?: number;
  /** What `done` and `total` count. */
  readonly unit: "bytes" | "records" | "pages" | "files";
  /** Whether this is the last state of the work. */
  readonly finished?: boolean;
  /** Whether this is the last state of work that ended before its end: its reader left, or it failed. */
  readonly stopped?: boolean;
}

/** Takes progress; must be quick and must not throw. */
export type OnProgress = (event: ProgressEvent) => void;
