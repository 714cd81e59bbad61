/** The program behind the kernelspec: `main.ts CONNECTION_FILE`. */
import { readConnection } from "./jupyter_message.ts";
import { installedImports, IS_INSTALLED } from "./installed_imports.ts";
import { type KernelImports, makeKernelFolder } from "./kernel_folder.ts";
import { runProxy } from "./run_proxy.ts";

/** Interval between checks that Jupyter still runs, in ms. */
const LOOK_MS = 1000;

if (import.meta.main) {
  const [file] = Deno.args;
  if (file === undefined) {
    console.error("expected the path of a connection file, which Jupyter gives as {connection_file}");
    Deno.exit(2);
  }
  // Stop reaches the kernel by a message; a terminal's Ctrl-C is for the front end to act on.
  Deno.addSignalListener("SIGINT", () => {});
  endWithJupyter();
  const toolkit = await findImports();
  const folder = toolkit && await makeKernelFolder(Deno.cwd(), toolkit);
  const tables = tablesProgram(toolkit);
  Deno.exit(await runProxy(readConnection(await Deno.readTextFile(file)), { folder, tables }));
}

/**
 * Ends the kernel when the Jupyter that started it was killed, as its own kernels do: nobody else would. Jupyter names
 * its process in the environment; where that is not the parent, as behind `npx` and on Windows, nothing is watched.
 */
function endWithJupyter(): void {
  const parent = Deno.ppid;
  if (Deno.env.get("JPY_PARENT_PID") !== String(parent)) return;
  const watch = setInterval(() => {
    if (Deno.ppid === parent) return;
    clearInterval(watch);
    Deno.kill(Deno.pid, "SIGTERM");
  }, LOOK_MS);
  Deno.unrefTimer(watch);
}

/** What cells import: of a package its modules, of a copied kernel what `kernel install` wrote next to it. */
async function findImports(): Promise<KernelImports | undefined> {
  if (IS_INSTALLED) return { imports: await installedImports() };
  const text = await Deno.readTextFile(new URL("imports.json", import.meta.url)).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The toolkit's program that reads live tables: next to this kernel, or of the toolkit that a copied kernel names. */
function tablesProgram(toolkit: KernelImports | undefined): URL | undefined {
  const door = toolkit?.imports.seqreg;
  if (IS_INSTALLED || door === undefined) {
    return new URL(`../live/serve_tables.${IS_INSTALLED ? "js" : "ts"}`, import.meta.url);
  }
  return door.startsWith("file:") ? new URL("src/jupyter/live/serve_tables.ts", door) : undefined;
}
