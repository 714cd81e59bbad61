/** Projects of their own, for tests of what reads a project. */
import { assert } from "@std/assert";
import { inFolder } from "./_files.ts";

/** Runs work in a temporary project with these files, by their paths; its folder ends with `/`. */
export async function inProject(
  files: Readonly<Record<string, string>>,
  work: (root: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const root = `${await Deno.realPath(folder)}/`;
    for (const [path, text] of Object.entries({ "deno.json": "{}", ...files })) {
      await Deno.mkdir(`${root}${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(root + path, text);
    }
    await work(root);
  });
}

/** Runs git as a person with a name. */
export async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
  const { success, stderr } = await new Deno.Command("git", { args: [...identity, ...args], cwd }).output();
  assert(success, new TextDecoder().decode(stderr));
}
