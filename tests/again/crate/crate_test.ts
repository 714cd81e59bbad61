import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { isOrcid, ParseError, RegistryError, writeCrate } from "../../../src/again/mod.ts";
import { sha256Of } from "../../../src/core/io/digest/sha256.ts";
import { lockText } from "../../../src/core/registry/lock/lock_file.ts";
import { withFolder } from "../../core/datasets/_archive.ts";
import { LEDGER, LOCK, NOTEBOOK, writeStudy } from "./_study.ts";

type Entity = Record<string, unknown> & { readonly "@id": string };

async function readGraph(folder: string): Promise<Map<string, Entity>> {
  const text = await Deno.readTextFile(`${folder}/ro-crate-metadata.json`);
  const entities: Entity[] = JSON.parse(text)["@graph"];
  return new Map(entities.map((entity) => [entity["@id"], entity]));
}

Deno.test("a notebook's crate holds its lock, results, ledgers and citation, each with its digest", async () => {
  await withFolder(async (folder) => {
    await writeStudy(folder);
    const { files, citations, entries } = await writeCrate(`${folder}/a study.ipynb`, `${folder}/crate`, {
      authors: [{ name: "Josiah Carberry", orcid: "0000-0002-1825-0097" }, { name: "An <b>other</b>" }],
      license: `${folder}/LICENSE`,
    });
    assertEquals(files, [
      "CITATION.cff",
      "LICENSE",
      "a study.ipynb",
      "results/found.csv",
      "results/found.csv.provenance.json",
      "ro-crate-metadata.json",
      "seqreg.lock",
    ]);
    assertEquals(entries, []);
    const graph = await readGraph(`${folder}/crate`);
    for (const file of files.filter((file) => file !== "ro-crate-metadata.json")) {
      const bytes = await Deno.readFile(`${folder}/crate/${file}`);
      const entity = graph.get(file.replaceAll(" ", "%20"))!;
      assertEquals([entity.sha256, entity.contentSize], [sha256Of(bytes), String(bytes.length)]);
    }
    const root = graph.get("./")!;
    assertEquals(root.name, "What is there?");
    assertEquals(root.datePublished, "2026-01-31");
    assertEquals(root.license, { "@id": "LICENSE" });
    assertEquals(root.author, [{ "@id": "https://orcid.org/0000-0002-1825-0097" }, { "@id": "#author-2" }]);
    assertEquals(root.creditText, citations[0].sentence);
    assertStringIncludes(String(root.creditText), `hash://sha256/${sha256Of(lockText(LOCK))}`);
    const run = graph.get("#run")!;
    assertEquals([run.startTime, run.endTime], ["2026-01-31T10:00:00.000+00:00", "2026-01-31T10:00:01.000+00:00"]);
    assertEquals(run.instrument, { "@id": "a%20study.ipynb" });
    assertEquals(run.object, { "@id": "https://registry.example/api" });
    assertEquals(graph.get("a%20study.ipynb")!.softwareRequirements, [
      { "@id": "pkg:github/denoland/deno@2.9.6" },
      { "@id": "pkg:npm/seqreg@0.3.0" },
    ]);
  });
});

Deno.test("the same files make the same crate", async () => {
  await withFolder(async (folder) => {
    await writeStudy(folder);
    for (const name of ["one", "two"]) await writeCrate(`${folder}/a study.ipynb`, `${folder}/${name}`);
    const [one, two] = ["one", "two"].map((name) => Deno.readTextFileSync(`${folder}/${name}/ro-crate-metadata.json`));
    assertEquals(one, two);
    // The registry's own folder, credentials and this folder are meaningless elsewhere.
    assertEquals(one.includes(folder), false);
  });
});

Deno.test("a lock alone is a crate", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/seqreg.lock`, lockText(LOCK));
    const { files } = await writeCrate(`${folder}/seqreg.lock`, `${folder}/crate`, { date: "2026-02-01" });
    assertEquals(files, ["CITATION.cff", "ro-crate-metadata.json", "seqreg.lock"]);
    const graph = await readGraph(`${folder}/crate`);
    assertEquals(graph.get("./")!.datePublished, "2026-02-01");
    assertStringIncludes(String(graph.get("./")!.license), "No licence was given");
    assertEquals(graph.get("#run")!.result, { "@id": "seqreg.lock" });
  });
});

Deno.test("a script without a lock is a crate of its results, with a warning", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/study.ts`, "");
    await Deno.writeTextFile(`${folder}/found.json`, JSON.stringify(LEDGER));
    const { entries, citations } = await writeCrate(`${folder}/study.ts`, `${folder}/crate`, {
      results: [`${folder}/found.json`],
      license: "CC-BY-4.0",
    });
    assertEquals(entries.map(({ code, level }) => [code, level]), [["lock-absent", "warning"]]);
    assertStringIncludes(citations[0].sentence, "https://registry.example/api");
    const graph = await readGraph(`${folder}/crate`);
    assertEquals(graph.get("./")!.license, { "@id": "https://spdx.org/licenses/CC-BY-4.0" });
    assertEquals(graph.get("#result-1")!.result, { "@id": "results/found.json" });
  });
});

Deno.test("calls that a killed program left next to its lock are in the crate's lock", async (t) => {
  const [first] = LOCK.keys();
  const line = `${JSON.stringify({ key: "d".repeat(64), call: LOCK.get(first)! })}\n{"key":"e`;
  const whole = lockText(new Map([["d".repeat(64), LOCK.get(first)!]]));
  for (const name of ["study.ts", "seqreg.lock"]) {
    for (const before of [undefined, LOCK]) {
      await t.step(`${name}, ${before === undefined ? "no lock yet" : "a lock of earlier calls"}`, async () => {
        await withFolder(async (folder) => {
          await Deno.writeTextFile(`${folder}/study.ts`, "");
          if (before !== undefined) await Deno.writeTextFile(`${folder}/seqreg.lock`, lockText(before));
          await Deno.writeTextFile(`${folder}/.seqreg.lock.calls`, line);
          const { entries, citations } = await writeCrate(`${folder}/${name}`, `${folder}/crate`);
          const text = await Deno.readTextFile(`${folder}/crate/seqreg.lock`);
          const calls = before === undefined ? 1 : 2;
          assertEquals([entries, text.match(/"operation"/g)?.length], [[], calls]);
          assertStringIncludes(citations[0].sentence, `${calls} call`);
          if (before === undefined) assertEquals(text, whole);
          assertEquals(await Deno.readTextFile(`${folder}/seqreg.lock`), text);
        });
      });
    }
  }
});

Deno.test("a licence is an SPDX identifier in any spelling, an address or a file", async () => {
  await withFolder(async (folder) => {
    await writeStudy(folder);
    let count = 0;
    const licenseOf = async (license: string) => {
      const crate = `${folder}/crate-${count++}`;
      await writeCrate(`${folder}/a study.ipynb`, crate, { license });
      return (await readGraph(crate)).get("./")!.license;
    };
    const spelled = { "CC-BY-4.0": "CC-BY-4.0", "cc by 4.0": "CC-BY-4.0", "cc0-1.0": "CC0-1.0", "GPL-3.0": "GPL-3.0" };
    for (const [text, id] of Object.entries(spelled)) {
      assertEquals(await licenseOf(text), { "@id": `https://spdx.org/licenses/${id}` });
    }
    assertEquals(await licenseOf("https://example.org/terms"), { "@id": "https://example.org/terms" });
    for (const [text, says] of [["CC-BY-4", "did you mean CC-BY-4.0?"], ["yes", "expected an SPDX identifier"]]) {
      await assertRejects(() => licenseOf(text), RangeError, says);
    }
  });
});

Deno.test("what cannot be a crate is refused, and nothing is written", async () => {
  await withFolder(async (folder) => {
    await writeStudy(folder);
    const notebook = `${folder}/a study.ipynb`;
    const write = (source: string, options = {}) => writeCrate(source, `${folder}/crate`, options);
    await assertRejects(() => write(`${folder}/absent.ipynb`), RegistryError, "does not exist");
    await assertRejects(() => write(folder), ParseError, "expected a notebook");
    await assertRejects(() => write(`${folder}/found.csv`), ParseError, "expected a notebook");
    await assertRejects(() => write(notebook, { lock: `${folder}/none.lock` }), RegistryError, "it does not exist");
    await assertRejects(() => write(`${folder}/seqreg.lock`, { lock: "other.lock" }), TypeError, "another lock");
    await assertRejects(() => write(notebook, { results: [`${folder}/none.csv`] }), RegistryError, "does not exist");
    await assertRejects(() => write(notebook, { results: [folder] }), RegistryError, "expected a file");
    await assertRejects(() => write(notebook, { license: "LICENSE.txt" }), RangeError, "expected an SPDX identifier");
    await assertRejects(() => write(notebook, { date: "2026" }), RangeError, "a day such as");
    await assertRejects(() => write(notebook, { date: "2013-02-30" }), RangeError, "no such day");
    const author = { name: "Josiah Carberry", orcid: "0000-0002-1825-0098" };
    await assertRejects(() => write(notebook, { authors: [author] }), TypeError, "last digit");
    await Deno.mkdir(`${folder}/other`);
    await Deno.writeTextFile(`${folder}/other/Found.csv`, "");
    const twice = { results: [`${folder}/found.csv`, `${folder}/other/Found.csv`] };
    await assertRejects(() => write(notebook, twice), RegistryError, "rename one");
    await assertRejects(() => write(notebook, { signal: AbortSignal.abort(new Error("stopped")) }), Error, "stopped");
    await Deno.writeTextFile(`${folder}/found.csv`, "changed");
    await assertRejects(() => write(notebook), RegistryError, "it changed since found.csv.provenance.json was written");
    await Deno.writeTextFile(`${folder}/lone.ipynb`, JSON.stringify(NOTEBOOK));
    const lone = { lock: undefined, results: [] };
    await Deno.remove(`${folder}/seqreg.lock`);
    await assertRejects(() => write(`${folder}/lone.ipynb`, lone), RegistryError, "no lock and no results");
    const names = Array.from(Deno.readDirSync(folder), ({ name }) => name);
    assertEquals(names.filter((name) => name.includes("crate")), []);
  });
});

Deno.test("an ORCID iD is checked by its last digit", () => {
  assertEquals(["0000-0002-1694-233X", "0000-0001-5109-3700"].map(isOrcid), [true, true]);
  assertEquals(["0000-0002-1694-2330", "0000000151093700", 7, undefined].map(isOrcid), [false, false, false, false]);
});

Deno.test("a result that is a link is in the crate as the file that it leads to", async () => {
  await withFolder(async (folder) => {
    await writeStudy(folder);
    await Deno.mkdir(`${folder}/scratch`);
    await Deno.rename(`${folder}/found.csv`, `${folder}/scratch/found.csv`);
    await Deno.symlink(`${folder}/scratch/found.csv`, `${folder}/found.csv`);
    const { files } = await writeCrate(`${folder}/a study.ipynb`, `${folder}/crate`);
    assertEquals(files.filter((file) => file.startsWith("results/")), [
      "results/found.csv",
      "results/found.csv.provenance.json",
    ]);
    assertEquals((await Deno.lstat(`${folder}/crate/results/found.csv`)).isFile, true);
  });
});
