/**
 * An index of many genomes, and queries, compared with blastn: time, size, memory, latency, and whether the best hit is
 * blastn's. `deno task bench alike_index [RECORDS]`, RECORDS being 910,000 by default (10 Gbp: 30 GB of disk).
 *
 * blastn and makeblastdb must be on the path.
 */
import { join } from "node:path";
import { buildAlikeIndex, nearest, openAlikeIndex } from "../../src/alike/mod.ts";
import { familyMembers } from "../../src/embedded/sample/mod.ts";
import { memoryOf } from "../_memory.ts";
import { randomsOf } from "../_randoms.ts";
import { peerVersions, writeFamilyFile } from "./_alike_data.ts";
import { median, report, type Row } from "./_report.ts";
import { TWO_CORES } from "./_two_cores.ts";

const RECORDS = 910_000;
/** Goals of the whole size; the size of an index is judged by its bases. */
const WHOLE_BASES = 1e10;
const [GIGABYTES, MEGABYTES_A_SECOND, BUILD_MEGABYTES, OPEN_MS] = [4, 150, 1500, 200];
const [P50_MS, P95_MS, QUERY_MEGABYTES] = [60, 300, 500];
const DECOYS = 1000;
/** Queries are members of further seeds' families: mutants of records by their ancestor. */
const SEED = 1;
const QUERIES = 200;
const decoder = new TextDecoder();

interface QueryAnswer {
  readonly id: string;
  readonly ms: number;
  readonly accession: string | null;
  readonly aligned: string | null;
}

/** Runs a part of the bench in a process of its own. */
async function runPart(...args: readonly string[]): Promise<{ text: string; seconds: number; megabytes: number }> {
  const [program, ...rest] = [...TWO_CORES, Deno.execPath(), "run", "--no-check", "-A", import.meta.filename!, ...args];
  const started = performance.now();
  const child = new Deno.Command(program, { args: rest, stdout: "piped" }).spawn();
  let megabytes = 0;
  const watch = setInterval(() => megabytes = Math.max(megabytes, memoryOf(child.pid) ?? 0), 10);
  const { stdout, success } = await child.output();
  clearInterval(watch);
  if (!success) throw new Error(`${args[0]} failed`);
  return { text: decoder.decode(stdout), seconds: (performance.now() - started) / 1000, megabytes };
}

/** A stretch of a mutant of a record: at 85 to 90 % from 3 kb on, at 90 % and more from 1 kb on. */
interface Query {
  readonly id: string;
  readonly identity: number;
  readonly bases: string;
}

/** Draws mutants of records that are not among the records: members beyond those of the same families. */
function makeQueries(records: number): Query[] {
  const step = Math.max(1, Math.floor(records / 5.5 / QUERIES));
  const queries: Query[] = [];
  const known = familyMembers({ families: Math.min(99_999, Math.ceil(records / 5.5)), seed: SEED });
  let [member, wanted] = [0, 0];
  for (const { family, sequence, kinds } of known) {
    if (kinds[0] !== "ancestor" || family < wanted) continue;
    wanted = family + step;
    member += 1;
    const identity = [1, 0.99, 0.97, 0.95, 0.92, 0.91, 0.88, 0.86][member % 8];
    const least = identity >= 0.9 ? 1000 : 3000;
    if (sequence.length < least) continue;
    const length = member % 3 === 0 ? sequence.length : least + (sequence.length - least) * (member % 7) / 7 | 0;
    queries.push({
      id: `q${member}`,
      identity,
      bases: substitute(decoder.decode(sequence.subarray(0, length)), identity, member),
    });
    if (queries.length === QUERIES) break;
  }
  return queries;
}

function substitute(bases: string, identity: number, seed: number): string {
  const random = randomsOf(seed);
  return bases.replace(
    /[ACGT]/g,
    (base) => random() < identity ? base : "ACGT"[("ACGT".indexOf(base) + 1 + Math.floor(random() * 3)) % 4],
  );
}

function* decoys(): Generator<Query> {
  const random = randomsOf(99);
  for (let number = 0; number < DECOYS; number++) {
    const length = 1000 + Math.floor(random() ** 4 * 30_000);
    yield {
      id: `d${number}`,
      identity: 0,
      bases: Array.from({ length }, () => "ACGT"[Math.floor(random() * 4)]).join(""),
    };
  }
}

function fastaOf(queries: Iterable<Query>): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(Array.from(queries, ({ id, bases }) => `>${id}\n${bases}\n`).join(""));
}

/** The best hits of blastn: all that have the greatest sum of scores. */
async function blastBest(queries: string, database: string): Promise<Map<string, Set<string>>> {
  const args = ["-task", "blastn", "-query", queries, "-db", database, "-outfmt", "6 qseqid sseqid bitscore"];
  const run = new Deno.Command("blastn", {
    args: [
      ...args,
      "-num_threads",
      "2",
      "-max_target_seqs",
      "50",
      "-evalue",
      "1e-5",
      "-word_size",
      "11",
      "-dust",
      "no",
    ],
    stdout: "piped",
  });
  const { stdout, success } = await run.output();
  if (!success) throw new Error("blastn failed");
  const scores = new Map<string, Map<string, number>>();
  for (const line of decoder.decode(stdout).trimEnd().split("\n")) {
    const [query, subject, score] = line.split("\t");
    const sums = scores.get(query) ?? new Map<string, number>();
    sums.set(subject, (sums.get(subject) ?? 0) + Number(score));
    scores.set(query, sums);
  }
  return new Map([...scores].map(([query, sums]) => {
    const most = Math.max(...sums.values());
    // A percent of the score is within what gaps at the ends make.
    return [query, new Set([...sums].filter(([, score]) => score >= 0.99 * most).map(([subject]) => subject))];
  }));
}

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name } of Deno.readDir(folder)) bytes += (await Deno.stat(join(folder, name))).size;
  return bytes;
}

async function answerQueries(folder: string, file: string): Promise<QueryAnswer[]> {
  const opened = performance.now();
  using index = await openAlikeIndex(folder);
  const openMs = performance.now() - opened;
  const answers: QueryAnswer[] = [{ id: "open", ms: openMs, accession: null, aligned: null }];
  const texts = (await Deno.readTextFile(file)).split(">").slice(1);
  const encoder = new TextEncoder();
  // The first round warms the cache of the system and the compiler.
  for (const round of [0, 1]) {
    for (const text of texts) {
      const started = performance.now();
      const [{ query, hits }] = await Array.fromAsync(nearest(encoder.encode(`>${text}`), index, { n: 10 }));
      const ms = performance.now() - started;
      if (round === 1) answers.push({ id: query, ms, accession: hits[0]?.accession ?? null, aligned: null });
    }
  }
  return answers;
}

const [mode, first, second] = Deno.args;
if (mode === "--build") {
  const { hashes } = await buildAlikeIndex(first, second);
  console.log(hashes);
} else if (mode === "--query") {
  console.log(JSON.stringify(await answerQueries(first, second)));
} else if (mode === "--aligned") {
  using index = await openAlikeIndex(first);
  const best: Record<string, string | null> = {};
  for await (const { query, hits } of nearest(second, index, { n: 1, align: true })) {
    best[query] = hits[0]?.accession ?? null;
  }
  console.log(JSON.stringify(best));
} else {
  const records = Number(mode ?? RECORDS);
  const versions = await peerVersions({ blastn: ["-version"], makeblastdb: ["-version"] });
  const folder = await Deno.makeTempDir();
  const table: Row[] = [];
  try {
    const fasta = join(folder, "records.fasta");
    const bases = await writeFamilyFile(fasta, { records, seed: SEED });
    const size = `${records} records, ${(bases / 1e9).toFixed(2)} Gbp`;
    const built = await runPart("--build", fasta, join(folder, "index"));
    const megabytes = (await Deno.stat(fasta)).size / 1e6;
    const gigabytes = await folderBytes(join(folder, "index")) / 1e9;
    table.push(
      {
        work: `index: ${size}`,
        ours: [megabytes / built.seconds],
        unit: "MB/s",
        goal: { atLeast: MEGABYTES_A_SECOND },
      },
      { work: "index: memory", ours: [built.megabytes], unit: "MB", goal: { atMost: BUILD_MEGABYTES } },
      {
        work: "index: size",
        ours: [gigabytes],
        unit: "GB",
        goal: { atMost: Number((GIGABYTES * Math.max(0.001, bases / WHOLE_BASES)).toFixed(3)) },
      },
    );
    const queries = makeQueries(records);
    const [queryFile, decoyFile] = [join(folder, "queries.fasta"), join(folder, "decoys.fasta")];
    await Deno.writeFile(queryFile, fastaOf(queries));
    await Deno.writeFile(decoyFile, fastaOf(decoys()));
    const asked = await runPart("--query", join(folder, "index"), queryFile);
    const [open, ...answers]: QueryAnswer[] = JSON.parse(asked.text);
    const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
    table.push(
      { work: "open", ours: [open.ms], unit: "ms", goal: { atMost: OPEN_MS } },
      { work: `query: p50 of ${times.length}`, ours: [median(times)], unit: "ms", goal: { atMost: P50_MS } },
      { work: "query: p95", ours: [times[Math.floor(times.length * 0.95)]], unit: "ms", goal: { atMost: P95_MS } },
      { work: "query: memory", ours: [asked.megabytes], unit: "MB", goal: { atMost: QUERY_MEGABYTES } },
    );
    const decoyBest = JSON.parse((await runPart("--query", join(folder, "index"), decoyFile)).text) as QueryAnswer[];
    const hit = decoyBest.filter(({ accession }) => accession !== null).length;
    table.push({ work: `decoys with a hit, of ${DECOYS}`, ours: [hit], unit: "", goal: { atMost: 0 } });
    if (versions.makeblastdb !== undefined) {
      const database = join(folder, "blast");
      const made = await new Deno.Command("makeblastdb", {
        args: ["-in", fasta, "-dbtype", "nucl", "-out", database],
        stdout: "null",
      }).output();
      if (!made.success) throw new Error("makeblastdb failed");
      const best = await blastBest(queryFile, database);
      const aligned: Record<string, string | null> = JSON.parse(
        (await runPart("--aligned", join(folder, "index"), queryFile)).text,
      );
      const shareOf = (from: number, to: number) => {
        const some = queries.filter(({ identity, id }) => identity >= from && identity < to && best.has(id));
        return some.filter(({ id }) => best.get(id)!.has(aligned[id] ?? "")).length / some.length;
      };
      table.push(
        { work: "blastn's best, --align: from 90 %", ours: [shareOf(0.9, 2)], unit: "", goal: { atLeast: 0.99 } },
        { work: "blastn's best, --align: 85 to 90 %", ours: [shareOf(0.85, 0.9)], unit: "", goal: { atLeast: 0.95 } },
      );
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  if (!report("alike: an index and its queries", table, versions)) Deno.exitCode = 1;
}
