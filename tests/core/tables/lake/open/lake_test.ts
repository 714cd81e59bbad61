/** Lakes are built once, whole or not at all, and say what is in them. */
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import pl from "nodejs-polars";
import { basename, dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { ParseError, RegistryError } from "../../../../../src/core/errors.ts";
import { GzipError } from "../../../../../src/core/io/gzip/gunzip.ts";
import { sha256 } from "../../../../../src/core/io/digest/sha256.ts";
import { TOOLKIT } from "../../../../../src/core/contract/version.ts";
import { buildLake, openLake } from "../../../../../src/core/tables/mod.ts";
import { assertFramesEqual, bytesOf } from "../../_frames.ts";
import { accession, DEFINITIONS, fileOf, inFolder, namesIn, writeGzip } from "../../_lake_files.ts";

Deno.test("a lake's manifest says what it is made of", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/registryv1_full_dataset_metadata.csv.gz`;
    await writeGzip(path, `Registry Accession,Whole\n${accession(1)},1\n${accession(1)},x\nragged\n`);
    const [{ manifest, files, reused }] = await buildLake(folder, `${folder}/lake`, { definitions: DEFINITIONS });
    assertEquals(manifest.table, "full_dataset_metadata");
    assertEquals(manifest.toolkit, TOOLKIT);
    assertEquals(manifest.source, {
      archive: "registryv1_full_dataset_metadata.csv.gz",
      sha256: await sha256(path),
      bytes: (await Deno.stat(path)).size,
    });
    assertEquals([manifest.rows, manifest.unique, manifest.unparsed], [2, 1, 1]);
    assertEquals(manifest.columns, [
      { name: "Registry Accession", field: "Registry Accession", type: "string", dtype: "String" },
      { name: "Whole", field: "Whole", type: "integer", dtype: "Int64" },
    ]);
    const [part, texts] = (["parquet", "raw"] as const).map((kind) =>
      fileOf(`${folder}/lake`, "full_dataset_metadata", kind)
    );
    assertEquals(manifest.raw.map(({ name, rows }) => [name, rows]), [[basename(texts), 1]]);
    assertEquals(manifest.definitions, [DEFINITIONS[0]]);
    assertEquals(manifest.misfits, { Whole: 1 });
    assertEquals(manifest.problems[0].line, 4);
    assertEquals(reused, false);
    assertEquals(files, [part]);
    assertEquals(namesIn(`${folder}/lake`), ["_lake", "full_dataset_metadata"]);
    assertEquals(namesIn(`${folder}/lake/full_dataset_metadata`), [basename(part)]);
    assertEquals(namesIn(dirname(texts)), ["manifest.json", basename(texts)]);
    await using lake = await openLake(`${folder}/lake`);
    const { ledger } = await lake.table();
    assertEquals([ledger.complete, ledger.reasons], [false, [
      "1 row could not be read: line 4 (the row has 1 cell, the header has 2)",
    ]]);
    assertEquals(ledger.duplicate, 1);
  });
});

Deno.test("Parquet of a lake and of an export holds plain strings to every reader", async () => {
  await inFolder(async (folder) => {
    const csv = `Registry Accession,Whole,Day,Hosts\n${accession(1)},1,2020,"ARROW:schema;b"\n`;
    await writeGzip(`${folder}/a.csv.gz`, csv);
    const [{ files }] = await buildLake(`${folder}/a.csv.gz`, folder, { definitions: DEFINITIONS, dates: "columns" });
    await using lake = await openLake(folder);
    const table = await lake.table();
    await table.toParquet(`${folder}/export.parquet`);
    for (const [index, file] of [...files, `${folder}/export.parquet`].entries()) {
      // polars's own schema, in which texts are views, would stand in the file's keys and values.
      const pairs = await lake.sql(
        `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${file}')`,
      );
      const fields = DEFINITIONS.filter(({ name }) => ["Whole", "Day", "Hosts"].includes(name));
      assertEquals(
        Object.fromEntries(pairs.toRecords().map(({ key, value }) => [key, value])),
        index > 0 ? {} : {
          "seqreg:archive": "a.csv.gz",
          "seqreg:sha256": await sha256(`${folder}/a.csv.gz`),
          "seqreg:toolkit": TOOLKIT,
          "seqreg:fields": JSON.stringify(
            fields.map(({ name, type, unit, description }) => ({ name, type, unit, description })),
          ),
        },
      );
      assertFramesEqual(await pl.scanParquet(file).collect(), await table.frame());
    }
  });
});

Deno.test("a lake is built once for an archive, and anew when archive, definitions or dates change", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    const build = async (options = {}) =>
      (await buildLake(path, `${folder}/lake`, { definitions: DEFINITIONS, ...options }))[0];
    await writeGzip(path, "Registry Accession,Whole\nx,1\n");
    assertEquals((await build()).reused, false);
    assertEquals((await build()).reused, true);
    assertEquals((await build({ dates: "columns" })).reused, false);
    assertEquals((await build({ dates: "columns", definitions: [] })).reused, false);
    assertEquals((await build()).reused, false);
    await writeGzip(path, "Registry Accession,Whole\nx,2\n");
    const changed = await build();
    assertEquals([changed.reused, changed.manifest.rows], [false, 1]);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals((await lake.scan().collect()).toRecords(), [{ "Registry Accession": "x", Whole: 2 }]);
    await Deno.writeTextFile(changed.files[0], "damaged");
    assertEquals((await build()).reused, false);
  });
});

Deno.test("buildLake() refuses damaged archives and leaves nothing, or what was there before", async (t) => {
  const good = `Registry Accession,Whole\n${accession(1)},1\n`;
  const whole = new Uint8Array(gzipSync(good.repeat(1) + `${accession(2)},2\n`.repeat(10_000)));
  const flipped = whole.slice();
  flipped[whole.length >> 1] ^= 0xff;
  const faults: Record<string, [bytes: Uint8Array, type: abstract new (...args: never[]) => Error]> = {
    "truncated": [whole.subarray(0, whole.length - 20), GzipError],
    "a flipped byte": [flipped, GzipError],
    "an HTML page": [bytesOf("<!doctype html><title>no</title>"), ParseError],
    "empty": [bytesOf(""), ParseError],
    "an open quote": [bytesOf(`${good}${accession(2)},"2\n`), ParseError],
    "text after a quote": [bytesOf(`${good}"${accession(2)}"x,2\n`), ParseError],
    "not UTF-8": [Uint8Array.of(...bytesOf(good), 0xff, 0x2c, 0x31, 0x0a), ParseError],
    "two columns of one name": [bytesOf("a,a\n1,2\n"), ParseError],
    "no header": [bytesOf(`${accession(1)},1\n`), ParseError],
  };
  for (const [fault, [bytes, type]] of Object.entries(faults)) {
    await t.step(fault, () =>
      inFolder(async (folder) => {
        await Deno.writeFile(`${folder}/a.csv.gz`, bytes);
        const error = await assertRejects(() => buildLake(`${folder}/a.csv.gz`, `${folder}/lake`));
        assert(error instanceof type, String(error));
        assertEquals(namesIn(`${folder}/lake`), []);
        await writeGzip(`${folder}/a.csv.gz`, good);
        await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
        await Deno.writeFile(`${folder}/a.csv.gz`, bytes);
        await assertRejects(() => buildLake(`${folder}/a.csv.gz`, `${folder}/lake`));
        await using lake = await openLake(`${folder}/lake`);
        assertEquals(lake.tables.get("a")?.rows, 1);
        assertEquals(namesIn(`${folder}/lake`), ["_lake", "a"]);
      }));
  }
});

Deno.test("several builders of one table leave one whole table", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    await writeGzip(path, `Registry Accession,Whole\n${"x,1\n".repeat(1000)}`);
    const built = await Promise.all(Array.from({ length: 8 }, () => buildLake(path, `${folder}/lake`)));
    assertEquals(built.flat().map(({ manifest }) => manifest.rows), new Array(8).fill(1000));
    assertEquals(namesIn(`${folder}/lake`), ["_lake", "a"]);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals((await lake.scan().collect()).height, 1000);
  });
});

Deno.test("names that a lake adds give way to fields, or say so", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, "Registry Accession,Whole,Whole (raw),Day,Day latest\nx,y,z,2013,w\n");
    const build = (dates: "text" | "columns") =>
      buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, { definitions: DEFINITIONS, dates });
    await assertRejects(() => build("columns"), RangeError, 'use dates: "text"');
    assertEquals(namesIn(`${folder}/lake`), []);
    await build("text");
    await using lake = await openLake(`${folder}/lake`);
    const table = await lake.table();
    assertEquals((await table.frame()).toRecords(), [
      { "Registry Accession": "x", Whole: null, "Whole (raw)": "z", Day: "2013", "Day latest": "w" },
    ]);
    assertEquals(table.problems[0].value, "y");
  });
});

Deno.test("an archive that is not what its checksum file says becomes no lake", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.csv.gz`;
    await writeGzip(path, "Registry Accession,Whole\nx,1\n");
    await Deno.writeTextFile(`${folder}/a.sha256`, `${"0".repeat(64)}  a.csv.gz\n`);
    const error = await assertRejects(() => buildLake(path, `${folder}/lake`), RegistryError, "its checksum file says");
    assertEquals(error.code, "checksum");
    assertEquals(namesIn(`${folder}/lake`), []);
    await Deno.writeTextFile(`${folder}/a.sha256`, `${await sha256(path)}  a.csv.gz\n`);
    assertEquals((await buildLake(path, `${folder}/lake`)).length, 1);
    await Deno.writeTextFile(`${folder}/a.sha256`, `${"0".repeat(64)}  a.csv.gz\n`);
    await assertRejects(() => buildLake(path, `${folder}/lake`), RegistryError, "its checksum file says");
  });
});

Deno.test("a stop leaves nothing behind", async () => {
  await inFolder(async (folder) => {
    const row = `${accession(1)},${"x".repeat(500)}\n`;
    await writeGzip(`${folder}/a.csv.gz`, `Registry Accession,Note\n${row.repeat(100_000)}`);
    const control = new AbortController();
    const started = performance.now();
    let stopped = 0;
    await assertRejects(
      () =>
        buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, {
          signal: control.signal,
          onProgress: ({ done, total }) => {
            if (stopped === 0 && done > total! / 2) {
              stopped = performance.now();
              control.abort(new DOMException("stop", "AbortError"));
            }
          },
        }),
      DOMException,
      "stop",
    );
    assert(stopped > started);
    assert(performance.now() - stopped < 2000, "it ends within two seconds");
    assertEquals(namesIn(`${folder}/lake`), []);
  });
});

Deno.test("a wrong table or column says which was meant", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, "Registry Accession,Country\nx,Kenya\n");
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals(Object.keys(lake.fields), ["Registry Accession", "Country"]);
    assertEquals((await lake.scan().filter(lake.fields.Country.eq(pl.lit("Kenya"))).collect()).height, 1);
    assertThrows(() => lake.fields.Cuntry, RangeError, 'did you mean "Country"?');
    assertThrows(() => lake.column("country name"), RangeError, 'did you mean "Country"?');
    assertThrows(() => lake.scan("b"), RangeError, "expected one of a");
    await assertRejects(() => lake.table({ columns: ["Cuntry"] }), RangeError, "Country");
    assertEquals((await (await lake.table({ columns: ["Country", "Country"] })).frame()).columns, ["Country"]);
  });
});

Deno.test("a lake that was closed, once or twice, runs no query any more", async () => {
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, "Registry Accession,Country\nx,Kenya\n");
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals((await lake.sql("SELECT * FROM lake")).height, 1);
    await lake.close();
    await lake.close();
    await assertRejects(() => lake.sql("SELECT * FROM lake"), TypeError, "it was closed; open it again");
    await assertRejects(() => lake.collect(lake.scan()), TypeError, "it was closed; open it again");
  });
});

Deno.test("openLake() and buildLake() say what is wrong with a folder", async () => {
  await inFolder(async (folder) => {
    await assertRejects(() => openLake(`${folder}/none`), RegistryError, "does not exist");
    await assertRejects(() => openLake(folder), RegistryError, "no table is in it");
    await assertRejects(() => buildLake(folder, `${folder}/lake`), RegistryError, "none of the eight archives");
    await assertRejects(() => buildLake(`${folder}/none.csv`, `${folder}/lake`), RegistryError, "does not exist");
    await Deno.mkdir(`${folder}/t`);
    for (const text of ["{", "{}", '{"lake":1,"files":[{"name":"../x.parquet","rows":1}]}']) {
      await Deno.writeTextFile(`${folder}/t/manifest.json`, text);
      const error = await assertRejects(() => openLake(folder), ParseError);
      assertStringIncludes(error.message, "build the lake again");
    }
    await Deno.writeTextFile(`${folder}/t/manifest.json`, '{"lake":4,"toolkit":"seqreg 9.0.0"}');
    const newer = await assertRejects(() => openLake(folder), ParseError, "seqreg 9.0.0 wrote it in a newer form");
    assertStringIncludes(newer.message, "update seqreg");
  });
});
