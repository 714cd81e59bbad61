/** Where the built documentation is: in the folder of the toolkit, `site`. */
import { join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { pathOfUrl } from "@seqreg/core/io/bytes/path_of_url";
import { isFile } from "@seqreg/core/io/files/is_there";
import { IS_INSTALLED } from "@seqreg/jupyter/kernel/installed_imports";
import { TOOLKIT_ROOT } from "../support/toolkit_imports.ts";

/** A folder is the site if it has this file. */
const START = "index.html";

/**
 * Finds the built documentation; a checkout builds it first where it is absent.
 *
 * @param options `onBuild` is called before a build, which takes minutes.
 * @throws {RegistryError} With code `disk` if it is absent and cannot be built.
 */
export async function findSite(
  { signal, onBuild }: { readonly signal: AbortSignal; readonly onBuild: () => void },
): Promise<string> {
  if (TOOLKIT_ROOT.protocol !== "file:") {
    throw new RegistryError(
      "disk",
      `Cannot show the documentation of a toolkit that was loaded from ${TOOLKIT_ROOT.origin}: run seqreg docs in a ` +
        "checkout, or where pip installed the wheel",
    );
  }
  const root = pathOfUrl(TOOLKIT_ROOT);
  const site = join(root, "site");
  if (await isFile(join(site, START))) return site;
  if (IS_INSTALLED || !await isFile(join(root, "tools/site/main.ts"))) {
    throw new RegistryError(
      "disk",
      `Cannot find the documentation in ${site}: this toolkit was packed without it; run deno task site in a checkout, ` +
        "then deno task wheel or seqreg bundle",
    );
  }
  onBuild();
  await buildSite(root, signal);
  return site;
}

/** Builds the documentation of a checkout into `site`, unless it is up to date. */
export async function buildSite(root: string, signal: AbortSignal): Promise<void> {
  let output: Deno.CommandOutput;
  try {
    const args = ["task", "--quiet", "site", "--if-needed"];
    output = await new Deno.Command(Deno.execPath(), { args, cwd: root, stdout: "null", stderr: "piped", signal })
      .output();
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotCapable)) throw cause;
    throw new RegistryError(
      "disk",
      `Cannot run ${Deno.execPath()} to build the documentation: allow it by --allow-run`,
      {
        cause,
      },
    );
  }
  signal.throwIfAborted();
  if (output.success) return;
  const lines = new TextDecoder().decode(output.stderr).trim().split("\n");
  throw new RegistryError(
    "disk",
    `Cannot build the documentation: ${lines.slice(-5).join(" ").slice(0, 500)}; run deno task site to see all`,
  );
}
