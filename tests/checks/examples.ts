/**
 * Runs each example in a fresh process, with the permissions that its first line asks for and no others. Run by `deno
 * task checks examples`.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, walk } from "../_files.ts";
import { RUN_QUIETLY } from "../_cli.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);

/** What each example must print: proof that it did what it says. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
  "search.ts": ["the built-in sample (synthetic)", "records match, this page has 3:", "search: complete"],
  "download_metadata.ts": [
    "metadata: complete",
    "Collection Date",
    'missing: [ "vj999999999999" ]',
    "retrieved from the built-in sample (synthetic), version ",
    "kenya.parquet",
  ],
  "sequences.ts": ["by the sequence operation", "by the export", "Host Species", ">vj", "peru.fasta.provenance.json"],
  "definitions.ts": ['unknown: [ "Shoe Size" ]', 'type: "integer"', "fields, "],
  "lake.ts": ["3. What: molecule types", "Genome Completeness", "rows: 5000 complete: true"],
  "dataset.ts": ["downloaded and verified", "from the cache: true same digest: true", "Country"],
  "pack.ts": [
    "complete: false",
    "MADEUP/4",
    "1 from Peru",
    'the same sequence: [ "MADEUP/01", "MADEUP/02" ]',
    "verified",
  ],
  "figures.ts": ["Records by year of collection", "Source: records from Kenya", "records drawn", "map.png true"],
};

Deno.test("every example runs cold with the permissions of its first line", async (t) => {
  const folder = await Deno.makeTempDir();
  const [cache, temporary] = [`${folder}/cache`, `${folder}/temporary`];
  await Deno.mkdir(temporary);
  try {
    const examples = await walk(EXAMPLES, ".ts");
    assertEquals(examples.map((url) => url.pathname.split("/").at(-1)).toSorted(), Object.keys(PRINTED).toSorted());
    for (const url of examples) {
      const name = url.pathname.split("/").at(-1)!;
      await t.step(name, async () => {
        const source = await Deno.readTextFile(url);
        assert(source.split("\n").length <= 61, "an example has at most 60 lines");
        const [first] = source.split("\n", 1);
        assertMatch(first, /^\/\/ deno run( --allow-[a-z]+)+ examples\/[a-z_]+\.ts\b/);
        assertStringIncludes(first, `examples/${name}`);
        const permissions = first.slice(0, first.indexOf(" examples/")).match(/--allow-[a-z]+/g) ?? [];
        const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
          args: [...RUN_QUIETLY, ...permissions, fromFileUrl(url)],
          env: {
            ...{ SEQREG_CACHE: cache, SEQREG_URL: "", SEQREG_NAMING: "", SEQREG_OFFLINE: "", NO_COLOR: "1" },
            TMPDIR: temporary,
          },
          stdout: "piped",
          stderr: "piped",
        }).output();
        const decoder = new TextDecoder();
        const printed = decoder.decode(stdout);
        assertEquals([code, decoder.decode(stderr)], [0, ""]);
        for (const text of PRINTED[name]) assertStringIncludes(printed, text);
        assertEquals([...Deno.readDirSync(temporary)], [], "nothing stays behind");
      });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
