/** Tests with a process of their own: files of tests run in threads of one, all of which see its environment. */
import { assert } from "@std/assert";

const CONFIG = new URL("../deno.json", import.meta.url).pathname;
/** Variable that holds the name of the test that a process is there for. */
const ALONE = "SEQREG_TEST_ALONE";

/** A test that changes variables of the environment; `url` is that of its file. */
export function testAlone(
  url: string,
  about: string | Omit<Deno.TestDefinition, "fn">,
  run: (t: Deno.TestContext) => Promise<void> | void,
): void {
  const options = typeof about === "string" ? { name: about } : about;
  const { name } = options;
  if (Deno.env.get(ALONE) === name) return Deno.test({ ...options, fn: run });
  Deno.test({
    ...options,
    async fn() {
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["test", "--quiet", "--no-check", "--allow-all", "--config", CONFIG, "--filter", name, url],
        env: { [ALONE]: name, NO_COLOR: "1" },
        stdin: "null",
      }).output();
      const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
      assert(success && / 1 passed/.test(said), said);
    },
  });
}
