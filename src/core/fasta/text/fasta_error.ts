/** The one error of FASTA text. */
import { ParseError } from "../../errors.ts";

/** Text is not FASTA, or breaks a rule that cannot be tolerated. States where. */
export class FastaError extends ParseError {
  /** Identifies this error where classes are not at hand, such as after a worker's message. */
  override readonly name = "FastaError";
}
