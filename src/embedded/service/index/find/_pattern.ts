/** Returns whether a whole text fits a pattern, as `matchesPattern` does, and at the speed of a search where it can. */
import { isWildcard, matchesPattern, type PatternPart } from "@seqreg/core/query";

export function patternTest(pattern: readonly PatternPart[]): (text: string) => boolean {
  const literals = pattern.filter((part) => typeof part === "string");
  if (!pattern.some((part) => isWildcard(part) && part.wildcard === "?")) return runsTest(pattern);
  const units = literals.some((literal) => SURROGATE.test(literal)) ? undefined : unitsOf(pattern);
  // Literal parts must occur in the text in order: a text without them does not match.
  return (text) => {
    let at = 0;
    for (const literal of literals) {
      const found = text.indexOf(literal, at);
      if (found === -1) return false;
      at = found + literal.length;
    }
    return units === undefined || SURROGATE.test(text) ? matchesPattern(pattern, text) : unitsFit(units, text);
  };
}

/** Without surrogates a character is one code unit, and a text need not be taken apart. */
const SURROGATE = /[\ud800-\udfff]/;
const ANY_UNIT = -1;
const ANY_RUN = -2;

function unitsOf(pattern: readonly PatternPart[]): Int32Array {
  return Int32Array.from(pattern.flatMap((part) => {
    if (isWildcard(part)) return part.wildcard === "?" ? ANY_UNIT : ANY_RUN;
    return Array.from({ length: part.length }, (_, at) => part.charCodeAt(at));
  }));
}

/** Goes back no further than the last run. */
function unitsFit(units: Int32Array, text: string): boolean {
  let next = 0;
  let runNext = -1;
  let runAt = 0;
  for (let at = 0; at < text.length;) {
    const unit = next < units.length ? units[next] : undefined;
    if (unit === ANY_RUN) {
      runNext = ++next;
      runAt = at;
    } else if (unit === ANY_UNIT || unit === text.charCodeAt(at)) {
      next++;
      at++;
    } else if (runNext !== -1) {
      next = runNext;
      at = ++runAt;
    } else return false;
  }
  while (next < units.length && units[next] === ANY_RUN) next++;
  return next === units.length;
}

/** With runs alone the leftmost match of each part is as good as any. */
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
