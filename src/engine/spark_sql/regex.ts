/** Patterns of Rust's `regex` in the grammar of Java, as far as both have one meaning. */

/** Escapes that both grammars have, with one meaning under Java's flag for Unicode classes. */
const ESCAPES = /^\\(?:[sSdDwW]|[nrt]|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]{1,6}\}|[.*+?^${}()|[\]\\/&~#-])/;
/** Groups that both grammars have. */
const GROUP = /^\((?:\?(?:i)?:)?/;
const REPEAT = /^\{[0-9]+(?:,[0-9]*)?\}/;

/**
 * Translates a pattern.
 *
 * @param pattern A pattern of Rust's `regex`.
 * @throws {TypeError} If a part of it has another meaning in Java, or none.
 */
export function javaPattern(pattern: string): string {
  const flags = pattern.startsWith("(?i)") ? "(?iU)" : "(?U)";
  let rest = pattern.startsWith("(?i)") ? pattern.slice(4) : pattern;
  let java = "";
  let inClass = false;
  while (rest !== "") {
    const escape = ESCAPES.exec(rest)?.[0];
    const group = inClass ? undefined : GROUP.exec(rest)?.[0];
    const repeat = inClass ? undefined : REPEAT.exec(rest)?.[0];
    const token = escape ?? group ?? repeat ?? String.fromCodePoint(rest.codePointAt(0)!);
    if (escape === undefined && token === "\\" || isRefused(token, rest, inClass)) throw refused(pattern, rest);
    if (token === "[") inClass = true;
    else if (token === "]") inClass = false;
    // Java's $ also stands before a last line break.
    java += token === "$" && !inClass ? "\\z" : token;
    rest = rest.slice(token.length);
  }
  return flags + java;
}

function isRefused(token: string, rest: string, inClass: boolean): boolean {
  // Classes within classes, and their intersections, differ; so do named groups, flags and possessive repeats.
  if (inClass) return token === "[" || rest.startsWith("&&") || rest.startsWith("--") || rest.startsWith("~~");
  return token === "(" && rest.startsWith("(?") || /^(?:[*+?]|\{[0-9,]+\})\+/.test(rest) || token === "{" ||
    token === ".";
}

function refused(pattern: string, rest: string): TypeError {
  return new TypeError(
    `Cannot run the query on Spark: the pattern ${JSON.stringify(pattern)} has no equal in Java from ${
      JSON.stringify(rest.slice(0, 20))
    } on; filter by startsWith() or by another pattern`,
  );
}
