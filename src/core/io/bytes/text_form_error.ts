/** Text that arrived whole, in a form that its reader does not take. */
import { ParseError } from "../../errors.ts";

/** The text is in another encoding, or has other line ends, than its reader takes: receiving it again does not help. */
export class TextFormError extends ParseError {}
