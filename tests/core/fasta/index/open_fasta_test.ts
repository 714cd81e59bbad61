import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { RegistryError } from "../../../../src/core/errors.ts";
import {
  buildFastaIndex,
  FastaError,
  type FastaIndexEntry,
  formatFastaIndex,
  openFasta,
  parseFastaIndex,
  readFasta,
} from "../../../../src/core/fasta/mod.ts";
import { NEEDS_REAL_DATA, needsPrograms, REAL_DATA, testNeeding, testWithPrograms } from "../../../_needs.ts";
import { PLAIN, withFile } from "../_indexed.ts";
import { bytesOf, inPieces, readNaively } from "../_naive.ts";
import { inFolder } from "../../../_files.ts";

Deno.test("openFasta() lets timers and signals through between its records", async () => {
  await withFile(PLAIN, async (path) => {
    await using fasta = await openFasta(path);
    const signal = AbortSignal.timeout(50);
    const fetchOn = async () => {
      for (let fetched = 0; fetched < 1_000_000; fetched++) {
        assertEquals(await fasta.get("a"), "ACGTAC");
        signal.throwIfAborted();
      }
    };
    assertEquals((await assertRejects(fetchOn, DOMException)).name, "TimeoutError");
  });
});

Deno.test("openFasta() fetches what was requested before it was closed", async () => {
  await withFile(PLAIN, async (path) => {
    const fasta = await openFasta(path);
    await new Promise((resolve) => setTimeout(resolve, 40));
    const fetched = Promise.all([fasta.get("a"), fasta.header("b")]);
    fasta.close();
    assertEquals(await fetched, ["ACGTAC", "b"]);
  });
});

Deno.test("openFasta() gets bases by offset", async (t) => {
  await withFile(PLAIN, async (path) => {
    await using fasta = await openFasta(path);
    const gets: [id: string, start: number | undefined, end: number | undefined, letters: string | undefined][] = [
      ["a", undefined, undefined, "ACGTAC"],
      ["a", 3, 5, "TA"],
      ["a", 0, 0, ""],
      ["a", 6, undefined, ""],
      ["a", 5, 100, "C"],
      ["b", undefined, undefined, "GGT"],
      ["b", 1, 3, "GT"],
      ["c", 3, undefined, "T"],
      ["c", 4, 4, ""],
      ["d", undefined, undefined, undefined],
    ];
    for (const [id, start, end, letters] of gets) {
      await t.step(`${id} ${start} ${end}`, async () => assertEquals(await fasta.get(id, start, end), letters));
    }
    await t.step("several at once", async () => {
      const both = await Promise.all([fasta.get("a"), fasta.get("c"), fasta.get("b")]);
      assertEquals(both, ["ACGTAC", "TTTT", "GGT"]);
    });
    for (const [start, end] of [[-1, 2], [0.5, 2], [3, 2], [7, undefined]]) {
      await t.step(`refuses ${start} ${end}`, async () => {
        await assertRejects(() => fasta.get("a", start, end), RangeError);
      });
    }
  });
});

Deno.test("a file that was closed is reported as closed", async () => {
  await withFile(PLAIN, async (path) => {
    const fasta = await openFasta(path);
    fasta.close();
    fasta.close();
    for (const id of ["a", "nobody"]) {
      await assertRejects(() => fasta.get(id), TypeError, "the file was closed");
      await assertRejects(() => fasta.record(id), TypeError, "the file was closed");
    }
    assertEquals([fasta.has("a"), fasta.entries.size], [true, 3]);
  });
});

Deno.test("openFasta() notices an index that does not fit its file", async (t) => {
  for (const line of ["a\t6\t8\t4\t5\n", "a\t4\t17\t2\t4\n", "a\t9\t7\t4\t5\n"]) {
    await t.step(JSON.stringify(line), () =>
      withFile(PLAIN, async (path) => {
        await Deno.writeTextFile(`${path}.fai`, `${line}c\t4\t29\t4\t5\n`);
        await using fasta = await openFasta(path);
        await assertRejects(() => fasta.get("a"), FastaError, "does not fit the file");
      }));
  }
});

Deno.test("openFasta() takes no header and no comment for bases, whatever an index states", async (t) => {
  const text = ">a\nACGT\n>b\n;c\n>d\nTTTT\n";
  for (const [id, line] of [["a", "a\t6\t3\t4\t5\n"], ["a", "a\t8\t3\t4\t5\n"], ["b", "b\t2\t11\t2\t3\n"]]) {
    await t.step(JSON.stringify(line), () =>
      withFile(text, async (path) => {
        await Deno.writeTextFile(`${path}.fai`, `${line}d\t4\t17\t4\t5\n`);
        await using fasta = await openFasta(path);
        await assertRejects(() => fasta.get(id), FastaError, "does not fit the file");
        await assertRejects(() => fasta.record(id), FastaError, "does not fit the file");
        assertEquals(await fasta.get("d"), "TTTT");
      }));
  }
});

Deno.test("openFasta() says what is wrong with a record whose bases have no offsets", async (t) => {
  const texts: Record<string, [text: string, start: number, says: string]> = {
    "a byte outside ASCII": [">a\nACéGT\n", 0, "the byte 0xc3, which is not a sequence character"],
    "a blank": [">a\nAC GT\n", 0, "hold blanks"],
    "a blank before the letters that are wanted": [">a\nAC GT\nA\n", 3, "hold blanks"],
    "a control character": [">a\nAC\x01GT\nAC\x01GT\n", 6, "the byte 0x01"],
  };
  for (const [name, [text, start, says]] of Object.entries(texts)) {
    await t.step(name, () =>
      withFile(text, async (path) => {
        await using fasta = await openFasta(path);
        await assertRejects(() => fasta.get("a", start), FastaError, says);
      }));
  }
  await t.step("a record that goes on behind its end", () =>
    withFile(">a\nAC GT A\n", async (path) => {
      await using fasta = await openFasta(path);
      await assertRejects(() => fasta.record("a"), FastaError, "hold blanks or bytes that are not sequence characters");
    }));
  await t.step("an index that says too little", () =>
    withFile(">a\nACGT\nAC\n", async (path) => {
      await Deno.writeTextFile(`${path}.fai`, "a\t4\t3\t4\t5\n");
      await using fasta = await openFasta(path);
      assertEquals([fasta.index, fasta.has("a"), fasta.has("b")], ["read", true, false]);
      await assertRejects(() => fasta.record("a"), FastaError, "does not fit the file");
      for (const start of [undefined, 2, 4]) {
        await assertRejects(() => fasta.get("a", start), FastaError, "does not fit the file");
      }
      assertEquals(await fasta.get("a", 1, 3), "CG");
    }));
  await t.step("an index that says too little of letters in one line", () =>
    withFile(">a\nACGTAC\n", async (path) => {
      await Deno.writeTextFile(`${path}.fai`, "a\t4\t3\t4\t5\n");
      await using fasta = await openFasta(path);
      await assertRejects(() => fasta.get("a"), FastaError, "does not fit the file");
    }));
  await t.step("a line without letters behind the sequence", () =>
    withFile(">a\nACGT\né\n>b\nA\n", async (path) => {
      await using fasta = await openFasta(path);
      await assertRejects(() => fasta.get("a"), FastaError, "bytes that are not sequence characters");
    }));
});

testWithPrograms(["mkfifo"], "openFasta() refuses a pipe at once, and an abort ends the wait for one", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/pipe`;
  await new Deno.Command("mkfifo", { args: [path] }).output();
  await assertRejects(() => openFasta(path), RegistryError, "it is a pipe or a device");
  const stop = new AbortController();
  const reading = buildFastaIndex(path, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 5);
  await assertRejects(() => reading, Error, "enough");
  // Whoever waits for a writer meets one, so that nothing is left open.
  (await Deno.open(path, { write: true })).close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("openFasta() takes the accession as id in a registry FASTA", async () => {
  await withFile("; by hand\r\n;fields=acc|Host\r\n>v1|a bat\r\nACGT\r\n", async (path) => {
    for (const index of ["made", "read"]) {
      await using fasta = await openFasta(path);
      assertEquals([fasta.index, fasta.head.fields, await fasta.get("v1")], [index, ["acc", "Host"], "ACGT"]);
      assertEquals((await fasta.record("v1"))?.header, "v1|a bat");
    }
  });
});

Deno.test("openFasta() finds every id that readFasta() gives, whatever stands before it", async (t) => {
  const mark = "\uFEFF";
  const texts: Record<string, string> = {
    "a byte order mark before all": `${mark}>a x\nACGT\n>b\nGG\n`,
    "a byte order mark before the fields": `${mark};fields=a|b\n>a|x\nACGT\n>b|\nGG\n`,
    "a byte order mark in an id": `>${mark}a x\nACGT\n>b${mark}\nGG\n`,
    "a byte order mark in an accession": `;fields=a|b\n>${mark}a|x\nACGT\n`,
    "a blank outside ASCII": ">\u00a0a\u2003b\nACGT\n>\u3000\nGG\n",
  };
  for (const [name, text] of Object.entries(texts)) {
    await t.step(name, async () => {
      const folder = await Deno.makeTempDir();
      const path = `${folder}/a.fasta`;
      await Deno.writeTextFile(path, text);
      for (const index of ["made", "read"]) {
        await using fasta = await openFasta(path);
        assertEquals(fasta.index, index);
        for await (const { id, header, sequence } of readFasta(path)) {
          assertEquals([await fasta.get(id), (await fasta.record(id))?.header], [sequence, header]);
        }
        assertEquals(fasta.entries.size, text.split(">").length - 1);
      }
      await Deno.remove(folder, { recursive: true });
    });
  }
});

Deno.test("buildFastaIndex() refuses what has no offsets, and names the position", async (t) => {
  const refusals: Record<string, [text: string, line: number | undefined, says: string]> = {
    "a longer line": [">a\nAC\nACG\n", 3, "differ in length"],
    "a line after a short one": [">a\nACG\nA\nA\n", 4, "differ in length"],
    "a blank line between": [">a\nAC\n\nAC\n", 4, "other lines stand between"],
    "a comment between": [">a\nAC\n;x\nAC\n", 4, "other lines stand between"],
    "text": ["hello\n", 1, "it looks like text"],
    "comments of #": ["# a, b\n>a\nA\n", 1, "it looks like text with comments of #"],
    "UTF-16": [[...">a\nAC\n>b\nGT\n"].join("\0") + "\0", 1, "save it as UTF-8"],
    "lone CR": [">a\rAC\r>b\rGT\r", 1, "carriage returns alone"],
    "UTF-16 after names": [[...";fields=a\n>a\nAC\n"].join("\0") + "\0", 1, "save it as UTF-8"],
    "lone CR after field names": [";fields=id\r>a\rAC\r>b\rGT\r", 1, "carriage returns alone"],
    "gzip": ["\x1f\x8b", undefined, "bgzip"],
    "other fields": [";fields=a\n>1\nA\n;fields=b\n", 4, "in the middle"],
  };
  for (const [name, [text, line, says]] of Object.entries(refusals)) {
    await t.step(name, async () => {
      const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
      const error = await assertRejects(() => buildFastaIndex(bytes), FastaError, says);
      assertEquals(error.line, line);
    });
  }
});

Deno.test("an index tells where bases are, however the bytes were cut", async () => {
  const record = fc.record({
    header: fc.stringMatching(/^[a-z]{1,8}( [ -~]{0,9})?$/),
    sequence: fc.stringMatching(/^[ACGTNacgtn*.-]{1,60}$/),
    wrap: fc.integer({ min: 1, max: 70 }),
    end: fc.constantFrom("\n", "\r\n"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 8 }),
      fc.integer({ min: 1, max: 30 }),
      async (records, pieceBytes) => {
        const text = records.map(({ header, sequence, wrap, end }) =>
          [`>${header}`, ...sequence.match(new RegExp(`.{1,${wrap}}`, "g"))!].join(end) + end
        ).join("");
        const { entries } = await buildFastaIndex(inPieces(text, pieceBytes));
        const first = new Map<string, string>();
        for (const { header, sequence } of readNaively(text)) {
          const id = header.split(" ", 1)[0];
          if (!first.has(id)) first.set(id, sequence);
        }
        assertEquals(entries.map(({ id }) => id), [...first.keys()]);
        for (const { id, offset, length, lineLetters, lineBytes } of entries) {
          let letters = "";
          for (let at = 0; at < length; at++) {
            letters += text[offset + Math.floor(at / lineLetters) * lineBytes + at % lineLetters];
          }
          assertEquals(letters, first.get(id));
        }
        assertEquals(parseFastaIndex(formatFastaIndex(entries), text.length), entries);
      },
    ),
  );
});

Deno.test("buildFastaIndex() reads a large file ahead with the result of a stream", async () => {
  const path = await Deno.makeTempFile();
  const letters = "ACGT".repeat(5_000).match(/.{1,70}/g)!.join("\n");
  const text = Array.from({ length: 500 }, (_, n) => `>a${n} of 500\n${letters.slice(0, n * 41)}\n`).join("");
  const whole = text.repeat(2);
  await Deno.writeTextFile(path, whole);
  const { entries, duplicates, count, format } = await buildFastaIndex(path);
  const other = await buildFastaIndex(inPieces(whole, 1 << 16));
  assertEquals([count, duplicates.length, format()], [499, 499, other.format()]);
  assertEquals(entries, other.entries);

  const stop = new AbortController();
  stop.abort(new Error("enough"));
  await assertRejects(() => buildFastaIndex(path, { signal: stop.signal }), Error, "enough");
  await Deno.remove(path);
});

testWithPrograms(["samtools"], "buildFastaIndex() writes what samtools writes", async (t) => {
  await inFolder(async (folder) => {
    const files: Record<string, string> = {
      "plain": PLAIN,
      "duplicates": ">a\nACGT\n>a\nAC\n>b c\nA\n",
      "leading blank": "> a b\nAC\n",
      "an empty one in the middle": ">a\nA\n>b\n>c\nC\n",
      "odd letters": ">a\nAC>T\n A;\n",
      "white space of every kind ends an id": ">a b\nA\n>b\tc\nA\n>c\vd\nA\n>d\fe\nA\n>e\rf\nA\n>f\r\nA\n",
      "blanks in lines": ">a\nAC GT\nA\n",
      "blank lines": "\n\n>a\nAC\n\n\n>b\nA\n",
      "CRLF": ">a\r\nACGT\r\nA\r\n",
    };
    for (const [name, text] of Object.entries(files)) {
      await t.step(name, async () => {
        const entries = await compareWithSamtools(folder, text);
        if (name.startsWith("white space")) {
          assertEquals(
            (await Array.fromAsync(readFasta(bytesOf(text)))).map(({ id }) => id),
            entries.map(({ id }) => id),
          );
        }
      });
    }
  });
});

testNeeding(
  { ...needsPrograms("samtools"), ...NEEDS_REAL_DATA },
  "buildFastaIndex() writes what samtools writes of real genomes",
  async () => {
    await inFolder(async (folder) => {
      await compareWithSamtools(folder, await Deno.readTextFile(new URL("zika/sequences.fasta", REAL_DATA)));
    });
  },
);

async function compareWithSamtools(folder: string, text: string): Promise<readonly FastaIndexEntry[]> {
  const path = `${folder}/a.fasta`;
  await Deno.writeTextFile(path, text);
  assert((await new Deno.Command("samtools", { args: ["faidx", path], stderr: "null" }).output()).success);
  const { entries } = await buildFastaIndex(bytesOf(text));
  assertEquals(formatFastaIndex(entries), await Deno.readTextFile(`${path}.fai`));
  await Deno.remove(`${path}.fai`);
  return entries;
}

Deno.test("parseFastaIndex() reads nothing that cannot be true", () => {
  assertEquals(parseFastaIndex("", 0), []);
  assertEquals(parseFastaIndex("a\t1\t-1\t1\t2\n", 100), undefined);
  assertThrows(() => formatFastaIndex(parseFastaIndex("a\t1\n", 100)!));
});

Deno.test("parseFastaIndex() refuses what is not an index", async (t) => {
  const texts = [
    "a\n",
    "a\t1\t2\t3\n",
    "a\t1\t2\t3\t4",
    "a\t1\t2\t3\t4\t5\n",
    "a\t1\t2\t3\t4x\n",
    "a\t\t2\t3\t4\n",
    "a\t1e1\t2\t3\t4\n",
    "a\t-1\t2\t3\t4\n",
    "a\t1\t2\t5\t4\n",
    "a\t1\t2\t0\t4\n",
    "a\t1234567890123456\t2\t3\t4\n",
    "\n",
    "a\t1\t2\t3\t4\n\n",
    "a\nb\t1\t2\t3\t4\n",
  ];
  for (const text of texts) {
    await t.step(JSON.stringify(text), () => assertEquals(parseFastaIndex(text, 1e9), undefined));
  }
  await t.step("an empty name", () => assertEquals(parseFastaIndex("\t1\t2\t3\t4\n", 1e9)?.[0].id, ""));
});
