import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import pl from "nodejs-polars";
import { ParseError, RegistryError } from "../../../../src/core/errors.ts";
import { FastaError, readFasta, writePlainFasta, writeRegistryFasta } from "../../../../src/core/fasta/mod.ts";
import { yieldToEventLoop } from "../../../../src/core/io/tasks/yield_to_event_loop.ts";
import { readFastaParquet, writeFastaParquet } from "../../../../src/core/tables/mod.ts";
import { anyText } from "../../../_any_text.ts";
import { bytesOf } from "../_frames.ts";

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return bytesOf(await new Response(ReadableStream.from(chunks)).text());
}

const value = fc.oneof(fc.string({ maxLength: 12 }), anyText({ maxLength: 8 }))
  .map((text) => text.replace(/[|\r\n]/g, "").toWellFormed());
const sequence = fc.stringMatching(/^[ACGTNacgtn*.-]{0,60}$/);

Deno.test("a FASTA comes back from Parquet as it was, whatever the size of the parts", async () => {
  const folder = await Deno.makeTempDir();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(value.filter((name) => name !== ""), { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.array(value, { minLength: 3, maxLength: 3 }), sequence), { maxLength: 8 }),
      fc.boolean(),
      fc.integer({ min: 30, max: 300 }),
      async (fields, rows, isRegistry, partBytes) => {
        const fasta = await joined(
          isRegistry
            ? writeRegistryFasta(
              rows.map(([values, sequence]) => ({ values: values.slice(0, fields.length), sequence })),
              {
                fields,
              },
            )
            : writePlainFasta(rows.map(([[header], sequence]) => ({ header, sequence }))),
        );
        const path = `${folder}/${runs++}`;
        const { rows: count, files } = await writeFastaParquet(fasta, path, { partBytes });
        const { records, ...contents } = await readFastaParquet(path);
        const again = (await Array.fromAsync(records)).map(({ values, sequence }) => ({ values, sequence }));
        const before = await Array.fromAsync(readFasta(fasta));
        assertEquals(again, before.map(({ values, sequence }) => ({ values: [...values], sequence })));
        assertEquals([contents.files, contents.rows, count], [files, before.length, before.length]);
      },
    ),
    { numRuns: 10 },
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("writeFastaParquet() keeps files bounded, and others read them as one table", async () => {
  const folder = await Deno.makeTempDir();
  const fasta = Array.from({ length: 40 }, (_, n) => `>s${n} n\n${"ACGT".repeat(25)}\n`).join("");
  const { files, ledger } = await writeFastaParquet(bytesOf(fasta), `${folder}/a`, { partBytes: 1_500 });
  assert(files.length >= 2 && files.length <= 3, `${files.length} files`);
  assertEquals([ledger.received, ledger.complete], [40, true]);
  const table = pl.scanParquet(`${folder}/a/*.parquet`).collectSync();
  assertEquals([table.height, table.columns], [40, ["id", "description", "length", "gc", "ambiguous", "sequence"]]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a very long record has a file of its own, with the columns of the others, and comes back", async () => {
  const folder = await Deno.makeTempDir();
  for (const [odd, repeats] of [["", 7_000_000], ["\u00e9", 700_000]] as const) {
    const long = "ACGTN".repeat(repeats);
    const fasta = `>a one\n${"AC".repeat(1000)}\n>b two${odd}\n${long}${odd}\n>c\nGG\n>d x\n${long}\n`;
    const path = `${folder}/${odd === "" ? "clean" : "odd"}`;
    const { files, rows } = await writeFastaParquet(bytesOf(fasta), path, { partBytes: 1000 });
    assertEquals([files.length, rows], [3, 4]);
    const frames = files.map((file) => pl.readParquet(`${path}/${file}`));
    for (const frame of frames) assertEquals(frame.schema, frames[0].schema);
    const whole = pl.scanParquet(`${path}/*.parquet`).select("id", "description", "length", "gc", "ambiguous");
    const extra = odd === "" ? 0 : 2;
    assertEquals(whole.collectSync().rows(), [
      ["a", "one", 2000, 0.5, 0],
      ["b", `two${odd}`, long.length + extra, 0.5, repeats + extra],
      ["c", "", 2, 1, 0],
      ["d", "x", long.length, 0.5, repeats],
    ]);
    const { records } = await readFastaParquet(path);
    const back: string[] = [];
    for await (const { header, sequence } of records) back.push(`${header} ${sequence === long} ${sequence.length}`);
    assertEquals(back, [
      "a one false 2000",
      `b two${odd} ${odd === ""} ${long.length + extra}`,
      "c false 2",
      `d x true ${long.length}`,
    ]);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("headers and rows fill a file as sequences do", async () => {
  const folder = await Deno.makeTempDir();
  const cases: Record<string, string> = {
    "no letters": Array.from({ length: 2_000 }, (_, n) => `>${n}\n`).join(""),
    "long headers": Array.from({ length: 60 }, (_, n) => `>${n} ${"x".repeat(4_000)}\nACGT\n`).join(""),
  };
  for (const [name, fasta] of Object.entries(cases)) {
    const { files, rows } = await writeFastaParquet(bytesOf(fasta), `${folder}/${name}`, { partBytes: 50_000 });
    assert(files.length >= 4, `${name}: ${files.length} files`);
    const heights = files.map((file) => pl.readParquet(`${folder}/${name}/${file}`).height);
    assertEquals(heights.reduce((sum, height) => sum + height, 0), rows);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("writeFastaParquet() leaves nothing that is not whole, and readFastaParquet() reads nothing else", async (t) => {
  const folder = await Deno.makeTempDir();
  const left = () => [...Deno.readDirSync(folder)].map(({ name }) => name);
  await t.step("no FASTA", async () => {
    await assertRejects(() => writeFastaParquet(bytesOf("<html>"), `${folder}/a`), Error, "an HTML page");
    await assertRejects(
      () => writeFastaParquet(bytesOf(">a\nA\n;fields=x\n>b\nA\n"), `${folder}/a`),
      Error,
      "the middle",
    );
    assertEquals(left(), []);
  });
  await t.step("an abort", async () => {
    const stop = new AbortController();
    const fasta = (async function* () {
      yield bytesOf(">a\nACGT\n>b\nAC");
      stop.abort(new Error("enough"));
      yield bytesOf("GT\n");
    })();
    await assertRejects(() => writeFastaParquet(fasta, `${folder}/a`, { signal: stop.signal }), Error, "enough");
    assertEquals(left(), []);
  });
  await t.step("a folder that holds something, a file, no folder to put it in", async () => {
    await Deno.mkdir(`${folder}/full/x`, { recursive: true });
    await Deno.writeTextFile(`${folder}/file`, "");
    for (const name of ["full", "file", "none/a"]) {
      await assertRejects(
        () => writeFastaParquet(bytesOf(">a\nA\n"), `${folder}/${name}`),
        RegistryError,
        "Cannot write",
      );
    }
    for (const options of [{ partBytes: 0 }, { maxRecordBytes: 2_000_000_001 }]) {
      await assertRejects(() => writeFastaParquet(bytesOf(""), `${folder}/b`, options), RangeError);
    }
  });
  await t.step("an empty folder stays until it is replaced, a link to it stays a link", async () => {
    await Deno.mkdir(`${folder}/empty`);
    await Deno.symlink("empty", `${folder}/link`);
    for (const name of ["empty", "link", "empty/"]) {
      await assertRejects(
        () => writeFastaParquet(bytesOf(">a\nA\n;fields=x\n>b\nA\n"), `${folder}/${name}`),
        FastaError,
      );
      assertEquals([...Deno.readDirSync(`${folder}/empty`)], []);
    }
    await writeFastaParquet(bytesOf(">a\nA\n"), `${folder}/link`);
    assertEquals((await readFastaParquet(`${folder}/empty`)).rows, 1);
    assert(Deno.lstatSync(`${folder}/link`).isSymlink);
    assertEquals(left().sort(), ["empty", "file", "full", "link"]);
  });
  await t.step("other folders", async () => {
    await assertRejects(() => readFastaParquet(`${folder}/full`), RegistryError, "holds no _fasta.json");
    for (const text of ["{", "{}", '{"fastaParquet":1,"kind":"plain","fields":["a","b"],"rows":1,"files":["../x"]}']) {
      await Deno.writeTextFile(`${folder}/full/_fasta.json`, text);
      await assertRejects(() => readFastaParquet(`${folder}/full`), SyntaxError, "write the folder again");
    }
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("characters outside ASCII are other bytes when they come back, and the ledger reports it", async () => {
  const folder = await Deno.makeTempDir();
  const fasta = Uint8Array.from(">a x\nAC\n>b y\nAC\xe9GT\n>c\nA1\n", (letter) => letter.charCodeAt(0));
  const { ledger } = await writeFastaParquet(fasta, `${folder}/a`);
  assertEquals([ledger.complete, ledger.warnings], [true, [
    "2 records with an unexpected character: b (line 4), c (line 6)",
    "1 record with characters outside ASCII, each of which is two bytes in Parquet and when it is read back from there: " +
    "b (line 3)",
  ]]);
  const { records } = await readFastaParquet(`${folder}/a`);
  const before = await Array.fromAsync(readFasta(fasta));
  assertEquals(
    (await Array.fromAsync(records)).map(({ sequence }) => sequence),
    before.map(({ sequence }) => sequence),
  );
  const again = await readFastaParquet(`${folder}/a`);
  assertEquals(await joined(writePlainFasta(again.records)), bytesOf(">a x\nAC\n>b y\nAC\u00e9GT\n>c\nA1\n"));
  const clean = await writeFastaParquet(bytesOf(">a\nAC\n>\u00e9\nA1\n"), `${folder}/b`);
  assertEquals(clean.ledger.warnings.length, 1);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("readFastaParquet() refuses a flipped bit anywhere, and parts that are swapped or copied", async (t) => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/a`;
  const { files } = await writeFastaParquet(bytesOf(">a x\nACGTACGT\n>b y\nGTGTGTGT\n"), path, { partBytes: 1 });
  const parts = files.map((file) => `${path}/${file}`);
  const [first, second] = await Promise.all(parts.map((part) => Deno.readFile(part)));
  const read = async () => await Array.fromAsync((await readFastaParquet(path)).records);
  const expected = await read();
  const assertRefused = async (says: RegExp) => {
    const error = await assertRejects(read);
    assert(error instanceof RegistryError && error.code === "damaged" || error instanceof ParseError, String(error));
    assert(says.test(error.message), error.message);
    assert(error.message.includes("write the folder again"), error.message);
  };
  await t.step("a bit of a part", async () => {
    for (let bit = 0; bit < second.length * 8; bit += 41) {
      const flipped = second.slice();
      flipped[bit >> 3] ^= 1 << (bit & 7);
      await Deno.writeFile(parts[1], flipped);
      await assertRefused(/part-00001\.parquet: it is not the file that was written/);
    }
    await Deno.writeFile(parts[1], second);
  });
  await t.step("a bit of _fasta.json", async () => {
    const whole = await Deno.readFile(`${path}/_fasta.json`);
    for (let bit = 0; bit < whole.length * 8; bit += 13) {
      const flipped = whole.slice();
      flipped[bit >> 3] ^= 1 << (bit & 7);
      // White space between values may be any.
      if (whole[bit >> 3] <= 32) continue;
      await Deno.writeFile(`${path}/_fasta.json`, flipped);
      await assertRefused(/fasta\.json/);
    }
    await Deno.writeFile(`${path}/_fasta.json`, whole);
  });
  await t.step("swapped parts", async () => {
    await Deno.writeFile(parts[0], second);
    await Deno.writeFile(parts[1], first);
    await assertRefused(/part-00000\.parquet/);
  });
  await t.step("a copied part", async () => {
    await Deno.writeFile(parts[0], first);
    await assertRefused(/part-00001\.parquet/);
    await Deno.writeFile(parts[1], second);
  });
  assertEquals(await read(), expected);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("readFastaParquet() says which file of a folder without checksums is not as it was written", async (t) => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/a`;
  const { files } = await writeFastaParquet(bytesOf(">a x\nAC\n>b y\nGT\n>c z\nA\n"), path, { partBytes: 1 });
  assertEquals(files.length, 3);
  // As an older toolkit wrote it.
  const { checks: _, checksum: __, ...old } = JSON.parse(await Deno.readTextFile(`${path}/_fasta.json`));
  await Deno.writeTextFile(`${path}/fasta.json`, JSON.stringify(old));
  await Deno.remove(`${path}/_fasta.json`);
  const part = `${path}/${files[1]}`;
  const before = await Deno.readFile(part);
  const frame = pl.readParquet(part);
  const damages: Record<string, [damage: () => void, says: string]> = {
    "fewer rows": [
      () => frame.head(0).writeParquet(part),
      `Cannot read ${path} whole: its files hold 2 records, fewer than the 3 that _fasta.json states; write the folder`,
    ],
    "more rows": [() => pl.concat([frame, frame]).writeParquet(part), "its files hold 4 records, more than the 3"],
    "a null": [
      () => frame.withColumn(pl.lit(null).cast(pl.String).alias("description")).writeParquet(part),
      `Cannot read ${part}: row 1 of its column "description" holds no value; write the folder again`,
    ],
    "a number": [() => frame.withColumn(pl.lit(7).alias("id")).writeParquet(part), 'column "id" holds no text'],
    "no column": [() => frame.drop("sequence").writeParquet(part), `Cannot read ${part}: `],
    "no file": [() => Deno.removeSync(part), `Cannot read ${part}: it is not there; write the folder again`],
    "no Parquet": [() => Deno.writeTextFileSync(part, ">a\nA\n"), `Cannot read ${part}: `],
  };
  for (const [name, [damage, says]] of Object.entries(damages)) {
    await t.step(name, async () => {
      damage();
      const { records } = await readFastaParquet(path);
      const error = await assertRejects(() => Array.fromAsync(records), Error, says);
      assert(error instanceof ParseError || error instanceof RegistryError, error.name);
      await Deno.writeFile(part, before);
    });
  }
  assertEquals((await Array.fromAsync((await readFastaParquet(path)).records)).length, 3);
  await Deno.remove(folder, { recursive: true });
});

// The last one: polars writes on for a while after it.
Deno.test("an abort ends writeFastaParquet() though a file is being written", async () => {
  const folder = await Deno.makeTempDir();
  const fasta = new Uint8Array(12_000_000);
  let state = 1;
  for (let at = 0; at < fasta.length; at++) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    fasta[at] = "ACGT".charCodeAt(state >>> 30);
  }
  fasta.set(bytesOf(">a\n"));
  const begins = async () => {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; await yieldToEventLoop()) {
      for (const { name, isDirectory } of Deno.readDirSync(folder)) {
        if (isDirectory && [...Deno.readDirSync(`${folder}/${name}`)].length > 0) return performance.now();
      }
    }
    throw new Error("no file was begun");
  };
  const whole = writeFastaParquet(fasta, `${folder}/a`);
  const begun = await begins();
  await whole;
  const wholeMs = performance.now() - begun;
  await Deno.remove(`${folder}/a`, { recursive: true });

  const stop = new AbortController();
  const stopped = assertRejects(
    () => writeFastaParquet(fasta, `${folder}/a`, { signal: stop.signal }),
    Error,
    "enough",
  );
  await begins();
  const aborted = performance.now();
  stop.abort(new Error("enough"));
  await stopped;
  const stopMs = performance.now() - aborted;
  assert(stopMs < wholeMs / 2, `${stopMs} ms after the abort, ${wholeMs} ms without one`);
  assertEquals([...Deno.readDirSync(folder)], []);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the folder of writeFastaParquet() is a table to programs that pass over names with _", async () => {
  const folder = await Deno.makeTempDir();
  await writeFastaParquet(bytesOf(">a x\nAC\n>b y\nGT\n"), `${folder}/a`, { partBytes: 1 });
  const names = [...Deno.readDirSync(`${folder}/a`)].map(({ name }) => name).filter((name) => !name.startsWith("_"));
  assertEquals(names.sort(), ["part-00000.parquet", "part-00001.parquet"]);
  await Deno.remove(folder, { recursive: true });
});
