import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { cliCommand, runCli } from "../../_cli.ts";
import { namesIn } from "../../_files.ts";
import { testNeeding } from "../../_needs.ts";
import { runInFolder } from "../../_program.ts";
import { needsSmallDisk, onSmallDisk } from "../../_small_disk.ts";
import { withFolder } from "../../core/datasets/_archive.ts";
import { writeRows } from "../../again/diff/_versions.ts";

const OLD = [["id", "Country", "v"], ["a", "Peru", "1"], ["b", "Kenya", "2"], ["c", "<i>", "3"]];
const NEW = [["id", "Country", "v"], ["a", "peru", "1"], ["c", "<b>\u001b[2J", "3"], ["d", "Mali", "4"]];

async function withVersions(work: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await writeRows(`${folder}/old.csv`, OLD);
    await writeRows(`${folder}/new.csv`, NEW);
    await work(folder);
  });
}

Deno.test("diff exits with 5 where versions differ, with 0 where they do not", async () => {
  await withVersions(async (folder) => {
    const run = (...args: string[]) => runInFolder(folder, ["diff", ...args]);
    const different = await run("./old.csv", "./new.csv");
    assertEquals(different.code, 5, different.stderr);
    assertStringIncludes(different.stdout, "1 added, 1 removed, 2 changed, 0 unchanged");
    const equal = await run("./old.csv", "./old.csv");
    assertEquals(equal.code, 0, equal.stderr);
    assertEquals((await run("./old.csv", "./new.csv", "--fields", "v", "--key", "Nation")).code, 2);
    assertEquals((await run("./old.csv", "./absent.csv")).code, 1);
    assertEquals((await run("./old.csv", "./new.csv", "--rename", "v")).code, 2);
    const wrong: readonly [args: readonly string[], says: string][] = [
      [["--rename", "v=Country", "--rename", "v=id"], 'the new name of "v" twice'],
      [["--fields", ","], "a field name is empty"],
      [["--html", "-"], "name a file"],
    ];
    for (const [args, says] of wrong) {
      const { code, stdout, stderr } = await run("./old.csv", "./new.csv", ...args);
      assertEquals([code, stdout], [2, ""], stderr);
      assertStringIncludes(stderr, says);
    }
    await writeRows(`${folder}/comma.csv`, [["id", "Isolate, source"], ["a", "x"]]);
    const quoted = await run("./comma.csv", "./comma.csv", "--fields", '"Isolate, source"');
    assertEquals(quoted.code, 0, quoted.stderr);
    assertEquals((await run("./old.csv", "./new.csv", "--as-of", "soon")).code, 2);
  });
});

Deno.test("diff --format jsonl begins with a summary, and has a line for each record", async () => {
  await withVersions(async (folder) => {
    const { stdout } = await runInFolder(folder, ["diff", "./old.csv", "./new.csv", "--format", "jsonl", "-q"]);
    const [summary, ...records] = stdout.trim().split("\n").map((line) => JSON.parse(line));
    const { kind, old, new: now, added, removed, changed, unchanged, duplicate, keyless } = summary;
    assertEquals({ kind, old, now, added, removed, changed, unchanged, duplicate, keyless }, {
      kind: "summary",
      old: 3,
      now: 3,
      added: 1,
      removed: 1,
      changed: 2,
      unchanged: 0,
      duplicate: [],
      keyless: 0,
    });
    assertEquals(records[0], {
      kind: "changed",
      key: "a",
      fields: { Country: { old: "Peru", new: "peru", how: "case" } },
    });
    assertEquals(records.map(({ key }) => key), ["a", "b", "c", "d"]);
  });
});

Deno.test("diff --html writes a page whose values are escaped, and --ledger what was compared", async () => {
  await withVersions(async (folder) => {
    const args = [
      "diff",
      "./old.csv",
      "./new.csv",
      "--html",
      "./page.html",
      "--ledger",
      "./ledger.json",
      "-o",
      "./out.txt",
    ];
    const { code, stderr } = await runInFolder(folder, args);
    assertEquals(code, 5, stderr);
    const page = await Deno.readTextFile(`${folder}/page.html`);
    assert(!page.includes("<b>\u001b") && !page.includes("<i></"), "a value reaches the page as markup");
    assertStringIncludes(page, "Differing records by country");
    const { operation, request, complete } = JSON.parse(await Deno.readTextFile(`${folder}/ledger.json`));
    assertEquals([operation, request.sources.length, complete], ["diff", 2, true]);
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(left, ["ledger.json", "new.csv", "old.csv", "out.txt", "page.html"]);
  });
});

Deno.test("diff --format daff refuses versions that daff cannot patch", async () => {
  await withVersions(async (folder) => {
    await writeRows(`${folder}/twice.csv`, [...OLD, ["a", "Peru", "1"]]);
    const { code, stderr } = await runInFolder(folder, [
      "diff",
      "./twice.csv",
      "./new.csv",
      "--format",
      "daff",
      "-o",
      "./d",
    ]);
    assertEquals(code, 2);
    assertStringIncludes(stderr, "not every row has a key of its own");
    const { stdout } = await runInFolder(folder, ["diff", "./old.csv", "./new.csv", "--format", "daff", "-q"]);
    assertStringIncludes(stdout, "@@,id,Country,v\n->,a,Peru->peru,1\n---,b,Kenya,2\n");
  });
});

/** Two versions, every record of which differs, of some megabytes. */
async function writeLarge(folder: string, records: number): Promise<void> {
  const note = "x".repeat(30);
  for (const [name, value] of [["old", "1"], ["new", "2"]]) {
    const rows = Array.from(
      { length: records },
      (_, row) => `k${String(row).padStart(6, "0")},${note}${row},${value}\n`,
    );
    await Deno.writeTextFile(`${folder}/${name}.csv`, `id,note,v\n${rows.join("")}`);
  }
}

/** Size of the file with that beginning of its name in a folder, or in its folders; 0 without one. */
function sizeOf(folder: string, start: string): number {
  try {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const path = `${folder}/${name}`;
      const size = isDirectory ? sizeOf(path, start) : name.startsWith(start) ? Deno.statSync(path).size : 0;
      if (size > 0) return size;
    }
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  }
  return 0;
}

/** What is there when a comparison is interrupted: hashes of rows, records that differ, a part of the result. */
const MOMENTS = ["hashes-", "records.jsonl", ".changes.jsonl."] as const;

Deno.test("diff leaves nothing when it is interrupted, whenever that is", async (t) => {
  await withFolder(async (folder) => {
    await writeLarge(folder, 200_000);
    const temporary = `${folder}/temporary`;
    await Deno.mkdir(temporary);
    for (const start of MOMENTS) {
      await t.step(start, async () => {
        const args = ["diff", "old.csv", "new.csv", "--format", "jsonl", "-o", "changes.jsonl", "--html", "page.html"];
        const child = cliCommand(args, { cwd: folder, env: { TMPDIR: temporary }, limitMs: 120_000 }).spawn();
        let isOver = false;
        child.status.then(() => isOver = true);
        const output = child.output();
        while (!isOver && sizeOf(folder, start) === 0) await new Promise((resolve) => setTimeout(resolve, 2));
        assert(!isOver, "it ended before it was interrupted");
        child.kill("SIGINT");
        const { code, stdout, stderr } = await output;
        const [printed, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
        assertEquals([code, printed], [130, ""], said);
        assertStringIncludes(said, "interrupted");
        assertEquals(namesIn(folder), ["new.csv", "old.csv", "temporary"]);
        assertEquals(namesIn(temporary), []);
      });
    }
  });
});

testNeeding(needsSmallDisk(), "diff writes its results whole or not at all where the disk is full", async (t) => {
  await withFolder(async (folder) => {
    await writeLarge(folder, 5_000);
    // Parquet is read where it is.
    for (const name of ["old", "new"]) pl.readCSV(`${folder}/${name}.csv`).writeParquet(`${folder}/${name}.parquet`);
    const compare = async (args: readonly string[], env: Readonly<Record<string, string>> = {}, ending = "csv") => {
      const versions = [`old.${ending}`, `new.${ending}`];
      const { code, stderr } = await runCli(["diff", ...versions, ...args], { cwd: folder, env });
      assertEquals(code, 1, stderr);
      return stderr;
    };
    await onSmallDisk(24, async (disk) => {
      for (const option of ["--output", "--html"]) {
        await t.step(option, async () => {
          const said = await compare([option, `${disk}/result.html`, "--format", "jsonl"]);
          assertStringIncludes(said, `Cannot write ${disk}/result.html: the disk is full; free some space`);
          assertEquals(namesIn(disk), []);
        });
      }
      for (const ending of ["csv", "parquet"]) {
        await t.step(`the temporary directory, ${ending}`, async () => {
          const said = await compare(["-o", "changes.txt"], { TMPDIR: disk }, ending);
          assertStringIncludes(said, disk);
          assertStringIncludes(said, "free some space");
          assertEquals([namesIn(disk), namesIn(folder)], [[], ["new.csv", "new.parquet", "old.csv", "old.parquet"]]);
        });
      }
    });
  });
});
