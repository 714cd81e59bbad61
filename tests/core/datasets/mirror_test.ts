import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { mirror, type MirrorOptions, placeDefinitions, verifyChecksums } from "../../../src/core/datasets/mod.ts";
import { RegistryError } from "../../../src/core/errors.ts";
import { sha256 } from "../../../src/core/io/digest/sha256.ts";
import { ARCHIVE_IDS, archiveFiles, datasetFileNames, MIRROR_LOCK_FILE } from "../../../src/core/contract/datasets.ts";
import { readDefinitions } from "../../../src/core/contract/answers/read_definitions.ts";
import { RegistryClient } from "../../../src/core/client/mod.ts";
import { release, serveReplaced } from "../registry/plan/_replaced_registry.ts";
import { filesBelow, impatientClient, withFolder } from "./_archive.ts";

const HEADER = ["Registry Accession", "Country", "Sequence Length"];

/** A registry in memory, whose files can be replaced. */
async function startRegistry() {
  const files = new Map<string, string | Uint8Array<ArrayBuffer>>();
  const requests: string[] = [];
  const put = async (id: (typeof ARCHIVE_IDS)[number], text: string) => {
    const { archive, checksum } = archiveFiles(id);
    const bytes = new Uint8Array(gzipSync(text));
    files.set(archive, bytes);
    files.set(checksum, `${await sha256(bytes)}  ${archive}\n`);
  };
  for (const id of ARCHIVE_IDS) {
    await put(id, `${id === "full_dataset_metadata" ? HEADER.join(",") : "a,b"}\nvj000000000001,Chile,10 ${id}\n`);
  }
  const answers = {
    definitions: "name,alias,type,description,unit,example\n" +
      "Registry Accession,registry_accession,string,Its name,,vj000000000001\n" +
      "Country,country,string,Where,,Chile\nSequence Length,sequence_length,integer,How long,bp,10\n",
    status: 200,
  };
  const fetch = (request: Request) => {
    const name = new URL(request.url).searchParams.get("filename");
    requests.push(name ?? "definitions");
    if (name === null) return Promise.resolve(new Response(answers.definitions, { status: answers.status }));
    const body = files.get(name);
    return Promise.resolve(new Response(body ?? "absent", { status: body === undefined ? 404 : 200 }));
  };
  return { files, requests, put, answers, client: impatientClient("http://127.0.0.1:8080", { fetch }) };
}

const options: MirrorOptions = { readDefinitions };

async function readJson(path: string) {
  return JSON.parse(await Deno.readTextFile(path));
}

Deno.test("mirror() brings the sixteen files, verified, and the definitions", async () => {
  const registry = await startRegistry();
  await withFolder(async (folder) => {
    const result = await mirror(registry.client, `${folder}/new/mirror`, options);
    assertEquals([result.ledger.complete, result.ledger.received, result.failures], [true, 8, []]);
    assertEquals(
      await filesBelow(`${folder}/new/mirror`),
      [...datasetFileNames(), "definitions.json"].sort(),
    );
    for (const [name, content] of registry.files) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      assertEquals(await Deno.readFile(`${folder}/new/mirror/${name}`), new Uint8Array(bytes));
    }
    for (const id of ARCHIVE_IDS) {
      const [file] = await verifyChecksums(`${folder}/new/mirror/${archiveFiles(id).checksum}`);
      assertEquals(file.ok, true);
    }
    assertEquals(await readJson(`${folder}/new/mirror/definitions.json`), [
      {
        name: "Registry Accession",
        alias: "registry_accession",
        type: "string",
        description: "Its name",
        unit: "",
        example: "vj000000000001",
      },
      { name: "Country", alias: "country", type: "string", description: "Where", unit: "", example: "Chile" },
      {
        name: "Sequence Length",
        alias: "sequence_length",
        type: "integer",
        description: "How long",
        unit: "bp",
        example: "10",
      },
    ]);
  });
});

Deno.test("mirror() fetches again only what changed, or what was damaged", async () => {
  const registry = await startRegistry();
  await withFolder(async (folder) => {
    await mirror(registry.client, folder, options);
    const inode = async (name: string) => (await Deno.stat(`${folder}/${name}`)).ino;
    const names = [...datasetFileNames(), "definitions.json"];
    const before = await Promise.all(names.map(inode));
    registry.requests.length = 0;
    const same = await mirror(registry.client, folder, options);
    assertEquals(same.archives.map(({ changed }) => changed), new Array(8).fill(false));
    assertEquals(registry.requests.filter((name) => name.endsWith(".csv.gz")), []);
    assertEquals(await Promise.all(names.map(inode)), before, "nothing is written again");
    await registry.put("unique_seqs_metadata", "a,b\nnew,row\n");
    await Deno.writeTextFile(`${folder}/${archiveFiles("votu_clusters_sequence").archive}`, "damaged");
    await Deno.remove(`${folder}/${archiveFiles("votu_clusters_metadata").checksum}`);
    const changed = await mirror(registry.client, folder, options);
    assertEquals(
      changed.archives.filter(({ changed }) => changed).map(({ id }) => id),
      ["unique_seqs_metadata", "votu_clusters_sequence"],
    );
    for (const id of ARCHIVE_IDS) {
      assertEquals((await verifyChecksums(`${folder}/${archiveFiles(id).checksum}`))[0].ok, true, id);
    }
  });
});

Deno.test("mirror() recognises definitions by their values, and says what it could not tell", async (t) => {
  const cases: Readonly<Record<string, [csv: string, types: string[], complete: boolean, says: string]>> = {
    "other column names": [
      "Field,Kind\nRegistry Accession,text\nCountry,text\nSequence Length,INT\n",
      ["string", "string", "integer"],
      true,
      "",
    ],
    "one is missing": [
      "Field,Kind\nRegistry Accession,varchar\nSequence Length,INT\n",
      ["string", "string", "integer"],
      false,
      "1 of 3 definitions are missing, and their fields are treated as text: Country",
    ],
    "no column of names": ["a,b\n1,2\n3,4\n", ["string", "string", "string"], false, "treated as text"],
  };
  for (const [what, [csv, types, complete, says]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const registry = await startRegistry();
      registry.answers.definitions = csv;
      await withFolder(async (folder) => {
        const { ledger } = await mirror(registry.client, folder, options);
        assertEquals(ledger.complete, complete, ledger.reasons.join());
        assertStringIncludes(ledger.reasons.join("\n"), says);
        const definitions: { name: string; alias: string; type: string }[] = await readJson(
          `${folder}/definitions.json`,
        );
        assertEquals(definitions.map(({ name }) => name), HEADER);
        assertEquals(definitions.map(({ alias }) => alias), ["registry_accession", "country", "sequence_length"]);
        assertEquals(definitions.map(({ type }) => type), types);
      });
    });
  }
});

Deno.test("mirror() keeps the definitions it has when the registry does not give them", async () => {
  const registry = await startRegistry();
  await withFolder(async (folder) => {
    await mirror(registry.client, folder, options);
    const before = await Deno.readTextFile(`${folder}/definitions.json`);
    for (
      const answers of [{ status: 500 }, { status: 200, definitions: "name,type\n" }, { definitions: "a,b\n1,2\n" }]
    ) {
      Object.assign(registry.answers, answers);
      const { ledger } = await mirror(registry.client, folder, options);
      assertEquals([ledger.complete, await Deno.readTextFile(`${folder}/definitions.json`)], [false, before]);
      assertStringIncludes(ledger.reasons.join(), "was not changed");
    }
  });
});

Deno.test("mirror() says which archive could not be had, and brings the others", async () => {
  const registry = await startRegistry();
  const { archive, checksum } = archiveFiles("unique_seqs_sequence");
  registry.files.delete(checksum);
  const damaged = archiveFiles("votu_clusters_metadata").archive;
  registry.files.set(damaged, "not what the checksum file says");
  await withFolder(async (folder) => {
    const { archives, failures, ledger } = await mirror(registry.client, folder, options);
    assertEquals([archives.length, ledger.complete], [6, false]);
    assertEquals(failures.map(({ name, error }) => [name, error.code]), [[archive, "status"], [damaged, "checksum"]]);
    assertEquals(ledger.missing, [archive, damaged]);
    const names = await filesBelow(folder);
    // With the mark that keeps `seqreg serve` from taking over archives of two versions.
    assertEquals(names.length, 14);
    assertEquals([names.includes(damaged), names.includes(MIRROR_LOCK_FILE)], [false, true]);
  });
});

Deno.test("mirror() across a new release brings that release whole; across two it is incomplete", async () => {
  await using served = await serveReplaced(release("Kenya", 40));
  const client = new RegistryClient(served.url);
  await withFolder(async (folder) => {
    served.replaceBefore(9, release("Peru", 41));
    const { ledger, archives } = await mirror(client, folder, { readDefinitions });
    assertEquals([ledger.complete, ledger.reasons, archives.length], [true, [], 8]);
    assertEquals(archives.every(({ changed }) => changed), true);
    for (const name of datasetFileNames()) {
      const [own, theirs] = [folder, served.folder].map((each) => Deno.readFileSync(`${each}/${name}`));
      assertEquals(own, theirs, name);
    }

    served.replaceBefore(3, release("Chile", 42));
    // Amid the second pass, which begins after thirteen requests.
    served.replaceBefore(17, release("Ghana", 43));
    const mixed = await mirror(client, folder, { readDefinitions });
    const [{ code, text }] = mixed.ledger.entries.filter(({ level }) => level === "reason");
    assertEquals([mixed.ledger.complete, code], [false, "releases-mixed"]);
    assertStringIncludes(text, "the archives are of 2 releases");
    assertEquals((await filesBelow(folder)).includes(MIRROR_LOCK_FILE), true);
  });
});

Deno.test("mirror() across a new release names the addresses of both passes, and counts their bytes", async () => {
  const registry = await startRegistry();
  let sums = 0;
  let sent = 0;
  const fetch = async (request: Request) => {
    const { host, pathname, searchParams } = new URL(request.url);
    const isElsewhere = host === "files.invalid";
    const name = isElsewhere ? pathname.slice(1) : searchParams.get("filename") ?? "";
    if (name.endsWith(".csv.gz") && !isElsewhere) {
      return new Response(null, { status: 302, headers: { location: `https://files.invalid/${name}` } });
    }
    // The first archive is another one in the second pass.
    if (name.endsWith(".sha256") && ++sums === 9) await registry.put(ARCHIVE_IDS[0], "a,b\nvj000000000001,Peru\n");
    const body = registry.files.get(name) ?? registry.answers.definitions;
    if (isElsewhere) sent += body.length;
    return new Response(body, { headers: { "registry-release": sums <= 4 ? "1" : "2" } });
  };
  const client = impatientClient("http://127.0.0.1:8080", { fetch });
  await withFolder(async (folder) => {
    const { archives, ledger, provenance } = await mirror(client, folder, options);
    assertEquals([ledger.complete, sums, provenance.bytes], [true, 16, sent]);
    const addresses = ARCHIVE_IDS.map((id) => `https://files.invalid/${archiveFiles(id).archive}`);
    assertEquals(archives.map(({ changed, address }) => changed && address), addresses);
    assertEquals(provenance.addresses, addresses);
  });
});

Deno.test("mirror() stops with the signal's reason and leaves whole files only", async () => {
  const registry = await startRegistry();
  await withFolder(async (folder) => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const onProgress = ({ done, unit }: { done: number; unit: string }) =>
      unit === "files" && done === 3 ? stop.abort(reason) : undefined;
    assertEquals(
      await assertRejects(() => mirror(registry.client, folder, { ...options, onProgress, signal: stop.signal })),
      reason,
    );
    assertEquals((await filesBelow(folder)).length, 7);
    assertEquals((await mirror(registry.client, folder, options)).ledger.complete, true);
    assertEquals((await filesBelow(folder)).includes(MIRROR_LOCK_FILE), false);
  });
});

Deno.test("mirror() says which folder it cannot write", async () => {
  const registry = await startRegistry();
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    const error = await assertRejects(() => mirror(registry.client, `${folder}/file`, options), RegistryError);
    assertEquals(error.code, "disk");
    assertStringIncludes(error.message, `${folder}/file`);
  });
});

Deno.test("placeDefinitions() writes definitions beside archives, and keeps those of others", async () => {
  const registry = await startRegistry();
  await withFolder(async (folder) => {
    const place = async (id: (typeof ARCHIVE_IDS)[number], header: string) => {
      await Deno.writeTextFile(`${folder}/${id}.csv`, `${header}\n`);
      return await placeDefinitions(registry.client, folder, [{ id, path: `${folder}/${id}.csv` }]);
    };
    const names = async () => (await readJson(`${folder}/definitions.json`)).map(({ name }: { name: string }) => name);
    assertEquals((await place("unique_seqs_sequence", "Registry Accession,Sequence")).definitions, []);
    assertEquals((await place("votu_clusters_metadata", "Registry Accession,Country")).warnings, []);
    assertEquals(await names(), ["Registry Accession", "Country"]);
    const { warnings } = await place("full_dataset_metadata", "Sequence Length,Shoe Size");
    assertEquals(warnings, ["1 of 2 columns have no definition: Shoe Size"]);
    assertEquals(await names(), ["Sequence Length", "Registry Accession", "Country"]);
    registry.answers.status = 500;
    const refused = await place("full_dataset_metadata", "Sequence Length,Isolate");
    assertStringIncludes(refused.warnings.join("; "), "the definitions are unavailable");
    assertStringIncludes(refused.warnings.join("; "), "definitions.json was not changed");
    assertEquals((await names()).length, 3);
    registry.answers.status = 200;
    const own = await Deno.readTextFile(`${folder}/definitions.json`);
    await Deno.writeTextFile(`${folder}/definitions.json`, `\uFEFF${own.replace("Where", "Whence")}`);
    await place("full_dataset_metadata", "Sequence Length");
    assertStringIncludes(await Deno.readTextFile(`${folder}/definitions.json`), "Whence");
    for (const other of [own.slice(0, -3), '[{"name":"Country","type":"string"}]']) {
      await Deno.writeTextFile(`${folder}/definitions.json`, other);
      const { warnings } = await place("full_dataset_metadata", "Sequence Length");
      assertStringIncludes(warnings.join("; "), "definitions.json was not changed: expected a list");
      assertEquals(await Deno.readTextFile(`${folder}/definitions.json`), other);
    }
  });
});

Deno.test("placeDefinitions() loses none that another call writes meanwhile", async () => {
  const registry = await startRegistry();
  const both = Promise.withResolvers<void>();
  let asked = 0;
  const client = new RegistryClient("http://127.0.0.1:8080", {
    fetch: async () => {
      if (++asked === 2) both.resolve();
      await both.promise;
      return new Response(registry.answers.definitions);
    },
  });
  await withFolder(async (folder) => {
    const columns = { full_dataset_metadata: "Country", unique_seqs_metadata: "Sequence Length" } as const;
    await Promise.all(
      Object.entries(columns).map(async ([name, column]) => {
        const [path, id] = [`${folder}/${name}.csv`, name as keyof typeof columns];
        await Deno.writeTextFile(path, `${column}\n`);
        await placeDefinitions(client, folder, [{ id, path }]);
      }),
    );
    const names = (await readJson(`${folder}/definitions.json`)).map(({ name }: { name: string }) => name);
    assertEquals(names.sort(), ["Country", "Sequence Length"]);
    assertEquals((await filesBelow(folder)).length, 3);
  });
});
