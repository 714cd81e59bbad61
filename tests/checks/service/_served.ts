/** The program `seqreg serve` in a process of its own. */
import { CLI_PERMISSIONS, NEUTRAL } from "../../_cli.ts";
import { memoryOf } from "../../_memory.ts";

const MAIN = new URL("../../../src/cli/main.ts", import.meta.url).pathname;

/** A registry that is served. */
export interface Served {
  readonly port: number;
  /** Anonymous memory in MB and number of file descriptors; `undefined` where the system does not tell. */
  state(): { readonly megabytes: number; readonly files: number } | undefined;
  /** Ends it, and returns whether its exit code was 0. */
  end(): Promise<boolean>;
}

/** Serves a folder of archives; `heapMb` bounds the heap of its process. */
export async function serve(
  folder: string,
  cache: string,
  more: readonly string[] = [],
  heapMb?: number,
): Promise<Served> {
  const heap = heapMb === undefined ? [] : [`--v8-flags=--max-old-space-size=${heapMb}`];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", ...heap, ...CLI_PERMISSIONS, MAIN, "serve", folder, "--quiet", ...more],
    env: { ...NEUTRAL, SEQREG_CACHE: cache },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  if (value === undefined) throw new Error("the registry did not start");
  return {
    port: Number(new URL(value.trim()).port),
    state() {
      const megabytes = memoryOf(child.pid);
      if (megabytes === undefined) return undefined;
      return { megabytes, files: [...Deno.readDirSync(`/proc/${child.pid}/fd`)].length };
    },
    async end() {
      child.kill("SIGTERM");
      const { success } = await child.status;
      await reader.cancel();
      return success;
    },
  };
}
