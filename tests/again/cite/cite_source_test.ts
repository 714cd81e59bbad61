import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { archiveChecksums, citeSource, writeCrate } from "../../../src/again/mod.ts";
import { ParseError, RegistryError } from "../../../src/core/errors.ts";
import { sha256, sha256Of } from "../../../src/core/io/digest/sha256.ts";

import { appendToJournal } from "../../../src/core/registry/lock/journal.ts";
import { lockText, pendingCalls, readLock } from "../../../src/core/registry/lock/lock_file.ts";
import { Registry } from "../../../src/core/registry/mod.ts";
import { cite } from "../../../src/core/registry/results/cite.ts";
import { closeLedger } from "../../../src/core/contract/ledger.ts";
import { buildLake } from "../../../src/core/tables/lake/objects/build_any_lake.ts";
import { archiveBytes, checksumOf, NAME, withFolder } from "../../core/datasets/_archive.ts";
import { sampleFolder } from "../../core/registry/_archives.ts";
import { anyText } from "../../_any_text.ts";

const CHECKSUM = NAME.replace(".csv.gz", ".sha256");

Deno.test("an archive is cited by its bytes in four forms, each with the signature", async () => {
  await withFolder(async (folder) => {
    const bytes = archiveBytes(1, 20);
    await Deno.writeFile(`${folder}/${NAME}`, bytes);
    await Deno.writeTextFile(`${folder}/${CHECKSUM}`, await checksumOf(bytes));
    const citation = await citeSource(`${folder}/${NAME}`);
    const signature = `hash://sha256/${sha256Of(bytes)}`;
    assertEquals(citation.signature, signature);
    assertEquals(citation.sentence.endsWith(signature), true);
    const [data] = JSON.parse(citation.cslJson);
    assertEquals([data.type, data.note], ["dataset", `${bytes.length} bytes; ${signature}`]);
    assertStringIncludes(citation.bibtex, signature);
    assertStringIncludes(citation.cff, `value: "${signature}"`);
    assertEquals(`${citation}${citation.cff}${citation.cslJson}`.includes(folder), false);
  });
});

Deno.test("an archive that is damaged, contradicted or absent is not cited", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/${NAME}`;
    const bytes = archiveBytes(1, 200);
    await assertRejects(() => citeSource(path), RegistryError, "does not exist");
    await assertRejects(() => citeSource(folder), RegistryError, "expected a lake");
    await Deno.writeFile(path, bytes.subarray(0, bytes.length - 40));
    await assertRejects(() => citeSource(path), ParseError);
    await Deno.writeFile(path, bytes);
    await Deno.writeTextFile(`${folder}/${CHECKSUM}`, await checksumOf(archiveBytes(2, 200)));
    await assertRejects(() => citeSource(path), RegistryError, `as ${CHECKSUM} with it says`);
    await Deno.writeTextFile(`${folder}/page.csv`, "<!DOCTYPE html><html><body>busy</body></html>\n");
    await assertRejects(() => citeSource(`${folder}/page.csv`), ParseError, "looks like");
  });
});

Deno.test("a lake is cited by its archives, however it was built", async () => {
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/archives`);
    for (
      const [name, seed] of [["registryv1_unique_seqs_metadata.csv.gz", 1], [
        "registryv1_full_dataset_metadata.csv.gz",
        2,
      ]] as const
    ) {
      await Deno.writeFile(`${folder}/archives/${name}`, archiveBytes(seed, 20));
    }
    await buildLake(`${folder}/archives`, `${folder}/typed`, {});
    await buildLake(`${folder}/archives`, `${folder}/text`, { text: true });
    const [typed, text] = [await citeSource(`${folder}/typed`), await citeSource(`${folder}/text`)];
    assertEquals(typed.signature, text.signature);
    assertEquals(
      typed.signature,
      `hash://sha256/${
        sha256Of(
          await checksumOf(archiveBytes(2, 20), "registryv1_full_dataset_metadata.csv.gz") +
            await checksumOf(archiveBytes(1, 20), "registryv1_unique_seqs_metadata.csv.gz"),
        )
      }`,
    );
    assertMatch(typed.sentence, /: 40 rows of 2 archives: \w+\.csv\.gz \(hash:.*, \w+\.csv\.gz \(hash:.*hash:\S+$/);
    for await (const { name } of Deno.readDir(`${folder}/typed/_lake/full_dataset_metadata`)) {
      const manifest = `${folder}/typed/_lake/full_dataset_metadata/${name}/manifest.json`;
      await Deno.writeTextFile(manifest, (await Deno.readTextFile(manifest)).replace('"rows": 20', '"rows": 21'));
    }
    await assertRejects(() => citeSource(`${folder}/typed`), ParseError, "not as it was written");
  });
});

Deno.test("checksum lines do not depend on the order of the archives", () => {
  const archives = fc.array(fc.record({ archive: anyText(), sha256: fc.constantFrom("00", "ff") }));
  fc.assert(fc.property(archives, (list) => {
    assertEquals(archiveChecksums(list), archiveChecksums([...list].reverse()));
  }));
});

Deno.test("cite() ends in the signature, and no text can leave its place in CSL-JSON or CFF", () => {
  fc.assert(fc.property(anyText(), (query) => {
    const citation = cite(closeLedger({ promised: 3, received: 3 }), {
      operation: "search",
      registry: "https://registry.example/api",
      request: { query },
      bytes: 10,
      sha256: "AB".repeat(32),
      started: "2026-01-31T23:59:59.000Z",
      finished: "2026-01-31T23:59:59.500Z",
      toolkit: "seqreg 0.3.0",
    });
    assertEquals(citation.sentence.endsWith(` hash://sha256/${"ab".repeat(32)}`), true);
    const [data, software] = JSON.parse(citation.cslJson);
    assertEquals(data.accessed, { "date-parts": [[2026, 1, 31]] });
    assertEquals(software.version, "0.3.0");
    const lines = citation.cff.trimEnd().split("\n");
    assertEquals(lines.length, 13);
    assertEquals(lines.every((line) => /^ *(- )?[a-z-]+:( [0-9a-z.]+| ".*")?$/.test(line)), true, citation.cff);
  }));
});

Deno.test("a lock with a byte order mark is refused as one that was changed, not as a table", async () => {
  await withFolder(async (folder) => {
    const lock = `${folder}/seqreg.lock`;
    await Deno.writeTextFile(lock, `\ufeff${lockText(new Map())}`);
    await assertRejects(() => citeSource(lock), ParseError, "expected its canonical text");
    await assertRejects(() => writeCrate(lock, `${folder}/crate`), ParseError, "expected its canonical text");
  });
});

Deno.test("a lock is cited with the calls that a killed program left next to it", async () => {
  await withFolder(async (folder) => {
    const lock = `${folder}/seqreg.lock`;
    await using sample = await sampleFolder(30);
    const ask = async (query: string) => {
      await using registry = await Registry.open(sample.folder, { cacheFolder: sample.cacheFolder, lock });
      await registry.search(query);
    };
    await ask("");
    const before = await Deno.readTextFile(lock);
    await ask("sequence_length:>0");
    const calls = await readLock(lock);
    await Deno.writeTextFile(lock, before);
    for (const [key, call] of calls!) appendToJournal(pendingCalls(lock), { key, call });
    const { sentence } = await citeSource(lock);
    assertStringIncludes(sentence, `hash://sha256/${await sha256(lock)}`);
    assertEquals((await Deno.readTextFile(lock)) === lockText(calls!), true);
  });
});
