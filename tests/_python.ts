/** The Python that tests hand files to: `PYTHON` names it. */

export const PYTHON = Deno.env.get("PYTHON") ?? "python3";

/** Whether it can be run and has all of these modules. */
export async function hasModules(...modules: readonly string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(PYTHON, { args: ["-c", `import ${modules.join(", ")}`] }).output()).success;
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return false;
    throw cause;
  }
}
