/** Runs Deno on behalf of a build. */

/**
 * Runs Deno and returns what it printed.
 *
 * @throws {Error} With its standard error if it fails.
 */
export async function runDeno(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: options.cwd,
    env: { NO_COLOR: "1", ...options.env },
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno ${args[0]} failed:\n${decoder.decode(stderr).trim()}`);
  return decoder.decode(stdout);
}
