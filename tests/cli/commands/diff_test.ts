import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runInFolder } from "../../_program.ts";
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
