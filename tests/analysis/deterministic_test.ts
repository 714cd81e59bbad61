/** The same data gives the same bytes, wherever it is drawn. */
import { assertEquals } from "@std/assert";
import { RUN_QUIETLY } from "../_cli.ts";
import { fromFileUrl } from "../_files.ts";
import { digestAll } from "./_digests.ts";
import { RECIPES } from "./_recipes.ts";

const PROGRAM = fromFileUrl(new URL("./_digests.ts", import.meta.url));

async function digestsIn(env: Record<string, string>): Promise<string[]> {
  const permissions = ["--allow-read", "--allow-env", "--allow-ffi", "--allow-sys"];
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...RUN_QUIETLY, ...permissions, PROGRAM],
    env: { ...env, NO_COLOR: "1" },
    stderr: "inherit",
  }).output();
  return new TextDecoder().decode(stdout).trim().split("\n");
}

Deno.test("every analysis returns the same bytes in every time zone, language and number of threads", async () => {
  const here = await digestAll();

  assertEquals(here.length, Object.keys(RECIPES).length);
  const elsewhere = { TZ: "Pacific/Kiritimati", LC_ALL: "ar_EG.UTF-8", LANG: "ar", POLARS_MAX_THREADS: "1" };
  assertEquals(await digestsIn(elsewhere), here);
});
