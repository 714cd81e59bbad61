/** Parts of polars' serialized plan, checked while they are read: what is not expected is named, never skipped. */
import { isRecord } from "../../options/is_record.ts";
import { unsupported } from "./unsupported.ts";

/** A node as polars writes it: a name alone, or an object with the name as its only key. */
export interface Tagged {
  readonly name: string;
  readonly body: unknown;
}

export function tagged(value: unknown, where: string): Tagged {
  if (typeof value === "string") return { name: value, body: undefined };
  if (isRecord(value)) {
    const entries = Object.entries(value);
    if (entries.length === 1) return { name: entries[0][0], body: entries[0][1] };
  }
  throw unsupported(`${quoted(value)} in ${where}`);
}

/** Reads the fields of a node: each has to be known, and those that must not be set have to hold what they may. */
export function fields(
  { name, body }: Tagged,
  known: readonly string[],
  fixed: Readonly<Record<string, readonly unknown[]>> = {},
): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) throw unsupported(`${name} with ${quoted(body)}`);
  for (const [field, value] of Object.entries(body)) {
    const allowed = fixed[field];
    if (allowed !== undefined) {
      if (!allowed.some((one) => JSON.stringify(one) === JSON.stringify(value))) {
        throw unsupported(`${name} with ${field} ${quoted(value)}`);
      }
    } else if (!known.includes(field)) throw unsupported(`${name} with ${field}`);
  }
  for (const field of known) if (!(field in body)) throw unsupported(`${name} without ${field}`);
  return body;
}

export function list(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unsupported(`${quoted(value)} in ${where}`);
}

export function text(value: unknown, where: string): string {
  if (typeof value === "string") return value;
  throw unsupported(`${quoted(value)} in ${where}`);
}

export function whole(value: unknown, where: string): number {
  if (Number.isSafeInteger(value)) return Number(value);
  throw unsupported(`${quoted(value)} in ${where}`);
}

/** Reads bytes, which are a list of numbers. */
export function bytes(value: unknown, where: string): Uint8Array {
  return Uint8Array.from(list(value, where), (byte) => whole(byte, where));
}

/** What was found, short. */
export function quoted(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}
