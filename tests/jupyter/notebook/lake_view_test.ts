/** The card of a lake: its tables, and the lines to write next. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { buildLake, openLake } from "../../../src/core/tables/mod.ts";
import { DISPLAY } from "../../../src/core/io/display/display.ts";
import { live } from "../../../src/jupyter/notebook/live/live.ts";
import { viewOf } from "../../../src/jupyter/notebook/show.ts";
import { inFolder } from "../../_files.ts";
import { checkBundle } from "./_views.ts";

Deno.test("a lake's card has its tables, offers live(), which takes the lake, and escapes its folder", () =>
  inFolder(async (folder) => {
    await makeSample(`${folder}/archives`, { records: 20 });
    const path = `${folder}/<img src=x onerror=alert(1)>`;
    await buildLake(`${folder}/archives`, path);
    await using lake = await openLake(path);
    const view = await viewOf(lake);

    checkBundle(view);
    const line = 'next: await lake.table(), lake.scan(), await lake.sql("SELECT count(*) FROM lake"), await live(lake)';
    assertStringIncludes(view["text/plain"], line);
    assertStringIncludes(view["text/html"] ?? "", "await live(lake)<br>");
    assertStringIncludes(view["text/plain"], path);
    const lines = view["text/plain"].split("\n");
    assertEquals(lines[0], `lake of ${lake.tables.size} tables`);
    const main = lines.find((line) => line.startsWith("full_dataset_metadata (main)"))?.split(/ {2,}/);
    assertEquals(main?.slice(0, 4), ["full_dataset_metadata (main)", "metadata", "20", "54"]);
    assertStringIncludes((await (await live(lake))[DISPLAY]())["text/plain"], "full_dataset_metadata: 20 rows ×");
  }));
