/** A copy of the project, in which what CONTRIBUTING.md describes is done. */
import { assert } from "@std/assert";

const ROOT = new URL("../../../", import.meta.url);

/** A copy of the files that belong to the project. */
export class Scratch {
  /** Files that were written or changed, by path below the project. */
  readonly touched = new Set<string>();

  private constructor(readonly folder: string) {}

  /** Copies the project to a temporary folder. */
  static async create(): Promise<Scratch> {
    const folder = await Deno.makeTempDir();
    const listed = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], ROOT);
    for (const path of new Set(listed.split("\0"))) {
      const isFile = path !== "" && await Deno.lstat(new URL(path, ROOT)).then((info) => info.isFile, () => false);
      if (!isFile) continue;
      await Deno.mkdir(`${folder}/${path.replace(/[^/]*$/, "")}`, { recursive: true });
      await Deno.copyFile(new URL(path, ROOT), `${folder}/${path}`);
    }
    return new Scratch(folder);
  }

  /** Writes a new file. */
  async write(path: string, text: string): Promise<void> {
    await Deno.mkdir(`${this.folder}/${path.replace(/[^/]*$/, "")}`, { recursive: true });
    await Deno.writeTextFile(`${this.folder}/${path}`, text, { createNew: true });
    this.touched.add(path);
  }

  /** Inserts lines before the first line that contains a text. */
  async insert(path: string, before: string, text: string): Promise<void> {
    const lines = (await Deno.readTextFile(`${this.folder}/${path}`)).split("\n");
    const at = lines.findIndex((line) => line.includes(before));
    assert(at >= 0, `${path} has no line with ${before}`);
    lines.splice(at, 0, text);
    await Deno.writeTextFile(`${this.folder}/${path}`, lines.join("\n"));
    this.touched.add(path);
  }

  /** Replaces the first occurrence of a text. */
  async replace(path: string, text: string, by: string): Promise<void> {
    const before = await Deno.readTextFile(`${this.folder}/${path}`);
    assert(before.includes(text), `${path} does not contain ${text}`);
    await Deno.writeTextFile(`${this.folder}/${path}`, before.replace(text, () => by));
    this.touched.add(path);
  }

  /** Runs Deno in the copy; returns what it printed. */
  async deno(...args: readonly string[]): Promise<string> {
    return await run(Deno.execPath(), args, this.folder);
  }

  async remove(): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Runs a program within five minutes. @throws {Error} With what it printed, if it fails. */
async function run(program: string, args: readonly string[], cwd: string | URL): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1" },
    signal: AbortSignal.timeout(300_000),
  }).output();
  const printed = new TextDecoder().decode(stdout);
  if (success) return printed;
  const faults = printed.slice(Math.max(0, printed.indexOf(" ERRORS ")));
  throw new Error(`${program} ${args.join(" ")}:\n${faults}\n${new TextDecoder().decode(stderr)}`.slice(0, 20_000));
}
