import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { commandPermissions } from "../../src/cli/command_permissions.ts";
import { runCli } from "../_cli.ts";
import { inFolder } from "../_files.ts";

Deno.test("each command is started with flags of Deno, none with all", async () => {
  const table = await commandPermissions();
  assertEquals(table[""], ["--allow-read", "--allow-env"]);
  assertEquals(table.demo?.includes("--allow-net=127.0.0.1"), true);
  assertEquals(table["fasta stats"]?.some((flag) => /net|run|ffi/.test(flag)), false);
  for (const [name, flags] of Object.entries(table)) {
    assert(flags.every((flag) => /^--allow-(read|write|net|env|sys|ffi|run)(=\S+)?$/.test(flag)), name);
  }
});

Deno.test("search writes Parquet with the permissions that a launcher gives it", async () => {
  const { search } = await commandPermissions();
  await inFolder(async (folder) => {
    const args = ["search", "country:Kenya", "--limit", "3", "--format", "parquet", "-o", `${folder}/hits.parquet`];
    const { code, stderr } = await runCli(args, { permissions: search });
    assertEquals(code, 0, stderr);
  });
});

Deno.test("pack reads Parquet with the permissions of a launcher", async () => {
  const { pack } = await commandPermissions();
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/s.fasta`, ">A\nACGT\n");
    pl.DataFrame({ strain: ["A"], Country: ["Kenya"] }).writeParquet(`${folder}/m.parquet`);
    const args = ["pack", "--fasta", "s.fasta", "--metadata", "m.parquet", "-o", "set"];
    const { code, stderr } = await runCli(args, { permissions: pack, cwd: folder });
    assertEquals(code, 0, stderr);
  });
});
