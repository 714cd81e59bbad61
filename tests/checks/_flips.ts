/** Flips bits in imports and lakes, one at a time, and looks whether an answer is ever wrong without a word. */
import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { ParseError, RegistryError } from "../../src/core/errors.ts";
import { formatAccession } from "../../src/core/contract/accession.ts";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { openRegistry, type RegistryService } from "../../src/embedded/service/mod.ts";
import { buildLake, openLake } from "../../src/core/tables/mod.ts";
import { drawFrom } from "../_randoms.ts";
import { inFolder } from "../_files.ts";

export interface FlipCounts {
  /** Flips after which an answer failed, naming the damage, or the import was made again with a warning. */
  noticed: number;
  /** Flips that changed no answer. */
  harmless: number;
}

const RECORDS = 400;

/** Files below a folder, with their sizes; locks are not data. */
async function filesBelow(folder: string, within = ""): Promise<{ path: string; bytes: number }[]> {
  const files: { path: string; bytes: number }[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, within))) {
    const path = join(within, name);
    if (isDirectory) files.push(...await filesBelow(folder, path));
    else if (!name.endsWith(".lock")) files.push({ path, bytes: (await Deno.stat(join(folder, path))).size });
  }
  return files.filter(({ bytes }) => bytes > 0).sort((a, b) => a.path < b.path ? -1 : 1);
}

async function flip(path: string, bit: number): Promise<void> {
  using file = await Deno.open(path, { read: true, write: true });
  const byte = new Uint8Array(1);
  await file.seek(Math.floor(bit / 8), Deno.SeekMode.Start);
  await file.read(byte);
  byte[0] ^= 1 << bit % 8;
  await file.seek(Math.floor(bit / 8), Deno.SeekMode.Start);
  await file.write(byte);
}

/** Picks a file, each as often as any other, then a bit of it, and flips that. */
async function flipAnywhere(folder: string, next: (below: number) => number) {
  const files = await filesBelow(folder);
  const { path, bytes } = files[next(files.length)];
  const place = { path: join(folder, path), bit: next(bytes * 8) };
  await flip(place.path, place.bit);
  return place;
}

/** Asks everything of a registry that an answer can be made of. */
async function askAll(service: RegistryService): Promise<string[]> {
  const post = async (path: string, body: unknown): Promise<string> => {
    const response = await service(
      new Request(`http://embedded${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    return `${response.status} ${await response.text()}`;
  };
  const search = (body: object) => post("/v2/search", { pageSize: 100, ...body });
  const exported = (information: string, fileType: string) =>
    post("/v2/download", {
      search: { query: "*", filter: [] },
      download: { scope: "max", information, fileType },
    });
  const accessions = Array.from({ length: 40 }, (_, at) => formatAccession(1 + at * 10));
  return [
    await search({ query: "" }),
    await search({ query: "virus" }),
    await search({ query: "country:* -class:*" }),
    await search({ query: "isolate:*1* OR sequence_length:[100 TO 5000]" }),
    await search({ query: '"complete genome"', sortColumn: "sequence_length", sortOrder: "desc" }),
    await search({ query: "", sortColumn: "isolate", sortOrder: "asc", pageNumber: 2 }),
    await post("/v2/sequence", { registry_accessions: accessions, accessions }),
    await exported("metadata", "csv"),
    await exported("metadata", "xml"),
    await exported("registry_accessions", "tsv"),
    await exported("sequences", "fasta"),
  ];
}

/** Flips bits of an import. @throws {AssertionError} If an answer is wrong and nothing said so. */
export async function flipImports(flips: number, seed: number): Promise<FlipCounts> {
  const next = drawFrom(seed);
  const counts = { noticed: 0, harmless: 0 };
  await inFolder(async (root) => {
    const [archives, cache] = [join(root, "archives"), join(root, "cache")];
    await makeSample(archives, { records: RECORDS, seed: 3 });
    const warnings: string[] = [];
    const ask = async (): Promise<string[]> => {
      await using registry = await openRegistry(archives, {
        cacheFolder: cache,
        onWarning: (warning) => void warnings.push(warning),
        onFault: () => {},
      });
      return await askAll(registry.service);
    };
    const expected = await ask();
    for (const answer of expected) assertEquals(answer.slice(0, 4), "200 ", answer.slice(0, 300));
    for (let done = 0; done < flips; done++) {
      const place = await flipAnywhere(join(cache, "service"), next);
      warnings.length = 0;
      const answers = await ask();
      const wrong = answers.findIndex((answer, at) => answer !== expected[at]);
      assertEquals(wrong, -1, `${place.path}, bit ${place.bit}: answer ${wrong} is wrong (${warnings.join("; ")})`);
      if (warnings.length > 0) counts.noticed++;
      else {
        counts.harmless++;
        await flip(place.path, place.bit);
      }
    }
  });
  return counts;
}

/** Reads everything of a lake: frames, texts as they came, problems, SQL, a join. */
async function readAll(folder: string): Promise<string> {
  await using lake = await openLake(folder);
  const read: unknown[] = [];
  for (const table of lake.tables.keys()) {
    const whole = await lake.table({ table });
    read.push((await whole.frame()).toRecords(), (await whole.rawFrame()).toRecords(), whole.problems, whole.ledger);
    read.push((await lake.sql(`SELECT * FROM "${table}"`)).toRecords());
  }
  const { ledger, withoutSequence } = await lake.join();
  read.push(ledger, withoutSequence);
  return JSON.stringify(read, (_, value) => typeof value === "bigint" ? String(value) : value);
}

/** Flips bits of a lake. @throws {AssertionError} If a reading is wrong and no error said so. */
export async function flipLakes(flips: number, seed: number): Promise<FlipCounts> {
  const next = drawFrom(seed);
  const counts = { noticed: 0, harmless: 0 };
  await inFolder(async (root) => {
    const [archives, lake] = [join(root, "archives"), join(root, "lake")];
    await makeSample(archives, { records: RECORDS, seed: 3 });
    const chosen = ["full_dataset_metadata", "full_dataset_sequence", "votu_cluster_comparison_metrics"];
    await buildLake(chosen.map((name) => join(archives, `registryv1_${name}.csv.gz`)), lake);
    const expected = await readAll(lake);
    for (let done = 0; done < flips; done++) {
      const place = await flipAnywhere(lake, next);
      const at = `${place.path}, bit ${place.bit}`;
      try {
        assertEquals(await readAll(lake) === expected, true, `${at}: a reading is wrong`);
        counts.harmless++;
      } catch (error) {
        if (!(error instanceof RegistryError) && !(error instanceof ParseError)) throw error;
        assertEquals(error.message.includes("build the lake again"), true, `${at}: ${error.message}`);
        counts.noticed++;
      }
      await flip(place.path, place.bit);
    }
  });
  return counts;
}
