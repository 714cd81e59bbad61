/** The bases that a caller passes, as text or bytes. */
import { checkArgument } from "../../options/check_options.ts";
import * as rule from "../../options/rules.ts";

const SEQUENCE = rule.required(
  rule.like<string | Uint8Array>(
    "a text or bytes, such as the sequence of a record",
    (value) => typeof value === "string" || value instanceof Uint8Array,
  ),
);

/** ASCII white space, which is no base: tab to carriage return, and the space. */
const WHITE_SPACE = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20];

/**
 * The bytes of bases, without ASCII white space: a text may have the line ends of its file.
 *
 * @throws {TypeError} If it is neither: a whole record, for example, would have no bases.
 */
export function basesOf(caller: string, name: string, sequence: string | Uint8Array): Uint8Array {
  checkArgument(caller, name, sequence, SEQUENCE);
  const bytes = typeof sequence === "string" ? new TextEncoder().encode(sequence) : sequence;
  return WHITE_SPACE.some((byte) => bytes.includes(byte)) ? bytes.filter((byte) => !WHITE_SPACE.includes(byte)) : bytes;
}
