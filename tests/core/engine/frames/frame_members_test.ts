/** Tables whose columns are called as members of a frame are, or as polars writes patterns, on every way of a table. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { worldMap } from "../../../../src/analysis/mod.ts";
import { csvRow } from "../../../../src/core/io/csv/csv_text.ts";
import { digestFrame } from "../../../../src/core/engine/digest/frame_digest.ts";
import { describeDifference } from "../../../../src/core/engine/digest/frame_difference.ts";
import { exactColumn, membersOf } from "../../../../src/core/engine/frames/frame_members.ts";
import { buildLake, openLake, tableFromCsv, writeFrame } from "../../../../src/core/tables/mod.ts";
import { readyLiveSource } from "../../../../src/jupyter/notebook/live/live_source.ts";
import { frameView } from "../../../../src/jupyter/notebook/frame_view.ts";
import { show } from "../../../../src/jupyter/notebook/show.ts";
import { openSource } from "../../../../src/analysis/source/source.ts";
import { inFolder } from "../../../_files.ts";

const MEMBERS = Reflect.ownKeys(membersOf(pl.DataFrame({ x: [1] }))).filter((name) => typeof name === "string");
const PATTERNS = ["*", "^a$", "^.*$", "^\\*$", "^", "$", "a.*", "^(a|b)\n$", "(^$)"];
const NAMES = ["id", "a", "Country", ...MEMBERS, ...PATTERNS];
const ROWS = ["one", "two"].map((row) => NAMES.map((name) => name === "Country" ? "Kenya" : `${name} ${row}`));
const CSV = [NAMES, ...ROWS].map((row) => `${csvRow(row)}\n`).join("");

const frameOf = (names: readonly string[]) =>
  pl.DataFrame(names.map((name) => pl.Series(name, ROWS.map((row) => row[NAMES.indexOf(name)]), pl.String)));

Deno.test("a frame's members are its members, whatever its columns are called", () => {
  for (const names of [NAMES, ...NAMES.map((name) => [name])]) {
    const members = membersOf(frameOf(names));
    assertEquals([members.columns, members.height, members.width], [names, 2, names.length]);
    assertEquals(membersOf(members.lazy().limit(1).collectSync()).rows().length, 1);
  }
  const other = { height: 1 };
  assertEquals([membersOf(other), membersOf(membersOf(frameOf(["a"]))).height], [other, 2]);
});

Deno.test("a column by its exact name is that column alone", () => {
  const frame = membersOf(frameOf(NAMES)).lazy();
  for (const [at, name] of NAMES.entries()) {
    const found = membersOf(frame.select(exactColumn(pl, name)).collectSync());
    assertEquals([found.columns, found.rows()], [[name], ROWS.map((row) => [row[at]])]);
  }
});

Deno.test("views, writers, digests and analyses take a frame with any names", async () => {
  await inFolder(async (folder) => {
    for (const names of [NAMES, ...MEMBERS.map((name) => [name, "Country"])]) {
      const frame = frameOf(names);
      const cells = ROWS.map((row) => names.map((name) => row[NAMES.indexOf(name)]));
      const csv = [names, ...cells].map((row) => `${csvRow(row)}\n`).join("");
      for (const format of ["csv", "tsv", "parquet"] as const) {
        await writeFrame(frame, `${folder}/a.${format}`, { format });
      }
      assertEquals(await Deno.readTextFile(`${folder}/a.csv`), csv);
      assertEquals(membersOf(pl.readParquet(`${folder}/a.parquet`)).rows(), cells);
      const text = (await frameView(frame as never))["text/plain"];
      assertStringIncludes(String(text), "2 rows");
      assertEquals((await openSource(frame)).columns.map(({ name }) => name), names);
      assertEquals(await describeDifference({ name: "a", frame }, { name: "b", frame }), undefined);
      assertEquals(await digestFrame(frame), await digestFrame(membersOf(frame)));
    }
    const ready = await readyLiveSource(frameOf(NAMES));
    assertEquals(ready.source.columns?.map(({ label }) => label), NAMES);
    await show(frameOf(NAMES));
  });
});

Deno.test("tables and lakes have columns of any names: rows, SQL, files, charts", async () => {
  await inFolder(async (folder) => {
    const table = await tableFromCsv(new TextEncoder().encode(CSV));
    assertEquals(membersOf(await table.frame()).rows(), ROWS);
    await table.toTSV(`${folder}/table.tsv`);
    await Deno.writeTextFile(`${folder}/a.csv`, CSV);
    await buildLake(`${folder}/a.csv`, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    const read = await lake.table();
    assertEquals(membersOf(await read.frame()).rows(), ROWS);
    assertEquals(membersOf(await read.rawFrame()).rows(), ROWS);
    await read.toCSV(`${folder}/b.csv`);
    assertEquals(await Deno.readTextFile(`${folder}/b.csv`), CSV);
    for (const [at, name] of NAMES.entries()) {
      const found = membersOf(await lake.scan().select(lake.column(name)).collect());
      assertEquals(found.rows(), ROWS.map((row) => [row[at]]), name);
    }
    const sql = await lake.sql("FROM lake");
    assertEquals(membersOf(sql).rows(), ROWS);
    const map = await worldMap(lake);
    assertEquals(map.frame.getColumn("records").toArray().map(Number), [2]);
  });
});

/** Files whose frames have columns of the toolkit's own alone. */
const OWN_COLUMNS = [
  "cli/commands/demo.ts",
  "analysis/run/keyed_rows.ts",
  "analysis/run/draw_order.ts",
  "analysis/run/delay_counts.ts",
];

async function* sources(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* sources(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) yield new URL(name, folder);
  }
}

Deno.test("src asks frames by membersOf() and names columns by exactColumn()", async () => {
  const src = new URL("../../../../src/", import.meta.url);
  const found: string[] = [];
  for await (const file of sources(src)) {
    const path = file.href.slice(src.href.length);
    if (OWN_COLUMNS.includes(path)) continue;
    const code = (await Deno.readTextFile(file)).replace(/\/\*\*[^]*?\*\//g, "");
    const reads = code.includes("membersOf") ? [] : code.match(/\bframe\.(?:height|width|columns|dtypes|schema)\b/g);
    const names = code.match(/\.col\((?:name|field|column|[\w.]+\.name)\)/g);
    for (const way of [...reads ?? [], ...names ?? []]) found.push(`${path}: ${way}`);
  }
  assertEquals(found, []);
});
