/** Real genomes on the whole way: packed, served over a socket, fetched by tools that we did not write. */
import { assertEquals } from "@std/assert";
import { parse } from "@std/csv";
import { gunzipSync } from "node:zlib";
import { datasetFileNames } from "../../src/core/contract/datasets.ts";
import { runCli, startCli } from "../_cli.ts";
import { NEEDS_REAL_DATA, needsPrograms, REAL_DATA, testNeeding } from "../_needs.ts";
import { makeFolder, sha256sumCheck } from "../embedded/sample/_archives.ts";

interface Serving extends AsyncDisposable {
  readonly url: string;
}

async function serve(folder: string, cache: string): Promise<Serving> {
  const { child, line, rest, stderr } = await startCli(["serve", folder], { env: { SEQREG_CACHE: cache } });
  return {
    url: line,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await Promise.all([rest, stderr, child.status]);
    },
  };
}

/** Runs the real curl; a body is sent as JSON. */
async function curl(url: string, body?: unknown): Promise<Uint8Array> {
  const post = body === undefined
    ? []
    : ["-H", "content-type: application/json", "--data-binary", JSON.stringify(body)];
  const { code, stdout, stderr } = await new Deno.Command("curl", { args: ["-sSf", "--noproxy", "*", ...post, url] })
    .output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  return stdout;
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Headers and letters of a FASTA, read in the simplest way. */
function readRecords(fasta: string): [header: string, sequence: string][] {
  return fasta.replace(/^;.*\n/, "").slice(1).split("\n>").map((record) => {
    const [header, ...lines] = record.split("\n");
    return [header, lines.join("")];
  });
}

const NEEDS = { ...needsPrograms("curl", "sha256sum"), ...NEEDS_REAL_DATA };

/** The others only by `deno task checks large-genomes`. */
const SETS = [
  ["zika", "sequences.fasta", "Brazil"],
  ...Deno.env.get("SEQREG_LARGE_GENOMES") === undefined ? [] : [["sarscov2", "sequences.fasta.gz", "Australia"]],
];

for (const [name, file, country] of SETS) {
  testNeeding(NEEDS, `curl fetches the genomes of ${name}, packed and served, as they were`, async () => {
    const metadata = new URL(`${name}/metadata.tsv`, REAL_DATA);
    await using folder = await makeFolder();
    const fasta = new URL(`${name}/${file}`, REAL_DATA);
    const set = `${folder.path}/set`;
    const args = ["pack", "--fasta", fasta.pathname, "--metadata", metadata.pathname, "-o", set, "--quiet"];
    assertEquals((await runCli(args)).code, 0);
    await using server = await serve(set, `${folder.path}/cache`);

    const raw = await Deno.readFile(fasta);
    const expected = readRecords(textOf(file.endsWith(".gz") ? gunzipSync(raw) : raw));
    const download = {
      search: { query: "*" },
      download: { scope: "max", information: "sequences", fileType: "fasta", metadata: ["Isolate"] },
    };
    const exported = readRecords(textOf(await curl(`${server.url}/v2/download`, download)));
    assertEquals(exported.map(([header, sequence]) => [header.split("|")[1], sequence]), expected);

    const accessions = exported.map(([header]) => header.split("|")[0]);
    const sequences = JSON.parse(textOf(
      await curl(`${server.url}/v2/sequence`, { registry_accessions: accessions.slice(0, 20) }),
    ));
    assertEquals(
      accessions.slice(0, 20).map((accession) => sequences[accession]),
      expected.slice(0, 20).map(([, s]) => s),
    );

    const lines = parse(await Deno.readTextFile(metadata), { separator: "\t", lazyQuotes: true });
    const column = lines[0].indexOf("country");
    const found = JSON.parse(textOf(await curl(`${server.url}/v2/search`, { query: `country:${country}` })));
    assertEquals(found.total, lines.filter((cells) => cells[column] === country).length);

    const fetched = `${folder.path}/fetched`;
    await Deno.mkdir(fetched);
    for (const name of datasetFileNames()) {
      await Deno.writeFile(`${fetched}/${name}`, await curl(`${server.url}/v2/datasets_download?filename=${name}`));
    }
    const check = await sha256sumCheck(fetched);
    assertEquals([check.code, check.stdout.match(/: OK$/gm)?.length], [0, 8]);
    const verify = await runCli(["verify", ...datasetFileNames().filter((name) => name.endsWith(".sha256"))], {
      cwd: fetched,
    });
    assertEquals([verify.code, verify.stdout.match(/: OK$/gm)?.length], [0, 8], verify.stderr);
  });
}
