/**
 * The program behind the kernelspec: `main.ts CONNECTION_FILE`.
 *
 * @module
 */
import { readConnection } from "./jupyter_message.ts";
import { installedImports, IS_INSTALLED } from "./installed_imports.ts";
import { makeKernelFolder } from "./kernel_folder.ts";
import { runProxy } from "./proxy.ts";

if (import.meta.main) {
  const [file] = Deno.args;
  if (file === undefined) {
    console.error("expected the path of a connection file, which Jupyter gives as {connection_file}");
    Deno.exit(2);
  }
  // Stop reaches the kernel by a message; a terminal's Ctrl-C is for the front end to act on.
  Deno.addSignalListener("SIGINT", () => {});
  const folder = IS_INSTALLED ? await makeKernelFolder(Deno.cwd(), await installedImports()) : undefined;
  Deno.exit(await runProxy(readConnection(await Deno.readTextFile(file)), folder));
}
