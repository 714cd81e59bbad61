/** Results of the client's methods: the answer, its bytes, and a receipt. */
import type { DefinitionFormat } from "../contract/enumerations.ts";
import type { Provenance } from "../contract/ledger.ts";
import type { Operation } from "../contract/paths.ts";
import type { SearchResponse } from "../contract/search.ts";
import { TOOLKIT } from "../contract/version.ts";

/** The record of an exchange: everything that provenance needs. */
export interface Receipt {
  /** Operation. */
  readonly operation: Operation;
  /** Base address of the registry. */
  readonly registry: string;
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Address that answered, after redirects. */
  readonly url: string;
  /** Request as sent: the JSON body of a POST, the parameters of a GET. */
  readonly request: unknown;
  /** HTTP status. */
  readonly status: number;
  /** Bytes of the body received so far, after content decoding. */
  readonly bytes: number;
  /** SHA-256 of the whole body; `null` until its end, and for datasets, which are hashed where they are written. */
  readonly sha256: string | null;
  /** Start of the first attempt, ISO 8601 in UTC. */
  readonly started: string;
  /** End of the body, ISO 8601 in UTC; `null` before. */
  readonly finished: string | null;
  /** Number of attempts, from 1. */
  readonly tries: number;
  /** Mark of the registry's release that the answer states; absent where it states none. */
  readonly release?: string;
}

/** An answer that is read into memory. */
export interface WholeAnswer {
  /** Bytes of the body, unchanged. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Record of the exchange. */
  readonly receipt: Receipt;
}

/** An answer that is one JSON value. */
export interface JsonAnswer<T> extends WholeAnswer {
  /** The body, checked; fields that the specification does not define are kept. */
  readonly body: T;
}

/** Answer of a search. */
export type SearchAnswer = JsonAnswer<SearchResponse>;

/** Answer of a sequence request. */
export interface SequenceAnswer extends WholeAnswer {
  /** Each accession received, with its sequence, in the order received. */
  readonly sequences: ReadonlyMap<string, string>;
  /** Accessions with `null` as their sequence: treated as missing. */
  readonly nulls: readonly string[];
}

/** Answer of a definitions export, read into memory: definitions are small. */
export interface DefinitionsAnswer extends WholeAnswer {
  /** Requested format. */
  readonly format: DefinitionFormat;
  /** Media type, in lower case and without parameters; empty if the answer has none. */
  readonly mediaType: string;
}

/**
 * A file answer: its status is checked, its bytes are a stream.
 *
 * Read the body to its end or cancel it: until then the connection stays open.
 */
export interface FileAnswer {
  /** 200, or 206 if a range was requested. */
  readonly status: number;
  /** Media type, in lower case and without parameters; empty if the answer has none. */
  readonly mediaType: string;
  /** Header fields. */
  readonly headers: Headers;
  /** Offset in the file of the body's first byte; 0 unless a range was requested and granted. */
  readonly start: number;
  /** Bytes of the whole file; `null` if the registry does not state it. */
  readonly totalBytes: number | null;
  /**
   * The bytes. Ends only after all announced bytes; a broken connection, a longer silence than allowed or another
   * length is an error, never a normal end. The reader may keep the chunks.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Record of the exchange so far; read it again after the end of the body. */
  receipt(): Receipt;
}

/**
 * Converts a receipt to provenance.
 *
 * @param receipt Record of the exchange.
 * @param operation The user's operation, such as `search`; the wire's operation by default.
 * @returns Provenance; a body that has not ended counts as finished when it started.
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
