import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { readFasta } from "../../../src/core/fasta/mod.ts";
import { formatAccession } from "../../../src/core/contract/accession.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";
import { MANY, manyFolder, sampleFolder, serveFolder } from "../../core/registry/_archives.ts";
import { refuseAll, runnerOf } from "../_world.ts";

const ABSENT = "vj000000999999";

/** Sequences of a plain FASTA, in order. */
async function read(text: string): Promise<[string, string][]> {
  return await Array.fromAsync(readFasta(new TextEncoder().encode(text)), ({ header, sequence }) => [header, sequence]);
}

Deno.test("sequence gives plain FASTA or the registry's object", async (t) => {
  await using folder = await sampleFolder();
  await using server = await serveFolder(folder);
  const inProcess = runnerOf(folder, folder.folder);
  const overSocket = runnerOf(folder, server.url);
  const ids = [3, 1, 2].map(formatAccession);
  const response = await fetch(`${server.url}/v2/sequence`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ registry_accessions: ids }),
  });
  const body = await response.text();
  const sequences: Record<string, string> = JSON.parse(body);

  await t.step("json, untouched", async () => {
    const { code, stdout } = await overSocket(["sequence", ...ids, "--format", "json"]);
    assertEquals([code, stdout], [0, body]);
    const path = `${folder.cacheFolder}.json`;
    assertEquals((await overSocket(["sequence", ...ids, "-o", path])).code, 0);
    assertEquals(await Deno.readTextFile(path), body);
  });
  await t.step("FASTA in the order asked, from arguments and a list", async () => {
    const { code, stdout, stderr } = await inProcess(["sequence", ids[0], "--ids", "-"], ids.slice(1).join("\n"));
    assertEquals(await read(stdout), ids.map((id) => [id, sequences[id]]));
    assertEquals(code, 0);
    assertStringIncludes(stderr, "sequence: complete, 3 sequences received, 3 asked for");
  });
  await t.step("what is absent is named", async () => {
    const some = await inProcess(["sequence", ABSENT, ids[0], ids[0]]);
    assertEquals([some.code, (await read(some.stdout)).length], [4, 1]);
    assertStringIncludes(some.stderr, `1 of 2 asked for is missing: ${ABSENT}`);
    assertStringIncludes(some.stderr, "requested more than once");
    const path = join(folder.cacheFolder, "none.fasta");
    for (const format of ["fasta", "json"]) {
      const none = await overSocket(["sequence", ABSENT, "--format", format, "-o", path]);
      assertEquals([none.code, none.stdout], [3, ""]);
      assertEquals(await Deno.stat(path).then(() => true, () => false), false);
    }
  });
});

Deno.test("sequence takes more accessions than one request may", async (t) => {
  await using folder = await manyFolder();
  const run = runnerOf(folder, folder.folder);
  const ids = Array.from({ length: MANY }, (_, index) => formatAccession(index + 1));
  const list = join(folder.cacheFolder, "..", "ids.txt");
  await Deno.writeTextFile(list, [...ids, ABSENT].join("\n"));
  const [fasta, json] = await Promise.all([
    run(["sequence", "--ids", list]),
    run(["sequence", "--ids", list, "--format", "json"]),
  ]);
  await t.step("as FASTA", async () => {
    const records = await read(fasta.stdout);
    assertEquals([fasta.code, records.length], [4, MANY]);
    assertEquals(records.map(([id]) => id), ids);
    assert(!fasta.stdout.includes(";"));
    assertStringIncludes(fasta.stderr, `1 of ${MANY + 1} asked for is missing: ${ABSENT}`);
  });
  await t.step("as one JSON object with the same letters", async () => {
    const sequences: Record<string, string> = JSON.parse(json.stdout);
    assertEquals(json.code, 4);
    assertEquals(Object.entries(sequences), await read(fasta.stdout));
  });
});

Deno.test("sequence under another naming", async () => {
  const spellings = { registry: "genomebank" };
  await using folder = await sampleFolder(30, namingOf(spellings));
  const file = join(folder.cacheFolder, "..", "naming.json");
  await Deno.writeTextFile(file, JSON.stringify(spellings));
  const { code, stdout } = await runnerOf(folder, folder.folder)(["sequence", "vj000000000001", "--naming", file]);
  assertEquals([code, (await read(stdout)).map(([id]) => id)], [0, ["vj000000000001"]]);
});

Deno.test("sequence refuses wrong usage before any request", async (t) => {
  await refuseAll(t, {
    "no accession": [["sequence"], "Too few arguments"],
    "11 digits": [["sequence", "vj00000000001"], "vj followed by 12 digits"],
    "13 digits": [["sequence", "vj0000000000001"], "vj followed by 12 digits"],
    "Unicode digits": [["sequence", "vj00000000000\u0661"], "vj followed by 12 digits"],
    "another prefix": [["sequence", "vj000000000001", "ab000000000001"], '"ab000000000001" (argument 2)'],
    "an unknown format": [["sequence", "vj000000000001", "--format", "csv"], "expected one of fasta, json"],
    "no accessions in the list": [["sequence", "--ids", "-"], "it has no accessions"],
  });
});
