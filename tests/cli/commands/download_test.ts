import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { join } from "node:path";
import { readFasta } from "../../../src/core/fasta/mod.ts";
import { formatAccession } from "../../../src/core/contract/accession.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";
import { cliCommand, readOnce } from "../../_cli.ts";
import { runInProcess } from "../../_program.ts";
import { MANY, manyFolder, sampleFolder, serveFolder } from "../../core/registry/_archives.ts";
import { refuseAll, runnerOf } from "../_world.ts";

const LEGAL = [
  ["metadata", "csv"],
  ["metadata", "xml"],
  ["registry_accessions", "tsv"],
  ["registry_accessions", "xml"],
  ["sequences", "fasta"],
] as const;

Deno.test("download gives the bytes that the registry sends", async (t) => {
  await using folder = await sampleFolder();
  await using server = await serveFolder(folder);
  const overSocket = runnerOf(folder, server.url);
  const inProcess = runnerOf(folder, folder.folder);
  const ask = async (body: unknown) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${server.url}/v2/download`, { method: "POST", headers, body: JSON.stringify(body) });
    return new Uint8Array(await response.arrayBuffer());
  };

  const query = "sequence_length:>3000";
  const ids = [2, 5, 3].map(formatAccession);
  const results = await Promise.all(LEGAL.map(([information, fileType]) => {
    const args = ["download", "--information", information, "--type", fileType];
    return Promise.all([
      overSocket([...args, query]),
      inProcess([...args, "--ids", "-"], ids.join("\r\n") + "\n\n"),
      ask({ search: { query }, download: { scope: "max", information, fileType } }),
      ask({
        search: { query: "" },
        download: { scope: "selection", information, fileType, selected_ids: ids },
      }),
    ]);
  }));
  for (const [index, [information, fileType]] of LEGAL.entries()) {
    await t.step(`${information} as ${fileType}, by query and by accession`, () => {
      const [byQuery, byIds, matching, selected] = results[index];
      assertEquals([byQuery.code, byIds.code], [0, 0]);
      assertEquals(byQuery.stdoutBytes, matching);
      assertEquals(byIds.stdoutBytes, selected);
      assertStringIncludes(byIds.stderr, "download: complete, 3 records received, 3 asked for");
    });
  }

  await t.step("filters, fields and keys reach the registry", async () => {
    const [{ stdout: csv }, { stdout: fasta }, { stdout: tsv }] = await Promise.all([
      inProcess([
        "download",
        "--filter",
        "Molecule Type=dsDNA",
        "--information",
        "metadata",
        "--type",
        "csv",
        "--metadata",
        "Registry Accession,Molecule Type",
        "--metadata",
        "Country",
      ]),
      inProcess([
        "download",
        "*",
        "--information",
        "sequences",
        "--type",
        "fasta",
        "--metadata",
        "Sequence Length",
        "--keys",
        "alias",
      ]),
      inProcess(["download", "*", "--information", "registry_accessions", "--type", "tsv", "--keys", "alias"]),
    ]);
    const [header, ...rows] = parse(csv);
    assertEquals(header, ["Registry Accession", "Molecule Type", "Country"]);
    assert(rows.length > 0 && rows.every((row) => row[1] === "dsDNA"));
    assertEquals(fasta.split("\n", 1)[0], ";fields=registry_accession|sequence_length");
    assertEquals(tsv.split("\n", 1)[0], "registry_accession");
  });

  await t.step("an accession list that download wrote is one that it reads", async () => {
    const path = join(folder.cacheFolder, "ids.tsv");
    const list = ["download", "--information", "registry_accessions", "--type", "tsv"];
    await inProcess([...list, "*", "-o", path]);
    const { code, stdout } = await inProcess([...list, "--ids", path]);
    assertEquals([code, stdout], [0, await Deno.readTextFile(path)]);
  });

  await t.step("what is absent is named, what is asked for twice is a warning", async () => {
    const args = ["download", "--information", "metadata", "--type", "csv", "--ids", "-"];
    const ids = [1, 999_999, 2, 1].map(formatAccession);
    const [some, twice, csv, xml] = await Promise.all([
      inProcess(args, ids.join("\n")),
      inProcess(args, "vj000000000001\nvj000000000001\n"),
      inProcess([...args, "--metadata", "Country"], ids.join("\n")),
      inProcess(
        ["download", "--information", "metadata", "--type", "xml", "--ids", "-", "--metadata", "Country"],
        ids.join("\n"),
      ),
    ]);
    assertEquals([some.code, parse(some.stdout).length], [4, 3]);
    assertStringIncludes(some.stderr, "incomplete: 1 of 3 asked for is missing: vj000000999999");
    assertStringIncludes(some.stderr, "requested more than once and fetched once: vj000000000001");
    assertEquals(twice.code, 0);
    // An export without accessions does not tell: the registry is asked.
    for (const { code, stdout, stderr } of [csv, xml]) {
      assertEquals([code, stdout.includes("vj")], [4, false]);
      assertStringIncludes(stderr, "incomplete: 1 of 3 asked for is missing: vj000000999999");
    }
  });

  await t.step("nothing matched is 3, and leaves no file", async () => {
    const path = join(folder.cacheFolder, "none.csv");
    const args = ["download", "--information", "metadata", "--type", "csv", "-o", path];
    const [byQuery, byIds] = await Promise.all([
      overSocket([...args, "country:Nowhere"]),
      inProcess([...args, "--ids", "-"], "vj000000999999"),
    ]);
    for (const { code, stdout } of [byQuery, byIds]) assertEquals([code, stdout], [3, ""]);
    assertStringIncludes(byIds.stderr, "none of the 1 accessions");
    assertEquals(await Deno.stat(path).then(() => true, () => false), false);
  });

  await t.step("what the registry refuses is 1, with its detail", async () => {
    const [type, field] = await Promise.all([
      overSocket(["download", "*", "--information", "metadata", "--type", "tsv"]),
      inProcess(["download", "*", "--information", "metadata", "--type", "csv", "--metadata", "Cuntry"]),
    ]);
    assertEquals([type.code, type.stdout], [1, ""]);
    assertStringIncludes(type.stderr, "Unsupported file type: tsv");
    assertEquals(field.code, 1);
    assertStringIncludes(field.stderr, 'did you mean "Country"');
  });
});

Deno.test("download --ids joins batches into one valid file", async (t) => {
  await using folder = await manyFolder();
  const run = runnerOf(folder, folder.folder);
  const ids = Array.from({ length: MANY }, (_, index) => formatAccession(index + 1));
  const path = join(folder.cacheFolder, "..", "ids.txt");
  await Deno.writeTextFile(path, [...ids, formatAccession(999_999)].join("\n"));
  const results = await Promise.all(
    LEGAL.map(([information, type]) => run(["download", "--ids", path, "--information", information, "--type", type])),
  );
  const read: Record<string, (text: string) => string[] | Promise<string[]>> = {
    "metadata csv": (text) => parse(text).slice(1).map(([id]) => id),
    "metadata xml": xmlIds,
    "registry_accessions tsv": (text) => text.trimEnd().split("\n").slice(1),
    "registry_accessions xml": xmlIds,
    "sequences fasta": async (text) => {
      assertEquals(text.split("\n").filter((line) => line.startsWith(";")).length, 1);
      return await Array.fromAsync(readFasta(new TextEncoder().encode(text)), ({ id }) => id);
    },
  };
  for (const [index, [information, type]] of LEGAL.entries()) {
    await t.step(`${information} as ${type}`, async () => {
      const { code, stdout, stderr } = results[index];
      assertEquals(await read[`${information} ${type}`](stdout), ids);
      assertEquals(code, 4);
      assertStringIncludes(stderr, `1 of ${MANY + 1} asked for is missing: vj000000999999`);
    });
  }

  await t.step("a reader that goes away ends it quietly", async () => {
    const args = ["download", "*", "--information", "metadata", "--type", "csv", "--registry", folder.folder];
    assertEquals(await readOnce(args, { env: { SEQREG_CACHE: folder.cacheFolder } }), { code: 0, stderr: "" });
  });
});

function xmlIds(text: string): string[] {
  assertEquals(XMLValidator.validate(text), true);
  const { records } = new XMLParser({ parseTagValue: false }).parse(text);
  return records.record.map((record: Record<string, string>) => record.Registry_Accession);
}

Deno.test("download under another naming", async () => {
  const spellings = { registry: "genomebank" };
  await using folder = await sampleFolder(30, namingOf(spellings));
  const file = join(folder.cacheFolder, "..", "naming.json");
  await Deno.writeTextFile(file, JSON.stringify(spellings));
  const run = runnerOf(folder, folder.folder, { SEQREG_NAMING: file });
  const args = ["download", "--ids", "-", "--information", "registry_accessions", "--type"];
  const ids = "genomebank_accession\nvj000000000001\nvj000000999999\n";
  const [tsv, xml] = await Promise.all([run([...args, "tsv"], ids), run([...args, "xml"], ids)]);
  assertEquals([tsv.code, tsv.stdout], [4, "Genomebank Accession\nvj000000000001\n"]);
  assertEquals(xml.code, 4);
  assertStringIncludes(xml.stderr, "1 of 2 asked for is missing: vj000000999999");
});

/** A registry that answers every download with the same response, on loopback. */
async function serveAnswer(answer: () => Response): Promise<{ url: string; close(): Promise<void> }> {
  const started = Promise.withResolvers<string>();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => started.resolve(`http://127.0.0.1:${port}`),
  }, answer);
  return { url: await started.promise, close: () => server.shutdown() };
}

Deno.test("download of a registry that misbehaves", async (t) => {
  const folder = await Deno.makeTempDir();
  const output = join(folder, "out.csv");
  const args = ["download", "x", "--information", "metadata", "--type", "csv", "--retries", "1", "-o", output];
  const headers = { "content-type": "text/csv" };
  const files = async () => await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);

  for (const signal of ["SIGINT", "SIGHUP"] as const) {
    await t.step({
      name: `${signal} leaves nothing behind`,
      ignore: signal === "SIGHUP" && Deno.build.os === "windows",
      fn: async () => {
        const { url, close } = await serveAnswer(() =>
          new Response(
            new ReadableStream({
              start: (controller) =>
                controller.enqueue(new TextEncoder().encode("Registry Accession\nvj000000000001\n")),
            }),
            { headers },
          )
        );
        const child = cliCommand([...args, "--registry", url], { env: { SEQREG_OFFLINE: "" } }).spawn();
        const stderr = new Response(child.stderr).text();
        // The temporary file shows that the download is under way.
        using watcher = Deno.watchFs(folder);
        if ((await files()).length === 0) {
          for await (const _ of watcher) if ((await files()).length > 0) break;
        }
        child.kill(signal);
        assertEquals([(await child.status).code, await files()], [130, []]);
        assertStringIncludes(await stderr, "interrupted");
        await child.stdout.cancel();
        await close();
      },
    });
  }

  const answers: Record<string, [body: string, status: number, code: number, says: string]> = {
    "rows that do not fit the header come out, and are named": [
      "Registry Accession,Country\nvj000000000001,Kenya\nvj000000000002\n",
      200,
      4,
      "the row has 1 cell, the header has 2",
    ],
    "a web page with status 200 is refused": ["<!doctype html><title>Sorry</title>", 200, 1, "HTML"],
    "a failure is 1": ["no", 500, 1, "500"],
  };
  for (const [name, [body, status, code, says]] of Object.entries(answers)) {
    await t.step(name, async () => {
      const type = body.startsWith("<") ? "text/html" : "text/csv";
      const { url, close } = await serveAnswer(() => new Response(body, { status, headers: { "content-type": type } }));
      const result = await runInProcess([...args, "--registry", url], { env: { SEQREG_OFFLINE: "" } });
      assertEquals(result.code, code);
      assertStringIncludes(result.stderr, says);
      assertEquals(await files(), code === 4 ? ["out.csv"] : []);
      if (code === 4) {
        assertEquals(await Deno.readTextFile(output), body);
        await Deno.remove(output);
      }
      await close();
    });
  }

  await t.step("a filter that is refused for want of a query gives advice", async () => {
    const { url, close } = await serveAnswer(() => Response.json({ detail: "Empty search term" }, { status: 400 }));
    const filter = ["download", "--filter", "Country=Kenya", "--information", "metadata", "--type", "csv"];
    const result = await runInProcess([...filter, "--registry", url], { env: { SEQREG_OFFLINE: "" } });
    assertEquals([result.code, result.stdout], [1, ""]);
    assertStringIncludes(result.stderr, "Empty search term");
    assertStringIncludes(result.stderr, "add a clause");
    await close();
  });

  await t.step("a filter that is refused for something else gives none", async () => {
    const filter = ["download", "--filter", "Country=Kenya", "--information", "metadata", "--type", "csv"];
    for (const detail of ['Cannot determine "nope"', 'body.search.filter.0.field: no field is called "Country"']) {
      const { url, close } = await serveAnswer(() => Response.json({ detail }, { status: 400 }));
      const { code, stderr } = await runInProcess([...filter, "--metadata", "Nope", "--registry", url], {
        env: { SEQREG_OFFLINE: "" },
      });
      await close();
      assertEquals(code, 1);
      assertStringIncludes(stderr, detail);
      assert(!stderr.includes("add a clause"), stderr);
    }
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("download refuses wrong usage before any request", async (t) => {
  const metadata = ["--information", "metadata", "--type", "csv"];
  const file = await Deno.makeTempFile();
  await Deno.writeTextFile(file, "vj000000000001\nvj00000000002\n");
  await refuseAll(t, {
    "nothing to search by": [["download", ...metadata], "without QUERY, --filter or --ids"],
    "an empty query": [["download", " ", ...metadata], "without QUERY, --filter or --ids"],
    "no information": [["download", "x", "--type", "csv"], "Option --information is needed"],
    "no type": [["download", "x", "--information", "metadata"], "Option --type is needed"],
    "an unknown information": [["download", "x", "--information", "meta", "--type", "csv"], "did you mean metadata"],
    "json": [["download", "x", "--information", "metadata", "--type", "json"], "expected one of csv, xml, tsv, fasta"],
    "fasta of metadata": [["download", "x", "--information", "metadata", "--type", "fasta"], "is for sequences only"],
    "unknown keys": [["download", "x", ...metadata, "--keys", "names"], "id, alias, human_readable"],
    "ids and a query": [
      ["download", "x", "--ids", file, ...metadata],
      "--ids cannot be combined with QUERY or --filter",
    ],
    "ids and a filter": [["download", "--filter", "a=b", "--ids", file, ...metadata], "--ids cannot be combined"],
    "a malformed accession": [["download", "--ids", file, ...metadata], `"vj00000000002" (${file}, line 2)`],
    "no accessions": [["download", "--ids", "-", ...metadata], "it has no accessions"],
    "a field without a name": [["download", "x", ...metadata, "--metadata", "Country,"], "a field name is empty"],
  });
  await Deno.remove(file);
});
