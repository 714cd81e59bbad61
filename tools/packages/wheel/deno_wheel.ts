/** PyPI's wheel of Deno, which ours requires: with both in one folder `pip install` needs no network. */
import { DENO_PACKAGE } from "../../../src/cli/support/kernelspec.ts";
import type { Platform } from "../toolkit/platforms.ts";

/** Programs of Python, tried in this order. */
const PYTHONS = ["python3", "python", "py"];

/**
 * Downloads the wheel into a folder with pip, unless it is there.
 *
 * @returns Whether it is there now; `false` where no pip is found, or it fails.
 */
export async function downloadDenoWheel(folder: string, { tag }: Platform): Promise<boolean> {
  const requirement = DENO_PACKAGE.replace("@", "==");
  const download = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--platform", tag, "--dest", folder];
  for (const python of PYTHONS) {
    try {
      const args = ["-m", "pip", "--disable-pip-version-check", ...download, requirement];
      const { success } = await new Deno.Command(python, { args, stdout: "null" }).output();
      if (success) return true;
    } catch (cause) {
      if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    }
  }
  return false;
}
