/** A call of a registry and its answer, as a lock holds them. */
import { sha256Of } from "../../io/digest/sha256.ts";
import { isRecord } from "../../options/is_record.ts";
import { canonicalJson } from "./set_digest.ts";

export interface LockedCall {
  /** Media type that was asked for. */
  readonly accept: string;
  /** Of a checksum file: SHA-256 of its archive. */
  readonly archive?: string;
  readonly bytes: number;
  /** Media type of the answer, with its parameters. */
  readonly mediaType: string;
  /** `specification`, or the SHA-256 of the deployment's spellings. */
  readonly naming: string;
  readonly operation: string;
  /** Number of records of the answer; `null` where they are not recognised. */
  readonly records: number | null;
  /** Mark of the registry's release that the answer stated; absent where it stated none. */
  readonly release?: string;
  /** Address of the registry, the name of a folder without its path, or of a built-in registry. */
  readonly registry: string;
  /** The request; of a long list its number of items and digest. */
  readonly request: unknown;
  /** Digest of the set of records, free of their order; `null` where they are not recognised. */
  readonly set: string | null;
  readonly sha256: string;
  readonly status: number;
  /** Versions of what recorded the call. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Calls by the SHA-256 of what was asked. */
export type LockedCalls = ReadonlyMap<string, LockedCall>;

/** The name of a call in a lock: the digest of what was asked, of which registry. */
export function callKey(
  { accept, isAgain, operation, registry, request }:
    & Pick<LockedCall, "accept" | "operation" | "registry" | "request">
    & {
      /** Whether it was asked a second time, for the answer of then. */
      readonly isAgain?: boolean;
    },
): string {
  return sha256Of(canonicalJson({ accept, ...isAgain && { again: true }, operation, registry, request }));
}

/** Whether a value is a SHA-256. */
export function isDigest(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

export function isLockedCall(value: unknown): value is LockedCall {
  return isRecord(value) && isDigest(value.sha256) && (value.set === null || isDigest(value.set)) &&
    (value.archive === undefined || isDigest(value.archive)) && (value.records === null || isCount(value.records)) &&
    (value.release === undefined || typeof value.release === "string") &&
    isCount(value.bytes) && isCount(value.status) &&
    [value.accept, value.mediaType, value.naming, value.operation, value.registry].every((text) =>
      typeof text === "string"
    ) && isRecord(value.versions) && Object.values(value.versions).every((text) => typeof text === "string") &&
    "request" in value;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
