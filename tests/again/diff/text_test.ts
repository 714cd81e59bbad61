import { gzipSync } from "node:zlib";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { diffToText } from "../../../src/again/diff/text.ts";
import { diffToHtml } from "../../../src/again/diff/formats/html.ts";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import { inFolder } from "../../_files.ts";
import { withDiff } from "./_versions.ts";

Deno.test("diffToText() writes a line a record, whatever is in keys and names", async () => {
  const field = "v\n- d";
  const before = [["id", field], ["a\n- b", "1"], ["c", "1"]];
  await withDiff(before, [["id", field], ["a\n- b", "2"], ["c", "1"]], {}, async (diff) => {
    const lines = (await Array.fromAsync(diffToText(diff))).join("").split("\n");
    assertEquals(lines.filter((line) => line.startsWith("- ")), []);
    assertStringIncludes(lines.at(-2)!, '~ a\\u{a}- b  v\\u{a}- d: "1" → "2"');
  });
});

Deno.test("the page and the text say which tables one version has alone, and what was left out of equal ones", async () => {
  await inFolder(async (folder) => {
    const rows = [["Registry Accession", "Release Date"], ["vj000000000001", "2020"], ["vj000000000002", "2021"]];
    const tables = { old: ["full_dataset", "votu_clusters"], new: ["full_dataset", "unique_seqs"] };
    for (const [version, names] of Object.entries(tables)) {
      await Deno.mkdir(`${folder}/${version}`);
      const packed = gzipSync(rows.map((row) => `${row.join(",")}\n`).join(""));
      for (const name of names) {
        await Deno.writeFile(`${folder}/${version}/registryv1_${name}_metadata.csv.gz`, packed);
      }
    }
    await using diff = await diffLakes(`${folder}/old`, `${folder}/new`, { asOf: "2020" });
    const page = await diffToHtml(diff);
    assertStringIncludes(page, "Tables only in the old version: votu_clusters_metadata");
    assertStringIncludes(page, "Tables only in the new version: unique_seqs_metadata");
    const left = "left out by Release Date: 1 of the old version, 1 of the new one";
    assertStringIncludes(page, left);
    assertStringIncludes((await Array.fromAsync(diffToText(diff))).join(""), left);
  });
});
