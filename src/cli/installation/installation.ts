/**
 * How the running toolkit was installed: as a checkout, whose modules are TypeScript, or as a package of JavaScript.
 */

/** Whether this toolkit was installed as a package: there modules are JavaScript, in a checkout TypeScript. */
export const IS_INSTALLED: boolean = import.meta.url.endsWith(".js");

/** Name of a module's file, in a checkout such as `main.ts`, as this installation has it. */
export function moduleFile(name: string): string {
  return IS_INSTALLED ? name.replace(/\.ts$/, ".js") : name;
}
