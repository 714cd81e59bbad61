import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { archiveFiles } from "../../../../src/core/contract/datasets.ts";
import { verifyCopies } from "../../../../src/embedded/service/import/verify_copies.ts";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import { runInProcess } from "../../../_program.ts";
import { makeArchives } from "../_archives.ts";
import { ROWS } from "../_imports.ts";

const { archive: METADATA } = archiveFiles("full_dataset_metadata");

Deno.test("verifyCopies() names the copy that is not as its checksum file stated, or gone; cache verify too", async () => {
  await using world = await makeArchives(ROWS);
  const { cacheFolder } = world;
  assertEquals(await verifyCopies({ cacheFolder }), []);
  await (await openStore(world.folder, { cacheFolder, copies: true }))[Symbol.asyncDispose]();
  const [{ name, ...whole }, ...more] = await verifyCopies({ cacheFolder });
  assertEquals([whole, more], [{ ok: true, reason: "" }, []]);

  const path = join(cacheFolder, name, METADATA);
  const bytes = await Deno.readFile(path);
  const damages = {
    "a flipped bit": () => Deno.writeFile(path, bytes.map((byte, index) => index === 20 ? byte ^ 1 : byte)),
    "no file": () => Deno.remove(path),
    "no statement": () => Deno.remove(join(cacheFolder, name, "copies.json")),
  };
  for (const [damage, make] of Object.entries(damages)) {
    await make();
    const [{ ok, reason }] = await verifyCopies({ cacheFolder });
    const file = damage === "no statement" ? "copies.json" : METADATA;
    assertEquals([ok, reason], [
      false,
      `${join(cacheFolder, name, file)} is not as written; the archives are copied again at the next use`,
    ]);
  }
  const { code, stdout, stderr } = await runInProcess(["cache", "verify"], { env: { SEQREG_CACHE: cacheFolder } });
  assertEquals(code, 1);
  assertStringIncludes(stdout, `${name}: FAILED\n`);
  assertStringIncludes(stderr, "copies.json is not as written");
});
