/** How the running toolkit was installed: as a checkout, whose modules are TypeScript, or as a package of JavaScript. */

/** Whether the toolkit runs from a wheel or an npm package. */
export const IS_PACKAGED: boolean = import.meta.url.endsWith(".js");

/** Name of a module's file, in a checkout such as `main.ts`, as this installation has it. */
export function moduleFile(name: string): string {
  return IS_PACKAGED ? name.replace(/\.ts$/, ".js") : name;
}
