/** A copy of the checkout in which one file at a time is changed, and tests are run on it. */
import { dirname } from "node:path";
import { memoryOf } from "../../_memory.ts";

/** A test process that takes more anonymous memory is ended. */
const MOST_MEMORY_MB = 2000;
const WATCH_MS = 200;

/** How a run of tests ended. */
export type Outcome = "passed" | "failed" | "timeout" | "memory";

/** A copy of the files that git knows, removed at the end. */
export class Tree implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  static async copy(root: string, files: readonly string[]): Promise<Tree> {
    const folder = await Deno.makeTempDir({ prefix: "seqreg-mutate-" });
    // One level down: tests look for data in ../shared, and find none.
    const tree = new Tree(`${folder}/checkout`);
    for (const file of files) {
      await Deno.mkdir(dirname(`${tree.folder}/${file}`), { recursive: true });
      await Deno.copyFile(`${root}/${file}`, `${tree.folder}/${file}`);
    }
    return tree;
  }

  async write(file: string, text: string): Promise<void> {
    await Deno.writeTextFile(`${this.folder}/${file}`, text);
  }

  /** Runs tests up to the first that fails. */
  async test(files: readonly string[], limitMs: number): Promise<Outcome> {
    const args = ["test", "--no-check", "--quiet", "--fail-fast", "--allow-all", ...files];
    const child = new Deno.Command(Deno.execPath(), {
      args,
      cwd: this.folder,
      env: { NO_COLOR: "1" },
      stdout: "null",
      stderr: "null",
    }).spawn();
    let ended: Outcome | undefined;
    const end = (outcome: Outcome) => {
      ended ??= outcome;
      child.kill("SIGKILL");
    };
    const limit = setTimeout(() => end("timeout"), limitMs);
    const watch = setInterval(() => (memoryOf(child.pid) ?? 0) > MOST_MEMORY_MB && end("memory"), WATCH_MS);
    const { success } = await child.status;
    clearTimeout(limit);
    clearInterval(watch);
    return ended ?? (success ? "passed" : "failed");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(dirname(this.folder), { recursive: true });
  }
}

/** Files that git knows or would add, as they are now. */
export async function trackedFiles(root: string): Promise<string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const { success, stdout } = await new Deno.Command("git", { args, cwd: root }).output();
  if (!success) throw new Error("git does not list the files of this folder");
  const names = new TextDecoder().decode(stdout).split("\0").filter((name) => name !== "");
  return names.filter((name) => {
    try {
      return Deno.statSync(`${root}/${name}`).isFile;
    } catch {
      return false;
    }
  });
}
