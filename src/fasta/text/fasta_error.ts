/**
 * The one error of FASTA text.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";

/** Text is no FASTA, or breaks a rule that cannot be forgiven. Says where. */
export class FastaError extends ParseError {
  /** Tells this error apart where classes are not at hand, such as after a worker's message. */
  override readonly name = "FastaError";
}
