/** Text as Markdown that VitePress renders unchanged: it reads `<`, `{{` and `|` otherwise. */

/** Prose in which nothing is an element or an expression; code spans stay as they are. */
export function proseOf(text: string): string {
  return text.split(/(```[\s\S]*?```|`[^`\n]*`)/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;{");
    if (part.startsWith("```") || !/\{\{|\}\}/.test(part)) return part;
    return `<code>${attributeOf(part.slice(1, -1)).replaceAll("{", "&#123;").replaceAll("}", "&#125;")}</code>`;
  }).join("");
}

/** A block of code, fenced by more backticks than it holds in a row. */
export function fenced(language: string, code: string): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, "")}\n${fence}`;
}

/** What a block above printed or showed. */
export function outputOf(content: string): string {
  return `<div class="output">\n\n${content}\n\n</div>`;
}

/** Characters that end an attribute or an element, written as entities. */
export function attributeOf(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("{{", "&#123;{");
}
