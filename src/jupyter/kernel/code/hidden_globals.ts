/**
 * Globals that a cell's names hide: modules see the names of cells before the globals of the same name.
 *
 * @module
 */
import { declaredNames } from "./declared_names.ts";

/** Globals that modules do without: a browser's dialogs and events, one window, the GPU; no cell can declare `eval`. */
const UNUSED =
  /^(?:GPU\w*|on\w+|alert|caches|closed?|confirm|eval|location|localStorage|name|prompt|sessionStorage|window)$/;
/** An import of what is global as well. */
const SAME = /["']node:/;

/**
 * Finds the globals that a cell hides from modules.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findHiddenGlobals } from "./hidden_globals.ts";
 *
 * const [line] = findHiddenGlobals("const Map = 1, name = 2;");
 *
 * assertEquals(line.startsWith("Map now hides "), true);
 * ```
 */
export function findHiddenGlobals(code: string): string[] {
  const names = declaredNames(code)
    .filter(({ name, isImported, text }) =>
      Object.hasOwn(globalThis, name) && !UNUSED.test(name) && !(isImported && SAME.test(text))
    ).map(({ name }) => name);
  if (names.length === 0) return [];
  const [hide, globals, them] = names.length === 1
    ? ["hides", "JavaScript's own global", "another name"]
    : ["hide", "JavaScript's own globals", "other names"];
  return [
    `${[...new Set(names)].join(", ")} now ${hide} ${globals} from packages and the toolkit too, which may fail: ` +
    `choose ${them}, then restart the kernel`,
  ];
}
