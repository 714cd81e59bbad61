/**
 * FASTA beside the programs of the field, each as a whole process on two cores: `deno task bench fasta [RECORDS]`.
 *
 * Outputs are compared in the same run; a row that is not compared does not count.
 */
import { USUAL_MEANS } from "../../src/fasta/_batch_source.ts";
import { CLI_PERMISSIONS } from "../_cli.ts";
import { seeded, writeSyntheticFasta } from "./_fasta_data.ts";
import { installPeers } from "./_fasta_peers.ts";
import { report, type Row, timeCommand } from "./_report.ts";

const RUNS = 5;
const RECORDS = Number(Deno.args[0] ?? 50_000);
/** Records that stay below the size from which on a worker helps. */
const SMALLER_RECORDS = Math.min(RECORDS, 40_000);
const ONE_THREAD = "one thread";
const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const TASKSET = Deno.build.os === "linux" ? "taskset -c 0,1 " : "";

const folder = await Deno.makeTempDir();
try {
  const peers = await installPeers(folder);
  const plain = `${folder}/plain.fasta`;
  const registry = `${folder}/registry.fasta`;
  await writeSyntheticFasta(plain, RECORDS);
  await writeSyntheticFasta(registry, RECORDS, { fields: true });
  const rows: Row[] = [];
  if (peers.has("seqkit")) {
    const table = `seqkit fx2tab -n -i -l -g ${plain}`;
    rows.push(await measure(`id, length, GC, ${threadsFor(plain)}`, table3(plain), "seqkit", table, 0.5, sameTable));
    rows.push(await measure(`… and ambiguous, ${threadsFor(plain)}`, table4(plain), "seqkit", table, 0.57, sameTable));
    if (threadsFor(plain) !== ONE_THREAD) {
      const smaller = `${folder}/smaller.fasta`;
      await writeSyntheticFasta(smaller, SMALLER_RECORDS);
      const work = `id, length, GC, ${SMALLER_RECORDS} records, ${threadsFor(smaller)}`;
      const line = `seqkit fx2tab -n -i -l -g ${smaller}`;
      rows.push(await measure(work, table3(smaller), "seqkit", line, 0.5, sameTable));
      await Deno.remove(smaller);
    }
  }
  if (peers.needletail !== undefined) {
    const work = `id, length, GC, ${threadsFor(plain)}`;
    rows.push(await measure(work, table3(plain), "needletail", `${peers.needletail} ${plain}`, 0.6, sameTable));
  }
  if (peers.has("seqkit")) rows.push(...await measureGzip(plain, peers.has("bgzip"), peers.has("igzip")));
  rows.push(...await measureIndex(plain, peers.has("samtools"), peers.python));
  if (peers.has("seqkit")) {
    // The peer cannot read the registry's first line, so it is given the file without.
    const ours = seqreg(
      `fasta plain ${registry} --header '{registry_accession}|{Sequence Name}|{Country}|{Sequence Length}'`,
    );
    rows.push(await measure("registry to plain", ours, "seqkit", `seqkit seq -w 70 ${plain}`, 0.6, sameBytes));
  }
  if (!report(`FASTA, ${RECORDS} records, ${(Deno.statSync(plain).size / 1e6).toFixed(0)} MB`, rows, peers.versions)) {
    Deno.exitCode = 1;
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}

function seqreg(line: string): string {
  return `${Deno.execPath()} run --quiet --no-check ${CLI_PERMISSIONS.join(" ")} ${MAIN} ${line} --quiet`;
}

/** From a size on a worker helps, and nothing turns it off: the table says where it did. */
function threadsFor(path: string): string {
  return Deno.statSync(path).size >= USUAL_MEANS.splitBytes ? "one worker more" : ONE_THREAD;
}

function table3(path: string): string {
  return seqreg(`fasta table ${path} --columns id,length,gc`);
}

function table4(path: string): string {
  return seqreg(`fasta table ${path} --columns id,length,gc,ambiguous`);
}

/** Runs two shell lines in turn and compares what they print. */
async function measure(
  work: string,
  ours: string,
  peer: string,
  theirs: string,
  atMost: number,
  same: (ours: Uint8Array, theirs: Uint8Array) => boolean,
): Promise<Row> {
  const equal = same(await output(ours), await output(theirs));
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    times.ours.push(await time(ours));
    times.theirs.push(await time(theirs));
  }
  return { work, ours: times.ours, unit: "ms", peer: { name: peer, figures: times.theirs }, goal: { atMost }, equal };
}

async function measureGzip(plain: string, hasBgzip: boolean, hasIgzip: boolean): Promise<Row[]> {
  const rows: Row[] = [];
  const files: Record<string, string> = { "gzip -1": `${plain}.1.gz`, "gzip -6": `${plain}.6.gz` };
  await time(`gzip -1 -c ${plain} > ${plain}.1.gz`);
  await time(`gzip -6 -c ${plain} > ${plain}.6.gz`);
  for (const [level, path] of Object.entries(files)) {
    const seqkit = `seqkit fx2tab -n -i -l -g ${path}`;
    rows.push(await measure(`id, length, GC, ${level}`, table3(path), "seqkit", seqkit, 0.45, sameTable));
    if (!hasIgzip) continue;
    const piped = `igzip -dc ${path} | seqkit fx2tab -n -i -l -g`;
    rows.push(await measure(`id, length, GC, ${level}`, table3(path), "igzip | seqkit", piped, 0.9, sameTable));
  }
  if (hasBgzip) {
    const path = `${plain}.b.gz`;
    await time(`bgzip -c ${plain} > ${path}`);
    const seqkit = `seqkit fx2tab -n -i -l -g ${path}`;
    rows.push(await measure("id, length, GC, BGZF", table3(path), "seqkit", seqkit, 0.28, sameTable));
  }
  return rows;
}

async function measureIndex(plain: string, hasSamtools: boolean, python: string | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  const ours = seqreg(`fasta index ${plain} -o -`);
  if (hasSamtools) {
    const theirs = `samtools faidx ${plain} --fai-idx /dev/stdout`;
    rows.push(await measure("index", ours, "samtools", theirs, 0.15, sameBytes));
  }
  if (python === undefined) return rows;
  const build = `rm -f ${plain}.fxi; ${python} -c "import pyfastx; pyfastx.Fasta('${plain}')"`;
  rows.push(await measure("index", ours, "pyfastx", build, 0.4, () => rows.every(({ equal }) => equal === true)));
  await time(seqreg(`fasta index ${plain}`));
  const random = seeded(7);
  const ids = Array.from({ length: 1000 }, () => {
    const record = random() % RECORDS + 1;
    return `'vj${String(record).padStart(12, "0")}|Virus'`;
  });
  await Deno.writeTextFile(`${plain}.ids`, ids.join("\n").replaceAll("'", "") + "\n");
  const fetch = `${python} -c "
import pyfastx
fasta = pyfastx.Fasta('${plain}')
for line in open('${plain}.ids'):
    name = line.rstrip()
    print('>' + name)
    print(fasta[name].seq)"`;
  const get = seqreg(`fasta get ${plain} ${ids.join(" ")}`);
  rows.push(await measure("1,000 fetches", get, "pyfastx", fetch, 0.6, sameRecords));
  return rows;
}

function shell(line: string): string[] {
  // The shell itself is pinned, and with it everything that it starts.
  return ["-c", TASKSET === "" ? line : `${TASKSET}sh -c "$0"`, line];
}

function time(line: string): Promise<number> {
  return timeCommand("sh", shell(line));
}

async function output(line: string): Promise<Uint8Array> {
  const { success, stdout, stderr } = await new Deno.Command("sh", { args: shell(line) }).output();
  if (!success) throw new Error(`${line} failed: ${new TextDecoder().decode(stderr).slice(0, 500)}`);
  return stdout;
}

/** Ours with a header and shares to six decimals, theirs without and in per cent to two. */
function sameTable(ours: Uint8Array, theirs: Uint8Array): boolean {
  const [, ...mine] = linesOf(ours);
  const other = linesOf(theirs);
  const isWhole = mine.length === RECORDS || mine.length === SMALLER_RECORDS;
  return isWhole && mine.length === other.length && mine.every((line, row) => {
    const [id, length, gc] = line.split("\t");
    const [theirId, theirLength, theirGc] = other[row].split("\t");
    // Theirs is rounded to 0.01 per cent, ours to 0.0001: half a step of each, and a hair for the sum.
    return id === theirId && length === theirLength && Math.abs(Number(gc) * 100 - Number(theirGc)) <= 0.00505 + 1e-9;
  });
}

function sameBytes(ours: Uint8Array, theirs: Uint8Array): boolean {
  return ours.length === theirs.length && ours.length > 0 && ours.every((byte, at) => byte === theirs[at]);
}

/** The same letters under the same ids, whatever the lines. */
function sameRecords(ours: Uint8Array, theirs: Uint8Array): boolean {
  const letters = (text: string) =>
    text.split(">").map((record) => {
      const [header, ...lines] = record.split("\n");
      return `${header.split(" ", 1)[0]} ${lines.join("")}`;
    }).join("\n");
  const decoder = new TextDecoder();
  return letters(decoder.decode(ours)) === letters(decoder.decode(theirs));
}

function linesOf(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).trimEnd().split("\n");
}
