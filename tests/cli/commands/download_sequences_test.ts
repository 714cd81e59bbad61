/** Metadata and sequences of one query in one call, with headers of the caller's. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { join } from "node:path";
import { byBody } from "../../deviations/_deviation.ts";
import { runInProcess } from "../../_program.ts";
import { answer, json, type Reply, serveFaults } from "../../faults/_server.ts";
import { inFolder } from "../../_files.ts";

const [A, B] = ["vj000000000001", "vj000000000002"];
const CSV = `Registry Accession,Country\n${A},Kenya\n${B},Peru\n`;
const FASTA = `;fields=registry_accession|Country|Collection Date\n>${A}|Kenya|2020\nAC\nGT\n>${B}|Peru|\nGG\n`;
const TEMPLATE = "{registry_accession}|{country}|{Collection Date}";
const METADATA = ["--information", "metadata", "--type", "csv"];
const SEQUENCES = ["--information", "sequences", "--type", "fasta"];

const csv = (text = CSV) => answer(200, { "content-type": "text/csv" }, text);
const fasta = (text = FASTA) => answer(200, { "content-type": "text/x-fasta" }, text);
const source = { "Registry Accession": A, Country: "Kenya", "Collection Date": "2020" };
const page = json({ total: 2, results: [{ id: "1", score: 1, source }], facets: {}, query: "" });

/** A registry that answers both exports, and shows one record to whoever asks for its fields. */
const both = (metadata: Reply, sequences: Reply): Reply => (exchange) => {
  if (exchange.request.path.endsWith("/search")) return page(exchange);
  return byBody(({ download }) => JSON.stringify(download).includes('"sequences"') ? sequences : metadata)(exchange);
};

/** Runs a download against a registry; what it left in its folder comes with it. */
async function download(registry: Reply, args: readonly string[], stdin = "") {
  await using server = await serveFaults(registry);
  return await inFolder(async (folder) => {
    const placed = args.map((arg) => arg.replace(/^@/, `${folder}/`));
    const run = await runInProcess(["download", ...placed, "--registry", server.url, "--retries", "1"], { stdin });
    const files: Record<string, Uint8Array> = {};
    for await (const { name } of Deno.readDir(folder)) files[name] = await Deno.readFile(join(folder, name));
    const bodies = server.requests.filter(({ path }) => path.endsWith("/download")).map(({ body }) => JSON.parse(body));
    return { ...run, files, bodies };
  });
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("download --sequences writes the sequences of the same query beside the metadata", async () => {
  const { code, stdout, stderr, files, bodies } = await download(both(csv(), fasta()), [
    "x",
    ...METADATA,
    ...["--sequences", "@all.fasta.gz", "--fasta-header", TEMPLATE, "--ledger", "@ledger.json"],
  ]);
  assertEquals([code, stdout], [0, CSV], stderr);
  assertEquals(Object.keys(files).sort(), ["all.fasta.gz", "ledger.json"]);
  const plain = text(new Uint8Array(gunzipSync(files["all.fasta.gz"])));
  assertEquals(plain, `>${A}|Kenya|2020\nACGT\n>${B}|Peru|\nGG\n`);
  assertEquals(bodies.map(({ search }) => search), [{ query: "x" }, { query: "x" }]);
  assertEquals(bodies[1].download, {
    scope: "max",
    information: "sequences",
    fileType: "fasta",
    keys: "human_readable",
    metadata: ["Country", "Collection Date"],
  });
  assertStringIncludes(stderr, "download sequences: complete, 2 sequences received");
  const ledger = JSON.parse(text(files["ledger.json"]));
  assertEquals([ledger.received, ledger.complete, ledger.bytes], [2, true, CSV.length]);
  const { sequences } = ledger;
  assertEquals([sequences.operation, sequences.received, sequences.bytes], ["download sequences", 2, FASTA.length]);
});

Deno.test("download --sequences asks by --ids too; without a template the header is the accession", async () => {
  const args = ["--ids", "-", ...METADATA, "-o", "@a.csv", "--sequences", "@a.fasta", "--ledger", "@ledger.json"];
  const one = `;fields=registry_accession\n>${A}\nACGT\n`;
  const { code, stderr, files, bodies } = await download(both(csv(), fasta(one)), args, `${A}\n${B}\n`);
  assertEquals([code, text(files["a.csv"]), text(files["a.fasta"])], [4, CSV, `>${A}\nACGT\n`], stderr);
  assertEquals(bodies[1].download.metadata, ["Registry Accession"]);
  assertEquals(bodies[1].download.selected_ids, [A, B]);
  assertStringIncludes(stderr, "download: complete");
  assertStringIncludes(stderr, "download sequences: INCOMPLETE");
  const ledger = JSON.parse(text(files["ledger.json"]));
  assertEquals([ledger.complete, ledger.missing, ledger.sequences.missing], [false, [], [B]]);
});

Deno.test("download --sequences leaves neither file where one fails, and says what differs", async (t) => {
  const args = ["x", ...METADATA, "-o", "@a.csv", "--sequences", "@a.fasta"];
  const header = ["--fasta-header", TEMPLATE];
  const rows: Record<string, [Reply, readonly string[], code: number, files: readonly string[], says: string]> = {
    "an outage of the sequences": [both(csv(), answer(500, {}, "down")), args, 1, [], "500"],
    "a notice for the sequences": [both(csv(), answer(200, {}, "<html>")), args, 1, [], "first line"],
    "an outage of the metadata": [both(answer(500, {}, "down"), fasta()), args, 1, [], "500"],
    "a field of the template that did not come": [
      both(csv(), fasta(`;fields=registry_accession|Country\n>${A}|Kenya\nAC\n`)),
      [...args, ...header],
      1,
      [],
      'did not send "Collection Date", but registry_accession, Country',
    ],
    "a field that the registry does not have": [
      both(csv(), fasta()),
      [...args, "--fasta-header", "{id} {Contry}"],
      2,
      [],
      "did you mean {Country}?",
    ],
    "nothing matched": [both(answer(404, {}, "{}"), fasta()), args, 3, [], "nothing matched"],
    "fewer sequences than records": [
      both(csv(), fasta(`>${A}\nACGT\n`)),
      args,
      4,
      ["a.csv", "a.fasta"],
      "1 sequences came for 2 records of the same query",
    ],
    "no sequence at all": [both(csv(), answer(404, {}, "{}")), args, 4, ["a.csv"], "0 sequences came for 2 records"],
  };
  for (const [name, [registry, args, code, files, says]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const run = await download(registry, args);
      assertEquals([run.code, Object.keys(run.files).sort()], [code, files], run.stderr);
      assertStringIncludes(run.stderr, says);
    });
  }
});

Deno.test("download --fasta-header writes an export of sequences as plain FASTA", async () => {
  const args = ["x", ...SEQUENCES, "--fasta-header", "{id} [{Country}]"];
  const { code, stdout, bodies } = await download(both(csv(), fasta()), args);
  assertEquals([code, stdout], [0, `>${A} [Kenya]\nACGT\n>${B} [Peru]\nGG\n`]);
  assertEquals([bodies[0].download.metadata, bodies[0].download.keys], [["Country"], "human_readable"]);
  const aliases = fasta(FASTA.replace("Country", "country"));
  const byAlias = await download(both(csv(), aliases), [
    "x",
    ...SEQUENCES,
    "--fasta-header",
    "{Registry Accession}{{{Country}}}",
  ]);
  assertEquals([byAlias.code, byAlias.stdout.split("\n")[0]], [0, `>${A}{Kenya}`], byAlias.stderr);
  const asSent = await download(both(csv(), fasta()), ["x", ...SEQUENCES]);
  assertEquals([asSent.stdout, asSent.bodies[0].download.keys], [FASTA, undefined]);
});

Deno.test("download --metadata without the accession warns", async () => {
  const args = ["x", ...METADATA, "--metadata"];
  const without = await download(both(csv("Country\nKenya\n"), fasta()), [...args, "Country"]);
  assertEquals([without.code, without.stdout], [0, "Country\nKenya\n"]);
  assertStringIncludes(without.stderr, 'warning: the rows have no accession: add "Registry Accession"');
  const named = await download(both(csv(), fasta()), [...args, "Country,registry_accession"]);
  assertEquals([named.code, named.stderr.includes("do not name")], [0, false]);
});

Deno.test("download refuses sequences that do not fit before anything is asked", async (t) => {
  const rows: Record<string, readonly [args: readonly string[], says: string]> = {
    "beside sequences": [["x", ...SEQUENCES, "--sequences", "@a"], "--information metadata"],
    "a template without sequences": [["x", ...METADATA, "--fasta-header", "{id}"], "add --sequences FILE"],
    "a template and keys": [
      ["x", ...SEQUENCES, "--fasta-header", "{id}", "--keys", "alias"],
      "cannot be combined with --keys",
    ],
    "an open brace": [["x", ...METADATA, "--sequences", "@a", "--fasta-header", "{id"], "has no partner"],
    "both to standard output": [["x", ...METADATA, "--sequences", "-"], "choose another file for --sequences"],
    "both to one file": [["x", ...METADATA, "--sequences", "@a", "-o", "@./a"], "--output already uses this file"],
    "the ledger's file": [
      ["x", ...METADATA, "--sequences", "@a", "--ledger", "@a"],
      "--sequences already uses this file",
    ],
  };
  for (const [name, [args, says]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const run = await download(both(csv(), fasta()), args);
      assertEquals([run.code, run.stdout, run.bodies, run.files], [2, "", [], {}], run.stderr);
      assertStringIncludes(run.stderr, says);
    });
  }
});
