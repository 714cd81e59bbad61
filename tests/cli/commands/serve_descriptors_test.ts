/** `seqreg serve` in a process that may open few files. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { runCli, startCli } from "../../_cli.ts";

const few = (files: number) => ["sh", "-c", `ulimit -n ${files}; exec "$@"`, "sh"];

async function post(url: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

Deno.test({
  name: "with 64 files serve imports, answers, and imports a new release; with fewer than it needs it says so at once",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const [archives, next] = [`${folder}/archives`, `${folder}/next`];
    const env = { SEQREG_CACHE: `${folder}/cache` };
    try {
      await makeSample(archives, { records: 60 });
      const refused = await runCli(["serve", archives], { env, through: few(40) });
      assertEquals([refused.code, refused.stdout], [1, ""]);
      assertMatch(
        refused.stderr,
        /^seqreg: Cannot serve: this process can open only \d+ more files, expected at least 31; raise its limit [^\n]+\n$/,
      );
      const { child, line: url, stderr } = await startCli(["serve", archives, "--watch", "0.1"], {
        env,
        through: few(64),
      });
      const total = async () => (await (await post(`${url}/v2/search`, { query: "" })).json()).total;
      assertEquals(await total(), 60);
      const download = { scope: "max", information: "sequences", fileType: "fasta" };
      const fasta = await (await post(`${url}/v2/download`, { search: { query: "*" }, download })).text();
      assertEquals(fasta.split(">").length - 1, 60);
      await makeSample(next, { records: 70 });
      await Deno.rename(archives, `${folder}/before`);
      await Deno.rename(next, archives);
      while (await total() !== 70);
      child.kill("SIGTERM");
      const { code } = await child.status;
      assertEquals(code, 0, await stderr);
      assertStringIncludes(await stderr, "more files: at most ");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
