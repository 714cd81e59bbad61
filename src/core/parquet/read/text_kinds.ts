/** What is looked for among the texts of a dictionary. */

/** Finds texts of a kind; what its bounds rule out is not looked at. */
export interface TextTest {
  /** The kind of a text, from 1; 0 for texts that are not looked for. */
  kindOf(text: string): number;
  /** Whether a text of UTF-8 bytes may be looked for, by its first and last byte and its length in bytes. */
  mayBe(first: number, last: number, length: number): boolean;
  /** Bounds in bytes, both included, within which every such text lies: they rise and do not overlap. */
  readonly ranges: readonly (readonly [least: Uint8Array, most: Uint8Array])[];
}

/** A text of a dictionary that was looked for. */
export interface FoundText {
  /** Its index in the dictionary. */
  readonly index: number;
  /** Its kind, from 1. */
  readonly kind: number;
  readonly text: string;
}
