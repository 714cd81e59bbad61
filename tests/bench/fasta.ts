/**
 * FASTA beside the programs of the field, each as a whole process on two cores: `deno task bench fasta [RECORDS]`.
 *
 * Outputs are compared in the same run; a row that is not compared does not count.
 */
import { USUAL_STRATEGY } from "../../src/core/fasta/records/batch_source.ts";
import { writeSyntheticFasta } from "./_fasta_data.ts";
import { measureFetches, measureIndex, measurePlain, measureStartUp } from "./_fasta_files.ts";
import { measureFrames } from "./_fasta_frames.ts";
import { measure, seqreg, time } from "./_fasta_measure.ts";
import { type FastaPeers, installPeers } from "./_fasta_peers.ts";
import { report, type Row } from "./_report.ts";

const RECORDS = Number(Deno.args[0] ?? 50_000);
/** A smaller file, of which the start is a larger part. */
const SMALLER_RECORDS = Math.min(RECORDS, 40_000);
/** Records of a file of 3.4 GB. */
const LARGE_RECORDS = 300_000;
/** Prints id, length and share of G and C; so many threads as it takes by itself. */
const SEQKIT = "seqkit fx2tab -n -i -l -g";

const folder = await Deno.makeTempDir();
try {
  const peers = await installPeers(folder);
  const plain = `${folder}/plain.fasta`;
  const registry = `${folder}/registry.fasta`;
  await writeSyntheticFasta(plain, RECORDS);
  await writeSyntheticFasta(registry, RECORDS, { fields: true });
  const rows: Row[] = [];
  if (peers.has("seqkit")) {
    const table = `${SEQKIT} ${plain}`;
    rows.push(await measure("id, length, GC", table3(plain), "seqkit", table, 0.5, sameTable));
    rows.push(await measure("… and ambiguous", table4(plain), "seqkit", table, 0.57, sameTable));
    const smaller = `${folder}/smaller.fasta`;
    await writeSyntheticFasta(smaller, SMALLER_RECORDS);
    const work = `id, length, GC, ${SMALLER_RECORDS} records`;
    rows.push(await measure(work, table3(smaller), "seqkit", `${SEQKIT} ${smaller}`, 0.5, sameTable));
    await Deno.remove(smaller);
    const ratios = seqreg(`fasta composition ${plain}`);
    rows.push(await measure("dinucleotide ratios", ratios, "seqkit", table, 0.5, sameLengths));
  }
  if (peers.needletail !== undefined) {
    rows.push(
      await measure("id, length, GC", table3(plain), "needletail", `${peers.needletail} ${plain}`, 0.6, sameTable),
    );
  }
  if (peers.helicase !== undefined) {
    // It maps the file into memory, and has no start to speak of: of a larger file that is a smaller part.
    const goal = RECORDS >= LARGE_RECORDS ? 1.5 : 2;
    const theirs = `${peers.helicase} ${plain}`;
    rows.push(await measure("id, length, GC", table3(plain), "helicase", theirs, goal, sameTable));
  }
  if (peers.has("seqkit")) rows.push(...await measureGzip(plain, peers), ...await measureBgzf(plain, peers));
  rows.push(...await measureFrames(plain, RECORDS, peers));
  rows.push(...await measureIndex(plain, peers));
  rows.push(...await measureFetches(plain, RECORDS, peers));
  rows.push(...await measurePlain(registry, plain, peers));
  rows.push(await measureStartUp(`${folder}/small.fasta`));
  if (!report(`FASTA, ${RECORDS} records, ${(Deno.statSync(plain).size / 1e6).toFixed(0)} MB`, rows, peers.versions)) {
    Deno.exitCode = 1;
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}

function table3(path: string): string {
  return seqreg(`fasta table ${path} --columns id,length,gc`);
}

function table4(path: string): string {
  return seqreg(`fasta table ${path} --columns id,length,gc,ambiguous`);
}

async function measureGzip(plain: string, peers: FastaPeers): Promise<Row[]> {
  const rows: Row[] = [];
  const files: Record<string, string> = { "gzip -1": `${plain}.1.gz`, "gzip -6": `${plain}.6.gz` };
  await time(`gzip -1 -c ${plain} > ${plain}.1.gz`);
  await time(`gzip -6 -c ${plain} > ${plain}.6.gz`);
  for (const [level, path] of Object.entries(files)) {
    const work = `id, length, GC, ${level}`;
    rows.push(await measure(work, table3(path), "seqkit", `${SEQKIT} ${path}`, 0.45, sameTable));
    if (!peers.has("igzip")) continue;
    rows.push(await measure(work, table3(path), "igzip | seqkit", `igzip -dc ${path} | ${SEQKIT}`, 0.9, sameTable));
  }
  return rows;
}

async function measureBgzf(plain: string, peers: FastaPeers): Promise<Row[]> {
  if (!peers.has("bgzip")) return [];
  const path = `${plain}.b.gz`;
  await time(`bgzip -c ${plain} > ${path}`);
  // From a size on a worker inflates its part, and nothing turns it off: the table says where it did.
  const isSplit = Deno.statSync(path).size >= USUAL_STRATEGY.splitBytes;
  const work = `id, length, GC, BGZF, ${isSplit ? "one worker more" : "one thread"}`;
  const rows = [await measure(work, table3(path), "seqkit", `${SEQKIT} ${path}`, 0.28, sameTable)];
  if (peers.rapidgzip !== undefined) {
    // Blocks are inflated in both threads: the harder goal of the two.
    const piped = `${peers.rapidgzip} -P 2 -dc ${path} | ${SEQKIT}`;
    rows.push(await measure(work, table3(path), "rapidgzip | seqkit", piped, 0.8, sameTable));
  }
  return rows;
}

/** Ours with a header and shares to six decimals, theirs without and in per cent to two. */
function sameTable(ours: Uint8Array, theirs: Uint8Array): boolean {
  const [, ...mine] = linesOf(ours);
  const other = linesOf(theirs);
  const isWhole = mine.length === RECORDS || mine.length === SMALLER_RECORDS;
  return isWhole && mine.length === other.length && mine.every((line, row) => {
    const [id, length, gc, ambiguous = "0"] = line.split("\t");
    const [theirId, theirLength, theirGc] = other[row].split("\t");
    // Theirs is rounded to 0.01 per cent, ours to 0.0001: half a step of each, and a hair for the sum.
    const isNear = Math.abs(Number(gc) * 100 - Number(theirGc)) <= 0.00505 + 1e-9;
    // They do not count ambiguous letters; the data hold none.
    return id === theirId && length === theirLength && isNear && ambiguous === "0";
  });
}

/** The same ids and lengths: theirs knows no pairs. */
function sameLengths(ours: Uint8Array, theirs: Uint8Array): boolean {
  const [, ...mine] = linesOf(ours);
  const other = linesOf(theirs);
  const keyOf = (line: string) => line.split("\t", 2).join("\t");
  return mine.length === RECORDS && mine.length === other.length &&
    mine.every((line, row) => keyOf(line) === keyOf(other[row]));
}

function linesOf(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).trimEnd().split("\n");
}
