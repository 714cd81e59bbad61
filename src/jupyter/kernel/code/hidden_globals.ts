/** Globals that a cell's names hide: modules see the names of cells before the globals of the same name. */
import { declaredNames } from "./declared_names.ts";
import { readCell } from "./program.ts";

/** Globals that modules do without: a browser's dialogs and events, one window, the GPU; no cell can declare `eval`. */
const UNUSED =
  /^(?:GPU\w*|on\w+|alert|caches|closed?|confirm|eval|location|localStorage|name|prompt|sessionStorage|window)$/;

/** Finds the globals that a cell hides from modules. */
export function findHiddenGlobals(code: string): string[] {
  const names = declaredNames(code)
    .filter(({ name, isImported, text }) =>
      Object.hasOwn(globalThis, name) && !UNUSED.test(name) && !(isImported && isSame(name, text))
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

/** Whether an import binds a name to the same object as the global, as those of Node's own modules mostly do. */
function isSame(name: string, text: string): boolean {
  const statement = readCell(text)?.program.body[0];
  if (statement?.type !== "ImportDeclaration") return false;
  const specifier = statement.specifiers.find(({ local }) => local.name === name);
  const process: unknown = Reflect.get(globalThis, "process");
  const read: unknown = Reflect.get(Object(process), "getBuiltinModule");
  const module: unknown = typeof read === "function"
    ? Reflect.apply(read, process, [statement.source.value])
    : undefined;
  if (specifier === undefined || Object(module) !== module) return false;
  const own: unknown = specifier.type === "ImportSpecifier"
    ? Reflect.get(Object(module), "name" in specifier.imported ? specifier.imported.name : specifier.imported.value)
    : specifier.type === "ImportDefaultSpecifier"
    ? Reflect.get(Object(module), "default") ?? module
    : undefined;
  return own !== undefined && own === Reflect.get(globalThis, name);
}
