/** The bases that a caller passes, as text or bytes. */
import { checkArgument } from "../../options/check_options.ts";
import * as rule from "../../options/rules.ts";

const SEQUENCE = rule.required(
  rule.like<string | Uint8Array>(
    "a text or bytes, such as the sequence of a record",
    (value) => typeof value === "string" || value instanceof Uint8Array,
  ),
);

/**
 * The bytes of bases.
 *
 * @param caller Name of the function in messages.
 * @param name Name of the argument in messages.
 * @throws {TypeError} If it is neither: a whole record, for example, would have no bases.
 */
export function basesOf(caller: string, name: string, sequence: string | Uint8Array): Uint8Array {
  checkArgument(caller, name, sequence, SEQUENCE);
  return typeof sequence === "string" ? new TextEncoder().encode(sequence) : sequence;
}
