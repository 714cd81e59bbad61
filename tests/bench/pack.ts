/** Memory and time of `pack`: `deno task bench pack [ROWS]`; 100,000 rows of 16 cells by default. Linux only. */
import { assertEquals } from "@std/assert";
import { report, type Row } from "./_report.ts";

const rows = Number(Deno.args[0] ?? 100_000);
if (!Number.isInteger(rows) || rows < 1) throw new RangeError("expected a number of rows");
/** Most memory: the runtime with both readers and the compressors, and the table. */
const MEMORY_MB = 250 + rows / 500;
const BASES = 300;
const COUNTRIES = ["Kenya", "Peru", "Brazil", "Cuba", "Mali", "France", "Germany", "Italy"];
const COLUMNS =
  "strain virus gisaid_epi_isl date region country division host originating_lab submitting_lab authors url " +
  "title length lineage notes";

/** Files of one kind: by the id itself, or with parts of the headers and quotes in the table. */
interface Files {
  readonly work: string;
  readonly joinedBy: string;
  readonly header: (strain: string, id: string, date: string) => string;
  readonly title: (part: number) => string;
}

const KINDS: readonly Files[] = [
  {
    work: "plain ids",
    joinedBy: "the id",
    header: (strain) => strain,
    title: (part) => `Genomes of the outbreak, a title of usual length, part ${part}`,
  },
  {
    work: "pieces of headers, quotes in the table",
    joinedBy: "the first piece of the header",
    header: (...pieces) => pieces.join("|"),
    title: (part) => `"Genomes\tof the ""outbreak"", a title of usual length, part ${part}"`,
  },
];

async function writeFiles(folder: string, { header, title }: Files): Promise<void> {
  using fasta = await Deno.create(`${folder}/sequences.fasta`);
  using table = await Deno.create(`${folder}/metadata.tsv`);
  const encoder = new TextEncoder();
  let [sequences, lines, state] = ["", COLUMNS.replaceAll(" ", "\t") + "\n", 1];
  const next = (below: number) =>
    (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) * below / 2_147_483_648 | 0;
  for (let row = 0; row < rows; row++) {
    const country = COUNTRIES[next(COUNTRIES.length)];
    const [strain, id] = [`hCoV/${country}/L${row}/2021`, `EPI_ISL_${1_000_000 + row}`];
    const date = `2021-${String(1 + next(12)).padStart(2, "0")}-${String(1 + next(28)).padStart(2, "0")}`;
    const bases = Array.from({ length: BASES }, () => "ACGT"[next(4)]).join("");
    sequences += `>${header(strain, id, date)}\n${bases}\n`;
    lines += [
      ...[strain, "ncov", id, date, `Region ${country}`, country, `Division ${next(300)}`, "Homo sapiens"],
      ...[`Laboratory of virology number ${next(900)}, University Hospital`, `Institute ${next(400)}`],
      ...[`Author ${next(5000)} et al`, `https://example.org/${row}`, title(next(50)), BASES, `B.1.${next(200)}`, ""],
    ].join("\t") + "\n";
    if (row % 1000 !== 999 && row + 1 < rows) continue;
    for (const [file, text] of [[fasta, sequences], [table, lines]] as const) {
      for (let bytes = encoder.encode(text); bytes.length > 0;) bytes = bytes.subarray(await file.write(bytes));
    }
    [sequences, lines] = ["", ""];
  }
}

const result: Row[] = [];
for (const kind of KINDS) {
  const folder = await Deno.makeTempDir();
  try {
    await writeFiles(folder, kind);
    const program = new URL("./_pack_work.ts", import.meta.url).pathname;
    const files = ["sequences.fasta", "metadata.tsv", "packed"].map((name) => `${folder}/${name}`);
    const started = performance.now();
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "--no-check", program, ...files],
    }).output();
    const ms = performance.now() - started;
    if (!success) throw new Error(new TextDecoder().decode(stderr).slice(0, 500));
    const { kilobytes, ...packed } = JSON.parse(new TextDecoder().decode(stdout));
    assertEquals(packed, { received: rows, complete: true, joinedBy: kind.joinedBy });
    const work = `${kind.work}: `;
    result.push({ work: `${work}most memory`, ours: [kilobytes * 1.024e-3], unit: "MB", goal: { atMost: MEMORY_MB } });
    result.push({ work: `${work}time`, ours: [ms], unit: "ms" });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
if (!report(`Packing ${rows} rows of ${COLUMNS.split(" ").length} cells`, result)) Deno.exitCode = 1;
