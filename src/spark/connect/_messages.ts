/**
 * Messages of Spark Connect as far as the toolkit reads or writes them, in the names that protobuf-es gives them.
 *
 * Requests are written as plain objects; the shapes of answers are those of `spark/connect/base.proto`.
 */

/** A request: fields by their names in camel case. */
export type Request = Readonly<Record<string, unknown>>;

/** What every answer carries: the session that it belongs to. */
export interface SessionAnswer {
  readonly sessionId: string;
  /** Identifies the session in the server's memory: another one after a restart. */
  readonly serverSideSessionId: string;
}

/** `AnalyzePlanResponse`. */
export interface AnalyzeAnswer extends SessionAnswer {
  readonly result:
    | { readonly case: "sparkVersion"; readonly value: { readonly version: string } }
    | { readonly case: undefined };
}

/** `ConfigResponse`. */
export interface ConfigAnswer extends SessionAnswer {
  readonly pairs: readonly { readonly key: string; readonly value?: string }[];
  readonly warnings: readonly string[];
}

/** `ExecutePlanResponse.ArrowBatch`. */
export interface ArrowBatch {
  readonly rowCount: bigint;
  readonly data: Uint8Array;
  /** Number of rows in the batches before this one. */
  readonly startOffset?: bigint;
}

/** `ExecutePlanResponse.ExecutionProgress`. */
export interface ExecutionProgress {
  readonly stages: readonly {
    readonly numTasks: bigint;
    readonly numCompletedTasks: bigint;
    readonly inputBytesRead: bigint;
  }[];
  readonly numInflightTasks: bigint;
}

/** `ExecutePlanResponse.ObservedMetrics`: what a plan counted on the way. */
export interface ObservedMetrics {
  readonly name: string;
  readonly values: readonly {
    readonly literalType: { readonly case: "long"; readonly value: bigint } | { readonly case: undefined };
  }[];
}

/** `ExecutePlanResponse`. */
export interface ExecuteAnswer extends SessionAnswer {
  readonly operationId: string;
  /** Identifies the answer in its stream: where a new connection continues. */
  readonly responseId: string;
  readonly observedMetrics: readonly ObservedMetrics[];
  readonly responseType:
    | { readonly case: "arrowBatch"; readonly value: ArrowBatch }
    | { readonly case: "executionProgress"; readonly value: ExecutionProgress }
    | { readonly case: "sqlCommandResult"; readonly value: { readonly relation?: Request } }
    | { readonly case: "resultComplete"; readonly value: object }
    | { readonly case: undefined };
}

/** `FetchErrorDetailsResponse`. */
export interface ErrorDetailsAnswer extends SessionAnswer {
  readonly rootErrorIdx?: number;
  readonly errors: readonly {
    readonly errorTypeHierarchy: readonly string[];
    readonly message: string;
    readonly causeIdx?: number;
    readonly sparkThrowable?: { readonly errorClass?: string; readonly sqlState?: string };
  }[];
}

/** Answers of the short calls, by the method's name. */
export interface Answers {
  readonly analyzePlan: AnalyzeAnswer;
  readonly config: ConfigAnswer;
  readonly interrupt: SessionAnswer & { readonly interruptedIds: readonly string[] };
  readonly releaseExecute: SessionAnswer;
  readonly releaseSession: SessionAnswer;
  readonly fetchErrorDetails: ErrorDetailsAnswer;
}

/** Calls whose answers come as a stream. */
export type StreamMethod = "executePlan" | "reattachExecute";

/** `InterruptRequest.InterruptType.INTERRUPT_TYPE_OPERATION_ID`. */
export const INTERRUPT_OPERATION = 3;

/** `WriteOperation.SaveMode.SAVE_MODE_ERROR_IF_EXISTS`. */
export const ERROR_IF_EXISTS = 3;
