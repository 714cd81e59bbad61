import { assert, assertEquals, assertRejects } from "@std/assert";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { buildFastaIndex, FastaError, fastaStats, openFasta } from "../../../../src/core/fasta/mod.ts";
import { formatGzi, parseGzi } from "../../../../src/core/fasta/bgzf/bgzf.ts";
import { bytesOf, inPieces } from "../_naive.ts";
import { testWithPrograms } from "../../../_needs.ts";
import { inFolder } from "../../../_files.ts";

/** Compresses a text as bgzip does, in blocks of a given size, with the empty one at the end. */
function bgzip(text: string, blockBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(text);
  const parts: number[] = [];
  for (let at = 0; at <= bytes.length; at += blockBytes) {
    const isLast = at + blockBytes > bytes.length;
    for (const part of isLast ? [bytes.subarray(at), new Uint8Array(0)] : [bytes.subarray(at, at + blockBytes)]) {
      if (part.length === 0 && !isLast) continue;
      const body = deflateRawSync(part);
      const size = body.length + 25;
      const tail = new Uint8Array(8);
      new DataView(tail.buffer).setUint32(0, crc32(part), true);
      new DataView(tail.buffer).setUint32(4, part.length, true);
      parts.push(
        0x1f,
        0x8b,
        8,
        4,
        0,
        0,
        0,
        0,
        0,
        0xff,
        6,
        0,
        0x42,
        0x43,
        2,
        0,
        size & 0xff,
        size >> 8,
        ...body,
        ...tail,
      );
    }
  }
  return Uint8Array.from(parts);
}

const TEXT = ";fields=acc|Host\n" +
  Array.from({ length: 60 }, (_, n) => `>v${n}|bat\n${"ACGT\n".repeat(n + 1)}GG\n`).join("");

async function withFile(bytes: Uint8Array, work: (path: string) => Promise<void>) {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.fasta.gz`, bytes);
    await work(`${folder}/a.fasta.gz`);
  });
}

Deno.test("a BGZF file has the index of its text, however it is cut", async () => {
  const { entries } = await buildFastaIndex(bytesOf(TEXT));
  for (const blockBytes of [50, 1000, 60_000]) {
    for (const pieceBytes of [1, 999, 1 << 20]) {
      const compressed = bgzip(TEXT, blockBytes);
      const built = await buildFastaIndex(inPieces(compressed, pieceBytes));
      assertEquals(built.entries, entries);
      assertEquals(parseGzi(formatGzi(built.blocks!), compressed.length), built.blocks);
    }
  }
});

Deno.test("openFasta() gets bases of a BGZF file, across its blocks", async () => {
  await withFile(bgzip(TEXT, 37), async (path) => {
    for (const index of ["made", "read"]) {
      await using fasta = await openFasta(path);
      assertEquals([fasta.index, fasta.head.fields], [index, ["acc", "Host"]]);
      assertEquals(await fasta.get("v59"), "ACGT".repeat(60) + "GG");
      assertEquals(await fasta.get("v30", 3, 9), "TACGTA");
      assertEquals((await fasta.record("v0"))?.header, "v0|bat");
    }
    const lines = (await Deno.readTextFile(`${path}.fai`)).split("\n");
    await Deno.writeTextFile(`${path}.fai`, lines.slice(0, 40).join("\n") + "\n");
    await using cut = await openFasta(path);
    assertEquals([cut.index, await cut.get("v1"), cut.has("v59")], ["renewed", "ACGTACGTGG", true]);
    await Deno.writeFile(`${path}.gzi`, new Uint8Array(9));
    await using fasta = await openFasta(path);
    assertEquals([fasta.index, await fasta.get("v1")], ["renewed", "ACGTACGTGG"]);
  });
});

Deno.test("openFasta() gets bases of a BGZF file with empty blocks anywhere, made anew or by its saved index", async () => {
  const empty = bgzip("", 1).subarray(0, -28);
  const [first, second] = [TEXT.slice(0, 1000), TEXT.slice(1000)];
  // Without the empty block at the end of each.
  const blocks = [bgzip(first, 400), bgzip(second, 300)].map((bytes) => bytes.subarray(0, -28));
  const bytes = [empty, empty, blocks[0], empty, empty, blocks[1], empty, empty].flatMap((part) => [...part]);
  await withFile(Uint8Array.from(bytes), async (path) => {
    for (const index of ["made", "read"]) {
      await using fasta = await openFasta(path);
      assertEquals([fasta.index, fasta.head.kind], [index, "registry"]);
      for (let n = 0; n < 60; n++) assertEquals(await fasta.get(`v${n}`), `${"ACGT".repeat(n + 1)}GG`);
    }
  });
});

Deno.test("openFasta() notices a list of blocks that does not fit its file", async () => {
  const bytes = bgzip(TEXT, 500);
  await withFile(bytes, async (path) => {
    const { blocks, format } = await buildFastaIndex(path);
    await Deno.writeFile(`${path}.fai`, format());
    // One block is left out.
    await Deno.writeFile(`${path}.gzi`, formatGzi(blocks!.filter((_, index) => index !== 13)));
    await using fasta = await openFasta(path);
    assertEquals([fasta.index, await fasta.get("v1")], ["read", "ACGTACGTGG"]);
    const error = await assertRejects(() => fasta.get("v47"), FastaError, "remove");
    assertEquals([error.message.includes(".gzi does not fit"), error.byte], [true, blocks![12].compressed]);
  });
});

Deno.test("a BGZF file that lacks its end block is read, and reported as possibly truncated", async () => {
  const whole = bgzip(TEXT, 500);
  const said = (warnings: readonly string[]) => warnings.filter((warning) => warning.includes("no end block")).length;
  for (const [bytes, times] of [[whole, 0], [whole.subarray(0, -28), 1], [gzipSync(TEXT), 0]] as const) {
    for (const pieceBytes of [1, 27, 1 << 20]) {
      const { records, ledger } = await fastaStats(inPieces(bytes, pieceBytes));
      assertEquals([records, ledger.complete, said(ledger.warnings)], [60, true, times]);
    }
  }
  await withFile(whole.subarray(0, -28), async (path) => {
    for (const index of ["made", "read"]) {
      await using fasta = await openFasta(path);
      assertEquals([fasta.index, said(fasta.warnings)], [index, 1]);
    }
    assertEquals((await buildFastaIndex(path)).isCut, true);
    await Deno.writeFile(path, whole);
    assertEquals((await buildFastaIndex(path)).isCut, false);
    for (const _ of ["renewed", "read"]) {
      await using fasta = await openFasta(path);
      assertEquals(said(fasta.warnings), 0);
    }
  });
});

Deno.test("a damaged BGZF file is refused", async (t) => {
  const whole = bgzip(TEXT, 500);
  const damaged = whole.slice();
  damaged[100] ^= 0xff;
  const faults: Record<string, [bytes: Uint8Array, says: string]> = {
    "cut short": [whole.subarray(0, 700), "ends in the middle of a block"],
    "damaged": [damaged, "a block of it is damaged"],
    "followed by text": [Uint8Array.from([...whole, ...bytesOf("more than eighteen bytes")]), "the data after a block"],
  };
  for (const [name, [bytes, says]] of Object.entries(faults)) {
    await t.step(name, async () => {
      await assertRejects(() => buildFastaIndex(bytes), FastaError, says);
    });
  }
});

Deno.test("parseGzi() reads nothing that cannot be true", () => {
  const block = { compressed: 100, uncompressed: 1000 };
  const start = { compressed: 0, uncompressed: 0 };
  const good = formatGzi([start, block]);
  assertEquals(parseGzi(good, 101), [start, block]);
  assertEquals(parseGzi(good, 100), undefined);
  assertEquals(parseGzi(good.subarray(0, 20), 1000), undefined);
  assertEquals(parseGzi(formatGzi([start, block, block]), 1000), undefined);
  assertEquals(parseGzi(formatGzi([start, { compressed: 9, uncompressed: 1 << 17 }]), 1000), undefined);
});

testWithPrograms(["samtools"], "buildFastaIndex() lists the blocks that samtools lists", async () => {
  await withFile(bgzip(TEXT, 400), async (path) => {
    const samtools = () => new Deno.Command("samtools", { args: ["faidx", path], stderr: "null" }).output();
    assertEquals((await samtools()).success, false);
    // samtools cannot read the first line of the registry: a file without it.
    await Deno.writeFile(path, bgzip(TEXT.slice(TEXT.indexOf(">")), 400));
    assert((await samtools()).success);
    const { blocks } = await buildFastaIndex(path);
    assertEquals(formatGzi(blocks!), await Deno.readFile(`${path}.gzi`));
  });
});
