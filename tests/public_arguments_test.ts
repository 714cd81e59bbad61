/** Arguments that stand by themselves: enumerations, namings, signals. */
import { assertRejects, assertThrows } from "@std/assert";
import { archiveFiles, datasetFileNames, downloadMediaType } from "../src/core/contract/mod.ts";
import { ArchiveCache } from "../src/core/datasets/mod.ts";
import { buildLake, openLake, verifyLake } from "../src/core/tables/mod.ts";
import { resolveTarget } from "../src/core/registry/connect.ts";

Deno.test("enumerated arguments are refused with the allowed values and the nearest one", async (t) => {
  const refusals: Record<string, [run: () => unknown, message: string]> = {
    "information": [
      () => downloadMediaType("sequence" as never, "fasta"),
      'argument "information" of downloadMediaType() must be "metadata", "registry_accessions" or "sequences", not ' +
      '"sequence", did you mean "sequences"?',
    ],
    "file type": [() => downloadMediaType("sequences", "fsta" as never), 'not "fsta", did you mean "fasta"?'],
    "archive": [
      () => archiveFiles("full_dataset_metadat" as never),
      'not "full_dataset_metadat", did you mean "full_dataset_metadata"?',
    ],
  };
  for (const [name, [run, message]] of Object.entries(refusals)) {
    await t.step(name, () => void assertThrows(run, RangeError, message));
  }
});

Deno.test("arguments of a wrong type are refused by name", async () => {
  assertThrows(() => datasetFileNames({ registry: "genomebank" } as never), TypeError, "a naming, as namingOf(");
  assertThrows(() => resolveTarget(8080 as never), TypeError, 'argument "target" of open() must be a text or a URL');
  for (const wrong of [undefined, null, 5, new URL("file:///lake")]) {
    const lakes: [name: string, run: () => Promise<unknown>][] = [
      ['argument "folder" of openLake()', () => openLake(wrong as never)],
      ['argument "folder" of verifyLake()', () => verifyLake(wrong as never)],
      ['argument "archives" of buildLake()', () => buildLake(wrong as never, "lake")],
      ['argument "archives', () => buildLake([wrong] as never, "lake")],
      ['argument "target" of buildLake()', () => buildLake("a.csv", wrong as never)],
    ];
    for (const [name, run] of lakes) await assertRejects(run, TypeError, name);
  }
  await assertRejects(() => openLake(""), RangeError, "must be a path or an address s3://BUCKET/PREFIX, not");
  const cache = new ArchiveCache("absent");
  const signal = new AbortController() as never;
  await assertRejects(() => cache.find("0".repeat(64), "x", signal), TypeError, 'argument "signal" of cache.find()');
  await assertRejects(() => cache.prove("0".repeat(64), "x", signal), TypeError, 'argument "signal" of cache.prove()');
});
