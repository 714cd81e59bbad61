/**
 * Promises that a cell takes for their results: `registry.search("…").rows`, or `page.rows` where `page` was declared
 * without `await`.
 *
 * @module
 */
import { tokenize, type Tokens } from "./tokens.ts";

/** What has to be known of names. */
export interface KnownCalls {
  /** What else is to be said at the cell's end. */
  readonly said?: readonly string[];
  /** The call that a name was declared as the result of, without `await`. */
  readonly unawaited: (name: string) => string | undefined;
  /** Whether a call gives a promise. */
  readonly givesPromise: (callee: readonly string[]) => Promise<boolean>;
}

/** What a promise has itself. */
const OWN = new Set(["then", "catch", "finally", "constructor", "toString"]);

/**
 * Finds them, without running anything.
 *
 * @returns Code of two arguments: a list of what to say, and an object of what to say if a name stands for a promise;
 * `undefined` without a finding.
 */
export async function findForgottenAwaits(code: string, known: KnownCalls): Promise<string | undefined> {
  const parsed = tokenize(code);
  const { tokens, partner } = parsed;
  const opener = new Map([...partner].map(([open, close]) => [close, open]));
  const said = new Set<string>(known.said);
  const promises = new Map<string, string>();
  for (const [index, { text }] of tokens.entries()) {
    const property = tokens[index + 1];
    if (text !== "." || property?.kind !== "word" || OWN.has(property.text)) continue;
    const before = tokens[index - 1];
    if (before?.kind === "word" && tokens[index - 2]?.text !== ".") {
      const call = known.unawaited(before.text);
      if (call === undefined) continue;
      promises.set(
        before.text,
        `${before.text} is a promise and has no "${property.text}": write await where it is made, ` +
          `${before.text} = await ${call}(…)`,
      );
    } else if (before?.text === ")") {
      const open = opener.get(index - 1);
      const callee = open === undefined ? [] : calleeOf(parsed, open);
      if (callee.length === 0 || !await known.givesPromise(callee)) continue;
      const name = callee.join(".");
      said.add(
        `${name}(…) gives a promise, which has no "${property.text}": write (await ${name}(…)).${property.text}`,
      );
    }
  }
  if (said.size === 0 && promises.size === 0) return undefined;
  const readers = [...promises].map(([name, hint]) =>
    `${name}: { read: () => ${name}, hint: ${JSON.stringify(hint)} }`
  );
  return `${JSON.stringify([...said])}, { ${readers.join(", ")} }`;
}

function calleeOf({ tokens }: Tokens, open: number): string[] {
  const names: string[] = [];
  for (let index = open - 1; tokens[index]?.kind === "word"; index -= 2) {
    names.unshift(tokens[index].text);
    if (tokens[index - 1]?.text !== ".") return names;
  }
  return [];
}
