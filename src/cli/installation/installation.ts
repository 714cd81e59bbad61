/**
 * How the running toolkit was installed: as a checkout, whose modules are TypeScript, or as a package of JavaScript.
 */
import { IS_INSTALLED } from "../../kernel/installed_imports.ts";

export { IS_INSTALLED };

/** Name of a module's file, in a checkout such as `main.ts`, as this installation has it. */
export function moduleFile(name: string): string {
  return IS_INSTALLED ? name.replace(/\.ts$/, ".js") : name;
}
