/** Files that differ from those of a commit, as git has them. */
import { ROOT } from "./_files.ts";

/**
 * Lists files that were added, changed or removed since a commit, those that are not committed included.
 *
 * @throws {Error} If git does not know the commit.
 */
export async function changedFiles(commit: string, root = ROOT): Promise<string[]> {
  const changed = await git(root, "diff", "--name-only", "--no-renames", "-z", commit, "--");
  const added = await git(root, "ls-files", "--others", "--exclude-standard", "-z");
  return [...new Set([...changed, ...added])].sort();
}

/** The commit so many commits back, or the first. */
export async function commitBack(commits: number, root = ROOT): Promise<string> {
  return (await git(root, "rev-list", "--first-parent", `--max-count=${commits + 1}`, "HEAD")).at(-1)!;
}

async function git(cwd: string, ...args: readonly string[]): Promise<string[]> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args: [...args], cwd }).output();
  if (!success) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr).trim()}`);
  return new TextDecoder().decode(stdout).split(/[\0\n]/).filter((line) => line !== "");
}
