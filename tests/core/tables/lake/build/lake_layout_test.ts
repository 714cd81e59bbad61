/** A table's folder holds its parts and nothing else; links are followed, and lakes of form 2 still open. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { basename, dirname } from "node:path";
import { RegistryError } from "../../../../../src/core/errors.ts";
import { buildAnyLakeBy } from "../../../../../src/core/tables/lake/objects/build_any_lake.ts";
import { buildLake, type Lake, openLake, verifyLake } from "../../../../../src/core/tables/mod.ts";
import { exactRows } from "../../_frames.ts";
import { accession, DEFINITIONS, fileOf, HEADER, inFolder, namesIn, writeGzip } from "../../_lake_files.ts";
import { copyFolder } from "../../../../_files.ts";

/** A lake of form 2, as the toolkit wrote it. */
const OLD_LAKE = new URL("../lake_2", import.meta.url).pathname;

/** Rows of which some values do not fit their type. */
function csvOf(records: number, note = "a"): string {
  const rows = Array.from(
    { length: records },
    (_, row) => `${accession(row)},${row % 5 === 0 ? "x" : row},,,,,,${note}\n`,
  );
  return `${HEADER.join(",")}\n${rows.join("")}`;
}

/** Builds a table `a` of some rows, in several parts. */
async function buildTable(folder: string, records: number, note?: string): Promise<string> {
  await writeGzip(`${folder}/a.csv.gz`, csvOf(records, note));
  await buildAnyLakeBy({ partBytes: 4096 }, `${folder}/a.csv.gz`, `${folder}/lake`, { definitions: DEFINITIONS });
  return `${folder}/lake`;
}

/** Counts the rows of a lake by a frame, by SQL and by its ledger. */
async function countRows(lake: Lake): Promise<unknown> {
  const sql = await lake.sql("SELECT count(*)::INTEGER AS n FROM lake");
  const { rows, problemCount, problems } = await lake.table();
  return [(await lake.scan().collect()).height, Number(exactRows(sql)[0].n), rows, problemCount, problems.length];
}

Deno.test("the folder of a table holds its Parquet files and nothing else, also when it is built again", async () => {
  await inFolder(async (folder) => {
    for (const records of [24_000, 20_000]) {
      const lake = await buildTable(folder, records);
      const names = namesIn(`${lake}/a`);
      assert(
        names.length > 1 && names.every((name) => /^part-[0-9]{5}-[0-9a-f]{16}\.parquet$/.test(name)),
        names.join(),
      );
      assertEquals([namesIn(lake), namesIn(`${lake}/_lake`), namesIn(`${lake}/_lake/a`).length], [
        ["_lake", "a"],
        ["a"],
        1,
      ]);
      assert(namesIn(dirname(fileOf(lake, "a", "raw"))).every((name) => /\.(raw|json)$/.test(name)));
    }
  });
});

Deno.test("a lake that is built again while it is open says so, and never shows new rows under an old manifest", async (t) => {
  const readings: Record<string, (lake: Lake) => Promise<unknown>> = {
    scan: async (lake) => await (await lake.table()).frame(),
    "table()": (lake) => lake.table(),
    "sql()": (lake) => lake.sql("SELECT * FROM lake"),
    "collect()": (lake) => lake.collect(lake.scan()),
  };
  for (const [name, read] of Object.entries(readings)) {
    await t.step(name, () =>
      inFolder(async (folder) => {
        const path = await buildTable(folder, 300);
        await using lake = await openLake(path);
        await read(lake);
        await buildTable(folder, 500);
        await assertRejects(() => read(lake), RegistryError, "open the lake again");
        await using again = await openLake(path);
        assertEquals(await countRows(again), [500, 500, 500, 100, 100]);
      }));
  }
  await t.step("of form 2, whose files keep their names", () =>
    inFolder(async (folder) => {
      await copyFolder(OLD_LAKE, `${folder}/lake`);
      await using lake = await openLake(`${folder}/lake`);
      const table = await lake.table();
      // An older toolkit builds the table again.
      const manifest = JSON.parse(await Deno.readTextFile(`${folder}/lake/a/manifest.json`));
      delete manifest.checksum;
      for (const file of [...manifest.files, ...manifest.raw]) delete file.checks;
      await Deno.writeTextFile(`${folder}/lake/a/manifest.json`, JSON.stringify(manifest));
      await assertRejects(() => table.frame(), RegistryError, "open the lake again");
    }));
});

Deno.test("a lake of form 2 opens as before, is verified, and is built anew in form 3", async () => {
  await inFolder(async (folder) => {
    await copyFolder(OLD_LAKE, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    assertEquals([...lake.tables.keys()], ["a", "full_dataset_sequence"]);
    const table = await lake.table();
    assertEquals([table.rows, table.problems.map(({ value }) => value), lake.warnings], [6, ["ragged", "x"], []]);
    assertEquals(exactRows(await table.rawFrame()).map((row) => row.Whole), ["1", "2", "x", "007", "5", "6"]);
    assertEquals(exactRows(await lake.sql('SELECT "Whole" FROM lake ORDER BY 1')).map((row) => row.Whole), [
      "1",
      "2",
      "5",
      "6",
      "7",
      null,
    ]);
    assertEquals((await verifyLake(`${folder}/lake`)).map(({ name, ok }) => [name, ok]), [
      ["a/manifest.json", true],
      ["a/part-00000.parquet", true],
      ["a/part-00000.raw", true],
      ["full_dataset_sequence/manifest.json", true],
      ["full_dataset_sequence/part-00000.parquet", true],
    ]);
    await buildTable(folder, 20);
    assertEquals(namesIn(`${folder}/lake/a`), [basename(fileOf(`${folder}/lake`, "a", "parquet"))]);
    await using again = await openLake(`${folder}/lake`);
    assertEquals([...again.tables].map(([name, { lake, rows }]) => [name, lake, rows]), [
      ["a", 3, 20],
      ["full_dataset_sequence", 2, 3],
    ]);
  });
});

Deno.test("symbolic links in a lake are followed: to a table, to its parts, to everything", async (t) => {
  const links: Record<string, (lake: string, elsewhere: string) => Promise<void>> = {
    "the folder of a table": async (lake, elsewhere) => {
      await Deno.rename(`${lake}/a`, `${elsewhere}/moved`);
      await Deno.symlink(`${elsewhere}/moved`, `${lake}/a`);
    },
    "a part, as git-annex has it": async (lake, elsewhere) => {
      const part = fileOf(lake, "a", "parquet");
      await Deno.rename(part, `${elsewhere}/SHA256E-s1--it's[1]`);
      await Deno.symlink(`${elsewhere}/SHA256E-s1--it's[1]`, part);
    },
    "the folder of manifests": async (lake, elsewhere) => {
      await Deno.rename(`${lake}/_lake`, `${elsewhere}/about`);
      await Deno.symlink(`${elsewhere}/about`, `${lake}/_lake`);
    },
    "the lake": async (lake, elsewhere) => {
      await Deno.rename(lake, `${elsewhere}/lake`);
      await Deno.symlink(`${elsewhere}/lake`, lake);
    },
  };
  for (const [name, link] of Object.entries(links)) {
    await t.step(name, () =>
      inFolder(async (folder) => {
        const path = await buildTable(folder, 400);
        await Deno.mkdir(`${folder}/elsewhere`);
        await link(path, `${folder}/elsewhere`);
        await using lake = await openLake(path);
        assertEquals(await countRows(lake), [400, 400, 400, 80, 80]);
        assert((await verifyLake(path)).every(({ ok }) => ok));
      }));
  }
  await t.step("the folder of a table of form 2", () =>
    inFolder(async (folder) => {
      await copyFolder(OLD_LAKE, `${folder}/lake`);
      await Deno.rename(`${folder}/lake/a`, `${folder}/moved`);
      await Deno.symlink("../moved", `${folder}/lake/a`);
      await using lake = await openLake(`${folder}/lake`);
      assertEquals([lake.main, await countRows(lake)], ["a", [6, 6, 6, 2, 2]]);
    }));
  await t.step("a build replaces the link, not what it leads to", () =>
    inFolder(async (folder) => {
      const path = await buildTable(folder, 400);
      await links["the folder of a table"](path, folder);
      const before = namesIn(`${folder}/moved`);
      await buildTable(folder, 100);
      assertEquals([namesIn(`${folder}/moved`), (await Deno.lstat(`${path}/a`)).isSymlink], [before, false]);
    }));
});

Deno.test("a manifest whose table is absent is an error that names it, and so is a link that leads nowhere", async () => {
  await inFolder(async (folder) => {
    const path = await buildTable(folder, 20);
    await Deno.writeTextFile(`${folder}/b.csv`, "Registry Accession\nx\n");
    await buildLake(`${folder}/b.csv`, path);
    await Deno.rename(`${path}/a`, `${folder}/gone`);
    const error = await assertRejects(() => openLake(path), RegistryError, `${path}/a: the folder does not exist`);
    assertStringIncludes(error.message, "seqreg lake a.csv.gz -o ");
    assertEquals((await verifyLake(path)).filter(({ ok }) => !ok).map(({ name, unread }) => [name, unread]), [
      ["a", true],
    ]);
    await Deno.symlink(`${folder}/nowhere`, `${path}/a`);
    await assertRejects(() => openLake(path), RegistryError, "leads to");
    await assertRejects(() => verifyLake(path), RegistryError, "leads to");
  });
});

Deno.test("parts without a manifest are an error that names them, in a lake alone", async () => {
  await inFolder(async (folder) => {
    const lake = await buildTable(folder, 10);
    await buildLake(`${folder}/a.csv.gz`, lake, { definitions: DEFINITIONS });
    await writeGzip(`${folder}/b.csv.gz`, csvOf(3));
    await buildLake(`${folder}/b.csv.gz`, lake, { definitions: DEFINITIONS });
    await Deno.remove(`${lake}/_lake/a`, { recursive: true });
    const says = "the folder has parts of a table, and";
    await assertRejects(() => openLake(lake), RegistryError, says);
    const verdicts = await verifyLake(lake);
    const [{ name, ok, reason }] = verdicts.filter(({ ok }) => !ok);
    assertEquals([name, ok, reason.includes(says), verdicts.some(({ ok }) => ok)], ["a", false, true, true]);
    const [{ manifest }] = await buildLake(`${folder}/a.csv.gz`, lake, { definitions: DEFINITIONS });
    assertEquals(manifest.rows, 10);
    await Deno.remove(`${lake}/_lake/a`, { recursive: true });
    await Deno.remove(`${lake}/_lake`, { recursive: true });
    await assertRejects(() => openLake(lake), RegistryError, "no table is in it");
  });
});

Deno.test("a build that was killed between its two renames leaves the table as it was", async () => {
  await inFolder(async (folder) => {
    const path = await buildTable(folder, 300);
    const former = dirname(fileOf(path, "a", "manifest"));
    await copyFolder(former, `${folder}/former`);
    await buildTable(folder, 500);
    // The manifest of a build whose parts did not come.
    const late = `${path}/_lake/a/29991231T235959Z-0a1b2c3d`;
    await copyFolder(`${folder}/former`, late);
    {
      await using lake = await openLake(path);
      assertEquals(await countRows(lake), [500, 500, 500, 100, 100]);
    }
    await buildTable(folder, 100);
    assertEquals(namesIn(`${path}/_lake/a`).length, 1, "the next build removes it");
  });
});

Deno.test("a file that is opened as a lake has another error than an absent folder", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.fasta`, ">a\nAC\n");
    await assertRejects(
      () => openLake(`${folder}/a.fasta`),
      RegistryError,
      "it is a file, not a folder; build it first",
    );
    await assertRejects(() => openLake(`${folder}/absent`), RegistryError, "the folder does not exist; build it first");
  });
});

Deno.test("files of the longest names become tables of shorter ones, each of its own", async () => {
  await inFolder(async (folder) => {
    const paths = ["1", "2"].map((end) => `${folder}/${"x".repeat(247)}${end}.csv.gz`);
    for (const [index, path] of paths.entries()) await writeGzip(path, csvOf(index + 3));
    const tables = await buildLake(paths, `${folder}/lake`, { definitions: DEFINITIONS });
    assertEquals(tables.map(({ manifest }) => [manifest.table.slice(0, 120), manifest.table.length, manifest.rows]), [
      [`${"x".repeat(119)}_`, 128, 3],
      [`${"x".repeat(119)}_`, 128, 4],
    ]);
    assertEquals((await buildLake(paths, `${folder}/lake`, { definitions: DEFINITIONS })).map(({ reused }) => reused), [
      true,
      true,
    ]);
    await using lake = await openLake(`${folder}/lake`);
    const [{ n }] = exactRows(await lake.sql(`SELECT count(*)::INTEGER AS n FROM "${tables[1].manifest.table}"`));
    assertEquals(Number(n), 4);
  });
});
