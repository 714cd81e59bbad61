/** What may stand between a client and the wire: it answers a call, or has it sent and receives its answer. */
import type { Operation } from "../contract/paths.ts";

/** A call, without the caller's header fields, which may be credentials. */
export interface InterceptedCall {
  /** Operation. */
  readonly operation: Operation;
  /** Body of a POST as JSON text; `null` for a GET. */
  readonly body: string | null;
  /** The request for provenance. */
  readonly request: unknown;
  /** Media type that is asked for. */
  readonly accept: string;
  /** Whether only a part of a file is asked for. */
  readonly isPart: boolean;
  /** Whether the same was requested before, to compare the answers. */
  readonly isAgain: boolean;
}

/** Receives the body of an answer while the client reads it. What it throws ends the exchange. */
export interface BodyObserver {
  /** Takes a chunk, which others have too. */
  take(chunk: Uint8Array<ArrayBuffer>): void;
  /** Called when the body has ended, with its SHA-256; the client waits for the promise, if there is one. */
  end(sha256: string): Promise<void> | undefined;
  /** Called when the body was not read to its end. */
  drop(): void;
}

/** An answer after redirects. */
export interface InterceptedAnswer {
  /** Status and header. */
  readonly response: Response;
  /** The body, its content coding undone; `null` if it is missing. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  /** Address that answered, for errors. */
  readonly url: string;
  /** Bytes of the body that the header announces; `null` where it does not. */
  readonly expectedBytes: number | null;
  /** Receives the body too. */
  readonly observer?: BodyObserver;
}

/** Answers a call, or sends it. */
export type Intercept = (call: InterceptedCall, send: () => Promise<InterceptedAnswer>) => Promise<InterceptedAnswer>;
