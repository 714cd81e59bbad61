/** Files that differ from those of a commit, as git has them. */
import { ROOT } from "./paths.ts";

/** Commits back from which changes count unless one is named. */
const COMMITS = 20;

/**
 * Lists files that were added, changed or removed since a commit, those that are not committed included; without a
 * commit, since 20 commits back, or since the first.
 *
 * @throws {Error} If git does not know the commit.
 */
export async function changedFiles(commit?: string, root = ROOT): Promise<string[]> {
  const since = commit ?? (await git(root, "rev-list", "--first-parent", `--max-count=${COMMITS + 1}`, "HEAD")).at(-1)!;
  const changed = await git(root, "diff", "--name-only", "--no-renames", "-z", since, "--");
  const added = await git(root, "ls-files", "--others", "--exclude-standard", "-z");
  return [...new Set([...changed, ...added])].sort();
}

async function git(cwd: string, ...args: readonly string[]): Promise<string[]> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args: [...args], cwd }).output();
  if (!success) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr).trim()}`);
  return new TextDecoder().decode(stdout).split(/[\0\n]/).filter((line) => line !== "");
}
