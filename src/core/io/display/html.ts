/** Escapes data on its way into HTML. */
import type { MediaBundle } from "./display.ts";

/**
 * Classes of every display's outermost element: notebooks typeset text between dollar signs as formulas, which data
 * must not become. MathJax 2 reads the first, MathJax 3 the second.
 */
export const DATA_CLASS = "tex2jax_ignore mathjax_ignore";

/**
 * Escapes text for HTML, in elements and in quoted attributes.
 *
 * Control characters and marks that turn the direction of writing become visible escapes, lone surrogates the
 * replacement character: what is seen is what is there.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { escapeHtml } from "./html.ts";
 *
 * assertEquals(escapeHtml(`<img src=x onerror="a">`), "&#60;img src=x onerror=&#34;a&#34;&#62;");
 * ```
 */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Makes control characters and direction marks visible, keeping tabs and line feeds, and text well-formed.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { visible } from "./html.ts";
 *
 * assertEquals(visible("a\x1bb\u202ec"), "a\\u{1b}b\\u{202e}c");
 * ```
 */
export function visible(text: string): string {
  return text.toWellFormed().replace(
    // deno-lint-ignore no-control-regex
    /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}

/**
 * Cuts a text after so many characters and says that it did.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { cut } from "./html.ts";
 *
 * assertEquals(cut("acgtacgt", 4), "acgt…");
 * ```
 */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

/**
 * Writes lines of text for a notebook and a terminal.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { textView } from "./html.ts";
 *
 * assertEquals(textView("a.fasta: 3 records")["text/plain"], "a.fasta: 3 records");
 * ```
 */
export function textView(text: string): MediaBundle {
  const html = `<pre class="${DATA_CLASS}" style="white-space:pre-wrap">${escapeHtml(text)}</pre>`;
  return { "text/plain": visible(text), "text/html": html };
}
