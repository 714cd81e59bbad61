/**
 * The scope of all code that the proxy puts into the kernel.
 *
 * A name that a cell declares, `const Map = 1`, hides the global of that name from every function of the kernel that
 * refers to it, whenever that was made. So this code takes the globals that it uses once, before the first cell, and
 * cells reach it by names that they cannot declare.
 */

/** Name of the function that returns what modules keep under `globalThis[Symbol.for(key)]`. */
export const SHARED_NAME = "__seqreg_shared";

/** Globals that the functions of this folder use; a test finds those that are absent. */
const GLOBALS = "AbortController, Array, DOMException, Deno, Error, Function, Infinity, Map, Math, Number, Object, " +
  "Promise, Reflect, Set, String, Symbol, SyntaxError, TextDecoder, TypeError, WeakSet, console, crypto, " +
  "globalThis, performance, setInterval, setTimeout, undefined";

/** Encloses code so that it does not see the names of cells. */
export function inOwnScope(code: string): string {
  return `((${GLOBALS}) => {\n${code}\n})(${GLOBALS});`;
}

/** Code that defines a name for cells; a list of the user's variables does not show it. */
export function named(name: string, value: string): string {
  return `Object.defineProperty(globalThis, "${name}", { value: ${value} });`;
}
