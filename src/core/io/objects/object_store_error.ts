/** What goes wrong between this machine and an object store. */
import { RegistryError, type RegistryErrorCode } from "../../errors.ts";

/** Kinds of failure, for `switch`. */
export type ObjectFault =
  | "no-credentials"
  | "denied"
  | "wrong-key"
  | "wrong-clock"
  | "no-bucket"
  | "no-object"
  | "other-region"
  | "changed"
  | "conflict"
  | "busy"
  | "unreachable"
  | "refused";

/** What is known of a failure besides its message. */
export interface ObjectFailure {
  /** Which kind. */
  readonly fault: ObjectFault;
  /** Address of the object or bucket. */
  readonly address: string;
  /** HTTP status; absent without an answer. */
  readonly status?: number;
  /** The store's own word for it, such as `NoSuchKey`. */
  readonly storeCode?: string;
}

const CODES: Partial<Record<ObjectFault, RegistryErrorCode>> = {
  changed: "damaged",
  busy: "busy",
  unreachable: "network",
};

/**
 * An object store refused, failed, or does not hold what it should. The message includes what to do next and never a
 * credential. Code `object-store`, or `network`, `busy` and `damaged` for the faults `unreachable`, `busy` and
 * `changed`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ObjectStoreError } from "./object_store_error.ts";
 *
 * const error = new ObjectStoreError("Cannot read s3://lakes/a: it does not exist", {
 *   fault: "no-object", address: "s3://lakes/a", status: 404,
 * });
 *
 * assertEquals([error.code, error.fault, error.status], ["object-store", "no-object", 404]);
 * ```
 */
export class ObjectStoreError extends RegistryError implements ObjectFailure {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "ObjectStoreError";
  /** Which kind of failure. */
  readonly fault: ObjectFault;
  /** Address of the object or bucket. */
  readonly address: string;
  /** HTTP status; absent without an answer. */
  readonly status?: number;
  /** The store's own word for it. */
  readonly storeCode?: string;

  /** Takes the whole message and what is known of the failure. */
  constructor(message: string, failure: ObjectFailure, cause?: unknown) {
    super(CODES[failure.fault] ?? "object-store", message, cause === undefined ? undefined : { cause });
    this.fault = failure.fault;
    this.address = failure.address;
    if (failure.status !== undefined) this.status = failure.status;
    if (failure.storeCode !== undefined) this.storeCode = failure.storeCode;
  }
}
