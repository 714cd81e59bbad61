import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv";
import { join } from "node:path";
import pl from "nodejs-polars";
import { readOnce } from "../../_cli.ts";
import { MANY, manyFolder, sampleFolder, serveFolder } from "../../core/registry/_archives.ts";
import { release, serveReplaced } from "../../core/registry/plan/_replaced_registry.ts";
import { byBody } from "../../deviations/_deviation.ts";
import { answer, json, serveFaults } from "../../faults/_server.ts";
import { formatAccession } from "../../../src/core/contract/accession.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";
import { runInProcess } from "../../_program.ts";
import { refuseAll, runnerOf } from "../_world.ts";

Deno.test("search shows a page in every format", async (t) => {
  await using folder = await sampleFolder();
  await using server = await serveFolder(folder);
  const inProcess = runnerOf(folder, folder.folder);
  const overSocket = runnerOf(folder, `${server.url}/`);
  const body = JSON.stringify({ query: "sequence_length:>100", pageSize: 3, pageNumber: 2 });

  await t.step("json is the registry's body, untouched", async () => {
    const headers = { "content-type": "application/json" };
    const expected = await (await fetch(`${server.url}/v2/search`, { method: "POST", headers, body })).text();
    const args = ["search", "sequence_length:>100", "--page-size", "3", "--page", "2", "--format", "json"];
    for (const run of [inProcess, overSocket]) {
      const { code, stdout } = await run(args);
      assertEquals([code, stdout], [0, expected]);
    }
  });

  await t.step("csv and tsv have a header of public names and one row per hit", async () => {
    const csv = await overSocket(["search", "--page-size", "20", "--format", "csv"]);
    const tsv = await inProcess(["search", "--page-size", "20", "--format", "tsv"]);
    const rows = parse(csv.stdout);
    assertEquals([csv.code, tsv.code, rows.length, rows[0][0]], [0, 0, 21, "Registry Accession"]);
    assertEquals(new Set(rows.map(({ length }) => length)).size, 1);
    const lines = tsv.stdout.trimEnd().split("\n").map((line) => line.split("\t"));
    assertEquals(lines.map(([id]) => id), rows.map(([id]) => id));
    assertEquals(lines[0], rows[0]);
    assertStringIncludes(csv.stderr, "search: complete, records 1 to 20 of 300: page 1");
  });

  await t.step("table fits the width", async () => {
    const { code, stdout, stderr } = await runInProcess(["search", "--registry", folder.folder, "--page-size", "5"], {
      env: { SEQREG_CACHE: folder.cacheFolder, COLUMNS: "60" },
    });
    const lines = stdout.trimEnd().split("\n");
    assertEquals([code, lines.length], [0, 7]);
    assert(lines.every((line) => [...line].length <= 60));
    assertStringIncludes(lines[0], "Registry Accession");
    assertStringIncludes(stderr, "columns are not shown");
  });

  await t.step("sort, order and filter reach the registry", async () => {
    const args = ["search", "--sort", "sequence_length", "--order", "desc", "--page-size", "300", "--format", "csv"];
    const rows = parse((await inProcess(args)).stdout);
    const lengths = rows.slice(1).map((row) => Number(row[rows[0].indexOf("Sequence Length")]));
    assertEquals(lengths, lengths.toSorted((a, b) => b - a));
    const country = rows.slice(1).map((row) => row[rows[0].indexOf("Country")]).find((value) => value !== "");
    for (const field of ["Country", "country"]) {
      const found = parse((await inProcess(["search", "--filter", `${field}=${country}`, "--format", "csv"])).stdout);
      assertEquals(new Set(found.slice(1).map((row) => row[found[0].indexOf("Country")])), new Set([country]));
    }
  });

  await t.step("nothing matched is 3, and leaves no file", async () => {
    const path = join(folder.cacheFolder, "none.csv");
    const none = await inProcess(["search", "country:Nowhere", "--format", "csv", "-o", path]);
    assertEquals([none.code, none.stdout], [3, ""]);
    assertStringIncludes(none.stderr, 'nothing matched "country:Nowhere"');
    assertStringIncludes(none.stderr, "search: no records match, ");
    assertStringIncludes(none.stderr, "check how the values are spelt");
    assertEquals(await Deno.stat(path).then(() => true, () => false), false);
    const all = await inProcess(["search", "country:Nowhere", "--all"]);
    assertEquals([all.code, all.stdout], [3, ""]);
    const past = await inProcess(["search", "--page", "99"]);
    assertEquals([past.code, past.stdout], [3, ""]);
    assertStringIncludes(past.stderr, "page 99 is empty: only 300 records match");
    const one = await inProcess(["search", "registry_accession:vj000000000010", "--page", "99"]);
    assertStringIncludes(one.stderr, "page 99 is empty: only 1 record matches");
  });

  await t.step("a query that the registry refuses is 1, with its reason", async () => {
    const { code, stdout, stderr } = await overSocket(["search", "country:"]);
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "422");
    assertStringIncludes(stderr, "column 9");
  });

  await t.step("--ledger and --output write whole files", async () => {
    const output = join(folder.cacheFolder, "hits.csv");
    const ledger = join(folder.cacheFolder, "hits.json");
    const args = ["search", "--page-size", "4", "--format", "csv", "-o", output, "--ledger", ledger, "--quiet"];
    const { code, stdout, stderr } = await overSocket(args);
    assertEquals([code, stdout, stderr], [0, "", ""]);
    assertEquals(parse(await Deno.readTextFile(output)).length, 5);
    const written = JSON.parse(await Deno.readTextFile(ledger));
    assertEquals([written.operation, written.registry, written.received, written.promised, written.complete], [
      "search",
      server.url,
      4,
      300,
      true,
    ]);
    assertEquals(Object.keys(written).toSorted(), [
      "asked",
      "bytes",
      "complete",
      "duplicate",
      "entries",
      "file",
      "finished",
      "ledger",
      "missing",
      "operation",
      "promised",
      "reasons",
      "received",
      "registry",
      "request",
      "sha256",
      "started",
      "toolkit",
      "truncated",
      "unasked",
      "unique",
      "unparsed",
      "warnings",
    ]);
    const absent = await inProcess(["search", "--format", "csv", "-o", join(folder.cacheFolder, "no/such.csv")]);
    assertEquals(absent.code, 1);
    assertStringIncludes(absent.stderr, "its folder does not exist");
  });

  await t.step("SEQREG_URL chooses the registry, --registry wins", async () => {
    const cache = { SEQREG_CACHE: folder.cacheFolder };
    const ledgers = [join(folder.cacheFolder, "a.json"), join(folder.cacheFolder, "b.json")];
    await Promise.all([
      runInProcess(["search", "--ledger", ledgers[0]], { env: { ...cache, SEQREG_URL: server.url } }),
      runInProcess(["search", "--ledger", ledgers[1], "--registry", folder.folder], {
        env: { ...cache, SEQREG_URL: "http://127.0.0.1:1" },
      }),
    ]);
    const places = await Promise.all(ledgers.map(async (path) => JSON.parse(await Deno.readTextFile(path)).registry));
    assertEquals(places, [server.url, folder.folder]);
  });

  await t.step("offline forbids an address, not a folder", async () => {
    const env = { SEQREG_OFFLINE: "1" };
    const live = await runnerOf(folder, server.url, env)(["search"]);
    assertEquals([live.code, live.stdout], [1, ""]);
    assertStringIncludes(live.stderr, "the network is forbidden");
    assertEquals((await runnerOf(folder, folder.folder, env)(["search"])).code, 0);
  });
});

Deno.test("search --all goes past 10,000 hits, or says why not", async (t) => {
  await using folder = await manyFolder();
  const run = runnerOf(folder, folder.folder);

  await t.step("as csv and tsv by an export", async () => {
    const [csv, tsv] = await Promise.all([
      run(["search", "*", "--all", "--format", "csv"]),
      run(["search", "*", "--all", "--format", "tsv"]),
    ]);
    assertEquals([csv.code, tsv.code], [0, 0]);
    const ids = parse(csv.stdout).slice(1).map(([id]) => id);
    assertEquals([ids.length, new Set(ids).size], [MANY, MANY]);
    assertEquals(tsv.stdout.split("\n").length, MANY + 2);
    assertStringIncludes(csv.stderr, "came by an export");
    // Whichever way a record came, its values are the same texts.
    const exported = await run(["download", "*", "--information", "metadata", "--type", "csv"]);
    assertEquals(csv.stdout.split("\n").toSorted(), exported.stdout.split("\n").toSorted());
  });

  await t.step("explained, it is a plan and no record", async () => {
    const { code, stdout, stderr } = await run(["search", "*", "--all", "--explain"]);
    assertEquals([code, stdout.includes("vj0")], [0, false], stderr);
    assertStringIncludes(stdout, `${MANY} records match`);
    assertStringIncludes(stdout, "2. export, 1 request, 500 records");
  });

  await t.step("as json the first 10,000, with total and reason", async () => {
    const { code, stdout, stderr } = await run(["search", "*", "--all", "--format", "json"]);
    const { total, results, facets, query } = JSON.parse(stdout);
    assertEquals([code, total, results.length, typeof facets, query], [4, MANY, 10_000, "object", "*"]);
    assertEquals(new Set(results.map(({ id }: { id: string }) => id)).size, 10_000);
    assertStringIncludes(stderr, `incomplete: ${MANY} records match and paging ends at 10000`);
  });

  await t.step("a limit beyond 10,000 is reached by an export, which follows no order", async () => {
    const some = await run(["search", "*", "--limit", "10100", "--format", "csv"]);
    assertEquals([some.code, new Set(parse(some.stdout).slice(1).map(([id]) => id)).size], [0, 10_100]);
    assertStringIncludes(some.stderr, "100 records beyond the first 10000 came by an export");
    const ordered = ["search", "*", "--limit", "10100", "--sort", "Registry Accession", "--order", "desc"];
    const { code, stdout, stderr } = await run([...ordered, "--format", "csv"]);
    const ids = parse(stdout).slice(1).map(([id]) => id);
    assertEquals([code, ids.length, ids], [4, 10_000, ids.toSorted().reverse()]);
    assertStringIncludes(stderr, "ends after 10000 records, and no request gives those that follow");
  });

  await t.step("without a query the first 10,000", async () => {
    const { code, stdout, stderr } = await run(["search", "--all", "--format", "csv"]);
    assertEquals([code, stdout.split("\n").length], [4, 10_002]);
    assertStringIncludes(stderr, "add a clause to the query");
  });

  await t.step("as json below 10,000 it is whole", async () => {
    const { code, stdout } = await run(["search", "group:few", "--all", "--format", "json", "--page-size", "150"]);
    const { total, results } = JSON.parse(stdout);
    assertEquals([code, total, results.length], [0, 500, 500]);
  });

  await t.step("a reader that goes away ends it quietly", async () => {
    const args = ["search", "*", "--all", "--format", "csv", "--registry", folder.folder];
    assertEquals(await readOnce(args, { env: { SEQREG_CACHE: folder.cacheFolder } }), { code: 0, stderr: "" });
  });
});

Deno.test("search --limit names the record where a registry ends paging", async () => {
  const records = Array.from({ length: 250 }, (_, at) => formatAccession(at + 1));
  const search = byBody(({ pageSize, pageNumber }) => {
    const [size, number] = [Number(pageSize ?? 50), Number(pageNumber ?? 1)];
    if (size * number > 100) return json({ detail: "the result window is too large: [100]" }, 400);
    const results = records.slice(size * (number - 1), size * number).map((accession) => (
      { id: accession, score: 1, source: { "Registry Accession": accession } }
    ));
    return json({ total: 250, results, facets: {}, query: "*" });
  });
  const csv = `Registry Accession\n${records.join("\n")}\n`;
  const download = answer(200, { "content-type": "text/csv" }, csv);
  await using server = await serveFaults((exchange) =>
    (exchange.request.path === "/v2/search" ? search : download)(exchange)
  );
  for (const [limit, beyond] of [[200, 100], [300, 150]]) {
    const args = ["search", "*", "--limit", String(limit), "--page-size", "50", "--format", "csv"];
    const { code, stdout, stderr } = await runInProcess([...args, "--registry", server.url]);
    assertEquals([code, stdout.trim().split("\n").slice(1)], [0, records.slice(0, limit)], stderr);
    const notes = stderr.split("\n").filter((line) => line.includes("came by an export"));
    assertEquals(notes.map((line) => line.includes(`${beyond} records beyond the first 100 came`)), [true], stderr);
  }
});

Deno.test("search under another naming", async () => {
  const spellings = { registry: "genomebank" };
  await using folder = await sampleFolder(30, namingOf(spellings));
  const file = join(folder.cacheFolder, "..", "naming.json");
  await Deno.writeTextFile(file, JSON.stringify(spellings));
  const run = runnerOf(folder, folder.folder);
  const flag = await run(["search", "--format", "csv", "--naming", file]);
  const variable = await runnerOf(folder, folder.folder, { SEQREG_NAMING: file })(["search", "--format", "csv"]);
  assertEquals([flag.code, parse(flag.stdout)[0][0]], [0, "Genomebank Accession"]);
  assertEquals(variable.stdout, flag.stdout);

  // A folder is read with its naming: only a server shows that one is wrong.
  await using server = await serveFolder(folder, namingOf(spellings));
  const counted = await runnerOf(folder, server.url)(["search", "--count"]);
  assertEquals([counted.code, counted.stdout], [4, "30\n"]);
  assertStringIncludes(counted.stderr, 'add "Registry Accession": "Genomebank Accession" to it');
});

Deno.test("search refuses wrong usage before any request", async (t) => {
  await refuseAll(t, {
    "two queries": [["search", "a", "b"], 'Unexpected argument "b"'],
    "a filter without a value": [["search", "--filter", "Country"], "expected FIELD=VALUE"],
    "a filter without a field": [["search", "--filter", "=Kenya"], "expected FIELD=VALUE"],
    "page 0": [["search", "--page", "0"], "whole number from 1"],
    "a page size in words": [["search", "--page-size", "ten"], "whole number from 1"],
    "an order without a sort": [["search", "--order", "desc"], "needs --sort"],
    "an unknown order": [["search", "--sort", "country", "--order", "up"], "asc, desc"],
    "an unknown format": [["search", "--format", "xml"], "table, csv, tsv, json"],
    "a plan of one page": [["search", "--explain"], "--explain needs --all"],
    "a plan of the pages alone": [["search", "--all", "--explain", "--format", "json"], "a format other than json"],
    "a count of chosen fields": [
      ["search", "--count", "--fields", "Country"],
      "--count cannot be combined with --fields",
    ],
    "a count of a facet": [["search", "--count", "--facets", "country"], "--count cannot be combined with --facets"],
    "a sorted facet": [
      ["search", "--facets", "country", "--sort", "country"],
      "--facets cannot be combined with --sort",
    ],
    "a page of a facet": [["search", "--facets", "country", "--page", "2"], "--facets cannot be combined with --page"],
    "a plan of the first records": [
      ["search", "--limit", "5", "--explain"],
      "--explain cannot be combined with --limit",
    ],
    "a plan of columns": [["search", "--all", "--explain", "--fields", "Country"], "cannot be combined with --fields"],
    "a ledger of a plan": [["search", "--all", "--explain", "--ledger", "l.json"], "cannot be combined with --ledger"],
    "a plan of a count": [["search", "--all", "--count", "--explain"], "--count cannot be combined with --explain"],
    "all and a page": [["search", "--all", "--page", "2"], "cannot be combined"],
    "all in pages too large": [["search", "--all", "--page-size", "10001"], "from 1 to 10000"],
    "no tries": [["search", "--retries", "0"], "whole number from 1"],
    "no time": [["search", "--timeout", "0"], "greater than 0"],
    "a naming that is not there": [["search", "--naming", "no-such-file.json"], "the file does not exist"],
    "a naming that is none": [["search", "--naming", new URL(import.meta.url).pathname], "Cannot read"],
  });
  const ftp = await runInProcess(["search", "--registry", "ftp://registry.test"]);
  assertEquals([ftp.code, ftp.stdout], [2, ""]);
});

Deno.test("search writes the columns, records and counts that are asked for", async (t) => {
  await using folder = await sampleFolder();
  const run = async (...args: string[]) => {
    const env = { SEQREG_CACHE: folder.cacheFolder };
    return await runInProcess(["search", ...args, "--registry", folder.folder], { env });
  };
  const everything = await run("*", "--all", "--format", "csv");
  const [header, ...rows] = parse(everything.stdout);

  await t.step("--fields, by public name and by alias", async () => {
    const { code, stdout } = await run("*", "--fields", "Country,sequence_length", "--format", "csv", "--all");
    const [country, length] = [header.indexOf("Country"), header.indexOf("Sequence Length")];
    assertEquals([code, parse(stdout)], [0, [
      ["Country", "sequence_length"],
      ...rows.map((row) => [row[country], row[length]]),
    ]]);
    const absent = await run("*", "--fields", "Country,Shoe Size", "--format", "tsv");
    assertEquals([absent.code, absent.stdout.split("\n", 1)[0]], [4, "Country\tShoe Size"]);
    assertStringIncludes(absent.stderr, "did not arrive: Shoe Size");
  });
  await t.step("--limit", async () => {
    const { code, stdout, stderr } = await run("*", "--limit", "7", "--page-size", "3", "--format", "csv");
    assertEquals([code, parse(stdout).slice(1)], [0, rows.slice(0, 7)]);
    assertStringIncludes(stderr, "complete, records 1 to 7 of");
    const json = await run("*", "--limit", "2", "--format", "json");
    assertEquals(JSON.parse(json.stdout).results.length, 2);
  });
  await t.step("--count", async () => {
    assertEquals([(await run("*", "--count")).stdout, (await run("country:Nowhere", "--count")).code], [
      `${rows.length}\n`,
      3,
    ]);
  });
  await t.step("--facets", async () => {
    const { code, stdout } = await run("*", "--facets", "country", "--format", "csv");
    const [names, ...values] = parse(stdout);
    assertEquals([code, names], [0, ["value", "count"]]);
    const column = header.indexOf("Country");
    for (const [value, count] of values) {
      assertEquals(Number(count), rows.filter((row) => row[column] === value).length);
    }
    assertEquals((await run("*", "--facets", "Shoe Size")).code, 1);
    const first = await run("*", "--facets", "country", "--format", "csv", "--limit", "2");
    assertEquals(parse(first.stdout), [names, ...values.slice(0, 2)]);
    assertStringIncludes(first.stderr, "the others have another value, or no value");
    const path = `${folder.cacheFolder}.parquet`;
    const parquet = await run("*", "--facets", "country", "-o", path);
    assertEquals([parquet.code, parquet.stdout], [0, ""], parquet.stderr);
    assertEquals(
      pl.readParquet(path).toRecords(),
      values.map(([value, count]) => ({ value, count: Number(count) })),
    );
    for (const option of ["--count", "--explain"]) {
      const { code, stderr } = await run("*", "--all", option, "-o", path);
      assertEquals(code, 2);
      assertStringIncludes(stderr, `Option ${option} prints text`);
    }
  });
  await t.step("lines of JSON, and Parquet", async () => {
    const { stdout } = await run(
      "*",
      "--limit",
      "3",
      "--format",
      "jsonl",
      "--fields",
      "Registry Accession,Sequence Length",
    );
    const column = header.indexOf("Sequence Length");
    assertEquals(
      stdout.trim().split("\n").map((line) => JSON.parse(line)),
      rows.slice(0, 3).map((row) => ({ "Registry Accession": row[0], "Sequence Length": Number(row[column]) })),
    );
    const path = join(folder.folder, "hits.parquet");
    const parquet = await run("*", "--limit", "3", "--fields", "Country,country", "-o", path);
    assertEquals([parquet.code, parquet.stdout], [0, ""], parquet.stderr);
    assertEquals(pl.readParquet(path).columns, ["Country"]);
    assertEquals((await run("*", "--format", "parquet")).code, 2);
  });
});

Deno.test("search --all across a new release is asked again as a whole; across two it is incomplete", async () => {
  await using served = await serveReplaced(release("Kenya", 40));
  const run = runnerOf(served, served.url);
  let [from, to] = ["Kenya", "Peru"];
  for (const format of ["csv", "json", "jsonl"]) {
    served.replaceBefore(3, release(to, 40));
    const { code, stdout, stderr } = await run(["search", "--all", "--page-size", "10", "--format", format]);
    assertEquals([code, stdout.includes(to), stdout.includes(from)], [0, true, false], stderr);
    [from, to] = [to, from];
  }
  served.replaceBefore(3, release(to, 40));
  served.replaceBefore(7, release("Chile", 40));
  const { code, stderr } = await run(["search", "--all", "--page-size", "10", "--format", "csv"]);
  assertEquals(code, 4);
  assertStringIncludes(stderr, "page 1, page 2 of ");
});
