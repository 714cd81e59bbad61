import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { FastaError, type FastaRecord, readFasta, type ReadFastaOptions } from "../../../../src/core/fasta/mod.ts";
import { RegistryError } from "../../../../src/core/errors.ts";
import { sha256 } from "../../../../src/core/io/digest/sha256.ts";
import { bytesOf, inPieces, readNaively } from "../_naive.ts";
import { testWithPrograms } from "../../../_needs.ts";
import { inFolder } from "../../../_files.ts";

async function read(text: string, options: ReadFastaOptions = {}, pieceBytes = 7) {
  const reader = readFasta(inPieces(text, pieceBytes), options);
  const records: FastaRecord[] = [];
  for await (const record of reader) records.push(record);
  return { records, reader, ...await reader.head() };
}

Deno.test("readFasta() tells registry and plain FASTA apart by what comes before the first record", async (t) => {
  const heads: Record<string, [text: string, kind: string, fields: string[]]> = {
    "registry": [";fields=registry_accession|Country\n>vj000000000001|Chile\nA\n", "registry", [
      "registry_accession",
      "Country",
    ]],
    "registry, CRLF": [";fields=a|b\r\n>1|2\r\nA\r\n", "registry", ["a", "b"]],
    "registry without a record": [";fields=a|b", "registry", ["a", "b"]],
    "registry after a comment": ["; made by hand\n;fields=a\n>1\nA\n", "registry", ["a"]],
    "plain": [">a b\nA\n", "plain", ["id", "description"]],
    "byte order mark": ["\uFEFF>a\nA\n", "plain", ["id", "description"]],
    "blank lines": ["\n \r\n>a\nA\n", "plain", ["id", "description"]],
    "empty": ["", "plain", ["id", "description"]],
  };
  for (const [name, [text, kind, fields]] of Object.entries(heads)) {
    for (const pieceBytes of [1, 100]) {
      await t.step(`${name}, ${pieceBytes} at a time`, async () => {
        const reader = readFasta(inPieces(text, pieceBytes));
        assertEquals(await reader.head(), { kind: kind as "plain", fields });
        await reader.return();
      });
    }
  }
});

Deno.test("readFasta() yields id, header, values, bases, composition and position", async () => {
  const { records } = await read(";fields=acc|Country|Host\n>v1|Chile|\nACG\nTNn\n\n>v2|a b|bat\nggu\n");
  assertEquals(records, [
    {
      id: "v1",
      header: "v1|Chile|",
      values: ["v1", "Chile", ""],
      sequence: "ACGTNn",
      length: 6,
      gc: 0.5,
      ambiguous: 2,
      line: 2,
      byte: 25,
    },
    {
      id: "v2",
      header: "v2|a b|bat",
      values: ["v2", "a b", "bat"],
      sequence: "ggu",
      length: 3,
      gc: 2 / 3,
      ambiguous: 0,
      line: 6,
      byte: 45,
    },
  ]);
});

Deno.test("readFasta() splits a plain header at the first blank", async (t) => {
  const headers: Record<string, [id: string, description: string]> = {
    "a": ["a", ""],
    "a b c": ["a", "b c"],
    "a\tb": ["a", "b"],
    "a  b ": ["a", "b "],
    "gi|1|gb|X.1| virus": ["gi|1|gb|X.1|", "virus"],
    "é ü": ["é", "ü"],
  };
  for (const [header, values] of Object.entries(headers)) {
    await t.step(header, async () => {
      const { records } = await read(`>${header}\nA\n`);
      assertEquals([records[0].id, ...records[0].values], [values[0], ...values]);
      assertEquals(records[0].header, header);
    });
  }
});

Deno.test("readFasta() drops ASCII white space, keeps every letter, and counts as it keeps", async (t) => {
  const sequences: Record<string, [letters: string, gc: number | null, ambiguous: number]> = {
    "AC GT\t\r\nac\vg\ft\r\n": ["ACGTacgt", 0.5, 0],
    "NNN": ["NNN", null, 3],
    "A-C*G.": ["A-C*G.", 2 / 3, 3],
    "ACGU\nRYKM": ["ACGURYKM", 0.5, 4],
    "A\rC": ["AC", 0.5, 0],
  };
  for (const [text, [letters, gc, ambiguous]] of Object.entries(sequences)) {
    await t.step(JSON.stringify(text), async () => {
      const { records, reader } = await read(`>a\n${text}`, {}, 1);
      assertEquals(records.map(({ sequence, gc, ambiguous }) => [sequence, gc, ambiguous]), [[letters, gc, ambiguous]]);
      assertEquals(reader.problems, []);
    });
  }
});

Deno.test("blanks before an id play no part, as samtools has it; an accession of a registry FASTA keeps them", async () => {
  for (const pieceBytes of [1, 1000]) {
    const { records, reader } = await read(">  s1\tx y\nA\n> \v\fs2\r\nC\n>s3 z\nG\n> s1\nT\n", {}, pieceBytes);
    assertEquals(records.map(({ id, header }) => [id, header]), [
      ["s1", "s1\tx y"],
      ["s2", "s2"],
      ["s3", "s3 z"],
      ["s1", "s1"],
    ]);
    assertEquals(reader.problems.map(({ reason, line }) => [reason, line]), [["the id came before", 7]]);
    const registry = await read(";fields=acc|Host\n> v|x\nA\n", {}, pieceBytes);
    assertEquals(registry.records[0].id, " v");
  }
});

Deno.test("readFasta() says where a record may have vanished in a sequence", async () => {
  for (const [text, line, byte] of [[">a\nAC>b\nGT\n", 2, 5], [">a\n >b\n", 2, 4]] as const) {
    const { reader: { ledger, problems } } = await read(text, {}, 1);
    assertEquals([problems[0].line, problems[0].byte, problems[0].kept], [line, byte, true]);
    assertStringIncludes(problems[0].reason, "and with it a record");
    assertEquals(ledger.entries.map(({ code, level, ids }) => [code, level, ids]), [["record-hidden", "warning", [
      "a",
    ]]]);
    assertEquals(ledger.warnings, [
      `1 record with ">" inside the sequence, where another record may have vanished: a (line ${line})`,
    ]);
  }
});

Deno.test("readFasta() keeps what is only odd, and names the position", async (t) => {
  const oddities: Record<string, [text: string, line: number, byte: number, id: string, says: string]> = {
    "digit in a sequence": [">a\nAC\nA1C\n", 3, 7, "a", '"1" is not a sequence character'],
    "control character": [">a\nA\0C\n", 2, 4, "a", "the byte 0x00 is not a sequence character"],
    "character outside ASCII": [">a\nAé\n", 2, 4, "a", "the byte 0xc3 is not a sequence character"],
    "empty header": [">\nA\n", 1, 0, "", "no id"],
    "header of blanks": [">\t \r\nA\n", 1, 0, "", "no id"],
    "empty sequence": [">a\n\n>b\nA\n", 1, 0, "a", "the sequence is empty"],
    "empty sequence at the end": [">b\nA\n>a", 3, 5, "a", "the sequence is empty"],
    "duplicate id": [">a\nA\n>a x\nC\n", 3, 5, "a", "came before"],
    "old Macintosh line ends": [">a\rACGT\r\nA\n", 1, 0, "a", "carriage return"],
  };
  for (const [name, [text, line, byte, id, says]] of Object.entries(oddities)) {
    await t.step(name, async () => {
      const { records, reader } = await read(text, {}, 1);
      const { ledger, problems } = reader;
      assertEquals(problems.length, 1);
      assertEquals([problems[0].line, problems[0].byte, problems[0].id, problems[0].kept], [line, byte, id, true]);
      assertStringIncludes(problems[0].reason, says);
      assertEquals([ledger.complete, ledger.unparsed, ledger.warnings.length], [true, 0, 1]);
      assertEquals(ledger.received, records.length);
      const strict = await assertRejects(() => read(text, { strict: true }), FastaError, says);
      assertEquals([strict.line, strict.byte], [line, byte]);
    });
  }
});

Deno.test("readFasta() keeps a byte outside ASCII as one character", async () => {
  const { records } = await read(">a\nA\xe9C\n");
  assertEquals([records[0].length, records[0].sequence], [4, "A\xc3\xa9C"]);
});

Deno.test("readFasta() names a header that is not UTF-8", async () => {
  const reader = readFasta(new Uint8Array([0x3e, 0x61, 0xe9, 0x0a, 0x41, 0x0a]));
  for await (const { header } of reader) assertEquals(header, "a\uFFFD");
  assertStringIncludes(reader.problems[0].reason, "not UTF-8");
});

Deno.test("readFasta() leaves out a header with another number of values, and the ledger is incomplete", async (t) => {
  const headers: Record<string, [header: string, says: string]> = {
    "too few": ["v2", "holds 1 values, ;fields= names 2"],
    "too many": ["v2|a|b", 'holds 3 values, ;fields= names 2; a value may hold a raw "|"'],
  };
  for (const [name, [header, says]] of Object.entries(headers)) {
    await t.step(name, async () => {
      const text = `;fields=acc|Host\n>v1|bat\nAC\n>${header}\nGG\n>v3|\nT\n`;
      const { records, reader } = await read(text, {}, 3);
      assertEquals(records.map(({ id, sequence }) => [id, sequence]), [["v1", "AC"], ["v3", "T"]]);
      const [problem] = reader.problems;
      assertEquals([problem.id, problem.line, problem.value, problem.kept], ["v2", 4, header, false]);
      assertStringIncludes(problem.reason, says);
      const { received, unparsed, complete, reasons } = reader.ledger;
      assertEquals({ received, unparsed, complete }, { received: 2, unparsed: 1, complete: false });
      assertStringIncludes(reasons[0], "v2 (line 4)");
      await assertRejects(() => read(text, { strict: true }), FastaError, "line 4");
    });
  }
});

Deno.test("readFasta() skips comments with a warning, in the middle of a sequence too", async () => {
  const { records, reader } = await read("; one\n>a\nAC\n;two\nGT\n;three", {}, 1);
  assertEquals(records.map(({ sequence }) => sequence), ["ACGT"]);
  assertEquals(reader.ledger.warnings, ["3 comment lines skipped: line 1, line 4, line 6"]);
  assertEquals(reader.problems[1].value, ";two");
});

Deno.test("readFasta() accepts files joined by cat, and refuses two with different fields", async () => {
  const part = ";fields=acc|Host\n>v1|bat\nAC\n";
  const { records, reader } = await read(part + part.replaceAll("v1", "v2"), {}, 1);
  assertEquals(records.map(({ id, line }) => [id, line]), [["v1", 2], ["v2", 5]]);
  assertEquals(reader.ledger.warnings, []);
  const other = part + ";fields=acc|Country\n>v2|Chile\nAC\n";
  const error = await assertRejects(() => read(other), FastaError, ";fields=acc|Country is in the middle");
  assertEquals([error.line, error.byte], [4, 28]);
  await assertRejects(() => read(">a\nA\n" + part), FastaError, "begins with no such line");
});

/** Text of two bytes a character, without a byte order mark. */
function utf16Of(text: string): Uint8Array {
  return Uint8Array.from([...text].flatMap((letter) => [letter.charCodeAt(0), 0]));
}

Deno.test("readFasta() refuses what is not FASTA, and says what it looks like", async (t) => {
  const refusals: Record<string, [bytes: Uint8Array, says: string, line: number]> = {
    "PNG": [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), "a PNG image", 1],
    "HTML": [bytesOf("<!doctype html>\n<title>x"), "an HTML page", 1],
    "CSV": [bytesOf("Registry Accession,Sequence\nvj1,ACGT\n"), "a CSV table", 1],
    "FASTQ": [bytesOf("@a\nACGT\n+\nIIII\n"), "a FASTQ file", 1],
    "UTF-16": [utf16Of(">a\nAC\n>b\nGT\n"), "UTF-16 text; expected a line that begins with > or ;fields=; save it", 1],
    "lone CR": [bytesOf(">a\rAC\r>b\rGT\r"), "carriage returns alone; expected a line that begins with >", 1],
    "lone CR of long lines": [bytesOf(`>a\r${"ACGT".repeat(200)}\rAC\r`.replace(/(.{60})/g, "$1\r")), "tr '\\r'", 1],
    "lone CR after names": [bytesOf(`;fields=${"x".repeat(900)}\r>a\rAC\r>b\rGT\r`), "carriage returns alone", 1],
    "text before >": [bytesOf("\nsome words\n>a\nA\n"), "text", 2],
    "comments of #": [
      bytesOf("# by cutadapt, no reads left\n"),
      "comments of #; expected a line that begins with >",
      1,
    ],
    "comments of # before >": [bytesOf("# 2 reads\n>a\nA\n"), "leave such lines out, as by grep -v '^#'", 1],
    "> that begins no line": [bytesOf(" >a\nA\n"), "text before its first record", 1],
    "fields named twice": [bytesOf(";fields=a|b|a\n>1|2|3\nA\n"), 'the name "a" twice', 1],
    "field without a name": [bytesOf(";fields=\n>1\nA\n"), "an empty name", 1],
  };
  for (const [name, [bytes, says, line]] of Object.entries(refusals)) {
    for (const pieceBytes of [1, 1000]) {
      await t.step(`${name}, ${pieceBytes} at a time`, async () => {
        const reader = readFasta(inPieces(bytes, pieceBytes), { name: "x.fasta" });
        const error = await assertRejects(() => reader.next(), FastaError, says);
        assertStringIncludes(error.message, "x.fasta");
        assertEquals(error.line, line);
      });
    }
  }
});

Deno.test("readFasta() states the limits it stops at, and the option that lifts them", async () => {
  const long = ">abc d\n" + "A".repeat(100);
  await assertRejects(() => read(long, { maxRecordBytes: 99 }), FastaError, "raise maxRecordBytes");
  await assertRejects(() => read(long, { maxRecordBytes: 99 }), FastaError, 'record "abc"');
  assertEquals((await read(long, { maxRecordBytes: 100 })).records[0].length, 100);
  for (const text of [`>${"a".repeat(100)}\nA\n`, `;fields=${"a".repeat(100)}\n`]) {
    await assertRejects(() => read(text, { maxHeaderBytes: 99 }), FastaError, "readFasta() with maxHeaderBytes");
  }
  assertEquals((await read(";fields=acc|Host\n>v|x\nA\n", { maxHeaderBytes: 16 })).records.length, 1);
  await assertRejects(() => read(";fields=acc|Host\n>v|x\nA\n", { maxHeaderBytes: 15 }), FastaError, "maxHeaderBytes");
});

Deno.test("readFasta() refuses options out of range before it reads", () => {
  for (const [option, value] of [["maxRecordBytes", 0], ["maxHeaderBytes", 1.5], ["maxProblems", -1]] as const) {
    let says = "";
    try {
      readFasta("absent.fasta", { [option]: value });
    } catch (error) {
      says = error instanceof RangeError ? error.message : "";
    }
    assertStringIncludes(says, `option "${option}" of readFasta() must be`);
  }
});

Deno.test("readFasta() keeps the first problems and counts all", async () => {
  const { reader } = await read(">a\n".repeat(50), { maxProblems: 10 }, 1000);
  assertEquals([reader.problems.length, reader.problemCount], [10, 99]);
  assertEquals(reader.ledger.duplicate, 49);
  assert(reader.ledger.warnings.some((warning) => warning.includes("and 30 more")));
});

Deno.test("readFasta() reads gzip by its bytes, and refuses it when it is cut short", async () => {
  const zipped = new Uint8Array(gzipSync(">a\n" + "ACGT".repeat(1000)));
  for await (const { length } of readFasta(zipped)) assertEquals(length, 4000);
  await assertRejects(() => Array.fromAsync(readFasta(zipped.subarray(0, -9))), SyntaxError, "Cannot decompress");
});

Deno.test("readFasta() says what is wrong with a path", async () => {
  await inFolder(async (folder) => {
    const absent = await assertRejects(() => readFasta(`${folder}/absent.fasta`).next(), RegistryError);
    assertEquals(absent.code, "disk");
    await assertRejects(() => readFasta(folder).next(), RegistryError, "it is a folder");
  });
});

Deno.test("readFasta() takes the SHA-256 of the bytes as they travelled", async () => {
  const reader = readFasta(bytesOf(">a\nA\n"), { sha256: true });
  assertEquals(reader.sha256, null);
  await Array.fromAsync(reader);
  assertEquals([reader.bytes, reader.sha256], [5, await sha256(bytesOf(">a\nA\n"))]);
});

Deno.test("readFasta() cancels its source when the loop stops early", async (t) => {
  const stops: Record<string, (source: ReadableStream<Uint8Array>) => Promise<unknown>> = {
    "break": async (source) => {
      for await (const _ of readFasta(source)) break;
    },
    "return before the first record": (source) => readFasta(source).return(),
    "return after the head": async (source) => {
      const reader = readFasta(source);
      await reader.head();
      await reader.return();
    },
    "a fault": (source) => Array.fromAsync(readFasta(source, { strict: true })).catch(() => {}),
  };
  for (const [name, stop] of Object.entries(stops)) {
    await t.step(name, async () => {
      let isCancelled = false;
      const source = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(bytesOf(">a\n" + "ACGT\n".repeat(10_000))),
        cancel: () => {
          isCancelled = true;
        },
      }, { highWaterMark: 0 });
      await stop(source);
      // A stream that nobody began to read has nothing to cancel.
      if (name !== "return before the first record") assert(isCancelled);
    });
  }
});

Deno.test("readFasta() ends with the reason of its signal", async () => {
  const stop = new AbortController();
  const endless = (async function* () {
    for (;;) yield bytesOf(">a\nACGT\n");
  })();
  const reading = (async () => {
    for await (const _ of readFasta(endless, { signal: stop.signal })) stop.abort(new Error("enough"));
  })();
  await assertRejects(() => reading, Error, "enough");
});

Deno.test("readFasta() reads what a naive reader reads, however the bytes are cut", async () => {
  const line = fc.oneof(
    fc.stringMatching(/^[ACGTUNacgtun-]{0,90}$/),
    fc.stringMatching(/^>[ -~]{0,30}$/),
    fc.stringMatching(/^;[ -~]{0,10}$/).filter((text) => !text.startsWith(";fields=")),
    fc.stringMatching(/^[ -~\t]{0,20}$/),
  );
  const end = fc.constantFrom("\n", "\n", "\r\n");
  const text = fc.tuple(fc.array(fc.tuple(line, end)), line)
    .map(([lines, last]) => ">first\n" + lines.flat().join("") + last);
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (text, pieceBytes) => {
      const { records } = await read(text, {}, pieceBytes);
      assertEquals(
        records.map(({ header, sequence, line }) => ({ header, sequence, line })),
        readNaively(text),
      );
      for (const { byte, length, sequence } of records) {
        assertEquals([text[byte], length], [">", sequence.length]);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("readFasta() lets an abort through while it reads a file", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, ">a\n" + "ACGT".repeat(4_000_000));
    const stop = new AbortController();
    const reading = readFasta(path, { signal: stop.signal }).next();
    setTimeout(() => stop.abort(new Error("enough")), 0);
    // Either the abort came in time, or the file was read before its turn: both end, and neither hangs.
    await reading.catch((error) => assertEquals(error.message, "enough"));
    stop.abort(new Error("enough"));
    await assertRejects(() => readFasta(path, { signal: stop.signal }).next(), Error, "enough");
  } finally {
    await Deno.remove(path);
  }
});

testWithPrograms(["mkfifo", "sh"], "readFasta() reads a named pipe, which can be opened only once", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/pipe`;
  try {
    await new Deno.Command("mkfifo", { args: [path] }).output();
    const writer = new Deno.Command("sh", {
      args: ["-c", `printf '>a\\nACGT\\n' > "$0"`, path],
      signal: AbortSignal.timeout(30_000),
    }).output();
    const reader = readFasta(path, { signal: AbortSignal.timeout(30_000) });
    assertEquals((await Array.fromAsync(reader)).map(({ id, sequence }) => [id, sequence]), [["a", "ACGT"]]);
    assertEquals((await writer).success, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
