/** Name and version of the toolkit, as in provenances. A test compares it with `deno.json`. */

/** Version of the toolkit. */
export const VERSION = "0.3.0";

/** Name and version of the toolkit, such as `seqreg 0.3.0`. */
export const TOOLKIT: string = `seqreg ${VERSION}`;
