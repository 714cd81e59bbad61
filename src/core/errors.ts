/**
 * The error family: what can go wrong outside the caller's own code.
 *
 * A caller's mistake is a `TypeError` or a `RangeError` before any I/O. Malformed text is a {@linkcode ParseError} with
 * its position. Failures of network, registry or disk are a {@linkcode RegistryError}, whose message includes what
 * failed, on what, what was expected and what to do next: notebooks do not show `cause`.
 */

/** Formats an error's stack for display: takes the error, and the stack of the platform. */
export type StackWriter = (error: Error, stack: string) => string;

let stackWriter: StackWriter | undefined;

/**
 * Sets how the stacks of the family's errors are formatted from now on. A notebook shows only the name, message and
 * stack of an error: the stack can include the next step and the cause.
 *
 * @param writer Called when the stack is read; `undefined` for the platform's own stacks.
 */
export function setStackWriter(writer: StackWriter | undefined): void {
  stackWriter = writer;
}

function dressStack(error: Error): void {
  const writer = stackWriter;
  if (writer === undefined) return;
  const { stack = "" } = error;
  Object.defineProperty(error, "stack", { configurable: true, get: () => writer(error, stack) });
}

/** Identifies a {@linkcode RegistryError} without its class, such as after a worker's message. */
export type RegistryErrorCode =
  | "network"
  | "timeout"
  | "status"
  | "no-results"
  | "invalid-request"
  | "unexpected-response"
  | "busy"
  | "checksum"
  | "damaged"
  | "offline"
  | "not-an-archive-set"
  | "object-store"
  | "disk";

/** A failure outside the caller's code: of the network, the registry, an archive or the disk. */
export class RegistryError extends Error {
  /** Name of the class, for messages and for `switch`. */
  override readonly name: string = "RegistryError";
  /** Which kind of failure. */
  readonly code: RegistryErrorCode;

  /** Takes the whole message: what failed, on what, what was expected, what to do next. */
  constructor(code: RegistryErrorCode, message: string, options?: ErrorOptions) {
    // An unpaired surrogate in it, from a file or a registry, would break the notebook that shows it.
    super(message.toWellFormed(), options);
    this.code = code;
    dressStack(this);
  }
}

/** Position of malformed text. Lines count from 1, bytes from 0. */
export interface TextPosition {
  /** Line, counted from 1. */
  readonly line?: number;
  /** Offset in bytes, counted from 0, in the text after any decompression. */
  readonly byte?: number;
  /** Identifier of the record at fault, such as an accession. */
  readonly id?: string;
}

/** Text violates its format. Includes the position of the fault. */
export class ParseError extends SyntaxError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name: string = "ParseError";
  /** Line at fault, counted from 1, if known. */
  readonly line?: number;
  /** Offset in bytes, counted from 0, if known. */
  readonly byte?: number;
  /** Record at fault, if known. */
  readonly id?: string;

  /** Appends the position to the message: `Cannot read …: … (line 3, record "vj000000000001")`. */
  constructor(message: string, position: TextPosition = {}, options?: ErrorOptions) {
    super((message + describePosition(position)).toWellFormed(), options);
    this.line = position.line;
    this.byte = position.byte;
    this.id = position.id;
    dressStack(this);
  }
}

/**
 * Returns the message of what was thrown, which may be anything.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { messageOf } from "./errors.ts";
 *
 * assertEquals([new Error("too long"), "too long", 404].map(messageOf), ["too long", "too long", "404"]);
 * ```
 */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function describePosition({ line, byte, id }: TextPosition): string {
  const parts = [
    line === undefined ? "" : `line ${line}`,
    byte === undefined ? "" : `byte ${byte}`,
    id === undefined ? "" : `record ${JSON.stringify(id)}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
