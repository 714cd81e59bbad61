import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cliCommand } from "../../_cli.ts";
import { type ProgramRun, runInFolder } from "../../_program.ts";
import {
  archiveBytes,
  CHECKSUM,
  checksumOf,
  finalFiles,
  NAME,
  serveWell,
  withFolder,
} from "../../core/datasets/_archive.ts";
import { head, startRawServer } from "../../core/datasets/_raw_server.ts";
import { datasetFileNames } from "../../../src/core/contract/datasets.ts";
import { refuseAll } from "../_world.ts";

const ARCHIVES = datasetFileNames().filter((name) => name.endsWith(".csv.gz"));
const BYTES = archiveBytes(31);
const TEXT = await checksumOf(BYTES);

/** Runs the program with a cache of its own. */
function runIn(folder: string, args: readonly string[], env: Record<string, string> = {}): Promise<ProgramRun> {
  return runInFolder(folder, args, { env: { SEQREG_CACHE: `${folder}/cache`, ...env } });
}

Deno.test("dataset --list lists the eight, under the deployment's naming", async () => {
  await withFolder(async (folder) => {
    const { code, stdout, stderr } = await runIn(folder, ["dataset", "--list"]);
    assertEquals([code, stdout, stderr], [0, ARCHIVES.map((name) => `${name}\n`).join(""), ""]);
    await Deno.writeTextFile(`${folder}/naming.json`, '{"registry": "genomebank"}');
    const named = await runIn(folder, ["dataset", "--list", "--naming", "./naming.json"]);
    assertStringIncludes(named.stdout, "genomebankv1_full_dataset_metadata.csv.gz\n");
  });
});

Deno.test("dataset prints the path of each verified archive, one a line, and the ledger", async () => {
  await withFolder(async (folder) => {
    await runIn(folder, ["sample", "-o", "./set", "--records", "30"]);
    const args = ["dataset", "--all", "-o", "./out", "--registry", "./set", "--ledger", "./ledger.json"];
    const { code, stdout, stderr } = await runIn(folder, args);
    assertEquals([code, stdout], [0, ARCHIVES.map((name) => `out/${name}\n`).join("")], stderr);
    assertMatch(stderr, /^seqreg: dataset: complete, 8 archives received, 8 asked for.*\n$/);
    for (const name of datasetFileNames()) {
      assertEquals(await Deno.readFile(`${folder}/out/${name}`), await Deno.readFile(`${folder}/set/${name}`));
    }
    const ledger = JSON.parse(await Deno.readTextFile(`${folder}/ledger.json`));
    assertEquals([ledger.operation, ledger.complete, ledger.asked, ledger.received], ["dataset", true, 8, 8]);
    assertEquals(ledger.request.filenames, ARCHIVES);
    const twice = await runIn(folder, ["dataset", "unique_seqs_metadata", NAME, "--registry", "./set"]);
    assertEquals([twice.code, twice.stdout.split("\n").length], [0, 2]);
    assertStringIncludes(twice.stderr, `warning: 1 archive was requested more than once and fetched once: ${NAME}\n`);
    const names = ["full_dataset_metadata", "registryv1_unique_seqs_sequence", ARCHIVES[0]];
    const three = await runIn(folder, ["dataset", ...names, "--quiet", "--registry", "./set"]);
    assertEquals([three.code, three.stderr], [0, ""]);
    const paths = three.stdout.trimEnd().split("\n");
    assertEquals(paths.length, 3);
    for (const path of paths) assert(path.startsWith("cache/archives/sha256/"), path);
  });
});

Deno.test("dataset refuses wrong usage before any request", async (t) => {
  await refuseAll(t, {
    "no name": [["dataset"], "--list"],
    "an unknown name": [["dataset", "full_dataset_metadat"], 'did you mean "full_dataset_metadata"?'],
    "an unknown name among known ones": [["dataset", "full_dataset_metadata", "nonsense"], "not one of the eight"],
    "a checksum file": [["dataset", "registryv1_full_dataset_metadata.sha256"], 'ask for "full_dataset_metadata"'],
    "a path": [["dataset", "../registryv1_full_dataset_metadata.csv.gz"], "not one of the eight"],
    "all and a name": [["dataset", "--all", "full_dataset_metadata"], "--all already includes"],
    "list and a name": [["dataset", "--list", "full_dataset_metadata"], "--list takes no names"],
    "two modes": [["dataset", "--all", "--offline", "--prefer-cache"], "cannot be combined"],
    "an empty folder name": [["dataset", "--all", "--output="], "--output"],
  });
});

Deno.test("dataset asks a live registry once, then for the checksum file alone; the cache serves without a network", async () => {
  await using server = await startRawServer(serveWell(() => ({ bytes: BYTES, etag: '"1"', checksum: TEXT })));
  await withFolder(async (folder) => {
    const args = ["dataset", NAME, "--registry", server.url];
    const missing = await runIn(folder, [...args, "--offline"]);
    assertEquals([missing.code, missing.stdout, server.requests.length], [1, "", 0]);
    assertStringIncludes(missing.stderr, "offline");
    const first = await runIn(folder, args);
    assertEquals(first.code, 0, first.stderr);
    assertEquals(await Deno.readFile(`${folder}/${first.stdout.trimEnd()}`), BYTES);
    assertEquals((await runIn(folder, args)).stdout, first.stdout);
    assertEquals(server.requests.map(({ fileName }) => fileName), [CHECKSUM, NAME, CHECKSUM]);
    for (
      const [flags, env] of [[["--offline"], {}], [["--prefer-cache"], {}], [[], { SEQREG_OFFLINE: "1" }]] as const
    ) {
      const kept = await runIn(folder, [...args, ...flags], env);
      assertEquals([kept.code, kept.stdout], [0, first.stdout], kept.stderr);
    }
    assertEquals(server.requests.length, 3);
  });
});

Deno.test("dataset refuses a damaged archive with exit code 1, and says expected, actual and what was done", async () => {
  const damaged = BYTES.slice();
  damaged[1000] ^= 1;
  await using server = await startRawServer(serveWell(() => ({ bytes: damaged, checksum: TEXT })));
  await withFolder(async (folder) => {
    const { code, stdout, stderr } = await runIn(folder, ["dataset", NAME, "-o", "./out", "--registry", server.url]);
    assertEquals([code, stdout], [1, ""]);
    for (const words of [TEXT.slice(0, 64), "got ", "were removed", "Likely causes"]) {
      assertStringIncludes(stderr, words);
    }
    assertEquals(await finalFiles(`${folder}/cache`), []);
  });
});

Deno.test("dataset and mirror tell an archive that is absent from one without a checksum file", async () => {
  await using server = await startRawServer(async (request, send) => {
    const { fileName = "" } = request;
    if (fileName === CHECKSUM || fileName === NAME) {
      return await serveWell(() => ({ bytes: BYTES, checksum: TEXT }))(request, send);
    }
    if (!fileName.endsWith(".sha256") || fileName.includes("votu")) {
      return await send(head("404 Not Found", { "Content-Length": 0 }));
    }
    const stated = `${TEXT.slice(0, 64)}  ${fileName.replace(".sha256", ".csv.gz")}\n`;
    await send(head("200 OK", { "Content-Length": stated.length }));
    await send(new TextEncoder().encode(stated));
  });
  await withFolder(async (folder) => {
    for (const [args, code] of [[["dataset", "--all"], 4], [["mirror"], 1]] as const) {
      const run = await runIn(folder, [...args, "-o", `./${args[0]}`, "--registry", server.url]);
      assertEquals(run.code, code, run.stderr);
      assertStringIncludes(run.stderr, "has no registryv1_votu_clusters_metadata.sha256 (404)");
      assertStringIncludes(
        run.stderr,
        "has reftax1_to_reftax2_map.sha256, but not the archive (404); it may be in the",
      );
    }
  });
});

Deno.test("dataset names each archive that a registry lacks, gets the others, and ends with 4", async () => {
  await using server = await startRawServer(async (request, send) => {
    if (request.fileName === CHECKSUM || request.fileName === NAME) {
      return await serveWell(() => ({ bytes: BYTES, checksum: TEXT }))(request, send);
    }
    await send(head("404 Not Found", { "Content-Length": 0 }));
  });
  await withFolder(async (folder) => {
    const args = ["dataset", "--all", "-o", "./out", "--registry", server.url, "--ledger", "./ledger.json"];
    const { code, stdout, stderr } = await runIn(folder, args);
    assertEquals([code, stdout], [4, `out/${NAME}\n`]);
    assertStringIncludes(stderr, "has no registryv1_full_dataset_metadata.sha256 (404)");
    const ledger = JSON.parse(await Deno.readTextFile(`${folder}/ledger.json`));
    assertEquals([ledger.complete, ledger.missing.length, ledger.received], [false, 7, 1]);
    const absent = await runIn(folder, ["dataset", "full_dataset_metadata", "--registry", server.url]);
    assertEquals([absent.code, absent.stdout], [1, ""]);
    const none = ["dataset", "full_dataset_metadata", "full_dataset_sequence", "--registry", server.url];
    assertEquals((await runIn(folder, none)).code, 1);
  });
});

Deno.test("dataset that is interrupted ends with 130, and nothing has a final name", async () => {
  const reached = Promise.withResolvers<void>();
  await using server = await startRawServer(async (request, send) => {
    if (request.fileName === CHECKSUM) return await serveWell(() => ({ bytes: BYTES, checksum: TEXT }))(request, send);
    await send(head("200 OK", { "Content-Length": BYTES.length, ETag: '"1"' }));
    await send(BYTES.subarray(0, 5000));
    reached.resolve();
    await new Promise<void>(() => {});
  });
  await withFolder(async (folder) => {
    const args = ["dataset", NAME, "-o", `${folder}/out`, "--registry", server.url];
    const child = cliCommand(args, { env: { SEQREG_CACHE: `${folder}/cache` } }).spawn();
    await reached.promise;
    child.kill("SIGINT");
    const { code, stderr } = await child.output();
    assertEquals(code, 130);
    assertStringIncludes(new TextDecoder().decode(stderr), "interrupted; what came of an archive is kept");
    assertEquals(await finalFiles(`${folder}/cache`), []);
  });
});
