import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { gzipSync } from "node:zlib";
import { RegistryError } from "../../../../src/core/errors.ts";
import { buildFastaIndex } from "../../../../src/core/fasta/index/build_fasta_index.ts";
import { openFasta } from "../../../../src/core/fasta/index/open_fasta.ts";
import { fastaStats } from "../../../../src/core/fasta/stats/fasta_stats.ts";
import { openArchive } from "../../../../src/core/io/archive/open_archive.ts";
import { openBytes } from "../../../../src/core/io/bytes/open_bytes.ts";
import { type OpenedSource, openSource } from "../../../../src/core/io/bytes/open_source.ts";
import { openRandomBytes } from "../../../../src/core/io/bytes/random_bytes.ts";
import { sha256Of, startSha256 } from "../../../../src/core/io/digest/sha256.ts";
import { openTable } from "../../../../src/core/tables/open/open_table.ts";
import { inFolder } from "../../../_files.ts";
import { watchFiles } from "../../../_watched_files.ts";
import { zstdFrame } from "../_zstd_frames.ts";

const TEXT = `>a\n${"ACGT".repeat(100)}\n>b\nAC\n`;
const BGZF_END = [31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 66, 67, 2, 0, 27, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** One block of BGZF, and the empty one at the end. */
function bgzf(text: string): Uint8Array<ArrayBuffer> {
  const deflated = new Uint8Array(gzipSync(text)).subarray(10);
  const size = 18 + deflated.length - 1;
  const head = [31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 66, 67, 2, 0, size & 255, size >> 8];
  return Uint8Array.from([...head, ...deflated, ...BGZF_END]);
}

const FORMS: Readonly<Record<string, readonly [bytes: Uint8Array<ArrayBuffer>, compression: string | undefined]>> = {
  "plain": [new TextEncoder().encode(TEXT), undefined],
  "gzip": [new Uint8Array(gzipSync(TEXT)), "gzip"],
  "BGZF": [bgzf(TEXT), "BGZF"],
  "Zstandard": [zstdFrame(TEXT), "Zstandard"],
};

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text;
}

Deno.test("openSource() knows what a file, memory and a stream are, and reads each once", async (t) => {
  await inFolder(async (folder) => {
    for (const [form, [bytes, compression]] of Object.entries(FORMS)) {
      const path = `${folder}/${form}`;
      await Deno.writeFile(path, bytes);
      const pieces = () => ReadableStream.from([bytes.subarray(0, 1), bytes.subarray(1, 9), bytes.subarray(9)]);
      const sources = { file: path, memory: bytes, stream: pieces() } as const;
      for (const [kind, source] of Object.entries(sources)) {
        await t.step(`${form}, ${kind}`, async () => {
          let read = 0;
          const onChunk = (chunk: Uint8Array) => void (read += chunk.length);
          const opened = await openSource(source, { hash: startSha256(), onChunk });
          assertEquals([opened.kind, opened.compression?.name], [kind, compression]);
          assertEquals(opened.size, kind === "stream" ? undefined : bytes.length);
          assertEquals(opened.ranges?.read(1, 5), kind === "stream" ? undefined : bytes.subarray(1, 6));
          assertEquals(await textOf(opened.chunks()), TEXT);
          assertEquals([opened.bytes, read, opened.digest()], [bytes.length, bytes.length, sha256Of(bytes)]);
          await opened.close();
          await opened.close();
        });
      }
    }
  });
});

Deno.test("stored bytes are those of the source, also read at once", async () => {
  await inFolder(async (folder) => {
    const [bytes] = FORMS.gzip;
    await Deno.writeFile(`${folder}/a.gz`, bytes);
    const stored = await openSource(`${folder}/a.gz`);
    assertEquals(new Uint8Array(await new Response(ReadableStream.from(stored.stored())).arrayBuffer()), bytes);
    const into = new Uint8Array(64);
    const atOnce = await openSource(`${folder}/a.gz`, { into });
    const parts: number[] = [];
    for (let part = atOnce.readNow(into); part !== undefined; part = atOnce.readNow(into)) parts.push(...part);
    assertEquals(Uint8Array.from(parts), bytes);
    await atOnce.close();
    const memory = await openSource(bytes);
    assertThrows(() => memory.readNow(into), TypeError, "expected a file");
  });
});

Deno.test("openSource() closes what it opened, also when nothing or a part was read", async () => {
  let ended = 0;
  const endless = () =>
    (async function* () {
      try {
        for (;;) yield new TextEncoder().encode("acgtacgt");
      } finally {
        ended += 1;
      }
    })();
  await (await openSource(endless())).close();
  const part = await openSource(endless());
  for await (const _ of part.chunks()) break;
  await part.close();
  assertEquals(ended, 2);
  await assertRejects(() => openSource("no such file"), RegistryError, "does not exist");
});

Deno.test("a file is opened once, and read no more often than it has chunks and an end", async (t) => {
  await inFolder(async (folder) => {
    const path = (form: string) => `${folder}/${form}`;
    for (const [form, [bytes]] of Object.entries(FORMS)) await Deno.writeFile(path(form), bytes);
    await Deno.writeFile(path("table"), new Uint8Array(gzipSync("a,b\n1,2\n")));
    const readAll = async (opening: Promise<OpenedSource>) => void await textOf((await opening).chunks());
    await Deno.writeTextFile(path("semicolons"), "a;b\n1;2\n");
    const readTableRows = async (form: string) => {
      await using table = await openTable(path(form));
      await textOf((await table.read()).chunks);
    };
    const archive = async () => void await textOf((await openArchive(path("table"))).chunks);
    const ways: Readonly<Record<string, readonly [work: () => Promise<unknown>, opened: number, read: number]>> = {
      "openSource(), gzip": [() => readAll(openSource(path("gzip"))), 1, 2],
      "openBytes(), plain": [() => textOf(openBytes(path("plain"))), 1, 2],
      "openBytes(), Zstandard": [() => textOf(openBytes(path("Zstandard"))), 1, 2],
      "openRandomBytes(), plain": [async () => (await openRandomBytes(path("plain")))[Symbol.dispose](), 1, 1],
      "openRandomBytes(), gzip": [async () => (await openRandomBytes(path("gzip")))[Symbol.dispose](), 1, 2],
      "openArchive()": [archive, 1, 2],
      // A last read before the end is found: the scanner is asked twice.
      "fastaStats(), plain": [() => fastaStats(path("plain")), 1, 3],
      "fastaStats(), gzip": [() => fastaStats(path("gzip")), 1, 2],
      "fastaStats(), Zstandard": [() => fastaStats(path("Zstandard")), 1, 2],
      // Its end is looked at beforehand.
      "fastaStats(), BGZF": [() => fastaStats(path("BGZF")), 1, 3],
      "buildFastaIndex(), plain": [() => buildFastaIndex(path("plain")), 1, 2],
      "buildFastaIndex(), BGZF": [() => buildFastaIndex(path("BGZF")), 1, 2],
      "openFasta(), which makes an index": [async () => (await openFasta(path("plain"))).close(), 4, 5],
      "openFasta(), which has one": [async () => (await openFasta(path("plain"))).close(), 2, 6],
      // The reading that recognises a table goes on as the first of its rows.
      "openTable(), commas": [() => readTableRows("table"), 1, 2],
      // Its header, and what its quotes mean, are found in a reading of all rows.
      "openTable(), semicolons": [() => readTableRows("semicolons"), 2, 4],
    };
    for (const [way, [work, opened, read]] of Object.entries(ways)) {
      await t.step(way, async () => {
        using files = watchFiles();
        await work();
        assertEquals([files.opened, files.read], [opened, read]);
      });
    }
  });
});
