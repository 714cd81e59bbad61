/** Texts of any letters, for property tests. */
import fc from "fast-check";

/**
 * Texts of any code points but halves of pairs: a third each of ASCII, of the letters of one code unit, and of two.
 *
 * `fc.string({ unit: "binary" })` gives the like, and takes more than a second to be made.
 */
export function anyText(options: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  const code = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  return fc.array(code, options).map((codes) => String.fromCodePoint(...codes));
}
