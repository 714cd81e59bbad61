/** Rows on whole files: index, fetches, plain FASTA, start-up. */
import { seeded } from "./_fasta_data.ts";
import { measure, measureSaid, sameBytes, sameRecords, seqreg, time } from "./_fasta_measure.ts";
import type { FastaPeers } from "./_fasta_peers.ts";
import type { Row } from "./_report.ts";

const FETCHES = 1000;

export async function measureIndex(plain: string, { has, python }: FastaPeers): Promise<Row[]> {
  const rows: Row[] = [];
  const ours = seqreg(`fasta index ${plain} -o -`);
  if (has("samtools")) {
    const theirs = `samtools faidx ${plain} --fai-idx /dev/stdout`;
    rows.push(await measure("index", ours, "samtools", theirs, 0.15, sameBytes));
  }
  if (python !== undefined) {
    // It is a database: that ours is right is seen beside samtools.
    const build = `rm -f ${plain}.fxi; ${python} -c "import pyfastx; pyfastx.Fasta('${plain}')"`;
    rows.push(await measure("index", ours, "pyfastx", build, 0.4, () => rows.every(({ equal }) => equal === true)));
  }
  return rows;
}

/** Fetching records by their ids: by the command line, and in a program that runs already. */
export async function measureFetches(plain: string, records: number, { python }: FastaPeers): Promise<Row[]> {
  if (python === undefined) return [];
  await time(seqreg(`fasta index ${plain}`));
  await time(`${python} -c "import pyfastx; pyfastx.Fasta('${plain}')"`);
  const random = seeded(7);
  const ids = Array.from(
    { length: FETCHES },
    () => `vj${String(random() % records + 1).padStart(12, "0")}|Virus`,
  );
  await Deno.writeTextFile(`${plain}.ids`, ids.join("\n") + "\n");
  const get = seqreg(`fasta get ${plain} --ids ${plain}.ids`);
  const extract = `${python.replace(/python$/, "pyfastx")} extract -l ${plain}.ids ${plain}`;
  const script = (name: string) => new URL(name, import.meta.url).pathname;
  const deno = `${Deno.execPath()} run --quiet --no-check --allow-all`;
  return [
    await measure("1,000 fetches", get, "pyfastx extract", extract, 0.6, sameRecords),
    await measureSaid(
      { work: "1,000 fetches, in a program that runs", unit: "ms", goal: { atMost: 0.6 } },
      `${deno} ${script("_fetch.ts")} ${plain} ${plain}.ids`,
      "pyfastx",
      `${python} ${script("_fetch_pyfastx.py")} ${plain} ${plain}.ids`,
      sameRecords,
    ),
  ];
}

/** Registry FASTA to plain FASTA. The peer cannot read the registry's first line, so it is given the file without. */
export async function measurePlain(registry: string, plain: string, { has }: FastaPeers): Promise<Row[]> {
  if (!has("seqkit")) return [];
  const template = "{registry_accession}|{Sequence Name}|{Country}|{Sequence Length}";
  const ours = seqreg(`fasta plain ${registry} --header '${template}'`);
  return [await measure("registry to plain", ours, "seqkit", `seqkit seq -w 70 ${plain}`, 0.6, sameBytes)];
}

/** A small file: what is left is the start. */
export async function measureStartUp(path: string): Promise<Row> {
  await Deno.writeTextFile(path, ">a\nACGT\n");
  const line = seqreg(`fasta stats ${path}`);
  await time(line);
  const ours: number[] = [];
  for (let run = 0; run < 9; run++) ours.push(await time(line));
  return { work: "fasta stats of a small file", ours, unit: "ms", goal: { atMost: 80 } };
}
