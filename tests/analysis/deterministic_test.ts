/** The same data gives the same bytes, wherever it is drawn. */
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "../_files.ts";
import { RECIPES } from "./_recipes.ts";

const PROGRAM = fromFileUrl(new URL("./_digests.ts", import.meta.url));
const CONFIG = fromFileUrl(new URL("../../deno.json", import.meta.url));

async function digests(env: Record<string, string>): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--config",
      CONFIG,
      "--allow-read",
      "--allow-env",
      "--allow-ffi",
      "--allow-sys",
      PROGRAM,
    ],
    env: { ...env, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "inherit",
  }).output();
  return new TextDecoder().decode(stdout).trim().split("\n");
}

Deno.test("every analysis gives the same bytes in every time zone, language and number of threads", async () => {
  const here = await digests({ TZ: "UTC", LC_ALL: "C", LANG: "C" });

  assertEquals(here.length, Object.keys(RECIPES).length);
  assertEquals(
    await digests({ TZ: "Pacific/Kiritimati", LC_ALL: "ar_EG.UTF-8", LANG: "ar", POLARS_MAX_THREADS: "1" }),
    here,
  );
});
