/**
 * Promises that a cell takes for their results: `registry.search("…").rows`, or `page.rows` where `page` was declared
 * without `await`.
 */
import { calleeOf, visitCell } from "./program.ts";

export interface KnownCalls {
  /** What else is to be said at the cell's end. */
  readonly said?: readonly string[];
  /** The call that a name was declared as the result of, without `await`. */
  readonly unawaited: (name: string) => string | undefined;
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
  const said = new Set<string>(known.said);
  const promises = new Map<string, string>();
  const calls: { readonly callee: readonly string[]; readonly property: string }[] = [];
  visitCell(code, (node, { isInner }) => {
    if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return;
    const { object, property: { name: property } } = node;
    if (OWN.has(property)) return;
    const callee = calleeOf(object);
    if (callee.length > 0 && !isInner(callee[0])) calls.push({ callee, property });
    const call = object.type === "Identifier" && !isInner(object.name) ? known.unawaited(object.name) : undefined;
    if (object.type !== "Identifier" || call === undefined) return;
    promises.set(
      object.name,
      `${object.name} is a promise and has no "${property}": write await where it is made, ` +
        `${object.name} = await ${call}(…)`,
    );
  });
  for (const { callee, property } of calls) {
    if (!await known.givesPromise(callee)) continue;
    const name = callee.join(".");
    said.add(`${name}(…) gives a promise, which has no "${property}": write (await ${name}(…)).${property}`);
  }
  if (said.size === 0 && promises.size === 0) return undefined;
  const readers = [...promises].map(([name, hint]) =>
    `${name}: { read: () => ${name}, hint: ${JSON.stringify(hint)} }`
  );
  return `${JSON.stringify([...said])}, { ${readers.join(", ")} }`;
}
