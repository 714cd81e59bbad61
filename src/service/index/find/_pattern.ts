/** Tells whether a whole text fits a pattern, as `matchesPattern` does, and at the speed of a search where it can. */
import { isWildcard, type PatternPart } from "../../query/query_ast.ts";
import { matchesPattern } from "../../query/query_evaluate.ts";

/** Makes a test of texts. */
export function patternTest(pattern: readonly PatternPart[]): (text: string) => boolean {
  const literals = pattern.filter((part) => typeof part === "string");
  if (!pattern.some((part) => isWildcard(part) && part.wildcard === "?")) return runsTest(pattern);
  // Every literal part stands in the text, each behind the one before: what has not is no match.
  return (text) => {
    let at = 0;
    for (const literal of literals) {
      const found = text.indexOf(literal, at);
      if (found === -1) return false;
      at = found + literal.length;
    }
    return matchesPattern(pattern, text);
  };
}

/** With runs alone the leftmost place of each part is as good as any. */
function runsTest(pattern: readonly PatternPart[]): (text: string) => boolean {
  const parts = [""];
  for (const part of pattern) {
    if (typeof part === "string") parts[parts.length - 1] += part;
    else parts.push("");
  }
  const [first, ...inner] = parts;
  const last = inner.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of inner) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at <= text.length - last.length;
  };
}
