/**
 * Sketches of 4,000 genomes and of 100,000 short records, compared with sourmash and mash, each a program on
 * two cores; and genomes aligned, compared with vclust. `deno task bench alike [TIMES]`; TIMES multiplies the data.
 *
 * sourmash, mash and vclust must be on the path; rows of those that are not there are left out, and named.
 */
import { join } from "node:path";
import { alignTo } from "../../src/alike/align/align_genomes.ts";
import { AlignRoutines } from "../../src/alike/align/align_routines.ts";
import { readSignatures } from "../../src/alike/mod.ts";
import { readSequences } from "../../src/alike/sketch/read_sequences.ts";
import { sketchBatches } from "../../src/alike/sketch/sketch_batches.ts";
import { memoryOf } from "../_memory.ts";
import { memberRecords, peerVersions, writeFamilyFile } from "./_alike_data.ts";
import { report, type Row } from "./_report.ts";
import { TWO_CORES } from "./_two_cores.ts";

const ROUNDS = 3;
const [K, SCALED] = [31, 100];
const MEGABYTES = 250;
const CLI = new URL("../../src/cli/main.ts", import.meta.url).pathname;

/** Runs a program on two cores. */
async function runTimed(command: readonly string[], cwd?: string): Promise<{ ms: number; megabytes: number }> {
  const [program, ...args] = [...TWO_CORES, ...command];
  const started = performance.now();
  const child = new Deno.Command(program, { args, cwd, stdout: "null", stderr: "piped" }).spawn();
  let megabytes = 0;
  const watch = setInterval(() => megabytes = Math.max(megabytes, memoryOf(child.pid) ?? 0), 10);
  const { success, stderr } = await child.output();
  clearInterval(watch);
  if (!success) throw new Error(`${command.join(" ")} failed: ${new TextDecoder().decode(stderr).slice(-500)}`);
  return { ms: performance.now() - started, megabytes };
}

/** Names and digests of signatures, in one order. */
async function digestsOf(file: string): Promise<string> {
  const rows = await Array.fromAsync(readSignatures(file), ({ name, md5 }) => `${name} ${md5}`);
  return rows.sort().join("\n");
}

async function measureSketches(folder: string, fasta: string, work: string): Promise<Row[]> {
  const deno = [Deno.execPath(), "run", "--no-check", "--allow-all"];
  const ours = { exchange: [] as number[], search: [] as number[], memory: [] as number[] };
  const theirs = { sourmash: [] as number[], mash: [] as number[] };
  let isEqual = true;
  for (let round = 0; round < ROUNDS; round++) {
    const out = `${fasta}-${round}`;
    const sketch = [CLI, "alike", "sketch", fasta, "-o", out, "--exchange", "--k", `${K}`, "--scaled", `${SCALED}`];
    const { ms, megabytes } = await runTimed([...deno, ...sketch]);
    ours.exchange.push(ms);
    ours.memory.push(megabytes);
    ours.search.push((await runTimed([...deno, import.meta.filename!, "--search", fasta])).ms);
    if (peers.sourmash !== undefined) {
      const file = join(folder, `theirs-${round}.sig.gz`);
      const params = `k=${K},scaled=${SCALED}`;
      const run = ["sourmash", "sketch", "dna", "--singleton", "-p", params, fasta, "-o", file];
      theirs.sourmash.push((await runTimed(run)).ms);
      isEqual &&= await digestsOf(join(out, "signatures.sig.gz")) === await digestsOf(file);
    }
    if (peers.mash !== undefined) {
      const run = ["mash", "sketch", "-i", "-k", `${K}`, "-s", "1000", "-p", "2", "-o", join(folder, "m"), fasta];
      theirs.mash.push((await runTimed(run)).ms);
    }
  }
  const rows: Row[] = [{ work: `exchange: ${work}`, ours: ours.memory, unit: "MB", goal: { atMost: MEGABYTES } }];
  if (peers.sourmash !== undefined) {
    const peer = { name: "sourmash", figures: theirs.sourmash };
    rows.push({
      work: `exchange: ${work}`,
      ours: ours.exchange,
      unit: "ms",
      peer,
      equal: isEqual,
      goal: { atMost: 0.1 },
    });
    // Other hashes than sourmash's: only times are compared.
    rows.push({ work: `search: ${work}`, ours: ours.search, unit: "ms", peer, equal: true, goal: { atMost: 0.05 } });
  }
  if (peers.mash !== undefined) {
    // MinHash of 1,000 hashes a record: only times are compared.
    const peer = { name: "mash", figures: theirs.mash };
    rows.push({ work: `exchange: ${work}`, ours: ours.exchange, unit: "ms", peer, equal: true, goal: { atMost: 0.3 } });
  }
  return rows;
}

/** A pair as vclust reports it. Shares are from 0 to 1. */
interface Pair {
  readonly query: string;
  readonly reference: string;
  readonly ani: number;
  readonly fraction: number;
}

async function readPairs(path: string): Promise<Pair[]> {
  const [header, ...lines] = (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) => line.split("\t"));
  const at = (name: string) => header.indexOf(name);
  return lines.map((cells) => ({
    query: cells[at("query")],
    reference: cells[at("reference")],
    ani: Number(cells[at("ani")]),
    fraction: Number(cells[at("qcov")]),
  })).sort((a, b) => a.reference < b.reference ? -1 : a.reference > b.reference ? 1 : 0);
}

/** Identity and covered fraction from which two genomes are of one species. */
const [SPECIES_ANI, SPECIES_FRACTION] = [0.95, 0.85];

async function measureAlignments(folder: string, fasta: string): Promise<Row[]> {
  const [filter, table] = [join(folder, "filter.txt"), join(folder, "ani.tsv")];
  await runTimed(["vclust", "prefilter", "-i", fasta, "-o", filter, "--min-ident", "0.7"]);
  const [ours, theirs]: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const align = ["vclust", "align", "-i", fasta, "-o", table, "--filter", filter, "-t", "1", "--outfmt", "complete"];
    theirs.push((await runTimed(align)).ms);
    ours.push(
      (await runTimed([Deno.execPath(), "run", "--no-check", "-A", import.meta.filename!, "--align", fasta, table])).ms,
    );
  }
  const pairs = await readPairs(table);
  const found = await alignPairs(fasta, pairs);
  const errors: Record<string, number[]> = { near: [], far: [], truth: [], theirs: [] };
  const identityOf = new Map(Array.from(memberRecords(ALIGNED), ({ id, identity }) => [id, identity]));
  let [both, one] = [0, 0];
  for (const [index, { query, reference, ani, fraction }] of pairs.entries()) {
    const mine = found[index];
    if (fraction > 0.3 && ani >= 0.85) errors[ani >= 0.9 ? "near" : "far"].push(100 * Math.abs(ani - mine.ani));
    const truth = identityOf.get(query);
    if (reference === ancestorOf(query) && truth !== undefined && truth >= 0.9) {
      errors.truth.push(100 * Math.abs(truth - mine.ani));
      errors.theirs.push(100 * Math.abs(truth - ani));
    }
    const theirsIs = ani >= SPECIES_ANI && fraction >= SPECIES_FRACTION;
    const oursIs = mine.ani >= SPECIES_ANI && mine.alignedFraction >= SPECIES_FRACTION;
    if (theirsIs && oursIs) both += 1;
    else if (theirsIs || oursIs) one += 1;
  }
  const mean = (figures: readonly number[]) => figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
  const f1 = 2 * both / (2 * both + one);
  const work = `align: ${pairs.length} pairs, one thread`;
  return [
    { work, ours, unit: "ms", peer: { name: "vclust align", figures: theirs }, equal: f1 >= 0.98, goal: { atMost: 1 } },
    { work: "align: error from 90 % up", ours: [mean(errors.near)], unit: "points of ANI", goal: { atMost: 0.15 } },
    { work: "align: error at 85 to 90 %", ours: [mean(errors.far)], unit: "points of ANI", goal: { atMost: 0.5 } },
    {
      work: "align: error from 90 % up, of what is true",
      ours: [mean(errors.truth)],
      unit: "points of ANI",
      peer: { name: "vclust align", figures: [mean(errors.theirs)] },
      equal: true,
      goal: { atMost: 1 },
    },
    { work: "align: F1 at 95 % over 85 %, against vclust", ours: [f1], unit: "", goal: { atLeast: 0.99 } },
  ];
}

/** The ancestor of a member's family. */
function ancestorOf(id: string): string {
  return id.replace(/m\d+$/, "m01");
}

/** What is aligned: vclust extends past the border of a chimera, into bases that are not related. */
const ALIGNED = { records: 1000, seed: 3, without: "chimera" } as const;

async function alignPairs(fasta: string, pairs: readonly Pair[]) {
  const sequences = new Map<string, Uint8Array>();
  await using reading = await readSequences(fasta, {});
  for await (const { id, bytes } of reading.sequences()) sequences.set(id, bytes.slice());
  const routines = new AlignRoutines();
  return pairs.map(({ query, reference }) => alignTo(routines, sequences.get(query)!, sequences.get(reference)!));
}

const [mode, first, second] = Deno.args;
let peers: Record<string, string> = {};
if (mode === "--search") {
  await using reading = await readSequences(first, {});
  let hashes = 0;
  for await (const { values } of sketchBatches(reading.batches(), { kind: "search" })) hashes += values.length;
  if (hashes === 0) throw new Error("no hash");
} else if (mode === "--align") {
  await alignPairs(first, await readPairs(second));
} else {
  const times = Number(mode ?? 1);
  peers = await peerVersions({ sourmash: ["--version"], mash: ["--version"], vclust: ["--version"] });
  const folder = await Deno.makeTempDir();
  const table: Row[] = [];
  try {
    const sets = [
      { name: "genomes", records: Math.round(4000 * times), seed: 1 },
      { name: "short records", records: Math.round(100_000 * times), seed: 2, cut: 3000 },
    ];
    for (const { name, ...options } of sets) {
      const fasta = join(folder, `${name.replace(" ", "-")}.fasta`);
      const bases = await writeFamilyFile(fasta, options);
      const work = `${options.records} ${name}, ${(bases / 1e6).toFixed(0)} MB`;
      table.push(...await measureSketches(folder, fasta, work));
    }
    if (peers.vclust !== undefined) {
      const fasta = join(folder, "aligned.fasta");
      await writeFamilyFile(fasta, ALIGNED);
      table.push(...await measureAlignments(folder, fasta));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  if (!report("alike: sketches and alignments", table, peers)) Deno.exitCode = 1;
}
