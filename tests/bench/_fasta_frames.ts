/** Rows on polars frames with sequences. */
import { writeSyntheticFasta } from "./_fasta_data.ts";
import { measure, output, said, sameBytes, time } from "./_fasta_measure.ts";
import type { FastaPeers } from "./_fasta_peers.ts";
import type { Row } from "./_report.ts";

/** A file so many times as large must need no more memory. */
const TIMES = 5;

/** Frames of bounded size, one after the other, beside dnaio and polars-bio; and the memory they need. */
export async function measureFrames(plain: string, records: number, { python }: FastaPeers): Promise<Row[]> {
  const script = (name: string) => new URL(name, import.meta.url).pathname;
  const ours = (path: string) =>
    `${Deno.execPath()} run --quiet --no-check --allow-all ${script("_frames.ts")} ${path}`;
  const rows: Row[] = [];
  const peers = {
    "dnaio, 8 MB batches": ["_frames_dnaio.py", 0.25],
    "polars-bio": ["_frames_polars_bio.py", 0.4],
  } as const;
  for (const [name, [file, atMost]] of python === undefined ? [] : Object.entries(peers)) {
    const theirs = `${python} ${script(file)} ${plain}`;
    // Every header and every letter, by one digest of all.
    const mine = await output(`${ours(plain)} --print | sha256sum`);
    const equal = sameBytes(mine, await output(`${theirs} --print | sha256sum`));
    rows.push(await measure("polars frames", ours(plain), name, theirs, atMost, (a, b) => equal && sameBytes(a, b)));
  }
  const left: number[] = [];
  for (let run = 0; run < 5; run++) left.push(await time(`${ours(plain)} --leave`));
  rows.push({ work: "polars frames left to the collector", ours: left, unit: "ms" });
  const large = `${plain}.large`;
  await writeSyntheticFasta(large, records * TIMES);
  for (const [path, way] of [[plain, ""], [large, ""], [plain, "--leave"], [large, "--leave"]]) {
    const peaks: number[] = [];
    for (let run = 0; run < 3; run++) peaks.push(await said(`${ours(path)} --peak ${way}`) / 1000);
    const size = (Deno.statSync(path).size / 1e9).toFixed(2);
    const work = `polars frames${way === "" ? "" : " left to the collector"}, peak memory at ${size} GB`;
    rows.push({ work, ours: peaks, unit: "MB", goal: { atMost: 160 } });
  }
  await Deno.remove(large);
  return rows;
}
