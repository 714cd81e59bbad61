/**
 * Own code beside the library that could stand in its place: `deno task bench own_code`.
 *
 * Each row reads the same bytes from beginning to end and compares what was read. Own code stays where the library
 * takes at least 1.3 times as long: a ratio of at most 0.77. The table of CONTRIBUTING.md names module and row.
 */
import { createHash } from "node:crypto";
import { crc32, createGunzip, gzipSync } from "node:zlib";
import { CsvParseStream } from "@std/csv";
import { SaxesParser } from "saxes";
import { readCsvRows } from "../../src/core/io/csv/csv_rows.ts";
import { gunzip } from "../../src/core/io/gzip/gunzip.ts";
import { XmlTokens } from "../../src/core/io/xml/xml_tokens.ts";
import { ParquetBytes } from "../../src/core/parquet/write/parquet_bytes.ts";
import { numberChunk } from "../../src/core/parquet/write/text_bytes.ts";
import { type RecordSum, RecordSums } from "../../src/core/registry/lock/record_sums.ts";
import { report, type Row } from "./_report.ts";

const RUNS = 9;
const CHUNK_BYTES = 1 << 16;
const GOAL = { atMost: 0.77 };

const records = Array.from({ length: 20_000 }, (_, index) => ({
  accession: `vj${String(index).padStart(12, "0")}`,
  country: ["Germany", "Côte d’Ivoire", "Kenya & Uganda"][index % 3],
  note: index % 50 === 0 ? 'said "here",\nthen <there>' : "none",
  sequence: "ACGTTGCAAC".repeat(index % 20),
}));
const names = ["accession", "country", "note", "sequence"] as const;

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const xml = `<records>\n${
  records.map((record) =>
    `<record>${names.map((name) => `<field name="${name}">${escapeXml(record[name])}</field>`).join("")}</record>\n`
  ).join("")
}</records>\n`;
const csvCell = (text: string) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
const csv = `${names.join(",")}\n${
  records.map((each) => names.map((name) => csvCell(each[name])).join(",")).join("\n")
}\n`;
// Bases that do not repeat: inflating a genome reads literals and short matches.
let state = 1;
const fasta = records.slice(0, 4000).map(({ accession }) =>
  `>${accession}\n${
    Array.from({ length: 1000 }, () => "ACGT"[(state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 30]).join("")
  }\n`
).join("");

function chunksOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
}

async function* streamOf(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield* chunksOf(bytes);
}

/** Times both in turn; the first run, in which code is compiled, does not count. */
async function compare<T>(
  { work, peer }: { readonly work: string; readonly peer: string },
  ours: () => T | Promise<T>,
  theirs: () => T | Promise<T>,
): Promise<Row> {
  const equal = Deno.inspect(await ours(), INSPECT) === Deno.inspect(await theirs(), INSPECT);
  const time = async (run: () => T | Promise<T>) => {
    const started = performance.now();
    await run();
    return performance.now() - started;
  };
  const figures = { ours: [] as number[], theirs: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    figures.ours.push(await time(ours));
    figures.theirs.push(await time(theirs));
  }
  return { work, ours: figures.ours, unit: "ms", peer: { name: peer, figures: figures.theirs }, goal: GOAL, equal };
}

const INSPECT = { depth: 9, iterableLimit: 1e6, strAbbreviateSize: 1e6 };

const encoder = new TextEncoder();

function readXml(): string[][] {
  const rows: string[][] = [];
  let [row, text]: [string[], string] = [[], ""];
  const tokens = new XmlTokens({
    onOpen: ({ own }, attributes) => {
      if (own === "record") rows.push(row = []);
      text = attributes.get("name") ?? "";
    },
    onText: (more) => text += more,
    onClose: ({ own }) => own === "field" && row.push(text),
  });
  const decoder = new TextDecoder();
  for (const chunk of chunksOf(xmlBytes)) tokens.push(decoder.decode(chunk, { stream: true }));
  tokens.end();
  return rows;
}

function readXmlWithSaxes(): string[][] {
  const rows: string[][] = [];
  let [row, text]: [string[], string] = [[], ""];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "record") rows.push(row = []);
    text = String(attributes.name ?? "");
  });
  parser.on("text", (more) => text += more);
  parser.on("closetag", ({ name }) => name === "field" && row.push(text));
  const decoder = new TextDecoder();
  for (const chunk of chunksOf(xmlBytes)) parser.write(decoder.decode(chunk, { stream: true }));
  parser.close();
  return rows;
}

async function readCsv(): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const batch of readCsvRows(streamOf(csvBytes))) for (const { cells } of batch) rows.push([...cells]);
  return rows;
}

async function readCsvWithStd(): Promise<string[][]> {
  const texts = ReadableStream.from(streamOf(csvBytes)).pipeThrough(new TextDecoderStream());
  const rows: string[][] = [];
  for await (const row of texts.pipeThrough(new CsvParseStream())) rows.push([...row]);
  return rows;
}

async function inflate(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
  let [bytes, crc] = [0, 0];
  for await (const chunk of chunks) {
    bytes += chunk.length;
    crc = crc32(chunk, crc);
  }
  return [bytes, crc];
}

function inflateWithZlib(): Promise<number[]> {
  const inflater = createGunzip({ chunkSize: 1 << 20 });
  for (const chunk of chunksOf(gzip)) inflater.write(chunk);
  inflater.end();
  return inflate(inflater);
}

/** The sum of the SHA-256 of each line, as a lock has it. */
function sumRecords(): RecordSum {
  const sums = RecordSums.begin("CSV");
  for (const chunk of chunksOf(lines)) sums.update(chunk);
  return sums.close();
}

function sumRecordsWithCrypto(): RecordSum {
  let [from, records, sum] = [lines.indexOf(LF) + 1, 0, 0n];
  const header = new TextDecoder().decode(lines.subarray(0, from - 1));
  for (let to = lines.indexOf(LF, from); to !== -1; to = lines.indexOf(LF, from)) {
    sum += BigInt(`0x${createHash("sha256").update(lines.subarray(from, to)).digest("hex")}`);
    records++;
    from = to + 1;
  }
  return { header, records, sum: BigInt.asUintN(256, sum) };
}

function makeParquet(): Uint8Array<ArrayBuffer> {
  const columns = Array.from({ length: 80 }, (_, index) => ({ name: `column ${index}`, type: "int64" as const }));
  const file = new ParquetBytes(columns);
  const page = numberChunk([1, 2, 3]).pages[0].bytes;
  if (!(page instanceof Uint8Array)) throw new TypeError("expected bytes");
  const range = { least: Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0), greatest: Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0) };
  for (let group = 0; group < 5; group++) file.addGroup(3, columns.map(() => ({ values: 3, page, range })));
  return file.finish().bytes;
}

const xmlBytes = encoder.encode(xml);
const csvBytes = encoder.encode(csv);
const gzip = new Uint8Array(gzipSync(fasta));
const LF = 10;
const lines = encoder.encode(
  `${names.join(",")}\n${
    records.map((each) => `${names.map((name) => each[name].replaceAll(/[",\n]/g, " ")).join(",")}\n`).join("")
  }`,
);

/** A whole process: its modules are most of what it takes. */
async function readFooter(module: string): Promise<string> {
  const args = ["run", "--allow-read", new URL(module, import.meta.url).pathname, `${folder}/a.parquet`];
  const { success, stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (!success) throw new Error(`${module} failed`);
  return new TextDecoder().decode(stdout);
}

const folder = await Deno.makeTempDir();
await Deno.writeFile(`${folder}/a.parquet`, makeParquet());
const rows = [
  await compare({ work: "XML export to records", peer: "saxes" }, readXml, readXmlWithSaxes),
  await compare({ work: "CSV to rows", peer: "@std/csv" }, readCsv, readCsvWithStd),
  await compare({ work: "gzip to bytes", peer: "node:zlib" }, () => inflate(gunzip(streamOf(gzip))), inflateWithZlib),
  await compare({ work: "sum of the digests of rows", peer: "node:crypto" }, sumRecords, sumRecordsWithCrypto),
  await compare(
    { work: "a Parquet footer, a new process", peer: "hyparquet" },
    () => readFooter("./_footer_own.ts"),
    () => readFooter("./_footer_hyparquet.ts"),
  ),
];
await Deno.remove(folder, { recursive: true });
if (!report("Own code beside a library", rows)) Deno.exitCode = 1;
