/**
 * What the client's methods give back: the answer, its bytes, and a receipt.
 *
 * @module
 */
import type { DefinitionFormat } from "../contract/enumerations.ts";
import type { Provenance } from "../contract/ledger.ts";
import type { Operation } from "../contract/paths.ts";
import type { SearchResponse } from "../contract/search.ts";
import { TOOLKIT } from "../contract/version.ts";

/** What happened on the wire: all that provenance needs. */
export interface Receipt {
  /** Operation. */
  readonly operation: Operation;
  /** Base address of the registry. */
  readonly registry: string;
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Address that answered, after redirects. */
  readonly url: string;
  /** Request as it was sent: the JSON body of a POST, the parameters of a GET. */
  readonly request: unknown;
  /** HTTP status. */
  readonly status: number;
  /** Bytes of the body received so far, after any content coding. */
  readonly bytes: number;
  /** SHA-256 of the whole body; `null` until its end, and for datasets, which are digested where they are written. */
  readonly sha256: string | null;
  /** Start of the first try, ISO 8601 in UTC. */
  readonly started: string;
  /** End of the body, ISO 8601 in UTC; `null` before. */
  readonly finished: string | null;
  /** Tries that were needed, from 1. */
  readonly tries: number;
}

/** Answer of a search. */
export interface SearchAnswer {
  /** The body, checked; fields that the specification does not name survive. */
  readonly body: SearchResponse;
  /** Bytes of the body, untouched. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What happened on the wire. */
  readonly receipt: Receipt;
}

/** Answer of a sequence request. */
export interface SequenceAnswer {
  /** Each accession that came, with its sequence, in the order they came. */
  readonly sequences: ReadonlyMap<string, string>;
  /** Accessions that came with `null` for a sequence: as good as absent. */
  readonly nulls: readonly string[];
  /** Bytes of the body, untouched. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What happened on the wire. */
  readonly receipt: Receipt;
}

/** Answer of a definitions export, read whole: definitions are small. */
export interface DefinitionsAnswer {
  /** Format asked for. */
  readonly format: DefinitionFormat;
  /** Media type as it came, lower case and without parameters; empty when none came. */
  readonly mediaType: string;
  /** Bytes of the body, untouched. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What happened on the wire. */
  readonly receipt: Receipt;
}

/**
 * Answer that is a file: its status is checked, its bytes come as a stream.
 *
 * Read the body to its end or cancel it: until then the connection stays open.
 */
export interface FileAnswer {
  /** 200, or 206 where a range was asked for. */
  readonly status: number;
  /** Media type as it came, lower case and without parameters; empty when none came. */
  readonly mediaType: string;
  /** Header fields. */
  readonly headers: Headers;
  /** Offset in the file of the body's first byte; 0 unless a range was asked for and granted. */
  readonly start: number;
  /** Bytes of the whole file; `null` when the registry does not say. */
  readonly totalBytes: number | null;
  /**
   * The bytes. Ends only when all that was announced has come; a break, a silence longer than allowed or a body of
   * another length is an error, never a quiet end. Chunks are the reader's to keep.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** What happened on the wire so far; ask again when the body has ended. */
  receipt(): Receipt;
}

/**
 * Turns a receipt into provenance.
 *
 * @param receipt What happened on the wire.
 * @param operation What the user did, such as `search`; the wire's operation by default.
 * @returns Provenance; a body that is not yet at its end counts as finished when it started.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { provenanceOf } from "./answers.ts";
 *
 * const provenance = provenanceOf({
 *   operation: "search", registry: "http://127.0.0.1:8080", method: "POST", url: "http://127.0.0.1:8080/v2/search",
 *   request: { query: "" }, status: 200, bytes: 2, sha256: "0".repeat(64), tries: 1,
 *   started: "2026-01-01T00:00:00.000Z", finished: "2026-01-01T00:00:01.000Z",
 * });
 *
 * assertEquals(provenance.operation, "search");
 * assertEquals(provenance.finished, "2026-01-01T00:00:01.000Z");
 * ```
 */
export function provenanceOf(receipt: Receipt, operation: string = receipt.operation): Provenance {
  return {
    operation,
    registry: receipt.registry,
    request: receipt.request,
    bytes: receipt.bytes,
    sha256: receipt.sha256,
    started: receipt.started,
    finished: receipt.finished ?? receipt.started,
    toolkit: TOOLKIT,
  };
}
