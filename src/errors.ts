/**
 * The error family: what can go wrong outside the caller's own code.
 *
 * A caller's mistake is a `TypeError` or a `RangeError` before any I/O. Malformed text is a {@linkcode ParseError},
 * which says where. Whatever the world does wrong (network, registry, disk) is a {@linkcode RegistryError}, whose
 * message says what failed, with what, what was expected and what to do next: notebooks do not show `cause`.
 *
 * @module
 */

/** Writes an error's stack for whoever shows it: the error, and the stack as the platform wrote it. */
export type StackWriter = (error: Error, stack: string) => string;

let stackWriter: StackWriter | undefined;

/**
 * Sets how the stacks of the family's errors are written from now on. A notebook shows no more of an error than its
 * name, message and stack: there the stack is where next step and cause can be told.
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

/** Tells {@linkcode RegistryError}s apart without classes, such as after a worker's message. */
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
  | "disk";

/** Something outside the caller's code failed: the network, the registry, an archive or the disk. */
export class RegistryError extends Error {
  /** Name of the class, for messages and for `switch`. */
  override readonly name: string = "RegistryError";
  /** Which kind of failure. */
  readonly code: RegistryErrorCode;

  /** Takes the whole message: what failed, with what, what was expected, what to do next. */
  constructor(code: RegistryErrorCode, message: string, options?: ErrorOptions) {
    // Half a surrogate in it, from a file or a registry, would break the notebook that shows it.
    super(message.toWellFormed(), options);
    this.code = code;
    dressStack(this);
  }
}

/** Where malformed text went wrong. Lines and bytes count from 1 and from 0. */
export interface TextPosition {
  /** Line, counted from 1. */
  readonly line?: number;
  /** Offset in bytes, counted from 0, in the text after any decompression. */
  readonly byte?: number;
  /** Identifier of the record at fault, such as an accession. */
  readonly id?: string;
}

/** Text breaks its format. Carries where, so that a user can look. */
export class ParseError extends SyntaxError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name: string = "ParseError";
  /** Line at fault, counted from 1, where known. */
  readonly line?: number;
  /** Offset in bytes, counted from 0, where known. */
  readonly byte?: number;
  /** Record at fault, where known. */
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
