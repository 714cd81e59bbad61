/** What is unusual about the archives of a folder reaches the user of every command. */
import { assertEquals } from "@std/assert";
import { startCli } from "../_cli.ts";
import { makeArchives } from "../embedded/service/_archives.ts";
import { runnerOf } from "./_world.ts";

const CONTENT = {
  columns: ["Country"],
  rows: [["Kenya"], ["Peru"]],
  replace: { full_dataset_sequence: "Registry Accession,Sequence\nvj000000000001,AC\n" },
};

const WARNING = "warning: 1 of 2 records have no sequence in registryv1_full_dataset_sequence.csv.gz\n";

const countIn = (stderr: string) => stderr.split(WARNING).length - 1;

Deno.test("commands print what is unusual about the archives of a folder, once each", async (t) => {
  await using world = await makeArchives(CONTENT);
  const run = runnerOf(world, world.folder);
  for (const args of [["search"], ["search", "--quiet"], ["definitions"], ["sequence", "vj000000000001"]]) {
    await t.step(args.join(" "), async () => {
      const { code, stderr } = await run(args);
      assertEquals([code, countIn(stderr)], [0, 1], stderr);
    });
  }
});

Deno.test("serve prints what is unusual about its archives once", async () => {
  await using world = await makeArchives(CONTENT);
  const { child, stderr } = await startCli(["serve", world.folder], { env: { SEQREG_CACHE: world.cacheFolder } });
  child.kill("SIGTERM");
  assertEquals([(await child.status).code, countIn(await stderr)], [0, 1]);
});
