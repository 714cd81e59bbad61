/** The embedded registry of real genomes, opened by its name. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { resolveTarget } from "../../../src/core/registry/connect.ts";
import { Registry } from "../../../src/core/registry/mod.ts";
import { runCli } from "../../_cli.ts";
import { inFolder } from "../../_files.ts";

const PLACE = /^the built-in Zika genomes \(34 records of INSDC, copied 2026-11-25\), version /;

Deno.test('Registry.open("zika") answers with real records, and names their source and day', async () => {
  await inFolder(async (cacheFolder) => {
    await using registry = await Registry.open("zika", { cacheFolder, onWarning: () => {} });
    assertMatch(registry.place, PLACE);
    assertEquals(registry.description, "the built-in Zika genomes (34 records of INSDC, copied 2026-11-25)");
    const first = await registry.search("collection_date:2013", { sort: { column: "collection_date", order: "asc" } });
    assertEquals(first.rows.map((row) => [row["Country"], row["Source Accession"]]), [
      ["French Polynesia", "KX447519"],
      ["French Polynesia", "KX447509"],
      ["French Polynesia", "KX447512"],
    ]);
    assertMatch(first.provenance.registry ?? "", PLACE);
    assertStringIncludes(
      first.cite().sentence,
      "retrieved from the built-in Zika genomes (34 records of INSDC, copied 2026-11-25)",
    );
    const [definition] = (await registry.definitions(["Registry Accession"])).definitions;
    assertStringIncludes(definition.description, "assigned by this toolkit; see Source Accession");
    const { entries } = await registry.sequences({ ids: ["vj000000000001"] });
    assertEquals(entries.map(({ sequence }) => sequence?.length), [10675]);
  });
});

Deno.test("a folder called zika is opened as ./zika, and is mentioned when the registry is opened", async () => {
  assertEquals(resolveTarget("zika"), { kind: "zika" });
  assertEquals(resolveTarget("./zika"), { kind: "folder", folder: "./zika" });
  await inFolder(async (folder) => {
    await Deno.mkdir(join(folder, "zika"));
    const { code, stdout, stderr } = await runCli(["search", "--registry", "zika", "--count"], {
      cwd: folder,
      env: { SEQREG_CACHE: join(folder, "cache") },
    });
    assertEquals([code, stdout], [0, "34\n"]);
    assertStringIncludes(
      stderr,
      'warning: "zika" is the built-in registry of 34 genomes; the folder of that name is ./zika',
    );
  });
});
