/** Makes data safe to print on a terminal. */

/**
 * Replaces what a terminal would obey instead of show: control characters, escapes, and marks that turn the direction
 * of writing. Line feeds and tabs go too: the text stays on its line.
 *
 * @param text Any text, such as a value of metadata.
 * @returns The text with each such character as `\u{…}`.
 */
export function terminalText(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex
    /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}
